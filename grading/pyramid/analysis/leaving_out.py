"""How much scores would change if any one reference were left out.

Scores are made anew with what the other references tell: those of students where there are any,
else those of the other references, each read as if a student had written it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grading.pyramid.analysis.by_lot import drawn_by_lot
from grading.pyramid.editing.reference_commands import RemoveReference
from grading.pyramid.pipeline import Engine, prepare_matcher
from grading.pyramid.scores import score
from grading.pyramid.structures import Pyramid, SegmentedText

_MOST_STUDENTS = 30  # enough for a mean


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Without a reference: the mean absolute change of the comprehensive score, and of ideas."""

    reference: str
    change: float | None  # None where there is nobody to score
    lost: int  # ideas that nobody else tells
    lighter: int  # ideas that weigh less


@dataclass(frozen=True, slots=True)
class LeavingOut:
    """For each reference; ``texts`` is the number of texts scored, of students or of experts."""

    references: tuple[LeftOut, ...]
    texts: int
    of_students: bool

    @property
    def change(self) -> float | None:
        """On average over the references."""
        changes = [
            reference.change for reference in self.references if reference.change is not None
        ]
        return round(sum(changes) / len(changes), 4) if changes else None


def leave_out(
    pyramid: Pyramid,
    references: Sequence[SegmentedText],
    students: Sequence[SegmentedText],
    engine: Engine,
) -> LeavingOut:
    """Nothing is left out of a pyramid of one reference."""
    names = [text.name for text in pyramid.references] if len(pyramid.references) > 1 else []
    drawn = drawn_by_lot(students, lambda one: one.text.content, _MOST_STUDENTS)
    texts = drawn or list(references)
    whole = _scores(pyramid, texts, engine) if names and pyramid.counted().scus else []
    left_out = tuple(_left_out(pyramid, name, texts, whole, engine) for name in names)
    return LeavingOut(left_out, len(whole), bool(students))


def _left_out(
    pyramid: Pyramid,
    name: str,
    texts: Sequence[SegmentedText],
    whole: Sequence[float],
    engine: Engine,
) -> LeftOut:
    rest = RemoveReference(name).apply(pyramid)
    contributed = [scu for scu in pyramid.scus if scu.contributor(name) is not None]
    lost = len(pyramid.scus) - len(rest.scus)
    by_hand = sum(1 for scu in contributed if scu.given_weight is not None)
    change = None
    if whole and rest.counted().scus:
        others = [number for number, text in enumerate(texts) if text.text.name != name]
        scores = _scores(rest, [texts[number] for number in others], engine)
        changes = [abs(now - whole[number]) for now, number in zip(scores, others, strict=True)]
        change = round(sum(changes) / len(changes), 4) if changes else None
    return LeftOut(name, change, lost, len(contributed) - lost - by_hand)


def _scores(pyramid: Pyramid, texts: Sequence[SegmentedText], engine: Engine) -> list[float]:
    return list(_comprehensive(pyramid, texts, engine))


def _comprehensive(
    pyramid: Pyramid, texts: Sequence[SegmentedText], engine: Engine
) -> Iterator[float]:
    matcher, counted = prepare_matcher(pyramid, engine), pyramid.counted()
    for text in texts:
        yield score(counted, matcher.match(text), engine.signature).comprehensive
