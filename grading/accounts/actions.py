"""Claiming accounts, and addresses that turn out to be somebody's."""

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from grading.models import AuditKind, RosterAccount, User, record
from grading.models.rosters import unclaimed_accounts


@transaction.atomic
def sessions_forget() -> None:
    """Delete sessions that have ended, and from which address and browser they came."""
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()


def unclaimed_account_at(address: str) -> RosterAccount | None:
    """An account that a roster made for this address and that nobody has used yet."""
    return unclaimed_accounts().filter(email__iexact=address).order_by("pk").first()


def is_taken(address: str) -> bool:
    """Does the address lead to an account already? One that was only typed does not count."""
    is_verified = User.objects.filter(email__iexact=address).exists()
    return is_verified or unclaimed_account_at(address) is not None


@transaction.atomic
def address_prove(*, user: User, address: str) -> bool:
    """The user has opened a link that was mailed to the address; False where it is another's.

    Whoever waited for an unproved address may have left other ways in: they are closed.
    """
    if User.objects.filter(email__iexact=address).exclude(pk=user.pk).exists():
        return False
    if user.verified_email.lower() != address.lower():
        Authenticator.objects.filter(user=user).delete()
        SocialAccount.objects.filter(user=user).delete()
        user.verify_email(address)
        record(AuditKind.ACCOUNT_CHANGED, "Verified an e-mail address.", person=user)
    return True
