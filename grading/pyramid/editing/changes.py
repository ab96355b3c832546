"""What the commands are made of: looking ideas up, putting changed ones back, checking words."""

import re
from dataclasses import replace

from grading.pyramid.editing.errors import EditError
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Spans, Text, join_spans

WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")
_LONGEST_QUOTE = 60


def quoted(words: str) -> str:
    """In quotation marks, and short enough for a line of the history."""
    folded = " ".join(words.split())
    short = f"{folded[: _LONGEST_QUOTE - 1]}…" if len(folded) > _LONGEST_QUOTE else folded
    return f"“{short}”"


def get_scu(pyramid: Pyramid, uid: int) -> Scu:
    for scu in pyramid.scus:
        if scu.uid == uid:
            return scu
    raise EditError(f"Idea {uid} is not there any more.")


def get_contributor(scu: Scu, reference: str) -> Contributor:
    found = scu.contributor(reference)
    if found is None:
        raise EditError(f"{reference} does not contribute to {quoted(scu.label)} any more.")
    return found


def get_reference(pyramid: Pyramid, name: str) -> Text:
    for text in pyramid.references:
        if text.name == name:
            return text
    raise EditError(f"The reference “{name}” is not in this pyramid.")


def put_scu(pyramid: Pyramid, scu: Scu) -> Pyramid:
    """In the place of the one with its number."""
    return replace(pyramid, scus=tuple(scu if old.uid == scu.uid else old for old in pyramid.scus))


def put_contributor(scu: Scu, contributor: Contributor) -> Scu:
    """In the place of the reference's other one; contributors stand by name."""
    others = [one for one in scu.contributors if one.reference != contributor.reference]
    ordered = sorted([*others, contributor], key=lambda one: one.reference)
    return replace(scu, contributors=tuple(ordered))


def without_contributor(scu: Scu, reference: str) -> Scu:
    gone = get_contributor(scu, reference)
    return replace(scu, contributors=tuple(one for one in scu.contributors if one is not gone))


def joined(contributor: Contributor, spans: Spans) -> Contributor:
    """With further parts."""
    return replace(contributor, spans=join_spans((*contributor.spans, *spans)))


def checked_words(pyramid: Pyramid, reference: str, spans: Spans) -> Spans:
    """The spans as whole words of the reference; an EditError where there is no word."""
    text = get_reference(pyramid, reference)
    found = tuple(_whole_words(text, span) for span in spans)
    if not found:
        raise EditError("Select some words of a reference first.")
    return join_spans(found)


def told_by(pyramid: Pyramid, reference: str, spans: Spans) -> str:
    words = get_reference(pyramid, reference).words_at(checked_words(pyramid, reference, spans))
    return f"{quoted(words)} of {reference}"


def _whole_words(text: Text, span: Span) -> Span:
    """Words that are cut are taken whole, white space at the ends is left out."""
    if not 0 <= span.start < span.end <= len(text.content):
        raise EditError(f"These words are not in the reference “{text.name}” any more.")
    words = [
        found
        for found in WORD.finditer(text.content)
        if found.end() > span.start and found.start() < span.end
    ]
    if not words:
        raise EditError("There is no word in what you selected.")
    selected = text.content[span.start : span.end]
    start = span.start + len(selected) - len(selected.lstrip())
    end = span.end - (len(selected) - len(selected.rstrip()))
    return Span(min(start, words[0].start()), max(end, words[-1].end()))
