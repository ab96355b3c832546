"""Links by which somebody takes an account into their hands that a roster made for them."""

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import int_to_base36

from grading.models import RosterAccount


class ClaimTokens(PasswordResetTokenGenerator):
    """Good for three days, and until the account is used or its address changes.

    A link that was mailed proves the address. One that an instructor hands over does not, and it
    ends when the account comes into another course: whoever has the link has the account.
    """

    def __init__(self, *, is_mailed: bool) -> None:
        super().__init__()
        self.is_mailed = is_mailed
        self.key_salt = f"grading.claims.{'mailed' if is_mailed else 'handed'}"

    def _make_hash_value(self, user: RosterAccount, timestamp: int) -> str:  # type: ignore[override]
        account, owner = user, user.user
        elsewhere = owner.memberships.exclude(course=account.course_id).count()
        bound_to = "" if self.is_mailed else str(elsewhere)
        known = (owner.pk, owner.password, owner.last_login, account.email, bound_to, timestamp)
        return "|".join(map(str, known))


MAILED = ClaimTokens(is_mailed=True)
HANDED = ClaimTokens(is_mailed=False)


def claim_link(account: RosterAccount, tokens: ClaimTokens) -> str:
    """The whole address of the page on which the account's owner chooses a password."""
    token = tokens.make_token(account)  # type: ignore[arg-type]
    kwargs = {"account": int_to_base36(account.pk), "token": token}
    return f"{settings.SITE_URL}{reverse('account_claim', kwargs=kwargs)}"


def claim_mail(account: RosterAccount) -> EmailMessage:
    """The mail with the link, to the address that the roster has."""
    context = {"account": account, "link": claim_link(account, MAILED)}
    body = render_to_string("account/email/claim_message.txt", context)
    subject = render_to_string("account/email/claim_subject.txt", context).strip()
    return EmailMessage(subject, body, to=[account.email])
