"""The pyramid's ideas on the marking desk: what is said of each, and which words may tell."""

from collections.abc import Sequence
from dataclasses import dataclass

from grading.marking.actions import Desk
from grading.pyramid.corrections import Correction, Verdict, correct_report
from grading.pyramid.feedback.alternatives import Alternative, alternatives, is_about
from grading.pyramid.feedback.sureness import (
    confidence_in_words,
    is_doubtful,
    likelihood_in_words,
)
from grading.pyramid.structures import Match, Scu, Spans, Text
from grading.web.ideas import Idea, heaviest_of, idea_of
from grading.web.word_spans import place_of

FIRST_OFFERS = 6  # shown without opening the rest of the list


@dataclass(frozen=True, slots=True)
class DeskIdea:
    """An idea with what is said of it in this text; ``words`` are empty where it is not matched.

    ``by`` is who decided, ``said`` what, and neither where the program's match applies.
    ``contradicts`` holds the experts' words that the text may deny. ``possible_words`` and
    ``possible`` are a suggestion: a match that is too unlikely to be shown, and how likely it is.
    """

    idea: Idea
    words: str
    place: str
    doubtful: bool
    confidence: str
    contradicts: str
    is_held: bool
    possible_words: str
    possible: str
    remarks: tuple[str, ...]
    by: str
    said: str
    is_by_hand: bool


@dataclass(frozen=True, slots=True)
class Offer:
    """An idea for the chosen words, why, and what the comprehensive score would be with it."""

    card: DeskIdea
    shared: tuple[str, ...]
    nearest: str
    similarity: float | None
    confidence: str  # “possible, 32 %”
    after: float
    is_here: bool  # it counts for these words already


@dataclass(frozen=True, slots=True)
class DeskBand:
    weight: int
    band: int
    cards: tuple[DeskIdea, ...]

    @property
    def found(self) -> int:
        return sum(bool(card.words) for card in self.cards)


class DeskIdeas:
    """The ideas of one desk."""

    def __init__(self, desk: Desk, text: Text) -> None:
        self.desk, self.text = desk, text
        evidence = desk.report.evidence
        self._matches = {match.scu: match for match in evidence.matches}
        self._possible = {match.scu: match for match in evidence.possible if match.credit}
        self._heaviest = heaviest_of(desk.pyramid)

    def card(self, uid: int) -> DeskIdea | None:
        scu = next((scu for scu in self.desk.pyramid.scus if scu.uid == uid), None)
        return self._card(scu) if scu else None

    def doubtful(self) -> tuple[DeskIdea, ...]:
        """Those that a person ought to look at: contradictions first, then as in the text."""
        matches = sorted(
            self._matches.values(), key=lambda one: (not one.contradicts, one.spans, one.scu)
        )
        cards = (self.card(one.scu) for one in matches if _asks_for_a_look(one))
        return tuple(card for card in cards if card)

    def possible(self) -> tuple[DeskIdea, ...]:
        """Suggestions, the likeliest first."""
        likeliest = sorted(self._possible.values(), key=lambda one: (-one.credit, one.scu))
        cards = (self.card(one.scu) for one in likeliest)
        return tuple(card for card in cards if card)

    def bands(self, search: str) -> tuple[DeskBand, ...]:
        """All ideas, or those that are searched for, the heaviest first."""
        pyramid = self.desk.pyramid
        scus = [scu for scu in pyramid.scus if is_about(pyramid, scu, search)]
        weights = sorted({scu.weight for scu in scus}, reverse=True)
        return tuple(self._band(weight, scus) for weight in weights)

    def _band(self, weight: int, scus: Sequence[Scu]) -> DeskBand:
        cards = tuple(self._card(scu) for scu in scus if scu.weight == weight)
        return DeskBand(weight, cards[0].idea.band, cards)

    def offers(self, words: Spans, instead_of: int | None, search: str) -> tuple[Offer, ...]:
        """``instead_of`` is the idea that these words count as now, if one is open."""
        pyramid = self.desk.pyramid
        ranked = alternatives(self.text, pyramid, self.desk.machine.evidence, words)
        return tuple(
            self._offer(one, words, instead_of)
            for one in ranked
            if one.scu.uid != instead_of and is_about(pyramid, one.scu, search)
        )

    def after_removing(self, uid: int) -> float:
        return self._after([Correction(uid, Verdict.NOT_TOLD)])

    def after_adding(self, uid: int, words: Spans) -> float:
        return self._after([Correction(uid, Verdict.TOLD, words)])

    def _offer(self, one: Alternative, words: Spans, instead_of: int | None) -> Offer:
        uid = one.scu.uid
        told = [Correction(uid, Verdict.TOLD, words)]
        gone = [] if instead_of is None else [Correction(instead_of, Verdict.NOT_TOLD)]
        match = self._matches.get(uid)
        return Offer(
            card=self._card(one.scu),
            shared=one.shared,
            nearest=one.nearest,
            similarity=one.similarity,
            confidence="" if one.probability is None else likelihood_in_words(one.probability),
            after=self._after([*gone, *told]),
            is_here=match is not None and match.spans == words,
        )

    def _after(self, more: Sequence[Correction]) -> float:
        corrections = [*self.desk.corrections, *more]
        return correct_report(self.desk.machine, self.desk.pyramid, corrections).comprehensive

    def _card(self, scu: Scu) -> DeskIdea:
        match, row = self._matches.get(scu.uid), self.desk.by.get(scu.uid)
        possible = None if match else self._possible.get(scu.uid)
        author = row.author.name if row and row.author else "somebody"
        return DeskIdea(
            idea=idea_of(self.desk.pyramid, scu, self._heaviest),
            words=self.text.quoted(match.spans) if match else "",
            place=place_of(match.spans) if match else "",
            doubtful=match is not None and is_doubtful(match),
            confidence=confidence_in_words(match) if match else "",
            contradicts=match.contradicts if match and not match.by_hand else "",
            is_held=match is not None and match.held and not match.by_hand,
            possible_words=self.text.quoted(possible.spans) if possible else "",
            possible=likelihood_in_words(possible.credit) if possible else "",
            remarks=match.remarks if match else (),
            by=author if row else "",
            said=_SAID[Verdict(row.verdict)] if row else "",
            is_by_hand=match is not None and match.by_hand,
        )


_SAID = {
    Verdict.TOLD: "counted",
    Verdict.CONFIRMED: "confirmed",
    Verdict.NOT_TOLD: "removed",
}


def _asks_for_a_look(match: Match) -> bool:
    return is_doubtful(match) or match.waits or bool(match.remarks and not match.by_hand)
