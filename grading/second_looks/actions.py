"""Second looks: a student asks, a grader answers, and what counts by that becomes a correction.

Whatever is written about a submission here is written one after the other: its row is locked.
"""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from grading.models import (
    MatchCorrection,
    Missed,
    Score,
    SecondLook,
    Submission,
    SubmissionEvent,
    User,
)
from grading.pyramid.corrections import Correction, Verdict, correct_report
from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import spans_from_json, spans_to_json
from grading.pyramid.structures import Pyramid, ScoreReport, Spans
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.corrections import (
    Carrier,
    corrections_of,
    match_correct,
    score_anew,
    score_numbers,
)

MOST_OPEN = 5  # of one submission
MOST_ASKED = 30  # of one submission, those that were answered or withdrawn among them
_TOO_MANY_OPEN = (
    f"{MOST_OPEN} of your requests for this summary wait for an answer; that is the most. "
    "Withdraw one, or wait for the answers."
)
_TOO_MANY = (
    f"You have asked {MOST_ASKED} times about this summary; that is the most. Speak with your "
    "teacher."
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be looked at again: words, an idea that was not found, or both.

    ``shown_as`` is the idea as the student saw it, which the level of what was told decided.
    """

    spans: Spans = ()
    scu: int | None = None
    shown_as: str = ""
    level: Missed = Missed.NOTHING


def second_look_refusal(submission: Submission) -> str:
    """Why there can be no further request; empty where there can be one."""
    if submission.second_looks.filter(state=SecondLook.State.OPEN).count() >= MOST_OPEN:
        return _TOO_MANY_OPEN
    return _TOO_MANY if submission.second_looks.count() >= MOST_ASKED else ""


@transaction.atomic
def second_look_ask(*, score: Score, subject: Subject, reason: str) -> SecondLook:
    """Keep the request; the same one sent twice is kept once."""
    submission = Submission.objects.select_for_update().get(pk=score.submission_id)
    spans = spans_to_json(subject.spans)
    for one in submission.second_looks.filter(state=SecondLook.State.OPEN):
        if (one.pyramid_id, one.scu, one.spans, one.reason) == (
            score.pyramid_id,
            subject.scu,
            spans,
            reason,
        ):
            return one
    if refusal := second_look_refusal(submission):
        raise InputError(refusal)
    second_look = SecondLook.objects.create(
        submission=submission,
        pyramid=score.pyramid,
        scu=subject.scu,
        shown_as=subject.shown_as,
        spans=spans,
        reason=reason,
    )
    document: dict[str, object] = {"second_look": second_look.pk, "level": int(subject.level)}
    _log(second_look, SubmissionEvent.Kind.ASKED, submission.student, document)
    return second_look


@transaction.atomic
def second_look_withdraw(*, second_look: SecondLook, author: User) -> bool:
    """Take the request back; False where it was answered (or taken back) before."""
    locked = _locked(second_look)
    if not locked.is_open:
        return False
    locked.state = SecondLook.State.WITHDRAWN
    locked.save(update_fields=["state"])
    _log(locked, SubmissionEvent.Kind.WITHDRAWN, author, {"second_look": locked.pk})
    return True


def second_look_stamp(second_look: SecondLook, score: Score) -> str:
    """Another one once somebody has answered, or the text has another score."""
    answered = second_look.answered_at.isoformat() if second_look.answered_at else ""
    return f"{second_look.state} {answered} {score.pk}"


@transaction.atomic
def second_look_answer(
    *,
    second_look: SecondLook,
    correction: Correction | None,
    text: str,
    author: User,
    stamp: str,
) -> bool:
    """Count what was asked for, as the correction says, or do not (None).

    False, and nothing is done, where what the grader looked at (``stamp``) is no longer so.
    """
    locked = _locked(second_look)
    before = _score_of(locked)
    if stamp != second_look_stamp(locked, before) or locked.is_withdrawn:
        return False
    again = not locked.is_open
    earlier = _counted(locked, before) if locked.is_accepted else None
    locked.state = SecondLook.State.ACCEPTED if correction else SecondLook.State.DECLINED
    locked.answer, locked.answered_by, locked.answered_at = text, author, timezone.now()
    locked.save(update_fields=["state", "answer", "answered_by", "answered_at"])
    after = before
    if correction is None and earlier is not None:
        after = score_anew(score=before)
    elif correction is not None and correction != earlier:
        after = match_correct(
            score=before, correction=correction, author=author, second_look=locked
        )
    document = {
        "second_look": locked.pk,
        "state": str(locked.state),
        "again": again,
        "before": score_numbers(before),
        "after": score_numbers(after),
    }
    _log(locked, SubmissionEvent.Kind.ANSWERED, author, document)
    return True


def _counted(second_look: SecondLook, score: Score) -> Correction | None:
    """What the earlier answer counted, as the version has it that scores now."""
    rows = second_look.corrections.filter(verdict=Verdict.TOLD).select_related("pyramid")
    carried = Carrier.to_version(score.pyramid).carried([rows.latest("pk")])
    return carried[0] if carried else None


@dataclass(frozen=True, slots=True)
class Prospect:
    """A text as it is scored without an answer to a second look, and what answers would change.

    ``scu`` is the idea that was asked about, by its number in the version that scores now.
    """

    pyramid: Pyramid
    report: ScoreReport
    machine: ScoreReport
    corrections: tuple[Correction, ...]
    scu: int | None
    chosen: Correction | None

    def with_told(self, scu: int, spans: Spans) -> ScoreReport:
        """The report that would follow if the words were to count as this idea."""
        told = Correction(scu, Verdict.TOLD, spans)
        return correct_report(self.machine, self.pyramid, [*self.corrections, told])


def second_look_prospect(*, second_look: SecondLook, score: Score) -> Prospect:
    """Writes nothing."""
    rows = corrections_of([second_look.submission]).get(second_look.submission_id, [])
    others = [row for row in rows if row.second_look_id != second_look.pk]
    machine = Score.objects.get(
        submission=score.submission_id,
        pyramid=score.pyramid_id,
        signature=score.signature,
        revision=0,
    )
    carrier = Carrier.to_version(score.pyramid)
    pyramid, report = pyramid_from_row(score.pyramid), report_from_row(machine)
    corrections = tuple(carrier.carried(others))
    return Prospect(
        pyramid=pyramid.counted(),
        report=correct_report(report, pyramid, corrections),
        machine=report,
        corrections=corrections,
        scu=None if second_look.scu is None else carrier.uid_of(second_look),
        chosen=_counted(second_look, score) if second_look.is_accepted else None,
    )


def second_looks_counted(*, score: Score) -> dict[int, int]:
    """The idea that was counted for each second look and that the score still has by hand."""
    rows = MatchCorrection.objects.filter(
        submission=score.submission_id, second_look__state=SecondLook.State.ACCEPTED
    )
    carrier = Carrier.to_version(score.pyramid)
    by_hand = {m.scu for m in report_from_row(score).evidence.matches if m.by_hand}
    found: dict[int, int] = {}
    for row in rows.select_related("pyramid").filter(verdict=Verdict.TOLD):
        uid = carrier.uid_of(row)
        if row.second_look_id is not None and uid is not None and uid in by_hand:
            found[row.second_look_id] = uid
    return found


def spans_asked(second_look: SecondLook) -> Spans:
    """The words that were marked; none where only an idea was named."""
    return spans_from_json(second_look.spans) if second_look.spans else ()


def _locked(second_look: SecondLook) -> SecondLook:
    Submission.objects.select_for_update().get(pk=second_look.submission_id)
    return SecondLook.objects.select_related("submission__student").get(pk=second_look.pk)


def _score_of(second_look: SecondLook) -> Score:
    scores = second_look.submission.scores.select_related("pyramid")
    return scores.oldest_first().reverse()[0]


def _log(
    second_look: SecondLook, kind: SubmissionEvent.Kind, author: User, document: dict[str, object]
) -> None:
    SubmissionEvent.objects.create(
        submission_id=second_look.submission_id, kind=kind, author=author, document=document
    )
