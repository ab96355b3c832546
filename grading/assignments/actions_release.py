"""Release: whether students see their results, said by hand for some or for all."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction

from grading.models import Assignment, Submission, SubmissionEvent, User

_EVENTS = {
    Submission.Visibility.SHOWN: SubmissionEvent.Kind.RELEASED,
    Submission.Visibility.HELD: SubmissionEvent.Kind.HELD,
    Submission.Visibility.RULE: SubmissionEvent.Kind.BY_RULE,
}


@dataclass(frozen=True, slots=True)
class Released:
    """How many attempts of how many students are now shown or not as they were not before."""

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
    ``only_waiting`` leaves alone what was said of an attempt by hand before.
    """
    # Nobody submits meanwhile: the attempt would miss being held back.
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    attempts = assignment.submissions.filter(student__in=students).exclude(visibility=visibility)
    if only_waiting:
        attempts = attempts.filter(visibility=Submission.Visibility.RULE)
    found = list(attempts.order_by("pk").select_for_update().values_list("pk", "student"))
    pks = [pk for pk, _ in found]
    Submission.objects.filter(pk__in=pks).update(visibility=visibility)
    SubmissionEvent.objects.bulk_create(
        SubmissionEvent(submission_id=pk, kind=_EVENTS[visibility], author=author) for pk in pks
    )
    return Released(len(found), len({student for _, student in found}))
