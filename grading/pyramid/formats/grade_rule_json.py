"""A grade rule as JSON, with decimals as text so that nothing is lost."""

from decimal import Decimal
from typing import Any, Final

from grading.pyramid.formats.pyramid_json import Json
from grading.pyramid.grade_rules import (
    Attempt,
    Band,
    Bands,
    GradeRule,
    LatePenalty,
    Linear,
    Scale,
    Unit,
    Weights,
)

GRADE_RULE_FORMAT: Final = 1


def grade_rule_to_json(rule: GradeRule) -> Json:
    return {
        "format": GRADE_RULE_FORMAT,
        "points": str(rule.points),
        "weights": {
            "comprehensive": rule.weights.comprehensive,
            "quality": rule.weights.quality,
            "coverage": rule.weights.coverage,
        },
        "scale": _scale_to_json(rule.scale),
        "rounding": str(rule.rounding),
        "late": _late_to_json(rule.late) if rule.late else None,
        "attempt": str(rule.attempt),
        "drafts_count": rule.drafts_count,
        "passes_from": None if rule.passes_from is None else str(rule.passes_from),
    }


def grade_rule_from_json(value: dict[str, Any]) -> GradeRule:
    """What ``grade_rule_to_json`` of this format made."""
    late = value["late"]
    return GradeRule(
        points=Decimal(value["points"]),
        weights=Weights(**value["weights"]),
        scale=_scale_from_json(value["scale"]),
        rounding=Decimal(value["rounding"]),
        late=_late_from_json(late) if late else None,
        attempt=Attempt(value["attempt"]),
        drafts_count=value["drafts_count"],
        passes_from=_decimal(value["passes_from"]),
    )


def _scale_to_json(scale: Scale) -> Json:
    if isinstance(scale, Bands):
        return {
            "bands": [[band.label, str(band.start), str(band.points)] for band in scale.bands],
        }
    return {"floor": str(scale.floor), "ceiling": str(scale.ceiling), "least": str(scale.least)}


def _scale_from_json(value: dict[str, Any]) -> Scale:
    if "bands" in value:
        triples = value["bands"]
        return Bands(
            tuple(Band(triple[0], Decimal(triple[1]), Decimal(triple[2])) for triple in triples)
        )
    return Linear(Decimal(value["floor"]), Decimal(value["ceiling"]), Decimal(value["least"]))


def _late_to_json(late: LatePenalty) -> Json:
    return {
        "amount": str(late.amount),
        "unit": str(late.unit),
        "per_day": late.per_day,
        "most": None if late.most is None else str(late.most),
        "grace_minutes": late.grace_minutes,
    }


def _late_from_json(value: dict[str, Any]) -> LatePenalty:
    return LatePenalty(
        amount=Decimal(value["amount"]),
        unit=Unit(value["unit"]),
        per_day=value["per_day"],
        most=_decimal(value["most"]),
        grace_minutes=value["grace_minutes"],
    )


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
