"""Feedback: what a report says to the writer of a text, in words that one can learn from."""
