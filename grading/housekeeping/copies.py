"""Copy assignments and courses for the next term, and archive what is over.

A copy has what experts and instructors made, and nothing of students: no work, no scores, no
corrections, no names.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from grading.drafts.log import draft_create
from grading.housekeeping.course_tables import TABLES
from grading.models import (
    Assignment,
    AuditKind,
    Course,
    Draft,
    SavedComment,
    StoredPyramid,
    User,
    record,
)
from grading.pyramid.editing.wording import quoted, shortened
from grading.scoring.conversion import pyramid_from_draft

LONGEST_TITLE = 200
LONGEST_NOTE = 500


@dataclass(frozen=True, slots=True)
class CopyRules:
    """``weeks`` moves due dates, None leaves them out; ``drafts`` copies the newest open draft."""

    weeks: int | None = None
    drafts: bool = False


@transaction.atomic
def assignment_copy(
    *, assignment: Assignment, course: Course, rules: CopyRules, author: User
) -> Assignment:
    """Make an assignment that students do not see yet, with the newest pyramid as version 1."""
    Course.objects.select_for_update().get(pk=course.pk)  # two copies must not get the same title
    table = next(table for table in TABLES if table.model is Assignment)
    fields = {field.attname: getattr(assignment, field.attname) for field in table.copied_fields}
    taken = set(course.assignments.values_list("title", flat=True))
    title, number = assignment.title, 1
    while title in taken:
        number += 1
        end = " (copy)" if number == 2 else f" (copy {number - 1})"
        title = f"{shortened(assignment.title, LONGEST_TITLE - len(end))}{end}"
    copy = Assignment.objects.create(
        **fields
        | {
            "course": course,
            "title": title,
            "state": Assignment.State.DRAFT,
            "due_at": _moved_due_date(assignment, course, rules.weeks),
            "created_at": timezone.now(),
            "mails_since": timezone.now(),
            # These were learnt from the class of the original.
            "match_probability": None,
            "learnt_curve": None,
        }
    )
    # Copy the rows of all tables that say ``copies``, but not who made them.
    for table in TABLES:
        if table.copies:
            rows = table.model._base_manager.filter(assignment=assignment.pk).order_by("pk")
            names = [field.attname for field in table.copied_fields]
            table.model._base_manager.bulk_create(
                table.model(assignment=copy, **{name: getattr(row, name) for name in names})
                for row in rows
            )
    version = _copy_version(assignment, copy, author)
    if rules.drafts:
        _copy_draft(assignment, copy, version, author)
    return copy


@transaction.atomic
def course_copy(*, course: Course, name: str, term: str, rules: CopyRules, author: User) -> Course:
    """Make a course of the author with a copy of each assignment that is not archived."""
    copy = Course(name=name, term=term, time_zone=course.time_zone, sends_mail=course.sends_mail)
    copy.save_with_instructor(author)
    SavedComment.objects.bulk_create(
        SavedComment(course=copy, key=saved.key, text=saved.text)
        for saved in course.saved_comments.all()
    )
    assignments = course.assignments.filter(leaves_at=None, archived_at=None)
    for assignment in assignments.select_related("course").order_by("created_at", "pk"):
        assignment_copy(assignment=assignment, course=copy, rules=rules, author=author)
    return copy


def _moved_due_date(assignment: Assignment, course: Course, weeks: int | None) -> datetime | None:
    """Keep the day of the week, and the time of day in the time zone of the new course."""
    if weeks is None or assignment.due_at is None:
        return None
    local = assignment.due_at.astimezone(ZoneInfo(assignment.course.time_zone))
    moved = local.replace(tzinfo=None) + timedelta(weeks=weeks)
    return moved.replace(tzinfo=ZoneInfo(course.time_zone))


def _copy_version(assignment: Assignment, copy: Assignment, author: User) -> StoredPyramid | None:
    newest = StoredPyramid.objects.newest_of(assignment)
    if newest is None:
        return None
    note = f"Copied from version {newest.number} of {_origin(assignment)}"
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
        origin_note=f"draft {draft.number} of {_origin(assignment)}",
        author=author,
        based_on=version if begun_from_it else None,
    )


def _origin(assignment: Assignment) -> str:
    return f"{quoted(assignment.title)}, {assignment.course}"


@transaction.atomic
def archive(*, row: Course | Assignment) -> None:
    """Archived: it can only be read, which grading/access/ sees to, and is listed apart."""
    row.archived_at = row.archived_at or timezone.now()
    row.save(update_fields=["archived_at"])
    _record_archiving("Archived", row)


@transaction.atomic
def unarchive(*, row: Course | Assignment) -> None:
    row.archived_at = None
    row.save(update_fields=["archived_at"])
    _record_archiving("Reopened", row)


def _record_archiving(verb: str, row: Course | Assignment) -> None:
    if isinstance(row, Course):
        record(AuditKind.COURSE_ARCHIVED, f"{verb} the course.", course=row)
    else:
        record(AuditKind.COURSE_ARCHIVED, f"{verb} an assignment.", assignment=row)
