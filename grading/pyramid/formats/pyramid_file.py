"""Pyramids as DUCView's ``.pyr`` files.

In the file offsets count from the start of all references together; in a ``Pyramid`` from the
start of the reference. A content unit has one contributor from each reference at most: where a
file has two, they become one with the parts of both, so that the weight of the unit stays the
number of references that express it (DUCView itself would count both). Signatures are not part
of the format.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.documents import Document, join_documents, split_documents
from grading.pyramid.formats.ducview_text import FileText, comment_of, contributor_lines, text_lines
from grading.pyramid.formats.ducview_xml import (
    PYRAMID_DTD,
    PYREVAL_ROOT,
    Element,
    parse,
    writable,
    written_attributes,
)
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Spans, Text, join_spans

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
        found = [self._contributor(contributor) for contributor in element.all("contributor")]
        contributors = _one_a_reference(found)
        if len(contributors) < len(found):
            self.joins.append(
                f"Line {element.line}: idea {uid} has several places in one text; they became one "
                f"place with parts, so that its weight is {len(contributors)}, not {len(found)}."
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
