"""Annotated summaries as DUCView's ``.pan`` files.

A file holds the pyramid, the summary, and for each content unit the places of the summary that
express it; places that express none stand under the uid 0.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from grading.pyramid.formats.ducview_text import FileText, contributor_lines, text_lines
from grading.pyramid.formats.ducview_xml import ANNOTATION_DTD, Element, parse, writable
from grading.pyramid.formats.pyramid_file import (
    NOT_IN_THE_PYRAMID,
    pyramid_in,
    pyramid_lines,
    scu_attributes,
)
from grading.pyramid.structures import Contributor, Pyramid, ScoreReport, Text

_UNMATCHED_LABEL: Final = "All non-matching SCUs go here"


@dataclass(frozen=True, slots=True)
class Expression:
    """A content unit of the pyramid with the places of a summary that express it."""

    scu: int
    places: tuple[Contributor, ...]
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """What a summary expresses of a pyramid, in the pyramid's order, and what is not in it."""

    pyramid: Pyramid
    summary: Text
    expressions: tuple[Expression, ...]
    unmatched: tuple[Contributor, ...] = ()


def annotation_of(pyramid: Pyramid, summary: Text, report: ScoreReport) -> Annotation:
    """The annotation that a score rests on.

    The words that a person marked stand for the part that they count with. What is said again is a
    further place of its idea, as annotators write it; what was left out is in no place.
    """
    evidence = report.evidence
    places: dict[int, list[Contributor]] = {scu.uid: [] for scu in pyramid.scus}
    credited = [(match.scu, match.spans) for match in evidence.credited]
    credited += [(repeat.scu, repeat.segment.spans) for repeat in evidence.repeats]
    for uid, spans in credited:
        if uid in places:
            places[uid].append(Contributor(summary.name, spans))
    return Annotation(
        pyramid,
        summary,
        tuple(Expression(uid, tuple(found)) for uid, found in places.items() if found),
        tuple(Contributor(summary.name, segment.spans) for segment in evidence.idle),
    )


def annotatable(pyramid: Pyramid) -> Pyramid | None:
    """The pyramid that scores as DUCView can hold it; None where that has no idea.

    There each idea has words of a reference; those of a rubric have none.
    """
    scus = tuple(
        scu for scu in pyramid.counted().scus if scu.contributors and scu.uid != NOT_IN_THE_PYRAMID
    )
    return replace(pyramid.counted(), scus=scus) if scus else None


def read_annotation(data: bytes, name: str) -> Annotation:
    """The annotation in a ``.pan`` file. The file does not name the summary: the caller does."""
    root = parse(data)
    if root.tag != "peerAnnotation":
        raise root.error("this file holds a pyramid, but no annotation of a summary.")
    pyramid = pyramid_in(root.only("pyramid"))
    element = root.only("annotation")
    text = FileText(element.only("text"))
    uids = [scu.uid for scu in pyramid.scus]
    found = _expressions(element, text, name, {NOT_IN_THE_PYRAMID, *uids})
    unmatched = found.get(NOT_IN_THE_PYRAMID)
    expressions = (found[uid] for uid in uids if uid in found)
    return Annotation(
        pyramid,
        Text(name, text.content),
        tuple(e for e in expressions if e.places or e.comment),
        unmatched.places if unmatched else (),
    )


def write_annotation(annotation: Annotation) -> str:
    """A ``.pan`` file, to be stored as UTF-8."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!DOCTYPE peerAnnotation [\n{ANNOTATION_DTD}]>",
        "",
        "<peerAnnotation>",
        *_lines_of_pyramid(annotation.pyramid),
        "<annotation>",
        *_annotation_lines(annotation),
        "</annotation>",
        "</peerAnnotation>",
    ]
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=4)
def _lines_of_pyramid(pyramid: Pyramid) -> tuple[str, ...]:
    """Most of a file, and the same for a whole class."""
    return tuple(pyramid_lines(pyramid))


def _expressions(
    element: Element, text: FileText, name: str, uids: Set[int]
) -> dict[int, Expression]:
    expressions: dict[int, Expression] = {}
    for scu in element.all("peerscu"):
        uid = scu.integer("uid")
        if uid not in uids:
            raise scu.error(f"the pyramid has no content unit {uid}.")
        if uid in expressions:
            raise scu.error(f"content unit {uid} comes twice.")
        places = (
            Contributor(name, text.spans(place), place.attributes.get("comment", ""))
            for place in scu.all("contributor")
        )
        expressions[uid] = Expression(uid, tuple(places), scu.attributes.get("comment", ""))
    return expressions


def _annotation_lines(annotation: Annotation) -> Iterator[str]:
    content = writable(annotation.summary.content)
    yield from text_lines(content)
    expressed = {expression.scu: expression for expression in annotation.expressions}
    for scu in annotation.pyramid.scus:
        expression = expressed.get(scu.uid, Expression(scu.uid, ()))
        yield from _peer_lines(content, expression, f"({scu.weight}) {scu.label}")
    # DUCView cannot count without this one, be it empty.
    rest = Expression(NOT_IN_THE_PYRAMID, annotation.unmatched)
    yield from _peer_lines(content, rest, _UNMATCHED_LABEL)


def _peer_lines(content: str, expression: Expression, label: str) -> Iterator[str]:
    yield f" <peerscu{scu_attributes(expression.scu, label, expression.comment)}>"
    for place in expression.places:
        yield from contributor_lines(content, place.spans, place.comment)
    yield " </peerscu>"
