"""Sentences that may contradict the experts, as far as their reader is told what the experts say.

The idea behind such a sentence is one that the text lacks. So its label and the experts' words are
told where those of missed ideas are; elsewhere the page only asks the reader to check the sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from grading.models import Missed, Sight
from grading.pyramid.structures import Match, Pyramid, Span, Text


@dataclass(frozen=True, slots=True)
class Contradiction:
    """``spans`` are the student's words; the last three may be empty, as they may be untold."""

    number: int
    uid: int  # of the idea; never told
    spans: tuple[Span, ...]
    words: str
    label: str  # of the idea
    experts: str  # what the experts say, in their words
    remark: str  # one sentence that names both sides

    @property
    def start(self) -> int:
        return self.spans[0].start


def contradictions_of(
    text: Text, pyramid: Pyramid, matches: Sequence[Match], sight: Sight
) -> tuple[Contradiction, ...]:
    """Of matches that contradict the experts, in the order of the text."""
    labels = {scu.uid: scu.label for scu in pyramid.scus}
    tells_idea, tells_words = sight.missed >= Missed.LABELS, sight.missed >= Missed.SENTENCES
    in_order = sorted(matches, key=lambda match: (match.spans, match.scu))
    return tuple(
        Contradiction(
            number=number,
            uid=match.scu,
            spans=match.spans,
            words=text.quoted(match.spans),
            label=labels.get(match.scu, "") if tells_idea else "",
            experts=match.contradicts if tells_words else "",
            remark=match.remarks[0] if tells_words and match.remarks else "",
        )
        for number, match in enumerate(in_order, start=1)
    )
