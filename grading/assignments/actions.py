"""Assignments change their rules, and what rests on them follows."""

from dataclasses import dataclass

from django.db import transaction

from grading.models import Assignment
from grading.scoring.flags import signs_start


@dataclass(frozen=True, slots=True)
class LateChanged:
    """How many submissions are late by a new due date, and how many no longer are."""

    now: int
    no_more: int


@transaction.atomic
def assignment_change(*, assignment: Assignment) -> LateChanged:
    """Keep changed settings; what was handed in is late by the due date that holds now."""
    before = Assignment.objects.select_for_update().get(pk=assignment.pk)
    assignment.save()
    if _read_by_all(before) != _read_by_all(assignment) and assignment.submissions.exists():
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


def _read_by_all(assignment: Assignment) -> tuple[str, str]:
    """What signs of copying and of the topic rest on."""
    return assignment.source_text, assignment.instructions


def assignment_hide_names(*, assignment: Assignment, hidden: bool) -> None:
    """Graders see pseudonyms, or names again."""
    assignment.names_hidden = hidden
    assignment.save(update_fields=["names_hidden"])
