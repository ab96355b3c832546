"""What a student hands in."""

from typing import Any

from django import forms

from grading.forms.texts import check_text
from grading.models import Assignment, Submission
from grading.models.summaries import count_words

CHARACTERS_A_WORD = 30  # of a summary at most, on average: what is beyond it is no prose


class SubmissionForm(forms.Form):
    """A student's next attempt, begun with the words of the one before."""

    text = forms.CharField(
        label="Your summary",
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "class": "textarea-long"}),
        error_messages={"required": "There is no text yet. Write or paste your summary."},
    )

    def __init__(
        self, *args: Any, assignment: Assignment, latest: Submission | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.assignment = assignment
        self.latest = latest
        self.initial["text"] = latest.text if latest else ""
        self.fields["text"].widget.attrs |= {
            "data-word-count": "id_text_count",
            "data-min": assignment.min_words,
            "data-max": assignment.max_words,
            "aria-describedby": "id_text_count",
        }

    def clean_text(self) -> str:
        text = check_text(str(self.cleaned_data["text"]), "Your summary")
        if self.latest is not None and text == self.latest.text:
            raise forms.ValidationError(
                f"This is the same text as your attempt {self.latest.attempt}: nothing to hand in."
            )
        if len(text) > CHARACTERS_A_WORD * self.assignment.max_words:
            raise forms.ValidationError(
                f"Your summary has {len(text):,} characters; {self.assignment.max_words} words "
                f"need far fewer. Is something in it that does not belong there?"
            )
        words = count_words(text)
        if words > self.assignment.max_words:
            raise forms.ValidationError(
                f"Your summary has {words} words; at most {self.assignment.max_words} are "
                f"allowed. Cut {words - self.assignment.max_words}."
            )
        return text
