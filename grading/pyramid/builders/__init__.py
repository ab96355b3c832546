"""Segments of references to a pyramid, one algorithm a file."""
