"""The command `pyreval`."""
