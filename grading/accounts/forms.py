"""Signing up, logging in, one's own account."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib.auth.forms import (
    AuthenticationForm,
    BaseUserCreationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
    SetPasswordMixin,
)
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import Q

from grading.models import User
from grading.web.time_zones import TimeZoneField


# Django's password forms are generic for the type checker only.
class PasswordErrorsMixin(SetPasswordMixin):  # type: ignore[type-arg]
    """Show what is wrong with a password under its field, not under the confirmation."""

    def validate_password_for_user(
        self,
        user: AbstractBaseUser,
        password_field_name: str = "password2",  # noqa: S107 - the name of a field
    ) -> None:
        field = f"{password_field_name.removesuffix('2')}1"
        super().validate_password_for_user(user, field)


class NewPasswordForm(PasswordErrorsMixin, SetPasswordForm):  # type: ignore[type-arg]
    """After a forgotten password, by the link in the mail."""


class ChangedPasswordForm(PasswordErrorsMixin, PasswordChangeForm):
    """For those who are logged in."""


class SignUpForm(PasswordErrorsMixin, BaseUserCreationForm[User]):
    time_zone = TimeZoneField(
        initial="UTC",
        help_text="Times are shown in it.",
        widget=forms.Select(attrs={"data-time-zone": ""}),
    )

    class Meta:
        model = User
        fields = ["name", "username", "email", "time_zone"]
        help_texts = {
            "name": "As your instructor knows you, in any script.",
            "username": "To log in with. No spaces: letters, digits and @ . + - _",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].required = True
        self.fields["username"].widget.attrs.pop("autofocus", None)
        self.fields["name"].widget.attrs["autofocus"] = True

    def clean_username(self) -> str:
        login = str(self.cleaned_data["username"])
        taken = Q(username__iexact=login) | Q(email__iexact=login)
        if User.objects.filter(taken).exists():
            raise forms.ValidationError("Somebody has this login already. Choose another.")
        return login

    def clean_email(self) -> str:
        return _free_address(str(self.cleaned_data["email"]), self.instance)

    def try_save(self) -> User | None:
        """Save the account; None, with an error, where somebody took the login at that moment."""
        try:
            with transaction.atomic():
                return self.save()
        except IntegrityError:
            self.add_error(None, "Somebody has signed up with this login or address just now.")
            return None


def _free_address(address: str, user: User) -> str:
    if address and User.objects.filter(email__iexact=address).exclude(pk=user.pk).exists():
        raise forms.ValidationError("There is an account with this e-mail address already.")
    return address


class LogInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": "No account has this login and password. Mind upper and lower case.",
        "inactive": "This account is closed. Ask the administrator.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Login or e-mail address"


class ForgottenPasswordForm(PasswordResetForm):
    """Also reaches those who never chose a password, as a roster made their account."""

    def get_users(self, email: str) -> Iterator[User]:
        never_chosen = User.objects.filter(
            email__iexact=email, is_active=True, roster_account__isnull=False
        )
        known = dict.fromkeys([*super().get_users(email), *never_chosen])
        return iter(known)


class AccountForm(forms.ModelForm[User]):
    time_zone = TimeZoneField()

    class Meta:
        model = User
        fields = ["name", "email", "time_zone"]

    def clean_email(self) -> str:
        return _free_address(str(self.cleaned_data["email"]), self.instance)
