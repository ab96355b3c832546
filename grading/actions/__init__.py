"""Writes that touch several rows or start work: ``entity_verb(*, keyword_only)``."""
