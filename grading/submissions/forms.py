"""What a student types, and what is looked at before it is handed in."""

import re
from typing import Any

from django import forms

from grading.models import Assignment, Submission
from grading.models.summaries import count_words
from grading.pyramid.copying import copied_passages, copied_share
from grading.pyramid.figures import number_of
from grading.pyramid.language import ENGLISH, language_of
from grading.scoring.allowances import Allowance
from grading.submissions.actions import Choice
from grading.web.texts_in_forms import LONGEST_TEXT, check_text, with_one_line_end

CHARACTERS_A_WORD = 30  # of a summary at most, on average: what is beyond it is no prose
LEAST_LETTERS = 0.5  # of the characters that can be seen
MOST_QUOTES = 3  # of what was copied
LONGEST_QUOTE = 120  # characters
_CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")


class TypedField(forms.CharField):
    """Kept as it was typed, but for how line ends are sent and what no database holds."""

    def to_python(self, value: Any) -> str:
        return with_one_line_end(super().to_python(value) or "").replace("\x00", "")


class WritingForm(forms.Form):
    """What was typed, on which revision, and which of two texts goes on.

    A choice counts for the other text that was ``seen`` beside this one; without a choice, what
    was typed on an older revision stays in conflict however often it is sent.
    """

    text = TypedField(required=False, strip=False)
    revision = forms.IntegerField(required=False, min_value=0)
    seen = forms.IntegerField(required=False, min_value=0)
    choice = forms.TypedChoiceField(
        choices=Choice.choices, required=False, coerce=Choice, empty_value=None
    )

    def clean_text(self) -> str:
        text = str(self.cleaned_data["text"])
        if len(text) > LONGEST_TEXT:
            raise forms.ValidationError(
                f"Your text has {len(text):,} characters; at most {LONGEST_TEXT:,} can be kept."
            )
        return text

    def clean(self) -> dict[str, Any]:
        super().clean()
        seen = self.cleaned_data.pop("seen", None)
        if seen is not None and self.cleaned_data.get("choice"):
            self.cleaned_data["revision"] = seen
        return self.cleaned_data


class SubmissionForm(forms.Form):
    """A student's next attempt, begun with what was typed last.

    ``language``, ``copied_percent`` and ``asks_if_sure`` are there where a check doubts what is
    handed in; the page then shows a box, with which the student can do it all the same.
    """

    text = TypedField(
        label="Your summary",
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 14, "class": "textarea-long", "autocomplete": "off", "dir": "auto"}
        ),
        error_messages={
            "required": "There is no text yet. Write or paste your summary.",
        },
    )
    kind = forms.ChoiceField(choices=[("final", "final"), ("draft", "draft")], required=False)
    in_english = forms.BooleanField(
        label="It is in English: hand it in all the same", required=False
    )
    in_own_words = forms.BooleanField(label="Hand it in all the same", required=False)
    sure = forms.BooleanField(label="Yes, this is my final", required=False)
    though_short = forms.BooleanField(label="Hand it in as short as it is", required=False)

    def __init__(
        self,
        *args: Any,
        assignment: Assignment,
        latest: Submission | None,
        allowance: Allowance,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.assignment = assignment
        self.latest = latest
        self.allowance = allowance
        self.asks_if_sure = False
        self.is_short = False
        self.language = ""
        self.copied_percent: int | None = None
        self.copied_quotes: tuple[str, ...] = ()
        self.fields["text"].widget.attrs |= {
            "data-live-count": "id_text_count",
            "data-unit": "word",
            "data-min": assignment.min_words,
            "data-max": assignment.max_words,
            "aria-describedby": "id_text_count writing-status",
        }

    @property
    def is_final(self) -> bool:
        return self.cleaned_data.get("kind") != "draft"

    @property
    def can_be_insisted(self) -> bool:
        """Does a box let pass what was found to be copied?"""
        return self.assignment.copying == Assignment.Copying.WARN

    def clean_text(self) -> str:
        text = check_text(str(self.cleaned_data["text"]), "Your summary")
        self._check_length(text)
        _check_characters(text)
        return text

    def _check_length(self, text: str) -> None:
        longest = self.assignment.max_words
        if len(text) > CHARACTERS_A_WORD * longest:
            raise forms.ValidationError(
                f"Your summary has {len(text):,} characters; {longest} words need far fewer. Is "
                "something in it that does not belong there?"
            )
        words = count_words(text)
        if words > longest:
            raise forms.ValidationError(
                f"Your summary has {words} words; at most {longest} are allowed. Cut "
                f"{words - longest}."
            )

    def clean(self) -> dict[str, Any]:
        super().clean()
        if not self.allowance.of_kind(is_final=self.is_final):
            self.add_error(None, self.allowance.reason or _NO_DRAFT)
        if text := self.cleaned_data.get("text"):
            self._refuse_again(text)
            self._doubt_language(text)
            self._doubt_copying(text)
            self._doubt_length(text)
        self._doubt_final()
        return self.cleaned_data

    def _refuse_again(self, text: str) -> None:
        """A draft may become the final as it is."""
        latest = self.latest
        if latest and text == latest.text and self.is_final == latest.is_final:
            self.add_error(
                "text",
                f"Your summary is the same text as your attempt {latest.attempt}: there is "
                "nothing new to hand in.",
            )

    def _doubt_final(self) -> None:
        """A final while drafts are left: one tap beside the other button, and for good."""
        left = self.allowance.drafts
        if not (self.is_final and left):
            return
        self.asks_if_sure = True
        if not self.cleaned_data["sure"]:
            only = "your only final" if self.allowance.finals == 1 else "a final"
            drafts = number_of(left, "draft")
            self.add_error(
                "text",
                f"Your summary would be {only}, and no draft can follow it; you can still hand in "
                f"{drafts} for feedback. If it is your final, tick the box below and hand it in "
                "again.",
            )

    def _doubt_length(self, text: str) -> None:
        """An attempt is used up by a text that was handed in too soon."""
        words, shortest = count_words(text), self.assignment.min_words
        self.is_short = words < shortest
        if self.is_short and not self.cleaned_data["though_short"]:
            self.add_error(
                "text",
                f"Your summary has {number_of(words, 'word')}; at least {shortest} are asked for. "
                "Write more; or tick the box below and hand it in again.",
            )

    def _doubt_language(self, text: str) -> None:
        found = language_of(text)
        if found is None or found == ENGLISH:
            return
        self.language = found.name
        if not self.cleaned_data["in_english"]:
            self.add_error(
                "text",
                f"Your summary seems to be in {found.name}, and it is compared with English texts. "
                "If it is in English, tick the box below and hand it in again.",
            )

    def _doubt_copying(self, text: str) -> None:
        rule, source = self.assignment.copying, self.assignment.source_text
        percent = int(100 * (copied_share(text, source) or 0) + 1e-9)
        if rule == Assignment.Copying.ALLOW or percent < self.assignment.copying_percent:
            return
        self.copied_percent = percent
        self.copied_quotes = _longest_quotes(text, source)
        if self.can_be_insisted and self.cleaned_data["in_own_words"]:
            return
        advice = (
            "Say it in your own words; or tick the box below and hand it in again."
            if self.can_be_insisted
            else f"From {self.assignment.copying_percent} % on it is not taken here. Say it in "
            "your own words."
        )
        self.add_error(
            "text",
            f"Your summary is mostly copied: {percent} % of its words stand in the source in the "
            f"same order. {advice}",
        )


_NO_DRAFT = "You have used all your drafts. Hand it in as final, or go on writing."


def _check_characters(text: str) -> None:
    if found := _CONTROL.search(text):
        raise forms.ValidationError(
            f"Your summary holds a character that is no text (U+{ord(found[0]):04X}), near "
            f"“{text[max(0, found.start() - 20) : found.start()]}”. Delete it and type that word "
            "anew."
        )
    seen = [character for character in text if not character.isspace()]
    if sum(map(str.isalnum, seen)) < LEAST_LETTERS * len(seen):
        raise forms.ValidationError(
            "Your summary consists for more than half of characters that are neither letters nor "
            "digits. Was the text copied wrongly? Write or paste it anew."
        )


def _longest_quotes(text: str, source: str) -> tuple[str, ...]:
    """The longest of what was copied, in the order of the text."""
    passages = copied_passages(text, source)
    longest = sorted(passages, key=lambda span: span.start - span.end)[:MOST_QUOTES]
    return tuple(_shortened(text[span.start : span.end]) for span in sorted(longest))


def _shortened(words: str) -> str:
    words = " ".join(words.split())
    if len(words) <= LONGEST_QUOTE:
        return words
    return f"{words[:LONGEST_QUOTE].rsplit(' ', 1)[0]} …"
