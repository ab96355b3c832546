"""ROUGE as rows of the frame."""
