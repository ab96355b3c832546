"""What workers find out, as JSON: effects on a class, advice on a learnt curve, new ideas."""

from typing import Any, Final

from grading.pyramid.agreement import CurveAdvice, Figure, Ground
from grading.pyramid.class_figures import NewIdea, NewIdeas
from grading.pyramid.effects import Effect, IdeaEffect, Scores, TextEffect
from grading.pyramid.formats.learnt_curve_json import curve_from_json, curve_to_json
from grading.pyramid.formats.pyramid_json import Json, spans_from_json, spans_to_json

# The effect of a pyramid on a class as JSON: what a worker finds out, and pages show.

EFFECT_FORMAT: Final = 1


def effect_to_json(effect: Effect) -> Json:
    return {
        "texts": [
            {
                "text": text.text,
                "before": _scores_to_json(text.before),
                "after": _scores_to_json(text.after),
                "gained": list(text.gained),
                "lost": list(text.lost),
            }
            for text in effect.texts
        ],
        "ideas": [
            {
                "label": idea.label,
                "uid": idea.uid,
                "weights": [idea.weight_before, idea.weight_after],
                "told": [idea.matched_before, idea.matched_after],
                "moved": [idea.gained, idea.lost],
            }
            for idea in effect.ideas
        ],
    }


def effect_from_json(value: dict[str, Any]) -> Effect:
    """What ``effect_to_json`` of this format made."""
    texts = (
        TextEffect(
            text["text"],
            Scores(*text["before"]) if text["before"] else None,
            Scores(*text["after"]),
            tuple(text["gained"]),
            tuple(text["lost"]),
        )
        for text in value["texts"]
    )
    ideas = (
        IdeaEffect(idea["label"], idea["uid"], *idea["weights"], *idea["told"], *idea["moved"])
        for idea in value["ideas"]
    )
    return Effect(tuple(texts), tuple(ideas))


def _scores_to_json(scores: Scores | None) -> list[float] | None:
    return [scores.comprehensive, scores.quality, scores.coverage] if scores else None


# What learning from marks is worth, as JSON: what a worker finds out, and pages show.

_FIGURES: Final = ("agreement_now", "agreement_then", "gain")
_COUNTS: Final = ("texts", "labels", "gained", "gained_rightly", "lost", "lost_rightly")


def advice_to_json(advice: CurveAdvice) -> Json:
    figures = {name: getattr(advice, name) for name in _FIGURES}
    return {
        "ground": str(advice.ground),
        "curve": curve_to_json(advice.curve),
        **{
            name: [figure.value, figure.low, figure.high, figure.texts]
            for name, figure in figures.items()
        },
        **{name: getattr(advice, name) for name in _COUNTS},
    }


def advice_from_json(value: dict[str, Any]) -> CurveAdvice:
    """What ``advice_to_json`` made."""
    fields: dict[str, Any] = {name: value[name] for name in _COUNTS}
    fields |= {name: Figure(*value[name]) for name in _FIGURES}
    return CurveAdvice(
        ground=Ground(value["ground"]), curve=curve_from_json(value["curve"]), **fields
    )


# New ideas of a class as JSON: what a worker finds, and pages show.

NEW_IDEAS_FORMAT: Final = 1


def new_ideas_to_json(new_ideas: NewIdeas) -> Json:
    return {
        "format": NEW_IDEAS_FORMAT,
        "texts": sorted(new_ideas.texts),
        "ideas": [
            {
                "label": idea.label,
                "told": [[key, spans_to_json(spans)] for key, spans in sorted(idea.spans.items())],
            }
            for idea in new_ideas.ideas
        ],
    }


def new_ideas_from_json(value: dict[str, Any]) -> NewIdeas:
    """What ``new_ideas_to_json`` of this format made."""
    ideas = (
        NewIdea(idea["label"], {key: spans_from_json(spans) for key, spans in idea["told"]})
        for idea in value["ideas"]
    )
    return NewIdeas(frozenset(value["texts"]), tuple(ideas))
