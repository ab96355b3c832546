"""What the editor shows of a pyramid: bands of cards, texts cut at the words of the ideas."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from grading.pyramid.editing.changes import WORD
from grading.pyramid.formats.highlighted_text import cut_at_marks
from grading.pyramid.structures import Contributor, Pyramid, Scu, Spans, Standing, Text
from grading.web.ideas import band_of, heaviest_of

ASIDE = "aside"
Marks = tuple[tuple[int, int, Spans], ...]  # uid, band, what the reference contributes to it
Layout = Mapping[str, tuple[int, ...]]  # key of a band -> its ideas in order


@dataclass(frozen=True, slots=True)
class Card:
    """An idea, closed: all that its HTML depends on."""

    uid: int
    label: str
    weight: int
    band: int
    by_hand: bool
    standing: Standing
    must_weight: int  # of an idea that must count, else 0
    commented: bool
    contributors: tuple[tuple[str, str], ...]  # reference, its words


@dataclass(frozen=True, slots=True)
class BandHead:
    key: str
    weight: int
    band: int
    references: int
    ideas: int
    by_hand: bool  # is the weight of none of them a number of references?


@dataclass(frozen=True, slots=True)
class TextPiece:
    start: int
    words: str
    uids: tuple[int, ...]
    band: int  # 0: in no idea
    bare: bool  # in no idea, though there is a word


@dataclass(frozen=True, slots=True)
class TextView:
    number: int
    name: str
    pieces: tuple[TextPiece, ...]
    words: int
    uncovered: int


def card_of(scu: Scu, texts: Mapping[str, Text], heaviest: int, must_weight: int) -> Card:
    return Card(
        uid=scu.uid,
        label=scu.label,
        weight=scu.weight,
        band=band_of(scu.weight, heaviest),
        by_hand=scu.given_weight is not None,
        standing=scu.standing,
        must_weight=must_weight if scu.standing is Standing.MUST else 0,
        commented=bool(scu.comment or any(one.comment for one in scu.contributors)),
        contributors=tuple(
            (one.reference, texts[one.reference].words_at(one.spans)) for one in scu.contributors
        ),
    )


# --- bands ---


def band_key(scu: Scu) -> str:
    return ASIDE if scu.standing is Standing.ASIDE else str(scu.weight)


def layout_of(pyramid: Pyramid) -> Layout:
    """Every band that the page has a place for, the heaviest first, with what is in it."""
    heaviest = heaviest_of(pyramid)
    found: dict[str, list[int]] = {str(weight): [] for weight in range(heaviest, -1, -1)}
    found[ASIDE] = []
    for scu in pyramid.scus:
        found[band_key(scu)].append(scu.uid)
    return {key: tuple(uids) for key, uids in found.items()}


def band_head(pyramid: Pyramid, key: str, uids: tuple[int, ...]) -> BandHead:
    weight = 0 if key == ASIDE else int(key)
    band = band_of(weight, heaviest_of(pyramid)) if weight else 0
    by_hand = all(len(scu.contributors) != weight for scu in pyramid.scus if scu.uid in set(uids))
    return BandHead(key, weight, band, len(pyramid.references), len(uids), by_hand)


# --- texts ---


def marks_of(pyramid: Pyramid) -> Mapping[str, Marks]:
    """What is marked in each reference."""
    found: defaultdict[str, list[tuple[int, int, Spans]]] = defaultdict(list)
    heaviest = heaviest_of(pyramid)
    for scu in pyramid.scus:
        band = band_of(scu.weight, heaviest)
        for one in scu.contributors:
            found[one.reference].append((scu.uid, band, one.spans))
    return {text.name: tuple(sorted(found[text.name])) for text in pyramid.references}


@lru_cache(maxsize=512)
def view_of_text(number: int, text: Text, marks: Marks) -> TextView:
    """The pieces of a reference. Remembered: most edits change one or two texts of a dozen."""
    pieces = tuple(_pieces(text, marks))
    return TextView(
        number=number,
        name=text.name,
        pieces=pieces,
        words=_count(text.content),
        uncovered=sum(_count(piece.words) for piece in pieces if piece.bare),
    )


def _pieces(text: Text, marks: Marks) -> Iterable[TextPiece]:
    start = 0
    for piece in cut_at_marks(text.content, [spans for _, _, spans in marks]):
        told = [marks[number] for number in piece.marks]
        words = piece.words.replace("\r", " ")  # HTML would take it away
        if told:
            uids = tuple(uid for uid, _, _ in told)
            yield TextPiece(start, words, uids, max(band for _, band, _ in told), bare=False)
        else:
            yield from _bare(start, words)
        start += len(words)


def _bare(start: int, words: str) -> Iterable[TextPiece]:
    """Words that are in no idea, without the spaces and full stops around them."""
    found = [(one.start(), one.end()) for one in WORD.finditer(words)]
    first, last = (found[0][0], found[-1][1]) if found else (len(words), len(words))
    for begin, end in ((0, first), (first, last), (last, len(words))):
        if begin < end:
            bare = bool(found) and begin == first
            yield TextPiece(start + begin, words[begin:end], (), 0, bare)


def _count(words: str) -> int:
    return sum(1 for _ in WORD.finditer(words))


# --- an open card ---


@dataclass(frozen=True, slots=True)
class Part:
    number: int
    words: str


@dataclass(frozen=True, slots=True)
class OpenContributor:
    key: str  # the ids of its fields are made of it
    reference: str
    comment: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class OpenCard:
    """An idea with all that can be done to it."""

    card: Card
    comment: str
    given_weight: int | None
    contributors: tuple[OpenContributor, ...]
    others: tuple[tuple[int, str], ...]
    earlier: int | None  # the idea that it would be put before
    can_go_later: bool
    later: int | None  # the same; None: behind all


def open_card_of(pyramid: Pyramid, scu: Scu, texts: Mapping[str, Text]) -> OpenCard:
    band = layout_of(pyramid)[band_key(scu)]
    place = band.index(scu.uid)
    ordered = scu.standing is not Standing.ASIDE
    numbers = {text.name: number for number, text in enumerate(pyramid.references)}
    return OpenCard(
        card=card_of(scu, texts, heaviest_of(pyramid), pyramid.must_weight),
        comment=scu.comment,
        given_weight=scu.given_weight,
        contributors=tuple(
            _open_contributor(one, texts[one.reference], f"{scu.uid}-{numbers[one.reference]}")
            for one in scu.contributors
        ),
        others=tuple((other.uid, other.label) for other in pyramid.scus if other is not scu),
        earlier=band[place - 1] if ordered and place else None,
        can_go_later=ordered and place + 1 < len(band),
        later=band[place + 2] if place + 2 < len(band) else None,
    )


def _open_contributor(told: Contributor, text: Text, key: str) -> OpenContributor:
    parts = (Part(number, text.words_at((span,))) for number, span in enumerate(told.spans))
    return OpenContributor(key, told.reference, told.comment, tuple(parts))


def texts_of(pyramid: Pyramid) -> Mapping[str, Text]:
    """By name: Pyramid.reference looks through all of them."""
    return {text.name: text for text in pyramid.references}
