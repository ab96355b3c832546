"""How good a pyramid is, in figures and in words."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeVar

from grading.pyramid.builders.edua_greedy import capacity
from grading.pyramid.config import Config
from grading.pyramid.editing.changes import WORD
from grading.pyramid.editing.reference_commands import RemoveReference
from grading.pyramid.editing.wording import quoted
from grading.pyramid.figures import hundredths
from grading.pyramid.pipeline import Engine, prepare_matcher, prepare_scorer, read_references
from grading.pyramid.scores import score
from grading.pyramid.segment_graph import counted_segments
from grading.pyramid.structures import Pyramid, ScoreReport, SegmentedText, Span, Spans, Text, Unit

# Which words of the references belong to an idea, and which clauses belong to none.

_MOSTLY = 0.75  # of the words of a clause that is taken to be uncovered
_STRETCH = 3  # words: fewer that lie between two ideas are not worth a remark


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many words of a reference belong to an idea, and the stretches that do not."""

    reference: str
    words: int
    covered: int
    stretches: Spans

    @property
    def share(self) -> float:
        return self.covered / self.words if self.words else 1.0


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause that belongs to no idea; ``words`` are the places of its words in the text."""

    text: Text
    spans: Spans
    sentence: int
    words: frozenset[int]

    @property
    def unit(self) -> Unit:
        return Unit(self.text, self.spans)


class CoveredText:
    """A reference with its words, and those of them that ideas are made of."""

    def __init__(self, pyramid: Pyramid, text: SegmentedText) -> None:
        self._text = text
        self._words = [Span(*hit.span()) for hit in WORD.finditer(text.text.content)]
        contributors = (scu.contributor(text.text.name) for scu in pyramid.scus)
        spans = tuple(
            span
            for contributor in contributors
            if contributor is not None
            for span in contributor.spans
        )
        self._covered = self._places(spans)

    def coverage(self) -> Coverage:
        stretches = tuple(self._stretches())
        covered = len(self._covered)
        return Coverage(self._text.text.name, len(self._words), covered, stretches)

    def uncovered_clauses(self, config: Config) -> Iterator[Clause]:
        """Of all ways to cut the sentences; the clauses of one sentence may overlap."""
        text = self._text.text
        for number, sentence in enumerate(self._text.sentences):
            segments = (segment for way in sentence.segmentations for segment in way.segments)
            for spans in dict.fromkeys(segment.spans for segment in segments):
                words = self._places(spans)
                if config.counts(text.words_at(spans)) and self._is_uncovered(words):
                    yield Clause(text, spans, number, words)

    def _is_uncovered(self, words: frozenset[int]) -> bool:
        return bool(words) and len(words - self._covered) >= _MOSTLY * len(words)

    def _stretches(self) -> Iterator[Span]:
        for sentence in self._text.sentences:
            inside = sorted(self._places((sentence.span,)))
            for covered, run in groupby(inside, key=lambda place: place in self._covered):
                places = list(run)
                if not covered and len(places) >= _STRETCH:
                    yield Span(self._words[places[0]].start, self._words[places[-1]].end)

    def _places(self, spans: Spans) -> frozenset[int]:
        return frozenset(
            place
            for place, word in enumerate(self._words)
            if any(span.start <= word.start and word.end <= span.end for span in spans)
        )


# How many ideas of each weight, against the most that the paper expects: y_z = alpha (1/z)^beta.
#
# Gao, Sun and Passonneau (2019), formula 1: alpha is the number of segments and a little more, in
# all segmentations. A pyramid made manually has about as many ideas of the heavier weights, and
# fewer that only one or two references tell. Nothing is expected of weight 1: that is what is left.
# Without references nothing is expected at all.

_TOLERANCE = 1.5  # times what is expected, and one more
_FEW_REFERENCES = 5  # with more, an idea that all tell is rare


@dataclass(frozen=True, slots=True)
class WeightClass:
    """``expected`` is the most that are expected, or None where anything is."""

    weight: int
    count: int
    expected: int | None


def shape_of(
    pyramid: Pyramid, texts: Sequence[SegmentedText], config: Config
) -> tuple[WeightClass, ...]:
    """Heaviest first, from the number of references down to 1; only ideas that score.

    Of heavier weights, which are set manually, those that occur.
    """
    counted = pyramid.counted()
    counts = Counter(scu.weight for scu in counted.scus)
    segments = sum(_segments(text, config) for text in texts)
    references = len(pyramid.references)
    heaviest = max(references, *counts, 1)
    return tuple(
        WeightClass(
            weight,
            counts[weight],
            capacity(weight, segments, config) if references and weight > 1 else None,
        )
        for weight in range(heaviest, 0, -1)
        if weight <= max(1, references) or counts[weight]
    )


def _segments(text: SegmentedText, config: Config) -> int:
    return sum(
        len(counted_segments(way, text.text, config))
        for sentence in text.sentences
        for way in sentence.segmentations
    )


def departures(shape: Sequence[WeightClass], references: int) -> tuple[str, ...]:
    """Where the counts are not as expected, in plain words."""
    return tuple(_departures(shape, references)) if references else ()


def _departures(shape: Sequence[WeightClass], references: int) -> Iterator[str]:
    for weight_class in shape:
        if (
            weight_class.expected is not None
            and weight_class.count > _TOLERANCE * weight_class.expected + 1
        ):
            yield (
                f"More ideas of weight {weight_class.weight} than expected "
                f"({weight_class.count} where at most {weight_class.expected} are expected). Check "
                "whether some are the same idea, or mix different things."
            )
    top = shape[0]
    if 1 < references <= _FEW_REFERENCES and top.weight == references and not top.count:
        yield "No idea is in all references. Check whether two ideas are really one."
    for heavier, lighter in pairwise(shape):
        if lighter.count < heavier.count - 1 and lighter.weight > 1:
            yield (
                f"Fewer ideas of weight {lighter.weight} than of weight {heavier.weight} "
                f"({lighter.count} and {heavier.count}): usually there are more light ideas."
            )


# Some of many texts, drawn as if by lot, but the same ones each time and in any order.

T = TypeVar("T")


def drawn_by_lot(texts: Iterable[T], content: Callable[[T], str], most: int) -> list[T]:
    """At most so many of them; what a text says is its lot."""

    def lot(text: T) -> str:
        return hashlib.sha256(content(text).encode("utf-8", "surrogatepass")).hexdigest()

    return sorted(texts, key=lot)[:most]


# How much scores would change if any one reference were left out.
#
# Scores are calculated again with the other references: those of students where there are any, else
# those of the other references, each read as if a student had written it.

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
    drawn = drawn_by_lot(students, lambda student: student.text.content, _MOST_STUDENTS)
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


# What the experts themselves score: a scale by which a student's score means something.
#
# Each reference is scored as if a student had written it, by the pyramid that the other references
# make: without the reference's contributors, and without the ideas that nobody else expresses.


@dataclass(frozen=True, slots=True)
class ExpertScore:
    """The score of one reference by the pyramid of the others."""

    reference: str
    report: ScoreReport


def expert_scores(pyramid: Pyramid, engine: Engine) -> tuple[ExpertScore, ...]:
    """In the order of the references; none for a pyramid of fewer than two, as out of a rubric.

    A reference is left out where no idea remains without it. The scores are independent of the
    order of the references.
    """
    if len(pyramid.references) < 2:
        return ()
    texts = read_references(pyramid.references, engine)
    rests = [RemoveReference(text.text.name).apply(pyramid) for text in texts]
    return tuple(
        ExpertScore(text.text.name, prepare_scorer(rest, engine)(text))
        for text, rest in zip(texts, rests, strict=True)
        if any(scu.contributors for scu in rest.counted().scus)
    )


# How good a pyramid is, in figures.


@dataclass(frozen=True, slots=True)
class Attraction:
    """How alike the wordings of an idea are; None where only one reference tells it."""

    scu_uid: int
    attraction: float | None


@dataclass(frozen=True, slots=True)
class Quality:
    """``usual`` is the attraction of the pyramid: the mean over ideas that several tell.

    ``apart`` is what three of four pairs of wordings of different ideas stay below.
    """

    shape: tuple[WeightClass, ...]
    departures: tuple[str, ...]
    coverages: tuple[Coverage, ...]
    attractions: tuple[Attraction, ...]
    usual: float | None
    apart: float
    leaving_out: LeavingOut


# What the figures of a pyramid mean, in two to four plain sentences.
#
# Nenkova and Passonneau (2004) found that the scores of summaries stop changing much from four or
# five references on; what is seen in this pyramid is told beside it.

_ENOUGH = 4  # references, by the literature
_STEADY = 0.05  # mean change of a score that hardly anybody would notice
_LARGE = 0.1
_MOST_SENTENCES = 4
_WELL_COVERED = 0.9
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def advice_of(quality: Quality) -> tuple[str, ...]:
    """The most important first."""
    if not quality.attractions:
        return ("There is no idea yet. Build a pyramid, accept suggestions, or select words.",)
    advice = [*_about_references(quality), *_about_coverage(quality), *quality.departures]
    if quality.coverages and not quality.departures:
        advice.append("The numbers of ideas by weight are about as expected.")
    return tuple(advice[:_MOST_SENTENCES])


def _about_references(quality: Quality) -> Iterator[str]:
    count = len(quality.coverages)
    if not count:
        yield "There are no references. All weights are set manually."
        return
    if count == 1:
        yield (
            "One reference can't show what matters most: every idea has weight 1. "
            f"Add references: from {_ENOUGH} or 5 on, scores hardly change with another one."
        )
        return
    change = quality.leaving_out.change
    change_in_words = (
        ""
        if change is None
        else f"leaving any one out changes scores by {hundredths(change)} on average"
    )
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    if change is not None and change >= _LARGE:
        yield (
            f"{number} references are too few here: {change_in_words}. "
            "Another would make scores more stable."
        )
    elif count >= _ENOUGH:
        yield f"{number} references are enough: {change_in_words or 'four or five usually are'}."
    elif change is not None and change < _STEADY:
        yield (
            f"{number} references seem to do here: {change_in_words}. With {_ENOUGH} or 5 scores "
            "are usually stable."
        )
    else:
        in_brackets = f" ({change_in_words})" if change_in_words else ""
        yield (
            f"{number} references are few{in_brackets}. "
            f"From {_ENOUGH} or 5 on, scores hardly change."
        )


def _about_coverage(quality: Quality) -> Iterator[str]:
    words = sum(coverage.words for coverage in quality.coverages)
    if not words:
        return
    share = sum(coverage.covered for coverage in quality.coverages) / words
    if share >= _WELL_COVERED:
        yield f"Nearly all words of the references belong to an idea ({share:.0%})."
        return
    least = min(quality.coverages, key=lambda coverage: (coverage.share, coverage.reference))
    yield (
        f"{1 - share:.0%} of the words of the references belong to no idea, most of "
        f"{quoted(least.reference)} ({1 - least.share:.0%}). Check whether an idea is missing."
    )
