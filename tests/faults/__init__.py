"""Faults on real services: what is killed, restarted, full or late, and what must hold then."""
