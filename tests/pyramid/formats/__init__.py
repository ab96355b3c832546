"""DUCView files and JSON."""
