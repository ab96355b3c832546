"""A draft that is proposed on one page and made on the next: what is shown is what is made.

The pyramid travels through the browser, signed for its assignment, so that any web process can go
on with it and nothing that was not shown can come back.
"""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core import signing

from grading.models import Assignment, Draft
from grading.pyramid.formats.pyramid_json import Json, pyramid_from_json, pyramid_to_json
from grading.pyramid.structures import Pyramid


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pyramid to begin a draft with; ``note`` says where it comes from."""

    pyramid: Pyramid
    origin: Draft.Origin
    note: str = ""


class ProposalForm(forms.Form):
    """The hidden field with the proposal, and the proposal that comes back in it."""

    proposal = forms.CharField(
        widget=forms.HiddenInput,
        error_messages={"required": "There was nothing to make a draft of."},
    )

    def __init__(
        self, *args: Any, assignment: Assignment, shown: Proposal | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._salt = f"proposal of a draft for assignment {assignment.pk}"
        if shown is not None:
            self.initial["proposal"] = self._signed(shown)

    def _signed(self, shown: Proposal) -> str:
        value: Json = {
            "pyramid": pyramid_to_json(shown.pyramid),
            "origin": str(shown.origin),
            "note": shown.note,
        }
        return signing.dumps(value, salt=self._salt, compress=True)

    def clean_proposal(self) -> Proposal:
        try:
            value = signing.loads(self.cleaned_data["proposal"], salt=self._salt)
        except signing.BadSignature:
            raise forms.ValidationError(
                "What was to be made is not what was shown. Choose the file, or paste the list, "
                "once more."
            ) from None
        pyramid = pyramid_from_json(value["pyramid"])
        return Proposal(pyramid, Draft.Origin(value["origin"]), value["note"])
