"""Gradebooks of learning platforms: their files are filled in place, or made afresh."""
