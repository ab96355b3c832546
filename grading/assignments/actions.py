"""Change an assignment's settings, and say who sees results."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction

from grading.jobs.claims import job_start
from grading.models import Assignment, AuditKind, Job, Submission, SubmissionEvent, User, record
from grading.pyramid.figures import number_of
from grading.scoring.flags import flags_start
from grading.scoring.lateness import LateChanged, submissions_mark_late
from grading.scoring.second_opinions import opinions_start

_EVENTS = {
    Submission.Visibility.SHOWN: SubmissionEvent.Kind.RELEASED,
    Submission.Visibility.HELD_BACK: SubmissionEvent.Kind.HELD_BACK,
    Submission.Visibility.RULE: SubmissionEvent.Kind.BY_RULE,
}


@transaction.atomic
def assignment_change(*, assignment: Assignment, fields: Collection[str]) -> LateChanged:
    """Save changed settings, and mark submissions as late by the current due date.

    Only ``fields`` are written: two people may save two sections at the same time.
    """
    before = Assignment.objects.select_for_update().get(pk=assignment.pk)
    assignment.save(update_fields=fields)
    assignment.refresh_from_db()
    if before.release != assignment.release:
        sentence = f"Changed when results are shown to “{assignment.get_release_display()}”."
        record(AuditKind.RELEASE_RULE_CHANGED, sentence, assignment=assignment)
    is_same_task = (before.source_text, before.instructions) == (
        assignment.source_text,
        assignment.instructions,
    )
    if not is_same_task and assignment.submissions.exists():
        # Flags of copying and of the topic rest on the source and the instructions.
        flags_start(assignment=assignment, requested_by=None)
    if before.source_text != assignment.source_text:
        opinions_start(assignment=assignment, requested_by=None)
    return submissions_mark_late(assignment=assignment)


@dataclass(frozen=True, slots=True)
class Released:
    """How many attempts of how many students changed."""

    attempts: int
    students: int


@transaction.atomic
def submissions_release(
    *,
    assignment: Assignment,
    students: Collection[int],
    visibility: Submission.Visibility,
    author: User,
    only_waiting: bool = False,
) -> Released:
    """Set who sees the results of all attempts that these students have submitted.

    Later attempts follow the rule of the assignment, except that holding back lasts until it is
    lifted: an attempt after one that is held back is held back as well. A release starts the job
    that sends e-mails.
    ``only_waiting`` leaves alone attempts that were released or held back before.
    """
    # Nobody submits meanwhile: the attempt would miss being held back.
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    attempts = assignment.submissions.filter(student__in=students).exclude(visibility=visibility)
    if only_waiting:
        attempts = attempts.filter(visibility=Submission.Visibility.RULE)
    rows = list(attempts.order_by("pk").select_for_update().values_list("pk", "student"))
    pks = [pk for pk, _ in rows]
    Submission.objects.filter(pk__in=pks).update(visibility=visibility)
    SubmissionEvent.objects.bulk_create(
        SubmissionEvent(submission_id=pk, kind=_EVENTS[visibility], author=author) for pk in pks
    )
    released = Released(len(rows), len({student for _, student in rows}))
    if rows and visibility == Submission.Visibility.SHOWN:
        job_start(kind=Job.Kind.SEND_MAIL, assignment=assignment, requested_by=author)
    if rows:
        results = (
            f"{number_of(released.attempts, 'result')} of {number_of(released.students, 'student')}"
        )
        sentence = {
            Submission.Visibility.SHOWN: f"Released {results}.",
            Submission.Visibility.HELD_BACK: f"Held back {results}.",
            Submission.Visibility.RULE: f"Applied the assignment's rule to {results}.",
        }[visibility]
        record(AuditKind.RESULTS_RELEASED, sentence, assignment=assignment, actor=author)
    return released
