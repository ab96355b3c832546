"""Tests of grading/models."""
