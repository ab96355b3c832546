"""Pyramids and annotations as files."""
