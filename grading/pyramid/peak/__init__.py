"""PEAK (Yang, Passonneau and de Melo 2016): pyramids of subject-predicate-object triples.

``phrases`` has the words of a triple that can be compared, ``hypergraph`` which elements of triples
are similar and which are salient, ``induction`` the content units (algorithm 1), ``scoring`` what a
summary has of them (algorithm 2); ``measure`` is the method of the frame.
"""
