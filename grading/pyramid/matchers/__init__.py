"""Segments of a summary to content units, one algorithm a file."""
