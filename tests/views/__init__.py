"""Tests of grading/views."""
