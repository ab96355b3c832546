"""What a person can say of a text, and which of many words hold in the end.

A word on a unit holds until a later one on the same unit. Words of the text that are left out stay
so until they are counted again; whoever leaves out words takes back what was said before to be told
in them, and what is said later to be told there counts all the same. Words that the program holds
until a person has read them are released by counting them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from grading.pyramid.structures import (
    Evidence,
    Spans,
    is_mostly_in,
    join_spans,
    shared_length,
    spans_without,
)


class Verdict(StrEnum):
    TOLD = "told"
    CONFIRMED = "confirmed"  # told, as the program found it
    NOT_TOLD = "not_told"
    AS_FOUND = "as_found"  # whatever the program says
    LEFT_OUT = "left_out"  # words of the text, and what is told in them
    COUNTED = "counted"  # such words, in again

    @property
    def tells(self) -> bool:
        return self in {Verdict.TOLD, Verdict.CONFIRMED}


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's word on one unit; ``spans`` are the words that tell it, if it is told.

    Without a unit it is about the words themselves.
    """

    scu: int | None
    verdict: Verdict
    spans: Spans = ()


@dataclass(frozen=True, slots=True)
class InForce:
    """What holds in the end: the word on each unit, by its number, and the words left out.

    ``counted`` are the words that a person counted and nobody left out later.
    """

    words: dict[int, Correction]
    left_out: Spans
    counted: Spans = ()

    @property
    def count(self) -> int:
        """How much of it says something else than the program."""
        return len(self.words) + bool(self.left_out)


def in_force(corrections: Iterable[Correction]) -> InForce:
    """Of corrections in their order."""
    words: dict[int, tuple[int, Correction]] = {}
    areas: list[tuple[int, Spans]] = []
    counted: Spans = ()
    for when, one in enumerate(corrections):
        if one.scu is not None:
            words.pop(one.scu, None)
            words[one.scu] = (when, one)
        else:
            areas = [(then, spans_without(spans, one.spans)) for then, spans in areas]
        if one.verdict is Verdict.LEFT_OUT:
            areas.append((when, one.spans))
            counted = spans_without(counted, one.spans)
        elif one.verdict is Verdict.COUNTED:
            counted = join_spans((*counted, *one.spans))
    return InForce(
        {
            scu: one
            for scu, (when, one) in words.items()
            if one.verdict is not Verdict.AS_FOUND and not _is_taken_back(one, when, areas)
        },
        join_spans(span for _, spans in areas for span in spans),
        counted,
    )


def left_out_in_vain(evidence: Evidence, corrections: Sequence[Correction]) -> Spans:
    """Words that people left out and that count all the same, within parts that are longer."""
    area = in_force(corrections).left_out
    gone = [segment.spans for segment in evidence.segments if is_mostly_in(segment.spans, area)]
    staying = [
        segment.spans for segment in evidence.segments if not is_mostly_in(segment.spans, area)
    ]
    return tuple(
        span
        for span in area
        if not any(shared_length((span,), spans) for spans in gone)
        and any(shared_length((span,), spans) for spans in staying)
    )


def _is_taken_back(correction: Correction, when: int, areas: Iterable[tuple[int, Spans]]) -> bool:
    later = join_spans(span for then, spans in areas if then > when for span in spans)
    return correction.verdict.tells and is_mostly_in(join_spans(correction.spans), later)
