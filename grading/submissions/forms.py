"""What a student types, and what is checked before it is submitted."""

import re
from typing import Any

from django import forms

from grading.models import Assignment, Submission
from grading.models.summaries import count_words
from grading.pyramid.characters import with_one_line_end
from grading.pyramid.copying import copied_passages, copied_share
from grading.pyramid.editing.wording import shortened
from grading.pyramid.figures import number_of
from grading.pyramid.language import ENGLISH, language_of
from grading.scoring.allowances import Allowance
from grading.submissions.actions import ConflictChoice
from grading.web.texts_in_forms import LONGEST_TEXT, check_text

CHARACTERS_A_WORD = 30  # on average; a summary that needs more is not prose
LEAST_LETTERS = 0.5  # share of letters and digits among the visible characters
MOST_QUOTES = 3  # of copied passages
LONGEST_QUOTE = 120  # characters
CONTROL_CHARACTERS = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")


class TypedField(forms.CharField):
    """Text exactly as it was typed, with one kind of line end and without NUL characters.

    Browsers send line ends as CRLF, and no database stores NUL.
    """

    def to_python(self, value: Any) -> str:
        return with_one_line_end(super().to_python(value) or "").replace("\x00", "")


class WritingForm(forms.Form):
    """What was typed, on top of which revision, and which of two texts to continue with.

    A choice applies to the other text that the page showed, of revision ``seen``. Without a choice,
    text typed on an older revision stays in conflict however often it is sent.
    """

    text = TypedField(required=False, strip=False)
    revision = forms.IntegerField(required=False, min_value=0)
    seen = forms.IntegerField(required=False, min_value=0)
    choice = forms.TypedChoiceField(
        choices=ConflictChoice.choices, required=False, coerce=ConflictChoice, empty_value=None
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
        shown_revision = self.cleaned_data.pop("seen", None)
        if shown_revision is not None and self.cleaned_data.get("choice"):
            self.cleaned_data["revision"] = shown_revision
        return self.cleaned_data


class SubmissionForm(forms.Form):
    """A student's next attempt, starting with what was typed last.

    A check that doubts the text sets ``language``, ``copied_percent``, ``is_short`` or
    ``asks_if_sure``; the page then shows a box with which the student can submit it anyway.
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
    in_english = forms.BooleanField(label="It is in English: submit it anyway", required=False)
    in_own_words = forms.BooleanField(label="Submit it anyway", required=False)
    sure = forms.BooleanField(label="Yes, this is my final submission", required=False)
    though_short = forms.BooleanField(label="Submit it anyway", required=False)

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
    def can_submit_copied(self) -> bool:
        """Copied words only warn: a box on the page lets the student submit them anyway."""
        return self.assignment.copying == Assignment.Copying.WARN

    def clean_text(self) -> str:
        text = check_text(str(self.cleaned_data["text"]), "Your summary")
        longest, words = self.assignment.max_words, count_words(text)
        if len(text) > CHARACTERS_A_WORD * longest:
            raise forms.ValidationError(
                f"Your summary has {len(text):,} characters; {longest} words need far fewer. "
                "Delete what doesn't belong."
            )
        if words > longest:
            raise forms.ValidationError(
                f"Your summary has {words} words; at most {longest} are allowed. Cut "
                f"{words - longest}."
            )
        if control := CONTROL_CHARACTERS.search(text):
            before = text[max(0, control.start() - 20) : control.start()]
            raise forms.ValidationError(
                f"Your summary has a character that isn't text (U+{ord(control[0]):04X}), near "
                f"“{before}”. Delete it and type that word again."
            )
        visible = [character for character in text if not character.isspace()]
        if sum(map(str.isalnum, visible)) < LEAST_LETTERS * len(visible):
            raise forms.ValidationError(
                "More than half of the characters are neither letters nor digits. Write or paste "
                "your summary again."
            )
        return text

    def clean(self) -> dict[str, Any]:
        super().clean()
        if not self.allowance.of_kind(is_final=self.is_final):
            no_draft = "You have used all your drafts. Submit it as final, or keep writing."
            self.add_error(None, self.allowance.reason or no_draft)
        if text := self.cleaned_data.get("text"):
            latest = self.latest
            # A draft may become the final as it is.
            if latest and (text, self.is_final) == (latest.text, latest.is_final):
                self.add_error(
                    "text",
                    f"Your summary is the same text as your attempt {latest.attempt}. Change "
                    "it, then submit it.",
                )
            self._check_language(text)
            self._check_copying(text)
            self._check_minimum(text)
        self._check_final()
        return self.cleaned_data

    def _check_final(self) -> None:
        """While drafts are left, a final is one tap from a draft, and it cannot be undone."""
        if not (self.is_final and self.allowance.drafts):
            return
        self.asks_if_sure = True
        if not self.cleaned_data["sure"]:
            only = "your only" if self.allowance.finals == 1 else "a"
            self.add_error(
                "text",
                f"Your summary would be {only} final submission. You still have "
                f"{number_of(self.allowance.drafts, 'draft')} for feedback, which you can't use "
                "after it. If you are sure, tick the box below and submit it again.",
            )

    def _check_minimum(self, text: str) -> None:
        """A text that was submitted too soon would use up an attempt."""
        words, shortest = count_words(text), self.assignment.min_words
        self.is_short = words < shortest
        if self.is_short and not self.cleaned_data["though_short"]:
            self.add_error(
                "text",
                f"Your summary has {number_of(words, 'word')}; at least {shortest} are required. "
                f"Write more, or tick the box below and submit it again.",
            )

    def _check_language(self, text: str) -> None:
        language = language_of(text)
        if language is None or language == ENGLISH:
            return
        self.language = language.name
        if not self.cleaned_data["in_english"]:
            self.add_error(
                "text",
                f"Your summary seems to be in {language.name}, and it is compared with English "
                "texts. If it is in English, tick the box below and submit it again.",
            )

    def _check_copying(self, text: str) -> None:
        rule, source = self.assignment.copying, self.assignment.source_text
        percent = int(100 * (copied_share(text, source) or 0) + 1e-9)
        if rule == Assignment.Copying.ALLOW or percent < self.assignment.copying_percent:
            return
        self.copied_percent = percent
        passages = sorted(copied_passages(text, source), key=lambda span: span.start - span.end)
        self.copied_quotes = tuple(
            shortened(" ".join(text[span.start : span.end].split()), LONGEST_QUOTE)
            for span in sorted(passages[:MOST_QUOTES])
        )
        if self.can_submit_copied and self.cleaned_data["in_own_words"]:
            return
        advice = (
            "Use your own words, or tick the box below and submit it again."
            if self.can_submit_copied
            else f"At {self.assignment.copying_percent} % or more it is refused. Say it in "
            "your own words."
        )
        self.add_error(
            "text",
            f"Your summary is mostly copied: {percent} % of its words are in the source in the "
            f"same order. {advice}",
        )
