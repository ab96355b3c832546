"""The effect of a pyramid on a class as JSON: what a worker finds out, and pages show."""

from typing import Any, Final

from grading.pyramid.effects import Effect, IdeaEffect, Scores, TextEffect
from grading.pyramid.formats.pyramid_json import Json

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
                "told": [idea.told_before, idea.told_after],
                "moved": [idea.gained, idea.lost],
            }
            for idea in effect.ideas
        ],
    }


def effect_from_json(value: dict[str, Any]) -> Effect:
    """What ``effect_to_json`` of this format made."""
    texts = (
        TextEffect(
            one["text"],
            Scores(*one["before"]) if one["before"] else None,
            Scores(*one["after"]),
            tuple(one["gained"]),
            tuple(one["lost"]),
        )
        for one in value["texts"]
    )
    ideas = (
        IdeaEffect(one["label"], one["uid"], *one["weights"], *one["told"], *one["moved"])
        for one in value["ideas"]
    )
    return Effect(tuple(texts), tuple(ideas))


def _scores_to_json(scores: Scores | None) -> list[float] | None:
    return [scores.comprehensive, scores.quality, scores.coverage] if scores else None
