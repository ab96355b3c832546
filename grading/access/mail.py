"""Whether e-mails can be sent, and to whom."""

from django.conf import settings

from grading.models import User

_SENDING_NOTHING = frozenset(
    f"django.core.mail.backends.{name}.EmailBackend" for name in ("console", "dummy")
)


def mail_is_set_up() -> bool:
    """Is there a mail server?"""
    return settings.EMAIL_BACKEND not in _SENDING_NOTHING


def can_receive_mail(user: User) -> bool:
    """May e-mails about courses go to this person? Only to an address that they have verified."""
    return user.is_active and bool(user.verified_email)
