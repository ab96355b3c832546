"""Second looks."""
