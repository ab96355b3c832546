"""Log-ins, log-outs, and changes of how somebody logs in.

Signals of Django and allauth tell of all of them, whichever page or provider was used.
"""

from collections.abc import Mapping
from functools import partial

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed, password_changed, password_reset, password_set
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import (
    authentication_failed,
    authenticator_added,
    authenticator_removed,
    authenticator_reset,
)
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.signals import social_account_added, social_account_removed
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


def record_wrong_code(sender: object, user: User, **kwargs: object) -> None:
    del sender, kwargs
    record(AuditKind.LOG_IN_FAILED, "Gave a wrong second factor.", person=user)


def record_change(sender: object, *, sentence: str, user: User, **kwargs: object) -> None:
    del sender, kwargs
    record(AuditKind.ACCOUNT_CHANGED, sentence, person=user)


def record_factor(
    sender: object, *, verb: str, user: User, authenticator: Authenticator, **kwargs: object
) -> None:
    del sender, kwargs
    what = authenticator.get_type_display()
    record(AuditKind.ACCOUNT_CHANGED, f"{verb} a second factor: {what}.", person=user)


def record_address(sender: object, email_address: EmailAddress, **kwargs: object) -> None:
    del sender, kwargs
    sentence = "Verified an e-mail address."
    record(AuditKind.ACCOUNT_CHANGED, sentence, person=email_address.user)


def record_sign_on_added(sender: object, sociallogin: SocialLogin, **kwargs: object) -> None:
    del sender, kwargs
    record(AuditKind.ACCOUNT_CHANGED, "Connected single sign-on.", person=sociallogin.user)


def record_sign_on_removed(sender: object, socialaccount: SocialAccount, **kwargs: object) -> None:
    del sender, kwargs
    record(AuditKind.ACCOUNT_CHANGED, "Disconnected single sign-on.", person=socialaccount.user)


def connect() -> None:
    """Called once, when the apps are ready."""
    for changed, sentence in (
        (password_changed, "Changed the password."),
        (password_set, "Set a password."),
        (password_reset, "Reset the password by e-mail."),
    ):
        receiver = partial(record_change, sentence=sentence)
        changed.connect(receiver, weak=False, dispatch_uid=f"audit {sentence}")
    for factor, verb in (
        (authenticator_added, "Added"),
        (authenticator_removed, "Removed"),
        (authenticator_reset, "Replaced"),
    ):
        factor.connect(partial(record_factor, verb=verb), weak=False, dispatch_uid=f"audit {verb}")
    authentication_failed.connect(record_wrong_code, dispatch_uid="audit wrong code")
    email_confirmed.connect(record_address, dispatch_uid="audit address")
    social_account_added.connect(record_sign_on_added, dispatch_uid="audit sign-on added")
    social_account_removed.connect(record_sign_on_removed, dispatch_uid="audit sign-on removed")
    user_logged_in.connect(record_log_in, dispatch_uid="audit log-in")
    user_logged_out.connect(record_log_out, dispatch_uid="audit log-out")
    user_login_failed.connect(record_failed_log_in, dispatch_uid="audit failed log-in")
