"""Measurements: agreement with people and speed. ``make bench``."""
