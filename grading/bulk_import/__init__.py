"""Bulk import."""
