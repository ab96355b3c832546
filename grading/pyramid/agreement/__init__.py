"""How far judges of the same texts agree: the program with people, and people with each other."""
