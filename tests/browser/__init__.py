"""Tests in a real browser with the real worker."""
