"""Second looks: the words or idea that a request is about and why, and the answer of a grader."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from grading.models import Missed, Submission
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.editing.wording import shortened
from grading.pyramid.feedback.likely_ideas import sentences_of
from grading.pyramid.formats.pyramid_json import spans_to_json
from grading.pyramid.formats.word_search import SearchedText
from grading.pyramid.structures import Spans, Text, join_spans
from grading.second_looks.actions import Subject, second_look_refusal
from grading.web.fields import LONGEST_REASON, ReasonField, whole_number
from grading.web.word_spans import LONGEST_CHOICE, span_ref, spans_at

LONGEST_WORDS = 5_000


@dataclass(frozen=True, slots=True)
class MissedChoice:
    """An idea that the text lacks, with the number and in the words shown to the student."""

    number: int
    scu_uid: int
    weight: int
    shown_as: str


def _reason_area(count: str) -> forms.Textarea:
    return forms.Textarea(
        attrs={
            "rows": 4,
            "data-live-count": count,
            "data-unit": "character",
            "data-max": LONGEST_REASON,
            "aria-describedby": count,
        }
    )


class WordsForm(forms.Form):
    """Words of a text: as they are in it, or a sentence of it from a list.

    ``place`` has the position of the selection: the same words may occur twice.
    """

    words = forms.CharField(
        required=False,
        max_length=LONGEST_WORDS,
        error_messages={"max_length": "You marked too many words for one request. Mark fewer."},
        widget=forms.Textarea(attrs={"rows": 3, "data-chosen-words": ""}),
    )
    place = forms.CharField(
        required=False, widget=forms.HiddenInput(attrs={"data-chosen-place": ""})
    )
    sentence = forms.TypedChoiceField(
        label="Or a whole sentence",
        required=False,
        coerce=int,
        empty_value=None,
        widget=forms.Select(attrs={"data-chosen-sentence": ""}),
    )

    def __init__(self, *args: Any, content: str, spans: Spans = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.text = Text("", content)
        self.sentences = sentences_of(content)
        self.initial.update({"words": self.text.words_at(spans), "place": span_ref(spans)})
        self.fields["sentence"].choices = [  # type: ignore[attr-defined]
            ("", "No, use the words above"),
            *(
                (number, shortened(self.text.words_at((sentence,)), LONGEST_CHOICE))
                for number, sentence in enumerate(self.sentences, start=1)
            ),
        ]

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.cleaned_data["spans"] = self._clean_spans()
        return self.cleaned_data

    def _clean_spans(self) -> Spans:
        if sentence := self.cleaned_data.get("sentence"):
            return (self.sentences[sentence - 1],)
        words = self.cleaned_data.get("words", "")
        if not words:
            return ()
        selected = spans_at(self.cleaned_data.get("place", ""), self.text.content)
        if selected and self.text.words_at(selected) == " ".join(words.split()):
            return selected
        spans = SearchedText(self.text).find(words)
        if not spans:
            self.add_error(
                "words",
                "These words are not in the text. Copy them from the text, or choose a sentence.",
            )
        return spans

    def chosen(self) -> Spans:
        """The words to mark on the page: those that were sent, else the initial ones."""
        if self.is_bound:
            self.is_valid()
            return tuple(self.cleaned_data.get("spans", ()))
        return spans_at(str(self.initial["place"]), self.text.content)


@dataclass(frozen=True, slots=True)
class MatchChoice:
    """A match of the text, as the student sees it; ``order`` is its place in the text.

    The idea's number is 0 where the student may not know how many ideas there are.
    """

    order: int
    scu_uid: int
    number: int
    spans: Spans
    words: str
    label: str

    @property
    def idea(self) -> str:
        return f"idea {self.number}: {self.label}" if self.number else self.label


class AskForm(WordsForm):
    """A request for a second look.

    ``seen`` is the score that the page showed: the numbers of ideas are valid for it alone.
    """

    missed = forms.TypedChoiceField(
        label="A missing idea", required=False, coerce=int, empty_value=None
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    reason = ReasonField(
        label="Why it should count",
        error_messages={"required": "Give the reason in a sentence or two."},
        widget=_reason_area("id_reason_count"),
    )
    field_order = ("words", "place", "sentence", "missed", "seen", "reason")

    def __init__(
        self,
        *args: Any,
        submission: Submission,
        ideas: Sequence[MissedChoice],
        seen: str,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, content=submission.text, **kwargs)
        self.submission = submission
        self.ideas = {idea.number: idea for idea in ideas}
        self.current_score = self.initial["seen"] = seen
        self.fields["words"].label = "Words of your text"
        self.fields["words"].help_text = "Select them in your text, or copy them here."
        choices = [(idea.number, f"Weight {idea.weight}: {idea.shown_as}") for idea in ideas]
        self.fields["missed"].choices = [("", "No, only the words"), *choices]  # type: ignore[attr-defined]
        if not ideas:
            del self.fields["missed"]

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.data.get("missed") and not self.ideas:
            raise forms.ValidationError(
                "You can't choose missing ideas here. Mark words of your text."
            )
        cleaned = self.cleaned_data
        if cleaned.get("missed") and cleaned.get("seen") != self.current_score:
            self.add_error(
                "missed",
                "Your result has changed since you opened this page. Choose again.",
            )
        is_named = cleaned["spans"] or cleaned.get("missed")
        if not is_named and not {"words", "sentence", "missed"}.intersection(self.errors):
            words = "Mark the words of your text that should count"
            self.add_error("words", f"{words}, or choose an idea." if self.ideas else f"{words}.")
        _check_room(self.submission, self.subject(Missed.NOTHING), cleaned.get("reason"))
        return cleaned

    def subject(self, level: Missed) -> Subject:
        """What the request is about; ``level`` is how much the student sees of missing ideas."""
        idea = self.ideas.get(self.cleaned_data.get("missed") or 0)
        spans = self.cleaned_data["spans"]
        if idea is None:
            return Subject(spans)
        return Subject(spans, idea.scu_uid, idea.shown_as, level)


def _check_room(submission: Submission, subject: Subject, reason: str | None) -> None:
    """The same request sent twice is stored once, so it needs no room."""
    if refusal := second_look_refusal(submission):
        request = (subject.disputes_match, subject.scu_uid, spans_to_json(subject.spans), reason)
        waiting = submission.second_looks.waiting()
        if all(
            (look.disputes_match, look.scu_uid, look.spans, look.reason) != request
            for look in waiting
        ):
            raise forms.ValidationError(refusal)


class DisputeForm(forms.Form):
    """A request for a second look at a match that is wrong.

    ``seen`` is the score that the page showed: the order of matches is valid for it alone.
    """

    match = forms.TypedChoiceField(
        label="The match that is wrong",
        coerce=int,
        error_messages={"required": "Choose the match that is wrong."},
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    reason = ReasonField(
        label="What is wrong",
        error_messages={"required": "Explain in a sentence or two what is wrong."},
        widget=_reason_area("id_reason_count"),
    )

    def __init__(
        self,
        *args: Any,
        submission: Submission,
        matches: Sequence[MatchChoice],
        seen: str,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.submission = submission
        self.matches = {match.order: match for match in matches}
        self.current_score = self.initial["seen"] = seen
        self.fields["match"].choices = [  # type: ignore[attr-defined]
            (match.order, f"“{shortened(match.words, LONGEST_CHOICE)}” as {match.idea}")
            for match in matches
        ]

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("match") and cleaned.get("seen") != self.current_score:
            self.add_error(
                "match",
                "Your result has changed since you opened this page. Choose again.",
            )
        if cleaned.get("match"):
            _check_room(self.submission, self.subject(Missed.NOTHING), cleaned.get("reason"))
        return cleaned

    def chosen(self) -> Spans:
        """The words of the chosen match."""
        number = str(self["match"].value())
        order = whole_number(number)
        match = None if order is None else self.matches.get(order)
        return match.spans if match else ()

    def subject(self, _: Missed) -> Subject:
        """What the request is about. Students may always read the idea of their own match."""
        match = self.matches[self.cleaned_data["match"]]
        return Subject(match.spans, match.scu_uid, match.label, disputes_match=True)


class DisputeAnswerForm(forms.Form):
    """The answer of a grader to a student who says that a match is wrong."""

    answer = ReasonField(
        label="Your answer to the student",
        required=False,
        widget=_reason_area("id_answer_count"),
    )
    verdict = forms.ChoiceField(
        choices=[("remove", "Remove the match"), ("keep", "Keep the match")],
        error_messages={"required": "Choose “Remove the match” or “Keep the match”."},
    )
    stamp = forms.CharField(required=False)

    def __init__(self, *args: Any, scu_uid: int | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.scu_uid = scu_uid

    def clean(self) -> dict[str, Any]:
        super().clean()
        verdict = self.cleaned_data.get("verdict")
        if verdict == "remove" and self.scu_uid is None:
            self.add_error("verdict", "This idea is not in the version of the pyramid that scores.")
        is_silent = not self.cleaned_data.get("answer") and "answer" not in self.errors
        if verdict == "keep" and is_silent:
            self.add_error("answer", "Tell the student why the match counts.")
        return self.cleaned_data

    def correction(self) -> Correction | None:
        """What removes the match; None where it is kept."""
        if self.cleaned_data["verdict"] != "remove" or self.scu_uid is None:
            return None
        return Correction(self.scu_uid, Verdict.REMOVED)


class AnswerForm(WordsForm):
    """The answer of a grader; ``stamp`` shows whether somebody else has answered first."""

    scu = forms.TypedChoiceField(label="Idea", required=False, coerce=int, empty_value=None)
    answer = ReasonField(
        label="Your answer to the student",
        required=False,
        widget=_reason_area("id_answer_count"),
    )
    verdict = forms.ChoiceField(
        choices=[("count", "Count it"), ("decline", "Do not count it")],
        error_messages={"required": "Choose “Count it” or “Do not count it”."},
    )
    stamp = forms.CharField(required=False)

    def __init__(self, *args: Any, scu_uids: Sequence[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["words"].label = "The words that express the idea"
        self.fields["words"].help_text = "You can select others."
        self.fields["scu"].choices = [(uid, uid) for uid in scu_uids]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        super().clean()
        verdict = self.cleaned_data.get("verdict")
        if (
            verdict == "decline"
            and not self.cleaned_data.get("answer")
            and "answer" not in self.errors
        ):
            self.add_error("answer", "Tell the student why it does not count.")
        if verdict == "count":
            if self.cleaned_data.get("scu") is None and "scu" not in self.errors:
                self.add_error("scu", "Choose the idea that the words express.")
            if not self.cleaned_data["spans"] and "words" not in self.errors:
                self.add_error(
                    "words", "Mark the words that express the idea, or choose a sentence."
                )
        else:
            for field in ("words", "sentence", "scu"):  # nothing of it is used
                self.errors.pop(field, None)
        return self.cleaned_data

    def correction(self) -> Correction | None:
        """What counts; None where nothing does."""
        if self.cleaned_data["verdict"] != "count":
            return None
        return Correction(
            self.cleaned_data["scu"], Verdict.MATCHED, join_spans(self.cleaned_data["spans"])
        )
