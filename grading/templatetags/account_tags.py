"""What pages about accounts say of how this site is set up."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def mail_is_printed() -> bool:
    """Is there no mail server, so that mails are printed where the server runs?"""
    return settings.EMAIL_BACKEND == "django.core.mail.backends.console.EmailBackend"


@register.simple_tag
def administrator_email() -> str:
    """Whom people ask who want to create courses; "" where the site does not say."""
    return settings.ADMINISTRATOR_EMAIL


@register.simple_tag
def sign_up_is_open() -> bool:
    return settings.OPEN_SIGN_UP
