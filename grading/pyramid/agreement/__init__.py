"""How far machine and people agree about a class, and people among themselves."""
