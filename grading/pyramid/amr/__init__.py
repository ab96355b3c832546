"""Abstract Meaning Representations: graphs of concepts and roles, aligned to words.

``graphs`` has the graphs and their triples, ``penman_files`` reads and writes them, ``smatch``
compares two, ``converting`` makes one of a parsed sentence by rules.
"""
