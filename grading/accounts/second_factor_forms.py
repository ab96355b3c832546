"""Codes of the second factor: allauth's forms with our fields and words."""

from typing import Any

from allauth.mfa.base import forms as allauth
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms

CODE_HELP = "Six digits from your app, or a recovery code."


class _CodeMixin(forms.Form):
    code_help = CODE_HELP

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["code"]
        field.label = "Code"
        field.help_text = self.code_help
        field.widget.attrs.pop("placeholder", None)
        field.widget.attrs |= {"inputmode": "numeric", "autofocus": True}


class CodeForm(_CodeMixin, allauth.AuthenticateForm):
    """At log-in."""


class CodeAgainForm(_CodeMixin, allauth.ReauthenticateForm):
    """Before something that needs the person again."""


class CredentialField(forms.JSONField):
    """What a browser says of a passkey. Django lets numbers of thousands of digits fail."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except (ValueError, RecursionError):
            raise forms.ValidationError(
                "Your browser didn't send a passkey. Try again.", code="invalid"
            ) from None

    def bound_data(self, data: Any, initial: Any) -> Any:
        """What the form shows again: what was refused is not."""
        try:
            return super().bound_data(data, initial)
        except (ValueError, RecursionError):
            return None


class _CredentialMixin(forms.Form):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"] = CredentialField(widget=forms.HiddenInput)


class PasskeyForm(_CredentialMixin, AuthenticateWebAuthnForm):
    """After the password."""


class PasskeyLogInForm(_CredentialMixin, LoginWebAuthnForm):
    """In the place of a password."""


class PasskeyAgainForm(_CredentialMixin, ReauthenticateWebAuthnForm):
    """Before something that needs the person again."""


class AddPasskeyForm(_CredentialMixin, AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = "Name"
        self.fields["name"].help_text = "Such as “My phone”."
        self.fields["passwordless"].label = "Log in with this passkey alone, without my password"
        self.fields["passwordless"].help_text = "It asks for your fingerprint, face or PIN."
        self.fields["passwordless"].initial = True


class ActivateAppForm(_CodeMixin, ActivateTOTPForm):
    code_help = "Six digits that the app shows now."
