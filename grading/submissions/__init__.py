"""Submissions."""
