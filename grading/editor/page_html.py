"""The parts of the editor as HTML. What costs is remembered by the frozen data that it shows."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from grading.editor.page import (
    BandHead,
    Card,
    TextView,
    band_head,
    card_of,
    layout_of,
    marks_of,
    open_card_of,
    texts_of,
    view_of_text,
)
from grading.models import Draft, DraftEdit, User
from grading.pyramid.structures import Pyramid
from grading.web.ideas import heaviest_of
from grading.web.rendering import SignedInRequest


@dataclass(frozen=True, slots=True)
class Screen:
    """A draft as somebody's browser shows it: what may be done, and which cards are open."""

    request: SignedInRequest
    draft: Draft
    may_edit: bool
    opened: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class BandPart:
    head: BandHead
    cards: tuple[SafeString, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What undoing or redoing would be about."""

    words: str
    author: str


@lru_cache(maxsize=4096)
def _closed_card(card: Card, draft_pk: int, may_edit: bool, swapped: bool) -> SafeString:
    context = {"card": card, "draft_pk": draft_pk, "may_edit": may_edit, "swapped": swapped}
    return render_to_string("grading/editor/_card.html", context)


@lru_cache(maxsize=256)
def text_html(text: TextView) -> SafeString:
    return render_to_string("grading/editor/_text.html", {"text": text})


class Parts:
    """Renders parts of one state of a draft."""

    def __init__(self, screen: Screen, pyramid: Pyramid) -> None:
        self.screen = screen
        self.pyramid = pyramid
        self.layout = layout_of(pyramid)
        self._texts = texts_of(pyramid)
        self._heaviest, self._must_weight = heaviest_of(pyramid), pyramid.must_weight
        self._scus = {scu.uid: scu for scu in pyramid.scus}

    def card(self, uid: int, *, swapped: bool = False, opened: bool | None = None) -> SafeString:
        """``swapped``: on its own, to be put in the place of the one that is shown."""
        scu = self._scus[uid]
        is_open = uid in self.screen.opened if opened is None else opened
        if not is_open:
            card = card_of(scu, self._texts, self._heaviest, self._must_weight)
            return _closed_card(card, self.screen.draft.pk, self.screen.may_edit, swapped)
        context = {
            "open": open_card_of(self.pyramid, scu, self._texts),
            "draft": self.screen.draft,
            "draft_pk": self.screen.draft.pk,
            "may_edit": self.screen.may_edit,
            "swapped": swapped,
        }
        return render_to_string("grading/editor/_open_card.html", context, self.screen.request)

    def band(self, key: str) -> BandPart:
        uids = self.layout[key]
        cards = tuple(self.card(uid) for uid in uids)
        return BandPart(band_head(self.pyramid, key, uids), cards)

    def bands(self) -> list[BandPart]:
        return [self.band(key) for key in self.layout]

    def texts(self) -> list[TextView]:
        marks = marks_of(self.pyramid)
        return [
            view_of_text(number, text, marks[text.name])
            for number, text in enumerate(self.pyramid.references)
        ]

    def frame(self) -> dict[str, Any]:
        """What every answer brings up to date: undo and redo, the counts, the small picture."""
        texts, tiers = self.texts(), glance_of(self.pyramid)
        return {
            "draft": self.screen.draft,
            "may_edit": self.screen.may_edit,
            **steps_of(self.screen.draft, self.screen.request.user),
            "tiers": tiers,
            "glance_height": len(tiers) * (HEIGHT + 2),
            "ideas": len(self.pyramid.scus),
            "texts": texts,
            "words": sum(text.words for text in texts),
            "uncovered": sum(text.uncovered for text in texts),
        }


def texts_with_html(texts: Iterable[TextView]) -> list[tuple[TextView, SafeString]]:
    return [(text, text_html(text)) for text in texts]


def steps_of(draft: Draft, reader: User) -> dict[str, Step | None]:
    tops = draft.edits.filter(revision__in=[draft.undo_top, draft.redo_top])
    found = {edit.revision: edit for edit in tops.select_related("author").only(*_OF_A_STEP)}
    return {
        "undo": _step(found.get(draft.undo_top), reader),
        "redo": _step(found.get(draft.redo_top), reader),
    }


_OF_A_STEP = ("draft", "revision", "words", "author__name")


def _step(edit: DraftEdit | None, reader: User) -> Step | None:
    if edit is None:
        return None
    words = edit.words.removeprefix("undid: ").removeprefix("redid: ")
    return Step(words, who(edit, reader))


def who(edit: DraftEdit, reader: User) -> str:
    """Whose edit it is, as the reader would say."""
    if edit.author_id == reader.pk:
        return "you"
    return edit.author.name if edit.author else "somebody"


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


WIDTH, HEIGHT, NARROWEST = 240, 16, 26


def glance_of(pyramid: Pyramid) -> list[Tier]:
    """As wide as the band has ideas, the heaviest on top."""
    layout = [(key, uids) for key, uids in layout_of(pyramid).items() if key.isdecimal() and uids]
    most = max((len(uids) for _, uids in layout), default=1)
    tiers: list[Tier] = []
    for place, (key, uids) in enumerate(layout):
        width = round(NARROWEST + (WIDTH - NARROWEST) * len(uids) / most, 1)
        head = band_head(pyramid, key, uids)
        x, y = round((WIDTH - width) / 2, 1), place * (HEIGHT + 2)
        tiers.append(Tier(key, head.weight, head.band, len(uids), x, y, width))
    return tiers
