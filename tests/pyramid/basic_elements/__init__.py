"""Basic Elements."""
