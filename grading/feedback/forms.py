"""Which two attempts of a student to compare."""

from collections.abc import Sequence
from typing import Any

from django import forms

from grading.models import Submission


class AttemptsForm(forms.Form):
    """``with`` and ``to`` are numbers of attempts, in either order.

    Their defaults are ``this`` attempt, and the one before it (after it, if it is the first).
    """

    def __init__(self, data: Any, *, attempts: Sequence[Submission], this: Submission) -> None:
        self.attempts = {attempt.attempt: attempt for attempt in attempts}
        earlier = [number for number in self.attempts if number < this.attempt]
        later = [number for number in self.attempts if number > this.attempt]
        other = max(earlier, default=min(later, default=this.attempt))
        chosen = {"with": str(other), "to": str(this.attempt)} | {
            name: data[name] for name in ("with", "to") if data.get(name)
        }
        super().__init__(chosen)
        choices = [
            (number, f"{number} ({'final' if attempt.is_final else 'draft'})")
            for number, attempt in sorted(self.attempts.items())
        ]
        for name, label in (("with", "Attempt"), ("to", "and attempt")):
            self.fields[name] = forms.TypedChoiceField(
                label=label,
                choices=choices,
                coerce=int,
                error_messages={"invalid_choice": "There is no attempt “%(value)s”. Choose one."},
            )

    def clean(self) -> dict[str, Any]:
        super().clean()
        first = self.cleaned_data.get("with")
        is_same = first is not None and first == self.cleaned_data.get("to")
        if is_same and len(self.attempts) > 1:
            self.add_error("to", "These are the same attempt. Choose another.")
        return self.cleaned_data

    def chosen(self) -> tuple[Submission, Submission] | None:
        """The earlier and the later attempt; None where the form is not valid."""
        if not self.is_valid():
            return None
        first, last = sorted((self.cleaned_data["with"], self.cleaned_data["to"]))
        return self.attempts[first], self.attempts[last]
