"""An analysis as JSON: what a worker finds out, and pages show."""

from dataclasses import asdict
from typing import Any, Final

from grading.pyramid.analysis.analysing import Analysis
from grading.pyramid.analysis.coverage import Coverage
from grading.pyramid.analysis.leaving_out import LeavingOut, LeftOut
from grading.pyramid.analysis.quality import Attraction, Quality
from grading.pyramid.analysis.shape import WeightClass
from grading.pyramid.analysis.suggestions import Kind, Quote, Suggestion
from grading.pyramid.editing import command_from_json, command_to_json
from grading.pyramid.formats.pyramid_json import Json
from grading.pyramid.structures import Span

ANALYSIS_FORMAT: Final = 2  # 1 expected numbers of ideas even without references


def analysis_to_json(analysis: Analysis) -> Json:
    return {
        "quality": asdict(analysis.quality),
        "suggestions": [_suggestion_to_json(suggestion) for suggestion in analysis.suggestions],
    }


def analysis_from_json(value: dict[str, Any]) -> Analysis:
    """What ``analysis_to_json`` of this format made."""
    suggestions = tuple(_suggestion(one) for one in value["suggestions"])
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
        shape=tuple(WeightClass(**one) for one in value["shape"]),
        departures=tuple(value["departures"]),
        coverages=tuple(_coverage(one) for one in value["coverages"]),
        attractions=tuple(Attraction(**one) for one in value["attractions"]),
        usual=value["usual"],
        apart=value["apart"],
        leaving_out=LeavingOut(
            tuple(LeftOut(**one) for one in left_out["references"]),
            left_out["texts"],
            left_out["of_students"],
        ),
    )


def _coverage(value: dict[str, Any]) -> Coverage:
    stretches = tuple(Span(**one) for one in value["stretches"])
    return Coverage(value["reference"], value["words"], value["covered"], stretches)
