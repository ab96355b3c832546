"""Open information extraction: what a sentence says, as subject, predicate and objects.

PEAK (Yang, Passonneau and de Melo 2016) takes its triples from ClausIE (Del Corro and Gemulla
2013). Here they come from rules on the dependency parse: ``clauses`` has those for verbs and
for what is said without one. ``extraction.extract_triples`` is the door; it says how far each
triple is to be trusted. ``triple.read_table`` reads the triples of another extractor.
"""
