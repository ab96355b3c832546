"""Codes of the second factor: allauth's forms with our fields and words."""

from typing import Any

from allauth.mfa.base import forms as allauth
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
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


class AddPasskeyForm(AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = "Name"
        self.fields["name"].help_text = "Such as “My phone”."
        self.fields["passwordless"].label = "Log in with this passkey alone, without my password"
        self.fields["passwordless"].help_text = "It asks for your fingerprint, face or PIN."
        self.fields["passwordless"].initial = True


class ActivateAppForm(_CodeMixin, ActivateTOTPForm):
    code_help = "Six digits that the app shows now."
