"""Senses of words, and how similar they are: ADW over WordNet.

Pilehvar, Jurgens and Navigli (2013), “Align, Disambiguate and Walk”: a sense is known by the places
that a random walk from it visits in WordNet's graph. ``dictionary`` reads WordNet's own files,
``lexicon`` the small file that the project makes of them and ships, and ``adw`` walks and compares
words and phrases.
"""
