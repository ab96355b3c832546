"""Class figures."""
