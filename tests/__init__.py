"""Tests mirror grading/: the source path minus grading/, plus test_."""
