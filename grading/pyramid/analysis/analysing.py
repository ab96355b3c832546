"""The analysis of a pyramid as it is: its quality, and what could be better."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from grading.pyramid.analysis.coverage import Clause, Coverage, CoveredText
from grading.pyramid.analysis.fitting import Fitting
from grading.pyramid.analysis.labels import clearer_labels
from grading.pyramid.analysis.later_references import fit_in_references
from grading.pyramid.analysis.leaving_out import leave_out
from grading.pyramid.analysis.likeness import Likeness
from grading.pyramid.analysis.quality import Attraction, Quality
from grading.pyramid.analysis.regrouping import merges, splits
from grading.pyramid.analysis.shape import departures, shape_of
from grading.pyramid.analysis.students import taught_by_students
from grading.pyramid.analysis.suggestions import Suggestion, best_of
from grading.pyramid.config import Config
from grading.pyramid.pipeline import Engine, Progress, read_summaries
from grading.pyramid.structures import Pyramid, SegmentedText

_STEPS = 4
_MOST_CLAUSES = 2_000  # compared with each other: more take much memory, and minutes


@dataclass(frozen=True, slots=True)
class Analysis:
    quality: Quality
    suggestions: tuple[Suggestion, ...]


def analyse(
    pyramid: Pyramid, students: Sequence[SegmentedText], engine: Engine, *, progress: Progress
) -> Analysis:
    """What there is to say about a pyramid; ``students`` are their texts, read."""
    progress("Reading the references", 0, _STEPS)
    references = read_summaries(pyramid.references, engine)
    read = [CoveredText(pyramid, text) for text in references]
    coverages = tuple(text.coverage() for text in read)
    clauses = _clauses(read, engine.method.config)
    progress("Comparing ideas", 1, _STEPS)
    likeness = Likeness(pyramid, [clause.unit for clause in clauses], engine.similarity)
    own = list(_from_references(pyramid, coverages, clauses, likeness, engine))
    progress("Looking at what students say", 2, _STEPS)
    taught = list(taught_by_students(pyramid, students, engine))
    progress("Leaving references out", 3, _STEPS)
    left_out = leave_out(pyramid, references, students, engine)
    shape = shape_of(pyramid, references, engine.method.config)
    attractions = _attractions(pyramid, likeness)
    suggestions = [
        attraction.attraction for attraction in attractions if attraction.attraction is not None
    ]
    quality = Quality(
        shape=shape,
        departures=departures(shape, len(references)),
        coverages=coverages,
        attractions=attractions,
        usual=round(float(np.mean(sorted(suggestions))), 4) if suggestions else None,
        apart=round(likeness.yardstick.apart, 4),
        leaving_out=left_out,
    )
    return Analysis(quality, best_of([*own, *taught]))


def _clauses(read: Sequence[CoveredText], config: Config) -> list[Clause]:
    """Those that belong to no idea; of too many, only the longest of each sentence."""
    clauses = [clause for text in read for clause in text.uncovered_clauses(config)]
    if len(clauses) <= _MOST_CLAUSES:
        return clauses
    longest: dict[tuple[str, int], Clause] = {}
    for clause in clauses:
        place = clause.text.name, clause.sentence
        longest[place] = max(longest.get(place, clause), clause, key=lambda one: len(one.words))
    return list(longest.values())


def _from_references(
    pyramid: Pyramid,
    coverages: Sequence[Coverage],
    clauses: Sequence[Clause],
    likeness: Likeness,
    engine: Engine,
) -> Iterator[Suggestion]:
    yield from fit_in_references(pyramid, coverages, clauses, likeness)
    yield from merges(pyramid, likeness)
    yield from splits(pyramid, likeness)
    fitting = Fitting(pyramid, clauses, likeness, likeness.yardstick.fitting)
    yield from fitting.suggestions()
    yield from clearer_labels(pyramid, likeness, engine.parser)


def _attractions(pyramid: Pyramid, likeness: Likeness) -> tuple[Attraction, ...]:
    """The weakest first; ideas that one reference tells last."""
    attractions = [
        Attraction(scu.uid, likeness.attraction(place)) for place, scu in enumerate(pyramid.scus)
    ]
    return tuple(
        sorted(attractions, key=lambda one: (one.attraction is None, one.attraction, one.scu))
    )
