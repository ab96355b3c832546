"""Requests for a second look and what came of them, as far as their reader may see it."""

from collections.abc import Iterable
from dataclasses import dataclass

from grading import access
from grading.models import (
    MatchCorrection,
    Missed,
    Score,
    SecondLook,
    Sight,
    Submission,
    SubmissionEvent,
)
from grading.pyramid.corrections import Verdict
from grading.pyramid.formats.pyramid_json import spans_from_json
from grading.pyramid.structures import Scu, Spans
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.corrections import Carrier


@dataclass(frozen=True, slots=True)
class ShownSecondLook:
    """A request with its outcome.

    ``idea`` is the one that was asked about, ``counted`` the label of the one that counts now.
    ``before`` and ``after`` are comprehensive scores.
    """

    look: SecondLook
    words: str
    idea: str
    counted: str
    weight: int
    before: float | None
    after: float | None


def second_looks_shown(
    submission: Submission,
    sight: Sight,
    score: Score | None = None,
    events: Iterable[SubmissionEvent] | None = None,
) -> tuple[ShownSecondLook, ...]:
    """All requests for a submission, the latest first; the same number of queries for any number.

    ``score`` is the newest, and ``events`` are those of the submission, the earliest
    first, where the caller has read them.
    An idea that was named when students saw more than today is not named again.
    """
    if not sight.shown:
        return ()
    looks = list(submission.second_looks.select_related("answered_by").order_by("-pk"))
    if not looks:
        return ()
    if events is None:
        events = submission.events.order_by("pk")
    kinds = (SubmissionEvent.Kind.ASKED, SubmissionEvent.Kind.ANSWERED)
    # Of several answers to one request, the last.
    last_events = {
        (event.kind, event.document["second_look"]): event
        for event in events
        if event.kind in kinds
    }
    ideas: dict[int, Scu] = {}  # that count now because of a request
    accepted = any(look.is_accepted for look in looks)
    score = score or (access.get_score_for(submission, sight) if accepted else None)
    if score is not None and accepted:
        scus = {scu.uid: scu for scu in pyramid_from_row(score.pyramid).counted().scus}
        uids = ideas_by_second_look(score)
        ideas = {look: scus[uid] for look, uid in uids.items() if uid in scus}
    text = submission_to_text(submission)
    shown = []
    for look in looks:
        request = last_events.get((SubmissionEvent.Kind.ASKED, look.pk))
        answer = last_events.get((SubmissionEvent.Kind.ANSWERED, look.pk))
        level = request.document.get("level", Missed.NOTHING) if request else Missed.NOTHING
        may_name = look.scu_uid is not None and sight.missed >= level
        idea = ideas.get(look.pk)
        shown.append(
            ShownSecondLook(
                look=look,
                words=text.words_at(requested_spans(look)),
                idea=look.shown_as if may_name else "",
                counted=" ".join(idea.label.split()) if idea else "",
                weight=idea.weight if idea else 0,
                before=answer.comprehensive("before") if answer else None,
                after=answer.comprehensive("after") if answer else None,
            )
        )
    return tuple(shown)


def requested_spans(second_look: SecondLook) -> Spans:
    """The words that the student selected; none where only an idea was named."""
    return spans_from_json(second_look.spans) if second_look.spans else ()


def ideas_by_second_look(score: Score) -> dict[int, int]:
    """By accepted request, the idea that the score still has because of it."""
    rows = MatchCorrection.objects.filter(
        submission=score.submission_id,
        second_look__state=SecondLook.State.ACCEPTED,
        second_look__disputes_match=False,
    )
    carrier = Carrier.to_version(score.pyramid)
    manual = {match.scu_uid for match in report_from_row(score).evidence.matches if match.by_hand}
    ideas: dict[int, int] = {}
    for row in rows.select_related("pyramid").filter(verdict=Verdict.MATCHED):
        uid = carrier.uid_of(row)
        if row.second_look_id is not None and uid is not None and uid in manual:
            ideas[row.second_look_id] = uid
    return ideas
