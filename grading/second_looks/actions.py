"""Second looks: a student requests one, a grader answers, and what then counts is a correction.

Every action locks the row of the submission, so that they run one after the other.
"""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from grading.models import (
    Missed,
    Review,
    Score,
    SecondLook,
    Submission,
    SubmissionEvent,
    User,
)
from grading.pyramid.corrections import Correction, Verdict, correct_report
from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import spans_to_json
from grading.pyramid.stamps import stamp_of
from grading.pyramid.structures import Pyramid, ScoreReport, Spans
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.corrections import (
    Carrier,
    corrections_of,
    match_correct,
    rescore,
    score_numbers,
)

MOST_OPEN = 5  # of one submission
MOST_ASKED = 30  # of one submission, those that were answered or withdrawn among them
_TOO_MANY_OPEN = (
    f"{MOST_OPEN} of your requests for this summary are waiting for an answer, which is the limit. "
    "Withdraw a request, or wait for the answers."
)
_TOO_MANY = (
    f"You have asked {MOST_ASKED} times about this summary, which is the limit. Talk to your "
    "instructor."
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What to look at again: words, an idea that was not matched, both, or a match that is wrong.

    ``shown_as`` is the idea as the student saw it, which depends on the level of detail then.
    """

    spans: Spans = ()
    scu_uid: int | None = None
    shown_as: str = ""
    level: Missed = Missed.NOTHING
    disputes_match: bool = False


def second_look_refusal(submission: Submission) -> str:
    """Say why there can be no further request; empty where there can be one."""
    if submission.second_looks.waiting().count() >= MOST_OPEN:
        return _TOO_MANY_OPEN
    return _TOO_MANY if submission.second_looks.count() >= MOST_ASKED else ""


@transaction.atomic
def second_look_ask(*, score: Score, subject: Subject, reason: str) -> SecondLook:
    """Store the request; the same one sent twice is stored once."""
    submission = Submission.objects.select_for_update().get(pk=score.submission_id)
    spans = spans_to_json(subject.spans)
    request = {
        "pyramid_id": score.pyramid_id,
        "scu_uid": subject.scu_uid,
        "spans": spans,
        "disputes_match": subject.disputes_match,
        "reason": reason,
    }
    for look in submission.second_looks.waiting():
        if all(getattr(look, name) == value for name, value in request.items()):
            return look
    if refusal := second_look_refusal(submission):
        raise InputError(refusal)
    second_look = SecondLook.objects.create(
        submission=submission, shown_as=subject.shown_as, **request
    )
    document: dict[str, object] = {"second_look": second_look.pk, "level": int(subject.level)}
    _log(second_look, SubmissionEvent.Kind.ASKED, submission.student, document)
    return second_look


@transaction.atomic
def second_look_withdraw(*, second_look: SecondLook, author: User) -> bool:
    """Withdraw the request; False where it was answered (or withdrawn) before."""
    locked = _locked(second_look)
    if not locked.is_open:
        return False
    locked.state = SecondLook.State.WITHDRAWN
    locked.save(update_fields=["state"])
    _log(locked, SubmissionEvent.Kind.WITHDRAWN, author, {"second_look": locked.pk})
    return True


def second_look_stamp(second_look: SecondLook, score: Score) -> str:
    """Identify what a grader sees: it changes with an answer, and with another score."""
    return stamp_of(second_look.state, second_look.answered_at, score.pk)


@transaction.atomic
def second_look_answer(
    *,
    second_look: SecondLook,
    correction: Correction | None,
    text: str,
    author: User,
    stamp: str,
) -> bool:
    """Do what was asked for, as the correction says, or decline it (None).

    Returns False, and does nothing, where the grader's page (``stamp``) is out of date.
    """
    locked = _locked(second_look)
    scores = locked.submission.scores.select_related("pyramid")
    before = scores.oldest_first().reverse()[0]
    if stamp != second_look_stamp(locked, before) or locked.is_withdrawn:
        return False
    again = not locked.is_open
    earlier = _counted(locked, before) if locked.is_accepted else None
    locked.state = SecondLook.State.ACCEPTED if correction else SecondLook.State.DECLINED
    locked.answer, locked.answered_by, locked.answered_at = text, author, timezone.now()
    locked.save(update_fields=["state", "answer", "answered_by", "answered_at"])
    after = before
    if correction is None and earlier is not None:
        after = rescore(score=before)
    elif correction is not None and correction != earlier:
        after = match_correct(
            score=before, correction=correction, author=author, second_look=locked
        )
    Review.objects.all().follow_correction(
        locked.submission_id, before=before, after=after, author=author
    )
    document = {
        "second_look": locked.pk,
        "state": str(locked.state),
        "again": again,
        "disputes_match": locked.disputes_match,
        "before": score_numbers(before),
        "after": score_numbers(after),
    }
    _log(locked, SubmissionEvent.Kind.ANSWERED, author, document)
    return True


def _counted(second_look: SecondLook, score: Score) -> Correction | None:
    """The correction of an accepting answer, carried over to the version that scores now."""
    rows = second_look.corrections.select_related("pyramid")
    carried = Carrier.to_version(score.pyramid).carried([rows.latest("pk")])
    return carried[0] if carried else None


@dataclass(frozen=True, slots=True)
class Prospect:
    """A text as it is scored without an answer to a second look, and what answers would change.

    ``scu_uid`` is the idea that was asked about, if it counts in the version that scores now, and
    ``chosen`` what an earlier answer corrected.
    """

    pyramid: Pyramid
    report: ScoreReport
    machine: ScoreReport
    corrections: tuple[Correction, ...]
    scu_uid: int | None
    chosen: Correction | None

    def with_match(self, scu_uid: int, spans: Spans) -> ScoreReport:
        """The report that would follow if the words were to count as this idea."""
        return self._with(Correction(scu_uid, Verdict.MATCHED, spans))

    def without_match(self, scu_uid: int) -> ScoreReport:
        """The report that would follow if the idea were not to count."""
        return self._with(Correction(scu_uid, Verdict.REMOVED))

    def _with(self, correction: Correction) -> ScoreReport:
        return correct_report(self.machine, self.pyramid, [*self.corrections, correction])


def second_look_prospect(*, second_look: SecondLook, score: Score) -> Prospect:
    """Score the text as if this request had no answer. Writes nothing."""
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
    counted, uid = pyramid.counted(), carrier.uid_of(second_look)
    return Prospect(
        pyramid=counted,
        report=correct_report(report, pyramid, corrections),
        machine=report,
        corrections=corrections,
        scu_uid=uid if uid in counted.numbers() else None,
        chosen=_counted(second_look, score) if second_look.is_accepted else None,
    )


def _locked(second_look: SecondLook) -> SecondLook:
    Submission.objects.select_for_update().get(pk=second_look.submission_id)
    return SecondLook.objects.select_related("submission__student").get(pk=second_look.pk)


def _log(
    second_look: SecondLook, kind: SubmissionEvent.Kind, author: User, document: dict[str, object]
) -> None:
    SubmissionEvent.objects.create(
        submission_id=second_look.submission_id, kind=kind, author=author, document=document
    )
