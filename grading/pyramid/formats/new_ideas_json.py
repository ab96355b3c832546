"""New ideas of a class as JSON: what a worker finds, and pages show."""

from typing import Any, Final

from grading.pyramid.class_figures.new_ideas import NewIdea, NewIdeas
from grading.pyramid.formats.pyramid_json import Json, spans_from_json, spans_to_json

NEW_IDEAS_FORMAT: Final = 1


def new_ideas_to_json(found: NewIdeas) -> Json:
    return {
        "format": NEW_IDEAS_FORMAT,
        "texts": sorted(found.texts),
        "ideas": [
            {
                "label": idea.label,
                "told": [[key, spans_to_json(spans)] for key, spans in sorted(idea.told.items())],
            }
            for idea in found.ideas
        ],
    }


def new_ideas_from_json(value: dict[str, Any]) -> NewIdeas:
    """What ``new_ideas_to_json`` of this format made."""
    ideas = (
        NewIdea(one["label"], {key: spans_from_json(spans) for key, spans in one["told"]})
        for one in value["ideas"]
    )
    return NewIdeas(frozenset(value["texts"]), tuple(ideas))
