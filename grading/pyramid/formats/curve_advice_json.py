"""What learning from marks is worth, as JSON: what a worker finds out, and pages show."""

from typing import Any, Final

from grading.pyramid.agreement.curves import CurveAdvice, Ground
from grading.pyramid.agreement.figures_of_texts import Figure
from grading.pyramid.formats.learnt_curve_json import curve_from_json, curve_to_json
from grading.pyramid.formats.pyramid_json import Json

_FIGURES: Final = ("agreement_now", "agreement_then", "gain")
_COUNTS: Final = ("texts", "labels", "gained", "gained_rightly", "lost", "lost_rightly")


def advice_to_json(advice: CurveAdvice) -> Json:
    figures = {name: getattr(advice, name) for name in _FIGURES}
    return {
        "ground": str(advice.ground),
        "curve": curve_to_json(advice.curve),
        **{name: [one.value, one.low, one.high, one.texts] for name, one in figures.items()},
        **{name: getattr(advice, name) for name in _COUNTS},
    }


def advice_from_json(value: dict[str, Any]) -> CurveAdvice:
    """What ``advice_to_json`` made."""
    given: dict[str, Any] = {name: value[name] for name in _COUNTS}
    given |= {name: Figure(*value[name]) for name in _FIGURES}
    return CurveAdvice(
        ground=Ground(value["ground"]), curve=curve_from_json(value["curve"]), **given
    )
