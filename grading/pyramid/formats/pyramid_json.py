"""Pyramids and score reports as JSON: what the database keeps, and what a content hash covers.

Each object carries the number of its format. Whatever is read is checked, down to spans that lie
within their texts, so that a damaged object is recognised here and nowhere else.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.structures import (
    Candidate,
    Contributor,
    Evidence,
    Match,
    Pyramid,
    Repeat,
    ScoreReport,
    Scu,
    Segment,
    Span,
    Spans,
    Standing,
    Text,
)

PYRAMID_FORMAT: Final = 1
REPORT_FORMAT: Final = 1
HEAVIEST: Final = 100  # weight that can be set manually

Json = dict[str, object]


def content_hash(pyramid: Pyramid) -> str:
    """SHA-256 of what a pyramid says, whichever configuration made it."""
    document = pyramid_to_json(replace(pyramid, signature="", notes=()))
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def pyramid_to_json(pyramid: Pyramid) -> Json:
    """The pyramid as objects that ``json.dumps`` takes."""
    return {
        "format": PYRAMID_FORMAT,
        "signature": pyramid.signature,
        "references": [{"name": t.name, "content": t.content} for t in pyramid.references],
        "scus": [scu_to_json(scu) for scu in pyramid.scus],
        **_unless_empty("notes", pyramid.notes),
    }


def report_to_json(report: ScoreReport) -> Json:
    """The report as objects that ``json.dumps`` takes."""
    return {
        "format": REPORT_FORMAT,
        "signature": report.signature,
        "raw": report.raw,
        "quality": report.quality,
        "coverage": report.coverage,
        "comprehensive": report.comprehensive,
        "segments": [spans_to_json(segment.spans) for segment in report.evidence.segments],
        "matches": [_match_to_json(match) for match in report.evidence.matches],
        **_unless_empty("repeats", [_repeat_to_json(repeat) for repeat in report.evidence.repeats]),
        **_unless_empty("possible", [_match_to_json(match) for match in report.evidence.possible]),
        **_unless_empty("held", spans_to_json(report.evidence.held)),
        **({"held_reason": report.evidence.held_reason} if report.evidence.held_reason else {}),
        "trace": list(report.trace),
        **_unless_empty("remarks", report.remarks),
    }


def pyramid_from_json(value: object) -> Pyramid:
    """The pyramid in what ``json.loads`` made; InputError where it is malformed."""
    document = JsonValue(value, "pyramid")
    document.expect_format(PYRAMID_FORMAT)
    references = tuple(
        Text(text.at("name").text(), text.at("content").text())
        for text in document.at("references")
    )
    lengths = {text.name: len(text.content) for text in references}
    if len(lengths) < len(references):
        raise document.at("references").error("two references have the same name")
    scus = tuple(_scu_from_json(scu, lengths) for scu in document.at("scus"))
    if len({scu.uid for scu in scus}) < len(scus):
        raise document.at("scus").error("two content units have the same uid")
    return Pyramid(references, scus, document.at("signature").text(), _texts(document, "notes"))


def report_from_json(value: object) -> ScoreReport:
    """The report in what ``json.loads`` made; InputError where it is malformed."""
    document = JsonValue(value, "report")
    document.expect_format(REPORT_FORMAT)
    return ScoreReport(
        evidence=Evidence(
            tuple(Segment(_spans_from_json(spans)) for spans in document.at("segments")),
            tuple(_match_from_json(match) for match in document.at("matches")),
            tuple(map(_repeat_from_json, document.at("repeats")))
            if document.has("repeats")
            else (),
            tuple(map(_match_from_json, document.at("possible")))
            if document.has("possible")
            else (),
            _spans_from_json(document.at("held")) if document.has("held") else (),
            document.at("held_reason").text() if document.has("held_reason") else "",
        ),
        raw=document.at("raw").number(),
        quality=document.at("quality").number(),
        coverage=document.at("coverage").number(),
        comprehensive=document.at("comprehensive").number(),
        trace=tuple(line.text() for line in document.at("trace")),
        signature=document.at("signature").text(),
        remarks=_texts(document, "remarks"),
    )


# --- parts of a pyramid ---


def scu_to_json(scu: Scu) -> Json:
    """One content unit."""
    return {
        "uid": scu.uid,
        "label": scu.label,
        "comment": scu.comment,
        "contributors": [
            {
                "reference": contributor.reference,
                "spans": spans_to_json(contributor.spans),
                "comment": contributor.comment,
            }
            for contributor in scu.contributors
        ],
        **({} if scu.given_weight is None else {"weight": scu.given_weight}),
        **({} if scu.standing is Standing.COUNTS else {"standing": str(scu.standing)}),
    }


def scu_from_json(value: object) -> Scu:
    """One content unit, of whatever references."""
    return _scu_from_json(JsonValue(value, "scu"), None)


def _scu_from_json(value: "JsonValue", lengths: Mapping[str, int] | None) -> Scu:
    contributors = tuple(
        _contributor_from_json(contributor, lengths) for contributor in value.at("contributors")
    )
    if len({contributor.reference for contributor in contributors}) < len(contributors):
        raise value.at("contributors").error("a reference contributes twice")
    uid, label, comment = value.at("uid"), value.at("label"), value.at("comment")
    return Scu(
        uid.integer(),
        label.text(),
        contributors,
        comment.text(),
        _weight_from_json(value.at("weight")) if value.has("weight") else None,
        _standing_from_json(value.at("standing")) if value.has("standing") else Standing.COUNTS,
    )


def _weight_from_json(value: "JsonValue") -> int:
    weight = value.integer()
    if not 0 <= weight <= HEAVIEST:
        raise value.error(f"a weight is a number from 0 to {HEAVIEST}")
    return weight


def _standing_from_json(value: "JsonValue") -> Standing:
    if value.text() not in set(Standing):
        raise value.error(f"this is none of {', '.join(Standing)}")
    return Standing(value.text())


def _contributor_from_json(value: "JsonValue", lengths: Mapping[str, int] | None) -> Contributor:
    reference = value.at("reference").text()
    spans = _spans_from_json(value.at("spans"))
    if lengths is not None and reference not in lengths:
        raise value.at("reference").error("there is no such reference")
    if lengths is not None and spans[-1].end > lengths[reference]:
        raise value.at("spans").error("a span ends behind its reference")
    return Contributor(reference, spans, value.at("comment").text())


# --- parts of a report ---


def _match_to_json(match: Match) -> Json:
    return {
        "segment": spans_to_json(match.segment.spans),
        "scu": match.scu_uid,
        "similarity": match.similarity,
        "alternatives": [
            {"scu": other.scu_uid, "similarity": other.similarity} for other in match.alternatives
        ],
        **({} if match.probability is None else {"probability": match.probability}),
        **_unless_empty("remarks", match.remarks),
        **({"marked": spans_to_json(match.marked)} if match.marked else {}),
        **({"by_hand": True} if match.by_hand else {}),
        **({"contradicts": match.contradicts} if match.contradicts else {}),
        **({"held": True} if match.held else {}),
        **({"same_statement": True} if match.same_statement else {}),
    }


def _match_from_json(value: "JsonValue") -> Match:
    return Match(
        Segment(_spans_from_json(value.at("segment"))),
        value.at("scu").integer(),
        value.at("similarity").number(),
        tuple(
            Candidate(other.at("scu").integer(), other.at("similarity").number())
            for other in value.at("alternatives")
        ),
        _probability_from_json(value.at("probability")) if value.has("probability") else None,
        _texts(value, "remarks"),
        _spans_from_json(value.at("marked")) if value.has("marked") else (),
        value.has("by_hand"),
        value.at("contradicts").text() if value.has("contradicts") else "",
        value.has("held"),
        value.has("same_statement"),
    )


def _probability_from_json(value: "JsonValue") -> float:
    probability = value.number()
    if not 0 <= probability <= 1:
        raise value.error("a probability is a number from 0 to 1")
    return probability


def _repeat_to_json(repeat: Repeat) -> Json:
    return {"segment": spans_to_json(repeat.segment.spans), "scu": repeat.scu_uid}


def _repeat_from_json(value: "JsonValue") -> Repeat:
    return Repeat(Segment(_spans_from_json(value.at("segment"))), value.at("scu").integer())


# --- what came with later versions: absent in what older ones wrote, and where there is none ---


def _unless_empty(key: str, items: Sequence[object]) -> Json:
    return {key: list(items)} if items else {}


def _texts(value: "JsonValue", key: str) -> tuple[str, ...]:
    return tuple(text.text() for text in value.at(key)) if value.has(key) else ()


# --- spans ---


def spans_to_json(spans: Spans) -> list[list[int]]:
    """A start and an end each."""
    return [[span.start, span.end] for span in spans]


def spans_from_json(value: object) -> Spans:
    """Spans on their own; InputError where they are malformed."""
    return _spans_from_json(JsonValue(value, "spans"))


def _spans_from_json(value: "JsonValue") -> Spans:
    spans = tuple(_span_from_json(span) for span in value)
    reached = 0
    for span in spans:
        if not reached <= span.start < span.end:
            raise value.error("the spans are empty, overlap or are out of order")
        reached = span.end
    if not spans:
        raise value.error("there is no span")
    return spans


def _span_from_json(value: "JsonValue") -> Span:
    offsets = [offset.integer() for offset in value]
    if len(offsets) != 2:
        raise value.error("a span is a start and an end")
    return Span(*offsets)


# --- checked values ---


def value_of_json(text: str) -> object:
    """What a file of JSON holds; InputError names the line where it is none."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"Line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})."
        ) from None
    except (RecursionError, ValueError):
        raise InputError("Line 1: the file is nested too deep or has too long a number.") from None


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value out of JSON that knows where it stands, so that an error can tell."""

    value: object
    path: str

    def at(self, key: str) -> "JsonValue":
        if not isinstance(self.value, dict):
            raise self.error("this is not an object")
        if key not in self.value:
            raise self.error(f"“{key}” is missing")
        return JsonValue(self.value[key], f"{self.path}.{key}")

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def __iter__(self) -> Iterator["JsonValue"]:
        if not isinstance(self.value, list | tuple):
            raise self.error("this is not a list")
        return (JsonValue(item, f"{self.path}[{index}]") for index, item in enumerate(self.value))

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.error("this is not text")
        return self.value

    def integer(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.error("this is not a whole number")
        return self.value

    def number(self) -> float:
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            raise self.error("this is not a number")
        try:
            number = float(self.value)
        except OverflowError:  # a whole number of hundreds of digits
            number = math.inf
        if not math.isfinite(number):
            raise self.error("this is not a finite number")
        return number

    def expect_format(self, known: int) -> None:
        version = self.at("format").integer()
        if version != known:
            raise self.error(f"its format is {version}, and only format {known} can be read")

    def error(self, sentence: str) -> InputError:
        return InputError(f"{self.path}: {sentence}.")


# A pyramid as a file of JSON: everything that we keep of it, and back without loss.

_LONGEST_SIGNATURE: Final = 100  # that a published version keeps
# What no database keeps: the character 0, and halves of characters.
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")


def write_pyramid_json(pyramid: Pyramid) -> str:
    """The file, to be stored as UTF-8."""
    return json.dumps(pyramid_to_json(pyramid), ensure_ascii=False, indent=1) + "\n"


def read_pyramid_json(text: str) -> Pyramid:
    """The pyramid in the file; InputError names the line, or the place in the object."""
    pyramid = pyramid_from_json(value_of_json(text))
    if len(pyramid.signature) > _LONGEST_SIGNATURE:
        raise InputError(f"pyramid.signature: it has more than {_LONGEST_SIGNATURE} characters.")
    for place, words in _texts_with_places(pyramid):
        if _UNSTORABLE.search(words):
            raise InputError(f"{place}: this is not plain text.")
    return pyramid


def _texts_with_places(pyramid: Pyramid) -> Iterator[tuple[str, str]]:
    """Every text with its place in the file."""
    for number, text in enumerate(pyramid.references):
        yield f"pyramid.references[{number}].name", text.name
        yield f"pyramid.references[{number}].content", text.content
    for number, scu in enumerate(pyramid.scus):
        yield f"pyramid.scus[{number}].label", scu.label
        yield f"pyramid.scus[{number}].comment", scu.comment
        for position, contributor in enumerate(scu.contributors):
            yield f"pyramid.scus[{number}].contributors[{position}].comment", contributor.comment
    yield "pyramid.signature", pyramid.signature
    for number, note in enumerate(pyramid.notes):
        yield f"pyramid.notes[{number}]", note
