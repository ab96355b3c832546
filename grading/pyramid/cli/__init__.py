"""The tasks of researchers: for the command `pyreval`, and for `manage.py`."""
