"""An assignment goes on in another course, or in the same: what experts and instructors made.

Nothing of students is copied: no work, no scores, no corrections, no names.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from grading.courses.actions import course_create
from grading.drafts.log import draft_create
from grading.housekeeping.course_tables import TABLES
from grading.models import Assignment, Course, Draft, StoredPyramid, User
from grading.models.courses import new_code
from grading.pyramid.editing.wording import quoted, shortened
from grading.scoring.conversion import pyramid_from_draft

LONGEST_TITLE = 200
LONGEST_NOTE = 500


@dataclass(frozen=True, slots=True)
class CopyRules:
    """``weeks`` moves the due date; None leaves it out. ``drafts``: the newest open one too?"""

    weeks: int | None = None
    drafts: bool = False


@transaction.atomic
def assignment_copy(
    *, assignment: Assignment, course: Course, rules: CopyRules, author: User
) -> Assignment:
    """A new assignment that students do not see yet, with its newest pyramid as version 1."""
    Course.objects.select_for_update().get(pk=course.pk)  # one choice of titles at a time
    table = next(one for one in TABLES if one.model is Assignment)
    kept = {one.attname: getattr(assignment, one.attname) for one in table.copied_fields}
    copy = Assignment.objects.create(
        **kept
        | {
            "course": course,
            "title": _free_title(assignment, course),
            "state": Assignment.State.DRAFT,
            "due_at": _moved(assignment, course, rules.weeks),
            "created_at": timezone.now(),
            "match_probability": None,  # these were found with that class
            "learnt_curve": None,
        }
    )
    _copy_settings(assignment, copy)
    version = _copy_version(assignment, copy, author)
    if rules.drafts:
        _copy_draft(assignment, copy, version, author)
    return copy


@transaction.atomic
def course_copy(*, course: Course, name: str, term: str, rules: CopyRules, author: User) -> Course:
    """A new course of the author with a copy of each assignment, archived ones apart."""
    made = course_create(
        course=Course(name=name, term=term, code=new_code(), time_zone=course.time_zone),
        instructor=author,
    )
    assignments = course.assignments.filter(leaves_at=None, archived_at=None)
    for assignment in assignments.select_related("course").order_by("created_at", "pk"):
        assignment_copy(assignment=assignment, course=made, rules=rules, author=author)
    return made


def _free_title(assignment: Assignment, course: Course) -> str:
    taken = set(course.assignments.values_list("title", flat=True))
    title, number = assignment.title, 1
    while title in taken:
        number += 1
        end = " (copy)" if number == 2 else f" (copy {number - 1})"
        title = f"{shortened(assignment.title, LONGEST_TITLE - len(end))}{end}"
    return title


def _moved(assignment: Assignment, course: Course, weeks: int | None) -> datetime | None:
    """The same day of the week and the same time on the clocks of the course that it goes to."""
    if weeks is None or assignment.due_at is None:
        return None
    there = assignment.due_at.astimezone(ZoneInfo(assignment.course.time_zone))
    moved = there.replace(tzinfo=None) + timedelta(weeks=weeks)
    return moved.replace(tzinfo=ZoneInfo(course.time_zone))


def _copy_settings(assignment: Assignment, copy: Assignment) -> None:
    """Whatever TABLES says belongs to the assignment's making; who made it is not copied."""
    for table in TABLES:
        if table.copies:
            rows = table.model._base_manager.filter(assignment=assignment.pk).order_by("pk")
            names = [one.attname for one in table.copied_fields]
            table.model._base_manager.bulk_create(
                table.model(assignment=copy, **{name: getattr(row, name) for name in names})
                for row in rows
            )


def _copy_version(assignment: Assignment, copy: Assignment, author: User) -> StoredPyramid | None:
    newest = StoredPyramid.objects.newest_of(assignment)
    if newest is None:
        return None
    note = f"Copied from version {newest.number} of {_whence(assignment)}"
    return StoredPyramid.objects.create(
        assignment=copy,
        number=1,
        document=newest.document,
        content_hash=newest.content_hash,
        signature=newest.signature,
        note=shortened(note, LONGEST_NOTE),
        created_by=author,
    )


def _copy_draft(
    assignment: Assignment, copy: Assignment, version: StoredPyramid | None, author: User
) -> None:
    draft = Draft.objects.open_of(assignment).first()
    if draft is None:
        return
    newest = StoredPyramid.objects.newest_of(assignment)
    begun_from_it = newest is not None and draft.based_on_id == newest.pk
    draft_create(
        assignment=copy,
        pyramid=pyramid_from_draft(draft),
        origin=Draft.Origin.COPY,
        origin_note=f"draft {draft.number} of {_whence(assignment)}",
        author=author,
        based_on=version if begun_from_it else None,
    )


def _whence(assignment: Assignment) -> str:
    return f"{quoted(assignment.title)}, {assignment.course}"
