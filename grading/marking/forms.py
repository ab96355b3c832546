"""What a grader does on the marking desk: one button each, about an idea or about chosen words."""

from collections.abc import Callable
from typing import Any

from django import forms

from grading.marking.actions import DID, Desk
from grading.models import MarkingStep
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.editing.wording import shortened
from grading.pyramid.structures import (
    Match,
    Segment,
    Spans,
    is_mostly_in,
    join_spans,
    shared_length,
)
from grading.web.word_spans import LONGEST_CHOICE, ChosenWordsForm, spans_at

Step = tuple[MarkingStep.Did, tuple[Correction, ...]]
_GONE = "This idea is not found in the text any more. Look at the page again."
_NO_WORDS = "Choose words of the text first, or tick a sentence."
_IS_SO = "That is so already."


class StepForm(ChosenWordsForm):
    """``do`` is what the button says: “confirm 3”, “add 3”, “exchange 3 5”, “leave_out” …

    A match that is only possible is confirmed or removed as one that is shown. ``stamp`` is what
    the grader looked at; ``idea`` the one that is open on the page.
    """

    do = forms.CharField(max_length=400, error_messages={"required": "Choose what is to be done."})
    stamp = forms.CharField(required=False, max_length=60)
    idea = forms.IntegerField(required=False, min_value=0, max_value=10**9)

    def __init__(self, *args: Any, desk: Desk, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.desk = desk
        self.step: Step | None = None  # none for what corrects nothing: find, undo, redo
        evidence = desk.report.evidence
        self._found = {match.scu: match for match in evidence.matches}
        self._possible = {match.scu: match for match in evidence.possible}
        self._ideas = {scu.uid for scu in desk.pyramid.scus}

    @property
    def verb(self) -> str:
        return str(self.cleaned_data.get("do", "")).split(" ", 1)[0]

    def clean(self) -> dict[str, Any]:
        super().clean()
        steps: dict[str, Callable[[str], Step]] = {
            "confirm": self._confirm,
            "remove": self._remove,
            "add": self._add,
            "exchange": self._exchange,
            "as_found": self._as_found,
            "leave_out": self._leave_out,
            "count": self._count,
            "count_held": self._count_held,
            "exclude_held": self._exclude_held,
        }
        if self.verb in steps:
            about = self.cleaned_data["do"].removeprefix(self.verb).strip()
            self.step = steps[self.verb](about)
        elif self.verb not in {"find", "undo", "redo", ""}:
            raise forms.ValidationError("This page does not know how to do that.")
        if self.verb == "find":
            self._words()
        steps_back = {"undo": self.desk.steps.undo, "redo": self.desk.steps.redo}
        if self.verb in steps_back and steps_back[self.verb] is None:
            raise forms.ValidationError(f"There is nothing to {self.verb}.")
        return self.cleaned_data

    def _confirm(self, about: str) -> Step:
        match = self._match(about)
        if match.by_hand:
            raise forms.ValidationError(_IS_SO)
        return DID.CONFIRMED, (Correction(match.scu, Verdict.CONFIRMED, match.spans),)

    def _remove(self, about: str) -> Step:
        return DID.REMOVED, (Correction(self._match(about).scu, Verdict.NOT_TOLD),)

    def _add(self, about: str) -> Step:
        uid, words = self._idea(about), self._words()
        match = self._found.get(uid)
        if match is None:
            return DID.ADDED, (Correction(uid, Verdict.TOLD, words),)
        if match.spans == words:
            return self._confirm(about)
        return DID.MOVED, (Correction(uid, Verdict.TOLD, words),)

    def _exchange(self, about: str) -> Step:
        """The words of a match count as another idea, and as the first no more."""
        first, _, second = about.partition(" ")
        match, uid = self._match(first), self._idea(second)
        if match.scu == uid:
            raise forms.ValidationError(_IS_SO)
        spans = join_spans(self.cleaned_data["spans"]) or match.spans
        not_told = Correction(match.scu, Verdict.NOT_TOLD)
        return DID.EXCHANGED, (not_told, Correction(uid, Verdict.TOLD, spans))

    def _as_found(self, about: str) -> Step:
        uid = self._idea(about)
        if uid not in self.desk.by:
            raise forms.ValidationError(_IS_SO)
        return DID.AS_FOUND, (Correction(uid, Verdict.AS_FOUND),)

    def _leave_out(self, about: str) -> Step:
        del about
        words = self._words()
        segments = self.desk.report.evidence.segments
        is_held = shared_length(words, self.desk.report.evidence.held)
        if not is_held and not any(is_mostly_in(one.spans, words) for one in segments):
            raise forms.ValidationError(self._too_few(words, segments))
        return DID.LEFT_OUT, (Correction(None, Verdict.LEFT_OUT, words),)

    def _too_few(self, words: Spans, segments: tuple[Segment, ...]) -> str:
        whole = max(segments, key=lambda one: shared_length(one.spans, words), default=None)
        if whole is None or not shared_length(whole.spans, words):
            return "These words do not count anyway: they are in no statement."
        quoted = shortened(self.text.quoted(whole.spans), LONGEST_CHOICE)
        return (
            "These words are only some of a statement, which counts as a whole. "
            f"Choose all of “{quoted}”."
        )

    def _count(self, about: str) -> Step:
        words = spans_at(about, self.text.content) if about else self._words()
        waiting = join_spans((*self.left_out, *self.desk.report.evidence.held))
        if not shared_length(words, waiting):
            raise forms.ValidationError("These words are neither excluded nor held.")
        return DID.COUNTED, (Correction(None, Verdict.COUNTED, words),)

    def _count_held(self, about: str) -> Step:
        del about
        return DID.COUNTED, (Correction(None, Verdict.COUNTED, self._held()),)

    def _exclude_held(self, about: str) -> Step:
        del about
        return DID.LEFT_OUT, (Correction(None, Verdict.LEFT_OUT, self._held()),)

    def _held(self) -> Spans:
        held = self.desk.report.evidence.held
        if not held:
            raise forms.ValidationError("No words are held any more. Look at the page again.")
        return held

    @property
    def left_out(self) -> Spans:
        return self.desk.left_out

    def _words(self) -> Spans:
        words = join_spans(self.cleaned_data["spans"])
        if not words and not self.errors:
            raise forms.ValidationError(_NO_WORDS)
        return words

    def _idea(self, about: str) -> int:
        uid = int(about) if about.isdecimal() and len(about) < 10 else None
        if uid is None or uid not in self._ideas:
            raise forms.ValidationError("This idea is not in the pyramid that scores the text.")
        return uid

    def _match(self, about: str) -> Match:
        uid = self._idea(about)
        match = self._found.get(uid) or self._possible.get(uid)
        if match is None:
            raise forms.ValidationError(_GONE)
        return match


class CommentForm(ChosenWordsForm):
    """A comment to the student, or a note for graders: two buttons, and neither is a default."""

    LONGEST = 4_000
    AUDIENCES = (("student", "Send to the student"), ("graders", "Keep as a note"))

    said = forms.CharField(
        label="Comment",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Write something first."},
    )
    audience = forms.ChoiceField(
        choices=AUDIENCES, error_messages={"required": "Choose who is to read it."}
    )
    idea = forms.IntegerField(required=False, min_value=0, max_value=10**9)

    def clean_said(self) -> str:
        return _plain(self.cleaned_data["said"])


class RewordForm(forms.Form):
    """Other words for a comment."""

    said = forms.CharField(
        label="Comment",
        max_length=CommentForm.LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Write something, or delete the comment."},
    )

    def clean_said(self) -> str:
        return _plain(self.cleaned_data["said"])


def _plain(text: str) -> str:
    """Line ends of one kind, as they were typed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
