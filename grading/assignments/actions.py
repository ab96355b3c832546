"""Change an assignment's settings, and say who sees results."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction

from grading.models import Assignment, Submission, SubmissionEvent, User
from grading.scoring.flags import signs_start

_EVENTS = {
    Submission.Visibility.SHOWN: SubmissionEvent.Kind.RELEASED,
    Submission.Visibility.HELD: SubmissionEvent.Kind.HELD,
    Submission.Visibility.RULE: SubmissionEvent.Kind.BY_RULE,
}


@dataclass(frozen=True, slots=True)
class LateChanged:
    """How many submissions are late by a new due date, and how many no longer are."""

    now: int
    no_more: int


@transaction.atomic
def assignment_change(*, assignment: Assignment) -> LateChanged:
    """Save changed settings, and mark submissions as late by the due date that holds now."""
    before = Assignment.objects.select_for_update().get(pk=assignment.pk)
    assignment.save()
    is_same_task = (before.source_text, before.instructions) == (
        assignment.source_text,
        assignment.instructions,
    )
    if not is_same_task and assignment.submissions.exists():
        # Flags of copying and of the topic rest on the source and the instructions.
        signs_start(assignment=assignment, requested_by=None)
    submissions = assignment.submissions
    in_time, too_late = submissions.all(), submissions.none()
    if assignment.due_at is not None:
        in_time = submissions.filter(submitted_at__lte=assignment.due_at)
        too_late = submissions.filter(submitted_at__gt=assignment.due_at)
    return LateChanged(
        now=too_late.filter(late=False).update(late=True),
        no_more=in_time.filter(late=True).update(late=False),
    )


def assignment_hide_names(*, assignment: Assignment, hidden: bool) -> None:
    """Graders see pseudonyms, or names again."""
    assignment.names_hidden = hidden
    assignment.save(update_fields=["names_hidden"])


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
    lifted: an attempt after one that is held back is held back as well.
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
    return Released(len(rows), len({student for _, student in rows}))
