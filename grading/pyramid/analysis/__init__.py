"""How good a pyramid is, and what could be better: each suggestion with the edit that does it."""
