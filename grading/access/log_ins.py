"""The person who tries to log in, and the address of the attempt."""

from django.conf import settings
from django.http import HttpRequest

from grading.models import User
from grading.models.users import LONGEST_LOGIN


def get_tried_login(typed: str) -> str:
    """The login that wrong passwords are counted for, however it was typed (case, e-mail)."""
    try:
        return User.objects.get_by_natural_key(typed).username
    except User.DoesNotExist:
        return typed.strip().lower()[:LONGEST_LOGIN]


def get_client_address(request: HttpRequest) -> str:
    """Where a request comes from. Of X-Forwarded-For only what our own proxies wrote is believed:

    each adds one address at the right, so with n of them the n-th from the right is the client.
    """
    direct = str(request.META.get("REMOTE_ADDR", ""))
    if not settings.TRUSTED_PROXIES:
        return direct
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    return forwarded[-settings.TRUSTED_PROXIES :][0] or direct
