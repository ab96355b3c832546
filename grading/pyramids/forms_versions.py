"""Publishing a draft, going back to an earlier state, and choosing two pyramids to compare."""

import uuid
from typing import Any

from django import forms

from grading.models import Draft, StoredPyramid

LONGEST_NOTE = 500
MOST_EDITS = 2**31 - 1  # that a database counts


class PublishForm(forms.Form):
    """``revision`` is what the reader saw; ``same`` that an unchanged version is really meant.

    ``doubtful``: the reader was shown the ideas that may be wrong, and publishes them anyway.
    """

    revision = forms.IntegerField(min_value=0, max_value=MOST_EDITS, widget=forms.HiddenInput)
    note = forms.CharField(
        label="Note",
        required=False,
        max_length=LONGEST_NOTE,
        help_text="What is new in this version, in a sentence. Instructors and teaching assistants "
        "see it, students do not.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    same = forms.BooleanField(
        label="Publish it although it is the same as the version before", required=False
    )
    doubtful = forms.BooleanField(required=False, widget=forms.HiddenInput)


class RestoreForm(forms.Form):
    """``revision`` is that of the draft as the reader saw it."""

    revision = forms.IntegerField(min_value=0, max_value=MOST_EDITS)
    token = forms.UUIDField(required=False)

    def clean_token(self) -> uuid.UUID:
        return self.cleaned_data["token"] or uuid.uuid4()


class CompareForm(forms.Form):
    """The versions (“v3”) and drafts (“d2”) of an assignment; without a choice, the newest two."""

    a = forms.ChoiceField(label="From")
    b = forms.ChoiceField(label="To")

    def __init__(
        self, *args: Any, versions: list[StoredPyramid], drafts: list[Draft], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.rows: dict[str, StoredPyramid | Draft] = {
            **{f"v{version.number}": version for version in versions},
            **{f"d{draft.number}": draft for draft in drafts},
        }
        names = [(key, _name(row)) for key, row in self.rows.items()]
        for field in ("a", "b"):
            self.fields[field].choices = names  # type: ignore[attr-defined]

    def chosen(self) -> tuple[StoredPyramid | Draft, StoredPyramid | Draft] | None:
        if not self.is_bound or not self.is_valid():
            return None
        return self.rows[self.cleaned_data["a"]], self.rows[self.cleaned_data["b"]]


def _name(row: StoredPyramid | Draft) -> str:
    if isinstance(row, StoredPyramid):
        return f"Version {row.number}"
    return f"Draft {row.number} ({row.get_state_display().lower()})"
