"""Signing up, logging in, passwords and addresses: allauth's forms with our fields and words."""

from typing import Any

from allauth.account import forms as allauth
from allauth.account.app_settings import EMAIL_VERIFICATION, EmailVerificationMethod
from allauth.account.models import EmailAddress
from allauth.socialaccount.forms import SignupForm as AllauthSingleSignOnSignUpForm
from django import forms
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from grading.accounts.actions import address_prove, is_taken, unclaimed_account_at
from grading.accounts.passwords import LongEnoughValidator
from grading.models import User
from grading.models.users import LONGEST_LOGIN, check_name
from grading.web.claims import claim_mail
from grading.web.time_zones import TimeZoneField

PASSWORD_HELP = LongEnoughValidator().get_help_text()
MOST_ACCOUNTS = 5  # that were given one address, and of which none has confirmed it
TYPED_DIFFERENTLY = "The two passwords don't match."


class PlainFieldsMixin:
    """Labels instead of placeholders; the words of this product."""

    labels: dict[str, str] = {}
    help_texts: dict[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        for name, field in fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.labels.get(name, field.label)
            field.help_text = self.help_texts.get(name, "")


class NewPasswordsMixin(PlainFieldsMixin):
    labels = {
        "oldpassword": "Current password",
        "password1": "New password",
        "password2": "New password again",
    }
    help_texts = {"password1": PASSWORD_HELP}

    def add_error(self, field: str | None, error: Any) -> None:
        """Errors of a password appear under it; the confirmation says only this."""
        message = TYPED_DIFFERENTLY if field == "password2" else error
        super().add_error(field, message)  # type: ignore[misc]


class LogInForm(PlainFieldsMixin, allauth.LoginForm):
    labels = {"login": "Login or e-mail address", "password": "Password"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = forms.CharField(
            label=self.labels["login"],
            max_length=LONGEST_LOGIN,
            widget=forms.TextInput(attrs={"autocomplete": "username webauthn", "autofocus": True}),
        )
        self.order_fields(["login", "password"])


class PersonFieldsMixin(forms.Form):
    """Name, login and time zone of a new account."""

    name = forms.CharField(
        label="Full name",
        max_length=200,
    )
    time_zone = TimeZoneField(
        label="Time zone",
        initial="UTC",
        widget=forms.Select(attrs={"data-time-zone": ""}),
    )

    def clean_name(self) -> str:
        name = " ".join(str(self.cleaned_data["name"]).split())
        try:
            check_name(name)
        except forms.ValidationError as error:
            raise forms.ValidationError(error.messages) from None
        return name

    def clean_username(self) -> str:
        login = str(self.cleaned_data["username"])
        if "@" in login:
            raise forms.ValidationError("A login has no @. You can log in by e-mail, too.")
        if User.objects.filter(username__iexact=login).exists():
            raise forms.ValidationError("Somebody has this login already. Choose another.")
        return str(super().clean_username())  # type: ignore[misc]

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Save the account, unless somebody took the login in this very moment."""
        try:
            with transaction.atomic():
                return super().try_save(request)  # type: ignore[misc,no-any-return]
        except IntegrityError:
            messages.error(request, "Somebody has just taken this login. Choose another.")
            return None, redirect(request.path)

    def save(self, request: HttpRequest) -> User:
        user: User = super().save(request)  # type: ignore[misc]
        User.objects.filter(pk=user.pk).update(
            name=self.cleaned_data["name"], time_zone=self.cleaned_data["time_zone"]
        )
        user.refresh_from_db()
        # allauth keeps no address that somebody else has given, proved or not.
        address = self.cleaned_data["email"].lower()
        if not user.verified_email:
            EmailAddress.objects.get_or_create(user=user, email=address)
        return user

    def validate_unique_email(self, address: str) -> str:
        """Where addresses are verified, whoever types another's address learns nothing."""
        if is_taken(address):
            if EMAIL_VERIFICATION == EmailVerificationMethod.OPTIONAL:
                raise forms.ValidationError(
                    "An account with this e-mail address exists. To get into it, choose "
                    "“Forgotten your password?” on the log-in page."
                )
            self.account_already_exists = True
        return address


PERSON_LABELS = {
    "name": "Full name",
    "username": "Login",
    "email": "E-mail address",
    "time_zone": "Time zone",
}
PERSON_HELP = {
    "name": "As your course knows it.",
    "username": "Letters, digits and . + - _",
}
PERSON_ORDER = ["name", "username", "email", "time_zone"]


class SignUpForm(NewPasswordsMixin, PersonFieldsMixin, allauth.SignupForm):
    labels = {**PERSON_LABELS, "password1": "Password", "password2": "Password again"}
    help_texts = {**PERSON_HELP, "password1": PASSWORD_HELP}
    field_order = [*PERSON_ORDER, "password1", "password2"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autofocus"] = True


class SingleSignOnSignUpForm(PlainFieldsMixin, PersonFieldsMixin, AllauthSingleSignOnSignUpForm):
    labels = PERSON_LABELS
    help_texts = PERSON_HELP
    field_order = PERSON_ORDER

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("name", self.sociallogin.account.get_provider_account().to_str())


class EmailForm(PlainFieldsMixin, allauth.AddEmailForm):
    labels = {"email": "New e-mail address"}


class AddressForm(forms.Form):
    """Where the link goes that somebody needs before they are let in."""

    email = forms.EmailField(label="E-mail address", max_length=254)


class ChangedPasswordForm(NewPasswordsMixin, allauth.ChangePasswordForm):
    """For those who are logged in."""


class FirstPasswordForm(NewPasswordsMixin, allauth.SetPasswordForm):
    """For those who log in by single sign-on alone."""


class ReauthenticateForm(PlainFieldsMixin, allauth.ReauthenticateForm):
    labels = {"password": "Password"}


class ForgottenPasswordForm(PlainFieldsMixin, allauth.ResetPasswordForm):
    """Reaches whoever has the address, has given it and not confirmed it, or is in a roster."""

    labels = {"email": "E-mail address"}

    def clean_email(self) -> str:
        address = str(self.cleaned_data["email"])
        # An address that somebody only wants to change to leads to nothing: it may be mistyped.
        rows = EmailAddress.objects.filter(
            Q(verified=True) | Q(user__email=""), email=address.lower(), user__is_active=True
        )
        addresses = rows.select_related("user").order_by("-verified", "pk")[:MOST_ACCOUNTS]
        owners = [row.user for row in addresses if row.verified]
        self.users = owners or [row.user for row in addresses]
        self.claimed = None if self.users else unclaimed_account_at(address)
        return address

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        if self.claimed is not None:
            claim_mail(self.claimed).send()
        elif self.users:
            super().save(request, **kwargs)
        return str(self.cleaned_data["email"])


class NewPasswordForm(NewPasswordsMixin, allauth.ResetPasswordKeyForm):
    """By the link in the mail, which proves the address that it was sent to."""

    def save(self) -> None:
        super().save()
        if address := self.user.verified_email or self.user.pending_email:
            address_prove(user=self.user, address=address)


class ClaimForm(NewPasswordsMixin, allauth.SetPasswordForm):
    """The first password of an account that a roster made."""

    labels = {"password1": "Password", "password2": "Password again"}


class AccountForm(forms.ModelForm[User]):
    time_zone = TimeZoneField()

    class Meta:
        model = User
        fields = ["name", "time_zone"]
