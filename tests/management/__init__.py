"""The commands for researchers."""
