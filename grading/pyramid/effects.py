"""What publishing another pyramid does to a class: who moves, and which matches come and go.

Everything is about pairs of scores of the same text, before and after. They are rounded to two
decimals first, as pages show them, so that a move is what a reader sees.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, median

from grading.pyramid.comparison import compare_pyramids
from grading.pyramid.figures import hundredths, tenths
from grading.pyramid.structures import Pyramid, ScoreReport, Scu

DECIMALS = 2


class Measure(StrEnum):
    COMPREHENSIVE = "comprehensive"
    QUALITY = "quality"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True)
class Scores:
    """Three of the numbers of a report, as pages show them."""

    comprehensive: float
    quality: float
    coverage: float

    @classmethod
    def rounded(cls, comprehensive: float, quality: float, coverage: float) -> "Scores":
        """As pages show these numbers of a report."""
        numbers = (comprehensive, quality, coverage)
        return cls(*(float(hundredths(number)) for number in numbers))

    def of_measure(self, measure: Measure) -> float:
        return float(getattr(self, measure))


@dataclass(frozen=True, slots=True)
class ScoredText:
    """All that is compared of a report: its scores, and the uids of the ideas that it credits."""

    scores: Scores
    credited: frozenset[int]

    @classmethod
    def of(cls, report: ScoreReport) -> "ScoredText":
        scores = Scores.rounded(report.comprehensive, report.quality, report.coverage)
        return cls(scores, frozenset(match.scu_uid for match in report.evidence.credited))


@dataclass(frozen=True, slots=True)
class TextEffect:
    """One text. ``gained`` and ``lost`` are places of ideas in the effect's list of them.

    ``before`` is None where no pyramid was published before.
    """

    text: int
    before: Scores | None
    after: Scores
    gained: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()

    @property
    def move(self) -> float:
        """Of the comprehensive score."""
        if self.before is None:
            return 0.0
        return round(self.after.comprehensive - self.before.comprehensive, DECIMALS)


@dataclass(frozen=True, slots=True)
class IdeaEffect:
    """An idea with its weight and the number of texts that tell it; None where it is not there."""

    label: str
    uid: int | None  # in the later pyramid
    weight_before: int | None
    weight_after: int | None
    matched_before: int = 0
    matched_after: int = 0
    gained: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Distribution:
    """How many texts have a score in each tenth from 0 to 1, the last with 1 itself."""

    counts: tuple[int, ...]
    mean: float
    median: float


@dataclass(frozen=True, slots=True)
class Effect:
    texts: tuple[TextEffect, ...]
    ideas: tuple[IdeaEffect, ...]

    @property
    def movers(self) -> tuple[TextEffect, ...]:
        """Texts whose score moves, or whose matches do: the largest moves first."""
        moving = [text for text in self.texts if text.move or text.gained or text.lost]
        return tuple(sorted(moving, key=_largest_first))

    @property
    def ups(self) -> int:
        return sum(text.move > 0 for text in self.texts)

    @property
    def downs(self) -> int:
        return sum(text.move < 0 for text in self.texts)

    @property
    def moved_ideas(self) -> tuple[IdeaEffect, ...]:
        """Ideas that gain or lose matches, those with the most of both first."""
        moved = [idea for idea in self.ideas if idea.gained or idea.lost]
        return tuple(sorted(moved, key=lambda idea: (-idea.gained - idea.lost, idea.label)))

    def before(self, measure: Measure) -> Distribution | None:
        """None where there is nothing to compare with."""
        known = [text.before for text in self.texts if text.before is not None]
        return _distribution([figures.of_measure(measure) for figures in known]) if known else None

    def after(self, measure: Measure) -> Distribution:
        return _distribution([text.after.of_measure(measure) for text in self.texts])

    def without(self, texts: Iterable[int]) -> "Effect":
        """For the rest of the class. What was found about ideas stays."""
        gone = set(texts)
        return Effect(tuple(text for text in self.texts if text.text not in gone), self.ideas)


Pairs = Sequence[tuple[Scu | None, Scu | None]]
ScoredTexts = Mapping[int, ScoredText]  # by the numbers of the texts


def pair_ideas(before: Pyramid, after: Pyramid, *, same_numbers: bool) -> Pairs:
    """Each idea before with the one that it is after; None beside what is gone, or new.

    ``same_numbers``: the later pyramid was made of the earlier one, so that a number stays with its
    idea. Else ideas are the same that have words in common.
    """
    if not same_numbers:
        return [(change.before, change.after) for change in compare_pyramids(before, after).scus]
    earlier = {scu.uid: scu for scu in before.scus}
    later = {scu.uid for scu in after.scus}
    kept = [(earlier.get(scu.uid), scu) for scu in after.scus]
    return [*kept, *((scu, None) for scu in before.scus if scu.uid not in later)]


def effect_of(before: ScoredTexts, after: ScoredTexts, ideas: Pairs) -> Effect:
    """The effect on all texts scored twice; if none was scored before, just what is after."""
    if before:
        after = {text: scored for text, scored in after.items() if text in before}
    places_before = {scu.uid: place for place, (scu, _) in enumerate(ideas) if scu}
    places_after = {scu.uid: place for place, (_, scu) in enumerate(ideas) if scu}
    matched_before = {
        text: _places_of(before[text], places_before) for text in after if text in before
    }
    matched_after = {text: _places_of(scored, places_after) for text, scored in after.items()}
    texts = [
        _text_effect(text, before.get(text), scored, matched_before.get(text), matched_after[text])
        for text, scored in after.items()
    ]
    return Effect(tuple(texts), tuple(_idea_effects(ideas, matched_before, matched_after, texts)))


def _places_of(scored: ScoredText, places: Mapping[int, int]) -> set[int]:
    return {places[uid] for uid in scored.credited}


def _text_effect(
    text: int,
    before: ScoredText | None,
    after: ScoredText,
    matched_before: set[int] | None,
    matched_after: set[int],
) -> TextEffect:
    if before is None or matched_before is None:
        return TextEffect(text, None, after.scores)
    gained, lost = sorted(matched_after - matched_before), sorted(matched_before - matched_after)
    return TextEffect(text, before.scores, after.scores, tuple(gained), tuple(lost))


def _idea_effects(
    ideas: Pairs,
    matched_before: Mapping[int, set[int]],
    matched_after: Mapping[int, set[int]],
    texts: Sequence[TextEffect],
) -> Iterable[IdeaEffect]:
    was = Counter(place for places in matched_before.values() for place in places)
    now = Counter(place for places in matched_after.values() for place in places)
    gained = Counter(place for text in texts for place in text.gained)
    lost = Counter(place for text in texts for place in text.lost)
    for place, (before, after) in enumerate(ideas):
        label = after.label if after else before.label if before else ""
        yield IdeaEffect(
            label=" ".join(label.split()),
            uid=after.uid if after else None,
            weight_before=before.weight if before else None,
            weight_after=after.weight if after else None,
            matched_before=was[place],
            matched_after=now[place],
            gained=gained[place],
            lost=lost[place],
        )


def _distribution(scores: Sequence[float]) -> Distribution:
    return Distribution(
        tenths(scores),
        fmean(scores) if scores else 0.0,
        median(scores) if scores else 0.0,
    )


def _largest_first(text_effect: TextEffect) -> tuple[float, int, int]:
    return (
        -abs(text_effect.move),
        -len(text_effect.gained) - len(text_effect.lost),
        text_effect.text,
    )
