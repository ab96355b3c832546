"""Tests of grading/templatetags."""
