"""Migrations; never edited after they landed."""
