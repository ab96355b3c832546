"""What the editor shows of a draft: bands of cards, the texts, undo and redo, all as HTML.

What costs most is remembered by the frozen data that it shows: most edits change a card or two.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grading.editor.forms import words_of_idea
from grading.models import Draft, DraftEdit, User
from grading.pyramid.editing.changes import WORD
from grading.pyramid.feedback.likely_ideas import likely_ideas
from grading.pyramid.marked_pieces import cut_at_marks
from grading.pyramid.structures import Pyramid, Scu, Spans, Standing, Text
from grading.web.ideas import band_of, heaviest_of
from grading.web.rendering import SignedInRequest, asks_for_parts

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
class OpenContributor:
    """``others`` are ideas to move it to, the most alike first."""

    key: str  # the ids of its fields are made of it
    reference: str
    comment: str
    parts: tuple[str, ...]  # the words of each
    others: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class OpenCard:
    """An idea with all that can be done to it; ``others`` to merge it into, the most alike first.

    A page with script fetches the lists of other ideas as somebody opens one, so that they are
    there only without script.
    """

    card: Card
    comment: str
    given_weight: int | None
    contributors: tuple[OpenContributor, ...]
    others: tuple[tuple[int, str], ...]
    earlier: int | None  # the idea that it would be put before
    can_go_later: bool
    later: int | None  # the same; None: behind all


@dataclass(frozen=True, slots=True)
class CardBand:
    key: str
    weight: int
    style: int  # one of the styles for weights
    references: int
    by_hand: bool  # is the weight of none of its ideas a number of references?
    cards: tuple[SafeString, ...]


@dataclass(frozen=True, slots=True)
class Tier:
    """A layer of the small pyramid, and where it is drawn."""

    key: str
    weight: int
    band: int
    ideas: int
    x: float
    y: int
    width: float


@dataclass(frozen=True, slots=True)
class ReferencePiece:
    start: int
    words: str
    uids: tuple[int, ...]
    band: int  # 0: in no idea
    uncovered: bool  # in no idea, though there is a word


@dataclass(frozen=True, slots=True)
class TextView:
    number: int
    name: str
    pieces: tuple[ReferencePiece, ...]
    words: int
    uncovered: int


@dataclass(frozen=True, slots=True)
class DraftStep:
    """The edit that Undo or Redo is about."""

    words: str
    author: str


# --- bands and cards ---


def band_key(scu: Scu) -> str:
    return ASIDE if scu.standing is Standing.ASIDE else str(scu.weight)


def layout_of(pyramid: Pyramid) -> Layout:
    """Every band that the page has a place for, the heaviest first, with what is in it."""
    layout: dict[str, list[int]] = {
        str(weight): [] for weight in range(heaviest_of(pyramid), -1, -1)
    }
    layout[ASIDE] = []
    for scu in pyramid.scus:
        layout[band_key(scu)].append(scu.uid)
    return {key: tuple(uids) for key, uids in layout.items()}


def texts_of(pyramid: Pyramid) -> Mapping[str, Text]:
    """By name: Pyramid.reference looks through all of them."""
    return {text.name: text for text in pyramid.references}


def card_of(scu: Scu, texts: Mapping[str, Text], heaviest: int, must_weight: int) -> Card:
    comments = [scu.comment, *(contributor.comment for contributor in scu.contributors)]
    return Card(
        uid=scu.uid,
        label=scu.label,
        weight=scu.weight,
        band=band_of(scu.weight, heaviest),
        by_hand=scu.given_weight is not None,
        standing=scu.standing,
        must_weight=must_weight if scu.standing is Standing.MUST else 0,
        commented=any(comments),
        contributors=tuple(
            (contributor.reference, texts[contributor.reference].words_at(contributor.spans))
            for contributor in scu.contributors
        ),
    )


def other_ideas(
    pyramid: Pyramid, words: str, scu: Scu | None = None
) -> tuple[tuple[int, str], ...]:
    """All ideas but this one, those first that have most words in common with these."""
    others = [other for other in pyramid.scus if other is not scu]
    likely = likely_ideas(pyramid, others, words)
    return tuple((likeness.scu.uid, likeness.scu.label or "(no label)") for likeness in likely)


def open_card_of(
    pyramid: Pyramid, scu: Scu, texts: Mapping[str, Text], *, with_others: bool
) -> OpenCard:
    band = layout_of(pyramid)[band_key(scu)]
    index = band.index(scu.uid)
    ordered = scu.standing is not Standing.ASIDE
    numbers = {text.name: number for number, text in enumerate(pyramid.references)}
    return OpenCard(
        card=card_of(scu, texts, heaviest_of(pyramid), pyramid.must_weight),
        comment=scu.comment,
        given_weight=scu.given_weight,
        contributors=tuple(
            OpenContributor(
                key=f"{scu.uid}-{numbers[contributor.reference]}",
                reference=contributor.reference,
                comment=contributor.comment,
                parts=tuple(
                    texts[contributor.reference].words_at((span,)) for span in contributor.spans
                ),
                others=other_ideas(
                    pyramid, texts[contributor.reference].words_at(contributor.spans), scu
                )
                if with_others
                else (),
            )
            for contributor in scu.contributors
        ),
        others=other_ideas(pyramid, words_of_idea(pyramid, scu), scu) if with_others else (),
        earlier=band[index - 1] if ordered and index else None,
        can_go_later=ordered and index + 1 < len(band),
        later=band[index + 2] if index + 2 < len(band) else None,
    )


@lru_cache(maxsize=4096)
def _card_html(card: Card, draft_pk: int, may_edit: bool, swapped: bool) -> SafeString:
    context = {"card": card, "draft_pk": draft_pk, "may_edit": may_edit, "swapped": swapped}
    return render_to_string("grading/editor/_card.html", context)


WIDTH, HEIGHT, NARROWEST = 240, 16, 26


def glance_of(pyramid: Pyramid) -> list[Tier]:
    """The small pyramid: each layer as wide as its band has ideas, the heaviest on top."""
    layout = [(key, uids) for key, uids in layout_of(pyramid).items() if key.isdecimal() and uids]
    most = max((len(uids) for _, uids in layout), default=1)
    heaviest = heaviest_of(pyramid)
    tiers: list[Tier] = []
    for index, (key, uids) in enumerate(layout):
        weight = int(key)
        band = band_of(weight, heaviest) if weight else 0
        width = round(NARROWEST + (WIDTH - NARROWEST) * len(uids) / most, 1)
        x, y = round((WIDTH - width) / 2, 1), index * (HEIGHT + 2)
        tiers.append(Tier(key, weight, band, len(uids), x, y, width))
    return tiers


# --- texts ---


def marks_of(pyramid: Pyramid) -> Mapping[str, Marks]:
    """What is marked in each reference."""
    marks: defaultdict[str, list[tuple[int, int, Spans]]] = defaultdict(list)
    heaviest = heaviest_of(pyramid)
    for scu in pyramid.scus:
        band = band_of(scu.weight, heaviest)
        for contributor in scu.contributors:
            marks[contributor.reference].append((scu.uid, band, contributor.spans))
    return {text.name: tuple(sorted(marks[text.name])) for text in pyramid.references}


@lru_cache(maxsize=512)
def view_of_text(number: int, text: Text, marks: Marks) -> TextView:
    """The pieces of a reference, cut where ideas begin and end."""
    pieces: list[ReferencePiece] = []
    start = 0
    for piece in cut_at_marks(text.content, ((spans, (uid, band)) for uid, band, spans in marks)):
        words = piece.words.replace("\r", " ")  # HTML would take it away
        if piece.marks:
            uids = tuple(uid for uid, _ in piece.marks)
            band = max(band for _, band in piece.marks)
            pieces.append(ReferencePiece(start, words, uids, band, uncovered=False))
        else:
            pieces.extend(_uncovered_pieces(start, words))
        start += len(words)
    return TextView(
        number=number,
        name=text.name,
        pieces=tuple(pieces),
        words=_count_words(text.content),
        uncovered=sum(_count_words(piece.words) for piece in pieces if piece.uncovered),
    )


def _uncovered_pieces(start: int, words: str) -> Iterator[ReferencePiece]:
    """Words that are in no idea, without the spaces and full stops around them."""
    matches = list(WORD.finditer(words))
    first = matches[0].start() if matches else len(words)
    last = matches[-1].end() if matches else len(words)
    for begin, end in ((0, first), (first, last), (last, len(words))):
        if begin < end:
            uncovered = bool(matches) and begin == first
            yield ReferencePiece(start + begin, words[begin:end], (), 0, uncovered)


def _count_words(text: str) -> int:
    return sum(1 for _ in WORD.finditer(text))


@lru_cache(maxsize=256)
def text_html(text: TextView) -> SafeString:
    """Made without a template: the script counts characters, so no white space may be added."""
    pieces = []
    for piece in text.pieces:
        attributes = SafeString()
        if piece.uids:
            shared = " is-shared" if len(piece.uids) > 1 else ""
            uids = " ".join(map(str, piece.uids))
            attributes = format_html(
                ' class="piece match match-band-{}{}" data-scu="{}"', piece.band, shared, uids
            )
        elif piece.uncovered:
            attributes = format_html(' class="{}"', "piece bare")
        pieces.append((piece.start, attributes, piece.words))
    return format_html_join("", '<span data-start="{}"{}>{}</span>', pieces)


# --- the page ---


class EditorPage:
    """Renders the parts of the page for one state of a draft, as somebody's browser shows it."""

    def __init__(
        self,
        request: SignedInRequest,
        draft: Draft,
        pyramid: Pyramid,
        *,
        may_edit: bool,
        open_cards: frozenset[int] = frozenset(),
    ) -> None:
        self.request = request
        self.draft = draft
        self.pyramid = pyramid
        self.may_edit = may_edit
        self.layout = layout_of(pyramid)
        self._open_cards = open_cards
        self._texts = texts_of(pyramid)
        self._heaviest, self._must_weight = heaviest_of(pyramid), pyramid.must_weight
        self._scus = {scu.uid: scu for scu in pyramid.scus}

    def card(self, uid: int, *, swapped: bool = False, is_open: bool | None = None) -> SafeString:
        """``swapped``: on its own, to replace the one that is shown.

        ``is_open`` None: open if it is open in the browser.
        """
        scu = self._scus[uid]
        if not (uid in self._open_cards if is_open is None else is_open):
            card = card_of(scu, self._texts, self._heaviest, self._must_weight)
            return _card_html(card, self.draft.pk, self.may_edit, swapped)
        context = {
            "open": open_card_of(
                self.pyramid, scu, self._texts, with_others=not asks_for_parts(self.request)
            ),
            "draft": self.draft,
            "draft_pk": self.draft.pk,
            "may_edit": self.may_edit,
            "swapped": swapped,
        }
        return render_to_string("grading/editor/_open_card.html", context, self.request)

    def band(self, key: str) -> CardBand:
        weight = 0 if key == ASIDE else int(key)
        uids = self.layout[key]
        return CardBand(
            key=key,
            weight=weight,
            style=band_of(weight, self._heaviest) if weight else 0,
            references=len(self.pyramid.references),
            by_hand=all(len(self._scus[uid].contributors) != weight for uid in uids),
            cards=tuple(self.card(uid) for uid in uids),
        )

    def bands(self) -> list[CardBand]:
        return [self.band(key) for key in self.layout]

    def frame(self) -> dict[str, Any]:
        """What every answer brings up to date: undo and redo, the counts, the small pyramid."""
        marks = marks_of(self.pyramid)
        texts = [
            view_of_text(number, text, marks[text.name])
            for number, text in enumerate(self.pyramid.references)
        ]
        tiers = glance_of(self.pyramid)
        return {
            "draft": self.draft,
            "may_edit": self.may_edit,
            **steps_of(self.draft, self.request.user),
            "tiers": tiers,
            "glance_height": len(tiers) * (HEIGHT + 2),
            "ideas": len(self.pyramid.scus),
            "texts": texts,
            "words": sum(text.words for text in texts),
            "uncovered": sum(text.uncovered for text in texts),
        }


def steps_of(draft: Draft, reader: User) -> dict[str, DraftStep | None]:
    """What ``undo`` and ``redo`` are about now; None where there is nothing to undo or redo."""
    tops = {"undo": draft.undo_top, "redo": draft.redo_top}
    edits = draft.edits.filter(revision__in=tops.values()).select_related("author")
    steps = {
        edit.revision: DraftStep(
            edit.words.removeprefix("undid: ").removeprefix("redid: "), author_of(edit, reader)
        )
        for edit in edits.only("draft", "revision", "words", "author__name")
    }
    return {name: steps.get(revision) for name, revision in tops.items()}


def author_of(edit: DraftEdit, reader: User) -> str:
    """The author of an edit: “you” for the reader's own."""
    if edit.author_id == reader.pk:
        return "you"
    return edit.author.name if edit.author else "somebody"
