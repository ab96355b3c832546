"""Basic Elements (Hovy, Lin and Zhou 2005): heads of phrases, and their modifiers."""
