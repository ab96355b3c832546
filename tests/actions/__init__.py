"""Tests of grading/actions."""
