"""Reading a pyramid out of a file of whatever kind, with a report of what became of it."""

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import pyramid_and_joins_in
from grading.pyramid.formats.ducview_xml import PYREVAL_ROOT, Element, parse
from grading.pyramid.formats.encodings import decode
from grading.pyramid.formats.import_report import Imported, ImportReport, anchored
from grading.pyramid.formats.pyramid_json import read_pyramid_json
from grading.pyramid.formats.tab_list import (
    LARGEST_INDEX,
    Entry,
    looks_like_a_tab_list,
    pyramid_of_entries,
    read_tab_list,
)
from grading.pyramid.structures import Pyramid, Scu, Text

MOST_IDEAS: Final = 1_000
MOST_TEXTS: Final = 100
MOST_PARTS: Final = 1_000  # of the words of one expert in an idea
MOST_NOTES: Final = 100
LONGEST_WORDS: Final = 10_000  # characters of a label or a comment
LONGEST_LABEL: Final = 500  # of those that we give
LONGEST_TEXT: Final = 100_000  # characters of a reference that comes with a file
_LARGEST_UID: Final = 999_999_999
_BYTE_ORDER_MARKS: Final = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNKNOWN: Final = (
    "Line 1: this kind of file can't be read. Choose a pyramid of DUCView (.pyr, .pan), a .json "
    "of PyrEval Classroom, or PyrEval's list."
)


def read_file(data: bytes, own: Sequence[Text]) -> Imported:
    """The pyramid in a file, on the assignment's own references where they are the same."""
    imported = _read(data, own)
    _check_size(imported.pyramid)
    return imported


def _check_size(pyramid: Pyramid) -> None:
    """Pages could not be worked with, or would not come at all, if any of this were larger."""
    contributors = [contributor for scu in pyramid.scus for contributor in scu.contributors]
    for count, most, what in (
        (len(pyramid.scus), MOST_IDEAS, "ideas"),
        (len(pyramid.references), MOST_TEXTS, "reference texts"),
        (len(pyramid.notes), MOST_NOTES, "notes"),
        (
            max((len(contributor.spans) for contributor in contributors), default=0),
            MOST_PARTS,
            "parts of one place",
        ),
    ):
        if count > most:
            raise InputError(f"The file has {count:,} {what}; at most {most:,} can be worked with.")
    for text in pyramid.references:
        if len(text.content) > LONGEST_TEXT:
            raise InputError(
                f"The text “{text.name[:60]}” has {len(text.content):,} characters; at most "
                f"{LONGEST_TEXT:,} can be taken."
            )
    words_of_ideas = (words for scu in pyramid.scus for words in (scu.label, scu.comment))
    for words in (
        *words_of_ideas,
        *(contributor.comment for contributor in contributors),
        *pyramid.notes,
    ):
        if len(words) > LONGEST_WORDS:
            raise InputError(
                f"The words “{words[:60]}” go on for {len(words):,} characters; a label or comment "
                f"has at most {LONGEST_WORDS:,}."
            )


def _read(data: bytes, own: Sequence[Text]) -> Imported:
    if _is_xml(data):
        return _from_xml(parse(data), own)
    decoded = decode(data)
    if decoded.text.lstrip().startswith(("{", "[")):
        kind = "A pyramid of PyrEval Classroom (JSON)"
        return _anchored(read_pyramid_json(decoded.text), own, kind, (decoded.remark,))
    if looks_like_a_tab_list(decoded.text):
        return read_tab_list(decoded, own)
    raise InputError(_UNKNOWN)


def _is_xml(data: bytes) -> bool:
    start = data[:200]
    for mark in _BYTE_ORDER_MARKS:
        start = start.removeprefix(mark)
    return start.replace(b"\0", b"").lstrip().startswith(b"<")


def _from_xml(root: Element, own: Sequence[Text]) -> Imported:
    if root.tag == PYREVAL_ROOT:
        kind = "A pyramid of PyrEval, with words but without texts"
        return pyramid_of_entries(_entries(root), own, kind=kind)
    if root.tag == "pyramid":
        pyramid, joins = pyramid_and_joins_in(root)
        return _anchored(pyramid, own, "A pyramid of DUCView (.pyr)", joins)
    pyramid, joins = pyramid_and_joins_in(root.only("pyramid"))
    left = "The file is an annotated summary. Its pyramid is used; the summary is ignored."
    return _anchored(pyramid, own, "An annotation of DUCView (.pan)", (left, *joins))


def _entries(root: Element) -> Iterator[Entry]:
    uids: set[int] = set()
    for scu in root.all("scu"):
        uid, contributors = scu.integer("uid"), list(scu.all("contributor"))
        if uid in uids or not 0 <= uid <= LARGEST_INDEX:
            raise scu.error(f"the uid {uid} is taken, or not a number from 0.")
        if not contributors:
            raise scu.error(f"idea {uid} has no contributor.")
        uids.add(uid)
        for contributor in contributors:
            words = " ".join(contributor.attributes.get("label", "").split())
            if not words:
                raise contributor.error("a contributor has no words.")
            yield Entry(contributor.line, uid, len(contributors), words)


def _anchored(pyramid: Pyramid, own: Sequence[Text], kind: str, remarks: Sequence[str]) -> Imported:
    _check_size(pyramid)  # before texts are compared with each other
    numbered = _numbered(pyramid)
    moved = anchored(numbered, own)
    labelled = _labelled(moved.pyramid)
    renumbered = () if numbered is pyramid else (_RENUMBERED,)
    named = () if labelled is moved.pyramid else (_LABELLED,)
    notes = tuple(filter(None, (*remarks, *renumbered, *named)))
    return Imported(labelled, ImportReport(kind, moved.found, moved.missing, remarks=notes))


_RENUMBERED: Final = "Ideas had numbers below 1 or above 999,999,999; all have new numbers."


_LABELLED: Final = "Ideas without a label get the words of their first expert."


def _labelled(pyramid: Pyramid) -> Pyramid:
    """The same where every idea has a label: without one nobody could see what to open."""
    if all(scu.label.strip() for scu in pyramid.scus):
        return pyramid
    scus = (
        scu if scu.label.strip() else replace(scu, label=_label_of(pyramid, scu))
        for scu in pyramid.scus
    )
    return replace(pyramid, scus=tuple(scus))


def _label_of(pyramid: Pyramid, scu: Scu) -> str:
    words = (
        pyramid.reference(contributor.reference).words_at(contributor.spans)
        for contributor in scu.contributors
    )
    return next(filter(None, words), f"Idea {scu.uid}")[:LONGEST_LABEL]


def _numbered(pyramid: Pyramid) -> Pyramid:
    """The pyramid with numbers that can be kept; the same where it has them already."""
    if all(1 <= scu.uid <= _LARGEST_UID for scu in pyramid.scus):
        return pyramid
    scus = (replace(scu, uid=number) for number, scu in enumerate(pyramid.scus, 1))
    return replace(pyramid, scus=tuple(scus))
