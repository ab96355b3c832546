"""Codes of the second factor: allauth's forms with our fields and words."""

import hashlib
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.app_settings import TOTP_PERIOD, TOTP_TOLERANCE
from allauth.mfa.base import forms as allauth
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.core.cache import cache

from grading.models import User

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


class _OnceMixin(forms.Form):
    """A code is used once as long as it works; allauth forgets it after 30 seconds."""

    user: User

    def clean_code(self) -> str:
        code = str(super().clean_code())  # type: ignore[misc]
        seconds = TOTP_PERIOD * (2 * TOTP_TOLERANCE + 1)
        digest = hashlib.sha256(f"{self.user.pk} {code}".encode()).hexdigest()
        if not cache.add(f"code-used-{digest}", "", timeout=seconds):
            self._emit_authentication_failed(self.authenticator)  # type: ignore[attr-defined]
            raise get_adapter().validation_error("incorrect_code")
        return code


class CodeForm(_OnceMixin, _CodeMixin, allauth.AuthenticateForm):
    """At log-in."""


class CodeAgainForm(_OnceMixin, _CodeMixin, allauth.ReauthenticateForm):
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
    """Used instead of a password."""


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
