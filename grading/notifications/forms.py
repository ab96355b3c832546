"""Which e-mails a person wants."""

from typing import Any

from django import forms

from grading.models import MailChoices


class MailChoicesForm(forms.ModelForm[MailChoices]):
    """Leaves out the digest of second looks for people who teach nowhere."""

    class Meta:
        model = MailChoices
        fields = ["results", "answers", "reminders", "second_looks"]

    def __init__(self, *args: Any, teaches: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not teaches:
            del self.fields["second_looks"]
