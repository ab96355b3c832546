"""Where django-allauth asks us: limits, mails, who may sign up, and who a single sign-on is."""

from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.utils import generate_unique_username
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse

from grading.access import get_client_address, get_tried_login
from grading.accounts.actions import address_prove, unclaimed_account_at
from grading.models import User
from grading.models.users import check_name
from grading.web.claims import claim_mail

UNKNOWN_ADDRESS = "0.0.0.0"  # noqa: S104  (behind a proxy that does not say)


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": "No account has this login and password. "
        "Check upper and lower case.",
        "too_many_login_attempts": "Too many wrong passwords. Wait 15 minutes, or reset your "
        "password.",
        "enter_current_password": "This is not your current password.",
        "incorrect_password": "This is not your password.",
        "duplicate_email": "This is your address already.",
        "username_taken": "Somebody has this login already. Choose another.",
        "invalid_password_reset": "This link is no longer valid.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        del request
        return settings.OPEN_SIGN_UP

    def get_client_ip(self, request: HttpRequest) -> str:
        address = get_client_address(request)
        try:
            return str(ip_address(address))
        except ValueError:
            return UNKNOWN_ADDRESS

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        del request
        return reverse("account")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Links in mails begin with the configured address, whatever the request says."""
        super().send_mail(template_prefix, email, context | {"site_url": settings.SITE_URL})

    def send_account_already_exists_mail(self, email: str) -> None:
        """Somebody signs up with an address that has an account: its owner reads how to get in."""
        if account := unclaimed_account_at(email):
            claim_mail(account).send()
        else:
            self.send_mail("account/email/account_already_exists", email, {})

    # Wrong passwords are counted for an account at an address (nobody can lock another out), for
    # the address (many accounts tried from one place), and for the account (from many places).

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        return f"{_account_of(credentials)}|{get_client_address(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        super().pre_authenticate(request, **credentials)
        account = _account_of(credentials)
        if not ratelimit.consume(
            request, action="login_failed_anywhere", key=account, dry_run=True
        ):
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        ratelimit.consume(request, action="login_failed_anywhere", key=_account_of(credentials))

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """The person who verifies an address gets it; accounts that only entered it lose it."""
        confirmed: bool = super().confirm_email(request, email_address)
        if confirmed:
            others = EmailAddress.objects.filter(email=email_address.email, verified=False)
            others.exclude(user=email_address.user).delete()
        return confirmed


def _account_of(credentials: dict[str, Any]) -> str:
    login = credentials.get("username") or credentials.get("email") or ""
    return get_tried_login(str(login))


class SingleSignOnAdapter(DefaultSocialAccountAdapter):
    """The provider's word for an address is as good as a link in a mail."""

    def authenticate_by_email(self, sociallogin: SocialLogin) -> tuple[User, str] | None:
        """The account with an address that the provider vouches for."""
        rows = sociallogin.email_addresses
        for row in rows:
            row.verified = row.verified in {True, "true"}  # some write the word
        proved = [row.email.lower() for row in rows if row.verified]
        # Who only gave such an address must not stand in the way of who has it.
        EmailAddress.objects.filter(email__in=proved, verified=False).delete()
        for address in proved:
            user = User.objects.filter(email__iexact=address, is_active=True).first()
            if user is None and (account := unclaimed_account_at(address)):
                user = account.user
                address_prove(user=user, address=address)
            if user is not None:
                return user, address
        return None

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: Any) -> User:
        user: User = super().populate_user(request, sociallogin, data)
        parts = (data.get("first_name"), data.get("last_name"))
        name = data.get("name") or " ".join(filter(None, parts))
        user.name = " ".join(str(name).split())[:200]
        called = [user.username, data.get("email"), user.name, "student"]
        user.username = generate_unique_username(called)
        return user

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Sign up without a form where the provider gives a name and vouches for the address."""
        del request
        try:
            check_name(sociallogin.user.name)
        except ValidationError:
            return False
        return any(row.verified for row in sociallogin.email_addresses)
