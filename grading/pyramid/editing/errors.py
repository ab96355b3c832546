"""Edits that cannot be made."""

from grading.pyramid.errors import InputError


class EditError(InputError):
    """The edit does not fit the pyramid: nothing was changed, and the message says why."""


class JoinOfferError(EditError):
    """A reference already contributes to the idea: its words can be joined as further parts."""
