"""The files of DUCView, the tool with which people annotate pyramids: ``.pyr`` and ``.pan``."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.documents import Document, join_documents, split_documents
from grading.pyramid.formats.ducview_xml import (
    ANNOTATION_DTD,
    PYRAMID_DTD,
    PYREVAL_ROOT,
    Element,
    escaped,
    parse,
    writable,
    written_attributes,
)
from grading.pyramid.structures import (
    Contributor,
    Pyramid,
    ScoreReport,
    Scu,
    Span,
    Spans,
    Text,
    join_spans,
)

# Places in the text of a DUCView file: from ``part`` elements to spans, and back.
#
# A part says twice what it is: by its words and by its offsets. Offsets are counted in characters;
# DUCView, a Java program, counts what lies beyond the Basic Multilingual Plane (emoji) as two, and
# files that were edited manually or converted are often off by some characters. Where offsets and
# words disagree the words are believed, at the occurrence nearest to the offset.

_BETWEEN_PARTS: Final = "..."  # how DUCView shows that words were left out


class FileText:
    """The text of a file, in which parts are looked up."""

    def __init__(self, element: Element) -> None:
        self.content = "\n".join(line.text for line in element.all("line"))

    def spans(self, contributor: Element) -> Spans:
        """Where the words of a contributor stand, in the order of the text."""
        spans = [self._span(part) for part in contributor.all("part")]
        if not spans:
            raise contributor.error("a contributor has no part.")
        return join_spans(spans)

    def _span(self, part: Element) -> Span:
        span = Span(part.integer("start"), part.integer("end"))
        words = _squeezed(part.attributes.get("label", ""))
        for candidate in (span, self._from_utf16(span)):
            if self._has_words(candidate, words):
                return candidate
        start = self._nearest(words, span.start) if words else None
        if start is None:
            shown = part.attributes.get("label", "")[:80]
            raise part.error(f"the words “{shown}” are not in the text.")
        return start

    def _has_words(self, span: Span, words: str) -> bool:
        inside = 0 <= span.start < span.end <= len(self.content)
        return inside and words in {"", _squeezed(self.content[span.start : span.end])}

    def _from_utf16(self, span: Span) -> Span:
        """The span, had its offsets been counted in units of UTF-16."""
        if self.content.isascii() or span.start < 0:
            return span
        return Span(*(self._characters_before(offset) for offset in (span.start, span.end)))

    def _characters_before(self, offset: int) -> int:
        return len(self._utf16[: 2 * offset].decode("utf-16-le", errors="ignore"))

    @cached_property
    def _utf16(self) -> bytes:
        return self.content.encode("utf-16-le")

    def _nearest(self, words: str, offset: int) -> Span | None:
        """The occurrence that begins nearest to the offset, white space aside; of two the first.

        White space is left aside since DUCView drops the line breaks within a part.
        """
        # One on each side is enough: a file can have many thousands of parts and occurrences.
        here = bisect_left(self._visible, offset)
        before = self._squeezed.rfind(words, 0, max(0, here - 1 + len(words)))
        candidates = [index for index in (before, self._squeezed.find(words, here)) if index >= 0]
        if not candidates:
            return None
        first = min(candidates, key=lambda index: abs(self._visible[index] - offset))
        return Span(self._visible[first], self._visible[first + len(words) - 1] + 1)

    @cached_property
    def _visible(self) -> list[int]:
        return [index for index, char in enumerate(self.content) if not char.isspace()]

    @cached_property
    def _squeezed(self) -> str:
        return "".join(self.content[index] for index in self._visible)


def _squeezed(text: str) -> str:
    return "".join(text.split())


# --- writing ---


def text_lines(text: str) -> Iterator[str]:
    """The ``text`` element."""
    yield " <text>"
    for line in text.split("\n"):
        yield f"  <line>{escaped(line)}</line>"
    yield " </text>"


def contributor_lines(text: str, spans: Spans, comment: str) -> Iterator[str]:
    """A ``contributor`` element; the offsets are those in the text given."""
    words = [text[span.start : span.end] for span in spans]
    label = written_attributes(label=_BETWEEN_PARTS.join(words), comment=comment_of(comment))
    yield f"  <contributor{label}>"
    for span, part in zip(spans, words, strict=True):
        place = written_attributes(label=part, start=span.start, end=span.end)
        yield f"   <part{place}/>"
    yield "  </contributor>"


def comment_of(comment: str) -> str | None:
    """A comment as an attribute: left out where there is none."""
    return writable(comment) or None


# Pyramids as DUCView's ``.pyr`` files.
#
# In the file offsets count from the start of all references together; in a ``Pyramid`` from the
# start of the reference. A content unit has one contributor from each reference at most: where a
# file has two, they become one with the parts of both, so that the weight of the unit stays the
# number of references that express it (DUCView itself would count both). Signatures are not part
# of the format.

NOT_IN_THE_PYRAMID: Final = 0  # the uid under which annotations keep what matches no content unit


def read_pyramid(data: bytes) -> Pyramid:
    """The pyramid in a ``.pyr`` file, or in a ``.pan`` file, which holds a copy of it."""
    root = parse(data)
    if root.tag == PYREVAL_ROOT:
        raise root.error("this is PyrEval's own kind of pyramid, which holds no reference texts.")
    return pyramid_in(root if root.tag == "pyramid" else root.only("pyramid"))


def write_pyramid(pyramid: Pyramid) -> str:
    """A ``.pyr`` file, to be stored as UTF-8."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!DOCTYPE pyramid [\n{PYRAMID_DTD}]>",
        "",
        *pyramid_lines(pyramid),
    ]
    return "\n".join(lines) + "\n"


# --- reading ---


def pyramid_in(element: Element) -> Pyramid:
    """The pyramid in a ``pyramid`` element."""
    return pyramid_and_joins_in(element)[0]


def pyramid_and_joins_in(element: Element) -> tuple[Pyramid, tuple[str, ...]]:
    """The same, and a sentence for each pair of contributors that became one."""
    text = FileText(element.only("text"))
    documents = _documents(text.content, element)
    reader = _ScuReader(text, documents)
    scus = [reader.scu(scu) for scu in element.all("scu")]
    if not scus:
        raise InputError("The pyramid holds no content unit.")
    references = [Text(d.name, text.content[d.start : d.end]) for d in documents]
    heaviest_first = sorted(scus, key=lambda scu: -scu.weight)
    return Pyramid(tuple(references), tuple(heaviest_first)), tuple(reader.joins)


def _documents(text: str, element: Element) -> tuple[Document, ...]:
    if not text.strip():
        raise element.error("the pyramid holds no text.")
    expressions = list(element.all("startDocumentRegEx"))
    if not expressions:
        return split_documents(text, None)
    try:
        return split_documents(text, expressions[0].text)
    except InputError as error:
        raise expressions[0].error(str(error)) from error


class _ScuReader:
    """Reads content units, and sees to it that none comes twice."""

    def __init__(self, text: FileText, documents: Sequence[Document]) -> None:
        self._text = text
        self._documents = documents
        self._starts = [document.start for document in documents]
        self._uids: set[int] = set()
        self.joins: list[str] = []

    def scu(self, element: Element) -> Scu:
        uid = element.integer("uid")
        if uid == NOT_IN_THE_PYRAMID or uid in self._uids:
            raise element.error(f"the uid {uid} is taken.")
        self._uids.add(uid)
        members = [self._contributor(contributor) for contributor in element.all("contributor")]
        contributors = _one_a_reference(members)
        if len(contributors) < len(members):
            self.joins.append(
                f"Line {element.line}: idea {uid} has several quotes in one text. They became "
                f"one quote with parts, so its weight is {len(contributors)}, not {len(members)}."
            )
        if not contributors:
            raise element.error(f"content unit {uid} has no contributor.")
        label = element.attributes.get("label", "")
        return Scu(uid, label, contributors, element.attributes.get("comment", ""))

    def _contributor(self, element: Element) -> Contributor:
        spans = self._text.spans(element)
        document = self._documents[max(0, bisect_right(self._starts, spans[0].start) - 1)]
        within = tuple(self._cut(span, document, element) for span in spans)
        return Contributor(document.name, within, element.attributes.get("comment", ""))

    def _cut(self, span: Span, document: Document, element: Element) -> Span:
        """The span as offsets into the document; the white space behind it may be selected too."""
        end = min(span.end, document.end)
        outside = span.start < document.start or span.start >= document.end
        if outside or self._text.content[end : span.end].strip():
            shown = element.attributes.get("label", "")[:80]
            raise element.error(f"the contributor “{shown}” does not lie in one reference.")
        return Span(span.start - document.start, end - document.start)


def _one_a_reference(contributors: Iterable[Contributor]) -> tuple[Contributor, ...]:
    by_reference: dict[str, Contributor] = {}
    for contributor in contributors:
        first = by_reference.get(contributor.reference)
        if first is None:
            by_reference[contributor.reference] = contributor
            continue
        comments = dict.fromkeys(filter(None, (first.comment, contributor.comment)))
        by_reference[contributor.reference] = replace(
            first,
            spans=join_spans(first.spans + contributor.spans),
            comment="; ".join(comments),
        )
    return tuple(by_reference.values())


# --- writing ---


def pyramid_lines(pyramid: Pyramid) -> Iterator[str]:
    """The ``pyramid`` element."""
    texts = [Text(writable(t.name), writable(t.content)) for t in pyramid.references]
    joined = join_documents(texts)
    yield "<pyramid>"
    if joined.expression is not None:
        yield f"<startDocumentRegEx><![CDATA[{joined.expression}]]></startDocumentRegEx>"
    yield from text_lines(joined.text)
    for scu in pyramid.scus:
        if scu.uid == NOT_IN_THE_PYRAMID or not scu.contributors:
            raise InputError(f"Content unit {scu.uid}, “{scu.label}”, cannot be written.")
        yield f" <scu{scu_attributes(scu.uid, scu.label, scu.comment)}>"
        for contributor in scu.contributors:
            spans = _moved(contributor.spans, joined.starts[writable(contributor.reference)])
            yield from contributor_lines(joined.text, spans, contributor.comment)
        yield " </scu>"
    yield "</pyramid>"


def scu_attributes(uid: int, label: str, comment: str) -> str:
    """The attributes of ``scu`` and ``peerscu``."""
    return written_attributes(uid=uid, label=writable(label), comment=comment_of(comment))


def _moved(spans: Spans, by: int) -> Spans:
    return tuple(Span(span.start + by, span.end + by) for span in spans)


# Annotated summaries as DUCView's ``.pan`` files.
#
# A file holds the pyramid, the summary, and for each content unit the places of the summary that
# express it; places that express none stand under the uid 0.

_UNMATCHED_LABEL: Final = "All non-matching SCUs go here"


@dataclass(frozen=True, slots=True)
class Expression:
    """A content unit of the pyramid with the places of a summary that express it."""

    scu_uid: int
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

    The words that a person marked stand for the part that they count with. A repetition is a
    further place of its idea, as annotators write it; what was left out is in no place.
    """
    evidence = report.evidence
    places: dict[int, list[Contributor]] = {scu.uid: [] for scu in pyramid.scus}
    credited = [(match.scu_uid, match.spans) for match in evidence.credited]
    credited += [(repeat.scu_uid, repeat.segment.spans) for repeat in evidence.repeats]
    for uid, spans in credited:
        if uid in places:
            places[uid].append(Contributor(summary.name, spans))
    return Annotation(
        pyramid,
        summary,
        tuple(
            Expression(uid, tuple(expressed_in))
            for uid, expressed_in in places.items()
            if expressed_in
        ),
        tuple(Contributor(summary.name, segment.spans) for segment in evidence.unmatched),
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
    annotated = _expressions(element, text, name, {NOT_IN_THE_PYRAMID, *uids})
    unmatched = annotated.get(NOT_IN_THE_PYRAMID)
    expressions = (annotated[uid] for uid in uids if uid in annotated)
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
    expressed = {expression.scu_uid: expression for expression in annotation.expressions}
    for scu in annotation.pyramid.scus:
        expression = expressed.get(scu.uid, Expression(scu.uid, ()))
        yield from _peer_lines(content, expression, f"({scu.weight}) {scu.label}")
    # DUCView cannot count without this one, be it empty.
    rest = Expression(NOT_IN_THE_PYRAMID, annotation.unmatched)
    yield from _peer_lines(content, rest, _UNMATCHED_LABEL)


def _peer_lines(content: str, expression: Expression, label: str) -> Iterator[str]:
    yield f" <peerscu{scu_attributes(expression.scu_uid, label, expression.comment)}>"
    for place in expression.places:
        yield from contributor_lines(content, place.spans, place.comment)
    yield " </peerscu>"


# Which ideas a person found in a summary, out of a ``.pan`` file.
#
# Only the numbers of the content units are read, so files that hold neither the pyramid nor the
# text can be used as well.


def read_marked_ideas(data: bytes, uids: Set[int]) -> frozenset[int]:
    """Those of ``uids`` that have a place in the annotation; InputError where it names others."""
    root = parse(data)
    if root.tag != "peerAnnotation":
        raise root.error("this file holds a pyramid, but no annotation of a summary.")
    ideas: dict[int, bool] = {}
    for scu in root.only("annotation").all("peerscu"):
        uid = scu.integer("uid")
        if uid not in uids and uid != NOT_IN_THE_PYRAMID:
            raise scu.error(f"the pyramid has no content unit {uid}.")
        if uid in ideas:
            raise scu.error(f"content unit {uid} comes twice.")
        ideas[uid] = any(True for _ in scu.all("contributor"))
    return frozenset(uid for uid, is_marked in ideas.items() if is_marked) & uids
