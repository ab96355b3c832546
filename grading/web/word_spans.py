"""Words of a text, as forms and addresses name them: by their places, or sentence by sentence."""

import re
from typing import Any

from django import forms

from grading.pyramid.editing.wording import shortened
from grading.pyramid.feedback.likely_ideas import sentences_of
from grading.pyramid.structures import Span, Spans, Text, join_spans

MOST_PLACES = 20  # a match has a few, and each is compared with all of a text
_LONGEST_PLACE = 14 * MOST_PLACES
LONGEST_CHOICE = 90  # characters of a sentence in a list
_PLACE = re.compile(r"(\d{1,6})-(\d{1,6})")


def spans_at(ref: str, content: str) -> Spans:
    """The spans that “12-40,52-60” refers to; none where the text has no such words."""
    pairs = [_PLACE.fullmatch(part) for part in ref.split(",", MOST_PLACES - 1)]
    spans = [Span(int(pair[1]), int(pair[2])) for pair in pairs if pair]
    sound = len(spans) == len(pairs) and all(
        span.start < span.end <= len(content) and content[span.start : span.end].strip()
        for span in spans
    )
    return join_spans(spans) if sound else ()


def span_ref(spans: Spans) -> str:
    """The spans as an address and a hidden field have them: “12-40,52-60”."""
    return ",".join(f"{span.start}-{span.end}" for span in spans)


class ChosenWordsForm(forms.Form):
    """Words that were chosen in a text (``choose-words.js``), and sentences that were ticked.

    Both together are ``cleaned_data["spans"]``; a form that needs words says so itself.
    """

    place = forms.CharField(
        required=False,
        max_length=_LONGEST_PLACE,
        widget=forms.HiddenInput(attrs={"data-chosen-place": ""}),
    )
    sentence = forms.TypedMultipleChoiceField(
        label="Whole sentences",
        required=False,
        coerce=int,
        widget=forms.CheckboxSelectMultiple(attrs={"data-chosen-sentence": ""}),
    )

    def __init__(self, *args: Any, content: str, spans: Spans = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.text = Text("", content)
        self.sentences = sentences_of(content)
        self.initial.setdefault("place", span_ref(spans))
        self.fields["sentence"].choices = [  # type: ignore[attr-defined]
            (number, shortened(self.text.words_at((sentence,)), LONGEST_CHOICE))
            for number, sentence in enumerate(self.sentences, start=1)
        ]

    def clean_place(self) -> Spans:
        ref = self.cleaned_data["place"]
        spans = spans_at(ref, self.text.content)
        if ref and not spans:
            raise forms.ValidationError("These words are not in the text. Choose them again.")
        return spans

    def clean(self) -> dict[str, Any]:
        super().clean()
        ticked = [self.sentences[number - 1] for number in self.cleaned_data.get("sentence", ())]
        self.cleaned_data["spans"] = join_spans([*self.cleaned_data.get("place", ()), *ticked])
        return self.cleaned_data
