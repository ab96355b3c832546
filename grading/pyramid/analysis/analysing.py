"""The analysis of a pyramid as it is: its quality, and what could be better."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from grading.pyramid.analysis.fitting import Fitting, fit_in_references
from grading.pyramid.analysis.labels import clearer_labels
from grading.pyramid.analysis.quality import (
    Attraction,
    Clause,
    Coverage,
    CoveredText,
    LeavingOut,
    LeftOut,
    Quality,
    WeightClass,
    departures,
    leave_out,
    shape_of,
)
from grading.pyramid.analysis.regrouping import Likeness, merges, splits
from grading.pyramid.analysis.students import taught_by_students
from grading.pyramid.analysis.suggestions import Kind, Quote, Suggestion, best_of
from grading.pyramid.config import Config
from grading.pyramid.editing import command_from_json, command_to_json
from grading.pyramid.formats.pyramid_json import Json
from grading.pyramid.pipeline import Engine, Progress, read_summaries
from grading.pyramid.structures import Pyramid, SegmentedText, Span

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
    progress("Reading what students say", 2, _STEPS)
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
        longest[place] = max(
            longest.get(place, clause), clause, key=lambda candidate: len(candidate.words)
        )
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
        sorted(
            attractions,
            key=lambda attraction: (
                attraction.attraction is None,
                attraction.attraction,
                attraction.scu_uid,
            ),
        )
    )


# An analysis as JSON: what a worker finds out, and pages show.

ANALYSIS_FORMAT: Final = 2  # 1 expected numbers of ideas even without references


def analysis_to_json(analysis: Analysis) -> Json:
    quality = asdict(analysis.quality)
    for coverage in quality["coverages"]:
        coverage["stretches"] = [stretch._asdict() for stretch in coverage["stretches"]]
    return {
        "quality": quality,
        "suggestions": [_suggestion_to_json(suggestion) for suggestion in analysis.suggestions],
    }


def analysis_from_json(value: dict[str, Any]) -> Analysis:
    """What ``analysis_to_json`` of this format made."""
    suggestions = tuple(_suggestion(suggestion) for suggestion in value["suggestions"])
    return Analysis(_quality(value["quality"]), suggestions)


def _suggestion_to_json(suggestion: Suggestion) -> Json:
    return {
        "key": suggestion.key,
        "kind": str(suggestion.kind),
        "reason": suggestion.reason,
        "command": command_to_json(suggestion.command),
        "strength": suggestion.strength,
        "scus": list(suggestion.scus),
        "quotes": [[quote.source, quote.words] for quote in suggestion.quotes],
    }


def _suggestion(value: dict[str, Any]) -> Suggestion:
    return Suggestion(
        key=value["key"],
        kind=Kind(value["kind"]),
        reason=value["reason"],
        command=command_from_json(value["command"]),
        strength=value["strength"],
        scus=tuple(value["scus"]),
        quotes=tuple(Quote(source, words) for source, words in value["quotes"]),
    )


def _quality(value: dict[str, Any]) -> Quality:
    left_out = value["leaving_out"]
    return Quality(
        shape=tuple(WeightClass(**weight_class) for weight_class in value["shape"]),
        departures=tuple(value["departures"]),
        coverages=tuple(_coverage(coverage) for coverage in value["coverages"]),
        attractions=tuple(Attraction(**attraction) for attraction in value["attractions"]),
        usual=value["usual"],
        apart=value["apart"],
        leaving_out=LeavingOut(
            tuple(LeftOut(**reference) for reference in left_out["references"]),
            left_out["texts"],
            left_out["of_students"],
        ),
    )


def _coverage(value: dict[str, Any]) -> Coverage:
    stretches = tuple(Span(**stretch) for stretch in value["stretches"])
    return Coverage(value["reference"], value["words"], value["covered"], stretches)
