"""Calibration: the size of a sample, the ideas in a text, and the rule to try."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms

from grading.pyramid.agreement import FEWEST as FEWEST_TEXTS
from grading.pyramid.agreement import MOST as MOST_TEXTS
from grading.pyramid.agreement import SUGGESTED
from grading.pyramid.learnt_curve import LEAST_CUT, MOST_CUT
from grading.pyramid.structures import Spans
from grading.web.word_spans import ChosenWordsForm, spans_at


class DrawForm(forms.Form):
    """``left`` is how many texts can be drawn."""

    texts = forms.IntegerField(
        label="Texts",
        min_value=FEWEST_TEXTS,
        error_messages={
            "required": "Enter the number of texts.",
            "invalid": "Enter a whole number.",
            "min_value": f"Draw at least {FEWEST_TEXTS} texts. Fewer show too little.",
        },
    )

    def __init__(self, *args: Any, left: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.left = left
        most = min(MOST_TEXTS, left)
        self.initial.setdefault("texts", min(SUGGESTED, left))
        self.fields["texts"].widget.attrs["max"] = most

    def clean_texts(self) -> int:
        texts: int = self.cleaned_data["texts"]
        if texts > self.left:
            raise forms.ValidationError(f"Only {self.left} texts are left.")
        if texts > MOST_TEXTS:
            raise forms.ValidationError(f"Draw at most {MOST_TEXTS} texts at a time.")
        return texts


class AnnotationForm(ChosenWordsForm):
    """Which ideas a text expresses. ``ticked`` are those ticked before, with their words.

    Words that are chosen now go to the ideas that are newly ticked.
    """

    SAVE, DONE, OPEN = "save", "done", "open"

    idea = forms.TypedMultipleChoiceField(
        coerce=int,
        required=False,
        error_messages={"invalid_choice": "One of these ideas is not in the pyramid."},
    )
    then = forms.ChoiceField(choices=[(then, then) for then in (SAVE, DONE, OPEN)], required=False)
    no_idea = forms.BooleanField(required=False)  # sent once the page has asked

    def __init__(
        self, *args: Any, uids: Sequence[int], ticked: Mapping[int, Spans], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.ticked_before = ticked
        self.fields["idea"].choices = [(uid, uid) for uid in uids]  # type: ignore[attr-defined]

    def ideas(self) -> dict[int, Spans]:
        """Every idea that is ticked, with its words."""
        ideas = {}
        for uid in self.cleaned_data["idea"]:
            if place := str(self.data.get(f"words-{uid}", "")):
                ideas[uid] = spans_at(place, self.text.content)
            else:
                ideas[uid] = self.ticked_before.get(uid, self.cleaned_data["spans"])
        return ideas

    @property
    def is_done(self) -> bool:
        return bool(self.cleaned_data["then"] == self.DONE)

    @property
    def needs_confirmation(self) -> bool:
        """Is the annotator done without a tick, which may be an oversight, and not asked yet?"""
        was_asked = self.cleaned_data["no_idea"]
        return self.is_done and not self.cleaned_data["idea"] and not was_asked


class RuleForm(forms.Form):
    """Which rule to try: learnt from all marks or from samples, the program's own, or another.

    ``sources`` are those that have something to learn from.
    """

    MARKS, SAMPLES, USUAL, OTHER = "marks", "samples", "usual", "other"

    which = forms.ChoiceField(
        choices=[(which, which) for which in (MARKS, SAMPLES, USUAL, OTHER)],
        error_messages={"required": "Choose what to try."},
    )
    percent = forms.IntegerField(
        label="A match counts at (percent or more)",
        required=False,
        min_value=round(100 * LEAST_CUT),
        max_value=round(100 * MOST_CUT),
        error_messages={
            "invalid": "Enter a whole number of percent.",
            "min_value": f"Enter at least {round(100 * LEAST_CUT)} percent.",
            "max_value": f"Enter at most {round(100 * MOST_CUT)} percent.",
        },
    )

    def __init__(self, *args: Any, sources: Collection[str], usual: float, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sources, self.usual = sources, usual

    def clean(self) -> dict[str, Any]:
        super().clean()
        which = self.cleaned_data.get("which")
        if which in {self.MARKS, self.SAMPLES} and which not in self.sources:
            self.add_error("which", "There is nothing to learn from.")
        is_missing = self.cleaned_data.get("percent") is None and "percent" not in self.errors
        if which == self.OTHER and is_missing:
            self.add_error("percent", "Enter the percentage to try.")
        return self.cleaned_data

    @property
    def source(self) -> str:
        """What to learn from; empty where nothing is learnt."""
        which: str = self.cleaned_data["which"]
        return which if which in {self.MARKS, self.SAMPLES} else ""

    @property
    def match_probability(self) -> float | None:
        """From this probability a match counts; None for the program's own or a learnt rule."""
        percent = self.cleaned_data["percent"]
        if self.cleaned_data["which"] != self.OTHER or percent == round(100 * self.usual):
            return None
        return float(percent / 100)
