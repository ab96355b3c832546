"""Errors of the pyramid core, by whose fault they are. Each carries the sentence that a person reads."""


class PyramidError(Exception):
    """Base of all errors that the core raises on purpose; ``str()`` is a plain sentence."""


class InputError(PyramidError):
    """The reader's input cannot be used: the message names the file, the line or the text."""


class ResourceMissingError(PyramidError):
    """A model or a data file that the method needs is not installed: the message says how to get it."""
