"""Grades."""
