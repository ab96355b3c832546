"""A second opinion as JSON: what a page needs to show it, without the model of content.

Spans are characters of the submission. Units that earn the most points come first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from grading.pyramid.content import ContentModel, ContentScore
from grading.pyramid.formats.pyramid_json import Json, spans_from_json, spans_to_json
from grading.pyramid.structures import Spans

OPINION_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class FoundUnit:
    """A unit of the model that a text has: its label and weight, where, and the points."""

    label: str
    weight: float
    points: float
    spans: Spans


@dataclass(frozen=True, slots=True)
class Opinion:
    """``units`` is how many units the text has; ``heaviest`` the most that one weighs."""

    units: int | None
    heaviest: float
    found: tuple[FoundUnit, ...]
    explanation: tuple[str, ...]
    remarks: tuple[str, ...]


def opinion_to_json(model: ContentModel, score: ContentScore) -> Json:
    elements = {element.uid: element for element in model.elements}
    matches = sorted(score.matches, key=lambda match: (-match.points, match.spans, match.element))
    return {
        "format": OPINION_FORMAT,
        "units": score.units,
        "heaviest": max((element.weight for element in model.elements), default=0),
        "found": [
            [
                elements[match.element].label,
                elements[match.element].weight,
                match.points,
                spans_to_json(match.spans),
            ]
            for match in matches
        ],
        "explanation": list(score.explanation),
        "remarks": list(score.remarks),
    }


def opinion_from_json(document: Mapping[str, Any]) -> Opinion:
    """What ``opinion_to_json`` made; nothing else is ever stored."""
    return Opinion(
        units=document["units"],
        heaviest=document["heaviest"],
        found=tuple(
            FoundUnit(label, weight, points, spans_from_json(spans))
            for label, weight, points, spans in document["found"]
        ),
        explanation=tuple(document["explanation"]),
        remarks=tuple(document["remarks"]),
    )
