"""Log-ins and log-outs, however somebody logs in: Django's signals tell of all of them."""

from collections.abc import Mapping

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest

from grading.models import AuditKind, User, record

# Under which names the ways of logging in have what was typed as the account.
_TYPED = ("username", "email", "login")


def record_log_in(sender: object, user: User, **kwargs: object) -> None:
    del sender, kwargs
    record(AuditKind.LOGGED_IN, "Logged in.", actor=user)


def record_log_out(sender: object, user: User | None, **kwargs: object) -> None:
    del sender, kwargs
    if user is not None:
        record(AuditKind.LOGGED_OUT, "Logged out.", actor=user)


def record_failed_log_in(
    sender: object,
    credentials: Mapping[str, str],
    request: HttpRequest | None = None,
    **kwargs: object,
) -> None:
    """Which account was tried, and from where. What was typed is not kept: it may be a password."""
    del sender, request, kwargs
    typed = next((str(credentials[name]) for name in _TYPED if credentials.get(name)), "")
    try:
        person = User.objects.get_by_natural_key(typed)
    except User.DoesNotExist:
        record(AuditKind.LOG_IN_FAILED, "Tried to log in to an account that does not exist.")
    else:
        record(AuditKind.LOG_IN_FAILED, "Failed to log in.", person=person)


def connect() -> None:
    """Called once, when the apps are ready."""
    user_logged_in.connect(record_log_in, dispatch_uid="audit log-in")
    user_logged_out.connect(record_log_out, dispatch_uid="audit log-out")
    user_login_failed.connect(record_failed_log_in, dispatch_uid="audit failed log-in")
