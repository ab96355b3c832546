"""What the commands are made of: looking ideas up, putting changed ones back, checking words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from grading.pyramid.editing.wording import both_comments, is_storable, quoted
from grading.pyramid.errors import EditError
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Spans, Text, join_spans

MOST_UID: Final = 2_000_000_000  # the numbers behind it do not fit in the database
MOST_PARTS: Final = 200  # of a selection

# Letters, digits and accents that stand behind their letter, with hyphens and apostrophes within.
_LETTERS = r"\w[\w\u0300-\u036f]*"
WORD = re.compile(rf"{_LETTERS}(?:['\u2019-]{_LETTERS})*")


def get_scu(pyramid: Pyramid, uid: int) -> Scu:
    for scu in pyramid.scus:
        if scu.uid == uid:
            return scu
    raise EditError(f"Idea {uid} no longer exists.")


def get_contributor(scu: Scu, reference: str) -> Contributor:
    contributor = scu.contributor(reference)
    if contributor is None:
        raise EditError(f"{quoted(reference)} does not contribute to {quoted(scu.label)} any more.")
    return contributor


def get_reference(pyramid: Pyramid, name: str) -> Text:
    for text in pyramid.references:
        if text.name == name:
            return text
    raise EditError(f"There is no reference {quoted(name)} in this pyramid.")


def put_scu(pyramid: Pyramid, scu: Scu) -> Pyramid:
    """Put an idea in place of the one with its number."""
    return replace(pyramid, scus=tuple(scu if old.uid == scu.uid else old for old in pyramid.scus))


def add_scu(pyramid: Pyramid, scu: Scu) -> Pyramid:
    """Behind all others."""
    _check_uid(scu.uid)
    if any(other.uid == scu.uid for other in pyramid.scus):
        raise EditError("There is an idea of this number already.")
    return replace(pyramid, scus=(*pyramid.scus, scu))


def put_contributor(scu: Scu, contributor: Contributor) -> Scu:
    """Put a contributor in place of the reference's other one; a new one goes in by name."""
    names = [member.reference for member in scu.contributors]
    place = place_of(contributor.reference, names)
    kept = scu.contributors[place:]
    if contributor.reference in names:
        kept = kept[1:]
    return replace(scu, contributors=(*scu.contributors[:place], contributor, *kept))


def check_for_draft(pyramid: Pyramid) -> None:
    """An EditError where a pyramid that comes from elsewhere could not be kept or edited."""
    for scu in pyramid.scus:
        _check_uid(scu.uid)
    texts = [
        text for reference in pyramid.references for text in (reference.name, reference.content)
    ]
    texts += [text for scu in pyramid.scus for text in (scu.label, scu.comment)]
    texts += [contributor.comment for scu in pyramid.scus for contributor in scu.contributors]
    for text in (*texts, *pyramid.notes, pyramid.signature):
        if not is_storable(text):
            raise EditError(f"There are characters that cannot be stored in {quoted(text)}.")


def _check_uid(uid: int) -> None:
    if not 0 < uid <= MOST_UID:
        raise EditError(f"The number of an idea is 1 to {MOST_UID:,}, not {uid:,}.")


def place_of(name: str, names: Sequence[str]) -> int:
    """Where it stands, or else where it belongs by the alphabet."""
    if name in names:
        return names.index(name)
    return next((i for i, other in enumerate(names) if other > name), len(names))


def without_contributor(scu: Scu, reference: str) -> Scu:
    gone = get_contributor(scu, reference)
    return replace(
        scu,
        contributors=tuple(
            contributor for contributor in scu.contributors if contributor is not gone
        ),
    )


def is_emptied(before: Scu, after: Scu) -> bool:
    """Has it lost its last contributor? An idea with a manual weight stays all the same."""
    return bool(before.contributors) and not after.contributors and after.given_weight is None


def take_contributor(pyramid: Pyramid, uid: int, reference: str) -> Pyramid:
    """Without what a reference contributes to an idea; the idea goes with its last contributor."""
    scu = get_scu(pyramid, uid)
    left = without_contributor(scu, reference)
    if is_emptied(scu, left):
        return replace(pyramid, scus=tuple(other for other in pyramid.scus if other is not scu))
    return put_scu(pyramid, left)


def with_last_contributor(after: Pyramid, uid: int) -> str:
    """What the history adds where an idea went with its last contributor."""
    is_gone = all(scu.uid != uid for scu in after.scus)
    return ", its last expert, and deleted the idea" if is_gone else ""


def joined(scu: Scu, contributor: Contributor) -> Scu:
    """With what a reference contributes: as further parts where it has contributed before."""
    before = scu.contributor(contributor.reference)
    if before is not None:
        contributor = replace(
            before,
            spans=with_spans(before.spans, contributor.spans),
            comment=both_comments(before.comment, contributor.comment),
        )
    return put_contributor(scu, contributor)


def with_spans(old: Spans, new: Spans) -> Spans:
    """Old parts with new ones. Only what a new one overlaps or touches becomes one part with it."""
    for span in new:
        apart = [part for part in old if part.end < span.start or span.end < part.start]
        (one_part,) = join_spans([span, *(part for part in old if part not in apart)])
        old = tuple(sorted([*apart, one_part]))
    return old


def apart(spans: Iterable[Span]) -> Spans:
    """In order, with those that overlap made one; those that only touch stay as they are."""
    separate: list[Span] = []
    for span in sorted(spans):
        if separate and span.start < separate[-1].end:
            separate[-1] = Span(separate[-1].start, max(separate[-1].end, span.end))
        else:
            separate.append(span)
    return tuple(separate)


def words_of(text: Text, span: Span) -> list[Span]:
    """The words of the text that the span touches, also those that it cuts."""
    places = (Span(*word.span()) for word in WORD.finditer(text.content))
    return [word for word in places if word.end > span.start and word.start < span.end]


def checked_words(pyramid: Pyramid, reference: str, spans: Spans, known: Spans = ()) -> Spans:
    """The spans as whole words of the reference; an EditError where there is no word.

    Ends of spans that are known stay as they are, also where they do not end with a word.
    """
    text = get_reference(pyramid, reference)
    if not spans:
        raise EditError("Select some words of a reference first.")
    if len(spans) > MOST_PARTS:
        raise EditError(f"At most {MOST_PARTS} parts can be selected together.")
    kept = tuple(span for span in known if span in spans)
    changed = tuple(_whole_words(text, span, known) for span in spans if span not in kept)
    return with_spans(kept, changed)


def quote_from_reference(pyramid: Pyramid, reference: str, spans: Spans) -> str:
    words = get_reference(pyramid, reference).words_at(spans)
    return f"{quoted(words)} of {reference}"


def _whole_words(text: Text, span: Span, known: Spans) -> Span:
    """Words that are cut are taken whole, white space at the ends is left out."""
    if not 0 <= span.start < span.end <= len(text.content):
        raise EditError(f"These words are not in the reference {quoted(text.name)} any more.")
    words = words_of(text, span)
    if not words:
        raise EditError("Your selection has no words.")
    selected = text.content[span.start : span.end]
    start = span.start + len(selected) - len(selected.lstrip())
    end = span.end - (len(selected) - len(selected.rstrip()))
    starts, ends = {part.start for part in known}, {part.end for part in known}
    return Span(
        span.start if span.start in starts else min(start, words[0].start),
        span.end if span.end in ends else max(end, words[-1].end),
    )
