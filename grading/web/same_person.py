"""Before what cannot be undone or carries a class away: is it still the person who logged in?"""

from collections.abc import Callable
from typing import TypeVar

from allauth.account.decorators import reauthentication_required
from django.http import HttpResponseBase

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def needs_password_again(view: View) -> View:
    """Ask for the password (or second factor) first, unless it was given in the last minutes."""
    guarded: View = reauthentication_required(view)
    return guarded


def needs_password_to_post(view: View) -> View:
    """The same where only a form that is sent does something."""
    guarded: View = reauthentication_required(view, allow_get=True)
    return guarded
