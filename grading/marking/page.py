"""The review desk as a page: a text and the pyramid side by side, for graders."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from grading.access.hidden_names import hide_names
from grading.marking.desk_text import desk_pieces
from grading.marking.forms import StepForm
from grading.marking.queries import Desk, find_desk
from grading.marking.same_wording import Decision, copies_in_force
from grading.models import Comment, Job, MarkingStep, Membership, Score, Submission, User
from grading.models.sight import FULL_SIGHT
from grading.pyramid.corrections import Correction, Verdict, correct_report
from grading.pyramid.feedback.likely_ideas import Alternative, alternatives, is_about
from grading.pyramid.feedback.sureness import (
    confidence_in_words,
    is_doubtful,
    likelihood_in_words,
)
from grading.pyramid.formats.ducview import annotatable
from grading.pyramid.formats.pyramid_json import spans_from_json
from grading.pyramid.structures import Scu, Spans, Text, shared_length
from grading.scoring.conversion import pyramid_from_row, submission_to_text
from grading.scoring.corrections import Carrier
from grading.web.chosen_words import plain_pieces
from grading.web.ideas import Idea, Ideas
from grading.web.timeline import TimelineEntry, timeline_of
from grading.web.word_spans import span_ref, spans_at

FIRST_OFFERS = 6  # shown in full; where there are more, all are in a list to search
LONGEST_SEARCH = 200
MOST_DIGITS = 9  # of the number of an idea
_DECISIONS = {
    Verdict.MATCHED: "counted",
    Verdict.CONFIRMED: "confirmed",
    Verdict.REMOVED: "removed",
}


@dataclass(frozen=True, slots=True)
class DeskQuery:
    """What the page is to show: chosen words, an open idea, a search, and what graders did."""

    words: Spans = ()
    idea: int | None = None
    search: str = ""
    history: bool = False

    @classmethod
    def of(cls, query: QueryDict, content: str) -> "DeskQuery":
        """Read an address. Values that make no sense there are ignored."""
        idea = query.get("idea", "")
        is_number = idea.isdecimal() and len(idea) <= MOST_DIGITS
        return cls(
            words=spans_at(query.get("spans", ""), content),
            idea=int(idea) if is_number else None,
            search=query.get("search", "")[:LONGEST_SEARCH].strip(),
            history="history" in query,
        )


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """``before`` is the score before the last correction, ``machine`` the program's own."""

    name: str
    now: float
    before: float | None
    machine: float


@dataclass(frozen=True, slots=True)
class DeskComment:
    """``number`` is shown in the text, behind the words that the comment is about."""

    comment: Comment
    number: int
    spans: Spans
    words: str
    idea: str  # its number and label
    is_own: bool

    @property
    def is_deleted(self) -> bool:
        return self.comment.deleted_at is not None

    @property
    def author_name(self) -> str:
        author = self.comment.author
        return "You" if self.is_own else author.name if author else "Somebody"


@dataclass(frozen=True, slots=True)
class DeskIdea:
    """An idea and its match in this text; ``words`` are empty where it is not matched.

    ``decision`` and ``decided_by`` are empty where the program's match applies. ``contradicts``
    holds the experts' words that the text may deny. ``possible_words`` and ``likelihood`` are a
    suggestion: a match that is too unlikely to be shown.
    """

    idea: Idea
    words: str
    span_ref: str
    is_unsure: bool
    confidence: str
    contradicts: str
    is_held: bool
    possible_words: str
    likelihood: str
    remarks: tuple[str, ...]
    decided_by: str
    decision: str
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
    def matched(self) -> int:
        return sum(bool(card.words) for card in self.cards)


def desk_page(
    submission: Submission, membership: Membership, query: DeskQuery, desk: Desk | None = None
) -> dict[str, Any]:
    """The context of the page and of its parts. A desk that was read already is not read again."""
    hide_names(submission.assignment, [submission])
    desk = desk or find_desk(submission)
    comments = desk_comments(submission, membership, desk.carrier if desk else None)
    context: dict[str, Any] = {
        "assignment": submission.assignment,
        "membership": membership,
        "submission": submission,
        "score": desk.score if desk else None,
        "desk": desk,
        "job": None if desk else Job.objects.latest_scoring(submission, of_the_class=True),
        "query": query,
        "focus": None,
        "chosen_words": "",
        "chosen_place": "",
        "comments": comments,
        "saved_comments": submission.assignment.course.saved_comments.all(),
        "history": graders_history(submission) if query.history else None,
        "pieces": plain_pieces(submission.text),
        "message": "",
        "step": None,
        "is_commented": False,
        "typed": "",
        "errors": (),
        "stale": None,
    }
    if desk is None:
        return context
    text, evidence = submission_to_text(submission), desk.report.evidence
    spans_commented = [comment.spans for comment in comments if not comment.is_deleted]
    return context | {
        "form": StepForm(content=text.content, spans=query.words, desk=desk),
        "chosen_words": text.quoted(query.words),
        "chosen_place": span_ref(query.words),
        "pieces": desk_pieces(desk, text.content, query.words, spans_commented),
        "scores": score_lines(desk),
        "held": tuple(text.words_at((span,)) for span in evidence.held),
        "is_held": evidence.is_held,
        "held_reason": evidence.held_reason,
        "held_for": evidence.held_for,
        "excluded": [(span_ref((span,)), text.words_at((span,))) for span in desk.excluded],
        "excluded_but_counted": tuple(text.words_at((span,)) for span in desk.excluded_but_counted),
        "lost": lost_ideas(desk),
        "may_write_pan": annotatable(desk.pyramid) is not None,
        **_ideas_pane(desk, text, query),
    }


def same_wording_page(
    submission: Submission,
    membership: Membership,
    desk: Desk | None,
    step: MarkingStep,
    grader: User,
) -> dict[str, Any]:
    """The context of what can be done with a decision elsewhere."""
    jobs = Job.objects.filter(
        kind=Job.Kind.COPY_STEP, assignment=submission.assignment_id, options__step=step.pk
    )
    job = jobs.first()
    is_busy = job is not None and not job.is_done
    same_wordings = [] if desk is None or is_busy else Decision(desk, step).elsewhere(grader)
    hide_names(submission.assignment, [same.submission for same in same_wordings])
    return {
        "assignment": submission.assignment,
        "membership": membership,
        "submission": submission,
        "step": step,
        "job": job if is_busy else None,
        "same_wordings": same_wordings,
        "equal": sum(same.is_equal for same in same_wordings),
        "copies": [] if is_busy else copies_in_force(step),
    }


def _ideas_pane(desk: Desk, text: Text, query: DeskQuery) -> dict[str, Any]:
    """An open idea, the ideas that the chosen words may express, or all ideas in bands."""
    ideas = DeskIdeas(desk, text)
    focus = None if query.idea is None else ideas.card(query.idea)
    is_matched = focus is not None and bool(focus.words)
    words = query.words
    if not words and focus and focus.span_ref:
        words = spans_at(focus.span_ref, text.content)
    exchanged = focus.idea.uid if focus and is_matched and not query.words else None
    nearest = ideas.nearest(words, exchanged, query.search) if words else ()
    after_removing = after_adding = None
    if focus and is_matched:
        after_removing = ideas.score_with(Correction(focus.idea.uid, Verdict.REMOVED))
    if focus and query.words:
        after_adding = ideas.score_with(Correction(focus.idea.uid, Verdict.MATCHED, query.words))
    return {
        "needs_review": ideas.needing_review(),
        "possible": ideas.possible(),
        "focus": focus,
        "after_removing": after_removing,
        "after_adding": after_adding,
        "exchanged": exchanged,
        "offers": [ideas.offer(idea, words, exchanged) for idea in nearest[:FIRST_OFFERS]],
        "all_ideas": ideas.listed(nearest) if len(nearest) > FIRST_OFFERS else (),
        "has_words": bool(words),
        "is_excluded": bool(shared_length(query.words, desk.excluded)),
        "bands": () if words else ideas.bands(query.search),
    }


class DeskIdeas:
    """The ideas of one desk as cards."""

    def __init__(self, desk: Desk, text: Text) -> None:
        self.desk, self.text = desk, text
        evidence = desk.report.evidence
        self._matches = {match.scu_uid: match for match in evidence.matches}
        self._possible = {match.scu_uid: match for match in evidence.possible if match.credit}
        self._scus = {scu.uid: scu for scu in desk.pyramid.scus}
        self._ideas = Ideas(desk.pyramid)
        self._numbers = desk.pyramid.numbers()

    def card(self, uid: int) -> DeskIdea | None:
        return self._card(self._scus[uid]) if uid in self._scus else None

    def needing_review(self) -> tuple[DeskIdea, ...]:
        """Matches that a grader should look at: contradictions first, then as in the text."""
        matches = [
            match
            for match in self._matches.values()
            if is_doubtful(match) or match.waits or (match.remarks and not match.by_hand)
        ]
        matches.sort(key=lambda match: (not match.contradicts, match.spans, match.scu_uid))
        return tuple(
            self._card(self._scus[match.scu_uid])
            for match in matches
            if match.scu_uid in self._scus
        )

    def possible(self) -> tuple[DeskIdea, ...]:
        """Suggestions, the likeliest first."""
        likeliest = sorted(
            self._possible.values(), key=lambda match: (-match.credit, match.scu_uid)
        )
        return tuple(
            self._card(self._scus[match.scu_uid])
            for match in likeliest
            if match.scu_uid in self._scus
        )

    def listed(self, nearest: Sequence[Alternative]) -> list[tuple[int, int, str]]:
        """The key, number and label of each idea, for a list to choose from."""
        return [(idea.scu.uid, self._numbers[idea.scu.uid], idea.scu.label) for idea in nearest]

    def bands(self, search: str) -> tuple[DeskBand, ...]:
        """All ideas, or those that a search finds, the heaviest first."""
        pyramid = self.desk.pyramid
        by_weight: dict[int, list[DeskIdea]] = {}
        for scu in pyramid.scus:
            if is_about(pyramid, scu, self._numbers[scu.uid], search):
                by_weight.setdefault(scu.weight, []).append(self._card(scu))
        return tuple(
            DeskBand(weight, cards[0].idea.band, tuple(cards))
            for weight, cards in sorted(by_weight.items(), reverse=True)
        )

    def nearest(self, words: Spans, instead_of: int | None, search: str) -> tuple[Alternative, ...]:
        """Ideas for words, the nearest first; ``instead_of`` is the idea they count as now."""
        pyramid = self.desk.pyramid
        ranked = alternatives(self.text, pyramid, self.desk.machine.evidence, words)
        return tuple(
            alternative
            for alternative in ranked
            if alternative.scu.uid != instead_of
            and is_about(pyramid, alternative.scu, self._numbers[alternative.scu.uid], search)
        )

    def score_with(self, *more: Correction) -> float:
        """The comprehensive score if these corrections were added."""
        corrections = [*self.desk.corrections, *more]
        return correct_report(self.desk.machine, self.desk.pyramid, corrections).comprehensive

    def offer(self, alternative: Alternative, words: Spans, instead_of: int | None) -> Offer:
        uid, probability = alternative.scu.uid, alternative.probability
        corrections = [Correction(uid, Verdict.MATCHED, words)]
        if instead_of is not None:
            corrections.insert(0, Correction(instead_of, Verdict.REMOVED))
        match = self._matches.get(uid)
        return Offer(
            card=self._card(alternative.scu),
            shared=alternative.shared,
            nearest=alternative.nearest,
            similarity=alternative.similarity,
            confidence="" if probability is None else likelihood_in_words(probability),
            after=self.score_with(*corrections),
            is_here=match is not None and match.spans == words,
        )

    def _card(self, scu: Scu) -> DeskIdea:
        match, row = self._matches.get(scu.uid), self.desk.decisions.get(scu.uid)
        possible = None if match else self._possible.get(scu.uid)
        return DeskIdea(
            idea=self._ideas.of(scu),
            possible_words=self.text.quoted(possible.spans) if possible else "",
            likelihood=likelihood_in_words(possible.credit) if possible else "",
            decided_by=(row.author.name if row.author else "somebody") if row else "",
            decision=_DECISIONS[Verdict(row.verdict)] if row else "",
            words=self.text.quoted(match.spans) if match else "",
            span_ref=span_ref(match.spans) if match else "",
            is_unsure=match is not None and is_doubtful(match),
            confidence=confidence_in_words(match) if match else "",
            contradicts=match.contradicts if match and not match.by_hand else "",
            is_held=match is not None and match.held and not match.by_hand,
            remarks=match.remarks if match else (),
            is_by_hand=match is not None and match.by_hand,
        )


def score_lines(desk: Desk) -> list[ScoreLine]:
    score, earlier = desk.score, desk.earlier_score
    if earlier is None and score.revision:
        same = Score.objects.filter(
            submission=score.submission_id,
            pyramid=score.pyramid_id,
            signature=score.signature,
            revision=score.revision - 1,
        )
        earlier = same.defer("document").first()
    return [
        ScoreLine(
            name=name.capitalize(),
            now=getattr(score, name),
            before=getattr(earlier, name) if earlier else None,
            machine=getattr(desk.machine, name),
        )
        for name in ("comprehensive", "quality", "coverage")
    ]


def lost_ideas(desk: Desk) -> list[str]:
    """The labels of ideas that were corrected and that this version does not have."""
    versions = {row.pyramid_id: row.pyramid for row in desk.lost}
    labels = {
        (pk, scu.uid): " ".join(scu.label.split())
        for pk, version in versions.items()
        for scu in pyramid_from_row(version).scus
    }
    lost = (labels.get((row.pyramid_id, row.scu_uid or 0), "") for row in desk.lost)
    return list(dict.fromkeys(label for label in lost if label))


def graders_history(submission: Submission) -> list[TimelineEntry]:
    """What graders and the program did, the latest first."""
    entries = timeline_of(submission, FULL_SIGHT)
    return [
        entry
        for entry in reversed(entries)
        if entry.who is None or entry.who.pk != submission.student_id
    ]


def desk_comments(
    submission: Submission, membership: Membership, carrier: Carrier | None
) -> list[DeskComment]:
    """All comments and notes, numbered, and after them those that the member has deleted."""
    text, viewer = submission_to_text(submission), membership.user_id
    rows = list(submission.comments.select_related("author", "pyramid").defer("pyramid__document"))
    visible = [row for row in rows if row.deleted_at is None]
    deleted = [row for row in rows if row.deleted_at is not None and row.author_id == viewer]
    comments = []
    for number, row in enumerate([*visible, *deleted], start=1):
        spans, idea = (spans_from_json(row.spans) if row.spans else ()), ""
        if row.scu_uid is not None and carrier is not None:
            uid = carrier.uid_of(row)
            known = "that this version does not have"
            idea = known if uid is None else f"{carrier.number(uid)} {carrier.label(uid)}"
        comments.append(
            DeskComment(row, number, spans, text.quoted(spans), idea, row.author_id == viewer)
        )
    return comments
