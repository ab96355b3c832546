"""LTI 1.3: people come from their LMS, and grades go back to it (docs/lms.md)."""
