"""Whose results to release or to hold back."""

from typing import Any

from django import forms

from grading.models import Submission


class ReleaseForm(forms.Form):
    """``who`` is those that are ticked, everyone who has handed in, or everyone who waits."""

    CHOSEN, ALL, WAITING = "chosen", "all", "waiting"

    what = forms.TypedChoiceField(
        choices=[("shown", "Release"), ("held", "Hold back"), ("rule", "Follow the rule")],
        coerce=lambda value: Submission.Visibility("" if value == "rule" else value),
        error_messages={"required": "Choose what to do: release, hold back, or follow the rule."},
    )
    who = forms.ChoiceField(
        choices=[(who, who) for who in (CHOSEN, ALL, WAITING)], required=False, initial=CHOSEN
    )
    students = forms.TypedMultipleChoiceField(coerce=int, required=False)

    def __init__(
        self, *args: Any, handed_in: frozenset[int], waiting: frozenset[int], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.handed_in = handed_in
        self.waiting = waiting
        self.fields["students"].choices = [(pk, pk) for pk in handed_in]  # type: ignore[attr-defined]
        self.fields["students"].error_messages["invalid_choice"] = (
            "Somebody of those you chose has left the course or has handed nothing in. "
            "Look at the list, and choose again."
        )

    def clean(self) -> dict[str, Any]:
        super().clean()
        who = self.cleaned_data.get("who")
        if who == self.ALL:
            self.cleaned_data["students"] = self.handed_in
        elif who == self.WAITING:
            self.cleaned_data["students"] = self.waiting
        elif not self.cleaned_data.get("students") and "students" not in self.errors:
            self.add_error("students", "Nobody is chosen. Tick the students, and try again.")
        return self.cleaned_data

    @property
    def only_waiting(self) -> bool:
        return bool(self.cleaned_data["who"] == self.WAITING)
