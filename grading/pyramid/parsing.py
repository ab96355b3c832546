"""The only spaCy door: a text becomes sentences of tokens that the rest of the core can read."""
