"""Models of content, their units and scores as JSON: one form for all methods of the frame.

docs/formats.md describes it. What a method adds of its own stands in ``fields``, and is kept as it
is; whatever else is read is checked, down to spans that lie within their texts.
"""

import json
from collections.abc import Mapping
from typing import Final

from grading.pyramid.content import (
    ContentModel,
    ContentScore,
    Element,
    Place,
    TextUnits,
)
from grading.pyramid.formats.pyramid_json import Json, JsonValue, spans_to_json, value_of_json
from grading.pyramid.structures import Span, Spans, Text

MODEL_FORMAT: Final = 1
SCORE_FORMAT: Final = 1


def write_model(model: ContentModel) -> str:
    """The model as a file, to be stored as UTF-8: equal models, equal bytes."""
    return json.dumps(model_to_json(model), ensure_ascii=False, indent=1) + "\n"


def read_model(text: str) -> ContentModel:
    """The model in the file; InputError names the line, or the place in the object."""
    return model_from_json(value_of_json(text))


def model_to_json(model: ContentModel) -> Json:
    """The model as objects that ``json.dumps`` takes."""
    return {
        "format": MODEL_FORMAT,
        "method": model.method,
        "signature": model.signature,
        "options": dict(model.options),
        "references": [_text_to_json(text) for text in model.references],
        "source": _text_to_json(model.source) if model.source else None,
        "elements": [
            {
                "uid": element.uid,
                "label": element.label,
                "weight": element.weight,
                "places": [_place_to_json(place) for place in element.places],
                "fields": dict(element.fields),
            }
            for element in model.elements
        ],
        "fields": dict(model.fields),
        "notes": list(model.notes),
    }


def model_from_json(value: object) -> ContentModel:
    """The model in what ``json.loads`` made; InputError where it is malformed."""
    document = JsonValue(value, "model")
    document.expect_format(MODEL_FORMAT)
    references = tuple(_text(reference) for reference in document.at("references"))
    source = _text(document.at("source")) if document.at("source").value is not None else None
    lengths = {(text.name, False): len(text.content) for text in references}
    if len(lengths) < len(references):
        raise document.at("references").error("two references have the same name")
    if source:
        lengths[source.name, True] = len(source.content)
    elements = tuple(_element(element, lengths) for element in document.at("elements"))
    if len({element.uid for element in elements}) < len(elements):
        raise document.at("elements").error("two elements have the same uid")
    return ContentModel(
        method=document.at("method").text(),
        options={
            name: JsonValue(chosen, f"model.options.{name}").text()
            for name, chosen in _object(document.at("options")).items()
        },
        references=references,
        elements=elements,
        source=source,
        fields=_object(document.at("fields")),
        notes=tuple(note.text() for note in document.at("notes")),
        signature=document.at("signature").text(),
    )


def units_to_json(units: TextUnits) -> Json:
    """A line of ``read_units``: the contract is in docs/formats.md."""
    return {
        "summary": units.text.name,
        "sentences": spans_to_json(units.sentences),
        "units": [
            {"kind": unit.kind, "spans": spans_to_json(unit.spans), **unit.fields}
            for unit in units.units
        ],
    }


def score_to_json(score: ContentScore) -> Json:
    """What a method says of a summary, with where it found what and why."""
    return {
        "format": SCORE_FORMAT,
        "signature": score.signature,
        "scus": score.units,
        "raw": score.raw,
        "quality": score.quality,
        "coverage": score.coverage,
        "comprehensive": score.comprehensive,
        "figures": dict(score.figures),
        "matches": [
            {
                "element": match.element,
                "spans": spans_to_json(match.spans),
                "points": match.points,
                "similarity": match.similarity,
            }
            for match in score.matches
        ],
        "unmatched": [spans_to_json(spans) for spans in score.unmatched],
        "explanation": list(score.explanation),
        "remarks": list(score.remarks),
    }


def _text_to_json(text: Text) -> Json:
    return {"name": text.name, "content": text.content}


def _place_to_json(place: Place) -> Json:
    document: Json = {"text": place.text, "spans": spans_to_json(place.spans)}
    return document | {"in_source": True} if place.in_source else document


def _text(value: JsonValue) -> Text:
    return Text(value.at("name").text(), value.at("content").text())


def _element(value: JsonValue, lengths: Mapping[tuple[str, bool], int]) -> Element:
    weight = value.at("weight").value
    value.at("weight").number()
    return Element(
        uid=value.at("uid").integer(),
        label=value.at("label").text(),
        weight=weight,  # type: ignore[arg-type] # a number, as was checked; whole ones stay whole
        places=tuple(_place(place, lengths) for place in value.at("places")),
        fields=_object(value.at("fields")),
    )


def _place(value: JsonValue, lengths: Mapping[tuple[str, bool], int]) -> Place:
    name, in_source = value.at("text"), value.has("in_source")
    length = lengths.get((name.text(), in_source))
    if length is None:
        raise name.error("there is no such text in the model")
    return Place(name.text(), _spans(value.at("spans"), length), in_source)


def _spans(value: JsonValue, length: int) -> Spans:
    spans = []
    for item in value:
        ends = [end.integer() for end in item]
        if len(ends) != 2 or not 0 <= ends[0] < ends[1] <= length:
            raise item.error("this is no span of the text")
        spans.append(Span(*ends))
    return tuple(spans)


def _object(value: JsonValue) -> Json:
    if not isinstance(value.value, dict):
        raise value.error("this is not an object")
    return value.value
