"""Errors of the pyramid core, by whose fault they are; each carries a sentence to read."""


class PyramidError(Exception):
    """Base of all errors that the core raises on purpose; ``str()`` is a plain sentence."""


class InputError(PyramidError):
    """The reader's input cannot be used: the message names the file, the line or the text."""


class ResourceMissingError(PyramidError):
    """A model or data file is not installed: the message says how to get it."""


# Edits that cannot be made.


class EditError(InputError):
    """The edit does not fit the pyramid: nothing was changed, and the message says why."""


class JoinOfferError(EditError):
    """A reference already contributes to the idea: its words can be joined as further parts."""
