"""ROUGE (Lin 2004) as an instance of Basic Elements' frame (Hovy, Lin and Zhou 2005, section 3.6).

Its units are n-grams, skip bigrams or subsequences, each worth its count, matched by identity or
by stem; the points add up to recall, precision and F1.
"""
