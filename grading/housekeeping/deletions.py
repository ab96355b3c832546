"""Delete for good: hide at once, keep for some days to be restored, then let the worker delete.

A course or an assignment is hidden in grading/access/, through which everybody comes. The rows of
one student are in many tables, so they are taken out of them at once and kept as one document
until they go: no page can show what is not there.
"""

import json
import logging
import zlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.db import DatabaseError, connection, router, transaction
from django.db.models import CASCADE, ForeignKey, Model, QuerySet
from django.db.models.deletion import Collector
from django.utils import timezone

from grading.housekeeping.course_tables import (
    COPIES_OF_STUDENT_WORK,
    NOT_IN_FILES,
    OF_ACCOUNTS,
    TABLES,
    words_for,
)
from grading.housekeeping.field_values import name_in_files
from grading.models import (
    Assignment,
    AuditKind,
    Course,
    CourseFile,
    CourseFilePart,
    Deletion,
    GradebookExport,
    Job,
    Membership,
    Submission,
    User,
    WorkImport,
    record,
)
from grading.pyramid.errors import InputError
from grading.scoring.flags import flags_start
from grading.scoring.second_opinions import opinions_start

logger = logging.getLogger(__name__)

# The course itself and rows behind the scenes, which no instructor counts.
_NOT_COUNTED = (Course, CourseFilePart, Job)


@dataclass(frozen=True, slots=True)
class DeletionPreview:
    """What a deletion takes: the name to type, and how many rows of each kind."""

    name: str
    counts: dict[str, int]


# --- what goes ---


def course_deletion_preview(*, course: Course) -> DeletionPreview:
    rows = Course.objects.filter(pk=course.pk)
    return DeletionPreview(course.name, _counts(_collected([rows])))


def assignment_deletion_preview(*, assignment: Assignment) -> DeletionPreview:
    rows = Assignment.objects.filter(pk=assignment.pk)
    return DeletionPreview(assignment.title, _counts(_collected([rows])))


def student_deletion_preview(*, course: Course, student: User) -> DeletionPreview:
    return DeletionPreview(str(student), _counts(_collected(_rows_of(course, student))))


def _rows_of(course: Course, student: User) -> list[QuerySet[Any]]:
    return [table.rows_of_student(course, student) for table in TABLES if table.student]


def _collected(roots: Iterable[QuerySet[Any]]) -> Collector:
    """Let Django collect all that it would delete with these rows, so that nothing is missed."""
    collector = Collector(using=router.db_for_write(Course))
    for rows in roots:
        collector.collect(rows)
    return collector


def _pks(collector: Collector) -> dict[type[Model], set[Any]]:
    """By model, each once: Django can reach the same row in several ways."""
    pks: dict[type[Model], set[Any]] = {
        model: {instance.pk for instance in instances}
        for model, instances in collector.data.items()
    }
    for query in collector.fast_deletes:
        pks.setdefault(query.model, set()).update(query.values_list("pk", flat=True))
    return {model: several for model, several in pks.items() if several}


def _counts(collector: Collector) -> dict[str, int]:
    counts = {words_for(model): len(pks) for model, pks in _pks(collector).items()}
    not_counted = {words_for(model) for model in _NOT_COUNTED}
    return {words: count for words, count in sorted(counts.items()) if words not in not_counted}


# --- asking for it ---


@transaction.atomic
def course_delete(*, course: Course, asked_by: User) -> Deletion:
    """Hide the course from everybody; after the grace period it is gone for good."""
    locked = Course.objects.select_for_update().get(pk=course.pk)
    if pending := _pending_in(course).filter(kind=Deletion.Kind.COURSE).first():
        return pending
    counts = course_deletion_preview(course=locked).counts
    deletion = _create(Deletion.Kind.COURSE, locked, locked.pk, counts, asked_by)
    Course.objects.filter(pk=locked.pk).update(leaves_at=deletion.leaves_at)
    CourseFile.objects.filter(course=locked).delete()
    return deletion


@transaction.atomic
def assignment_delete(*, assignment: Assignment, asked_by: User) -> Deletion:
    """Hide the assignment likewise."""
    locked = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if pending := _pending_in(locked.course).filter(assignment=locked).first():
        return pending
    counts = assignment_deletion_preview(assignment=locked).counts
    deletion = _create(Deletion.Kind.ASSIGNMENT, locked.course, locked.pk, counts, asked_by)
    Deletion.objects.filter(pk=deletion.pk).update(assignment=locked)
    Assignment.objects.filter(pk=locked.pk).update(leaves_at=deletion.leaves_at)
    CourseFile.objects.filter(course=locked.course).delete()
    return deletion


@transaction.atomic
def student_delete(*, course: Course, student: User, asked_by: User) -> Deletion:
    """Take all that is a student's out of the course, and keep it until it goes for good.

    Files and findings with the work of many go at once, as they can be made again without it. A
    second call, with nothing new of the student, returns the deletion that is pending.
    """
    locked = Course.objects.select_for_update().get(pk=course.pk)
    collector = _collected(_rows_of(locked, student))
    pending = _pending_in(locked).filter(kind=Deletion.Kind.STUDENT, student=student).first()
    if pending and not _pks(collector):
        return pending
    kept = _serialized(collector)
    deletion = _create(Deletion.Kind.STUDENT, locked, student.pk, _counts(collector), asked_by)
    Deletion.objects.filter(pk=deletion.pk).update(student=student, kept=kept)
    _find_flags_again(locked, student, asked_by)
    collector.delete()
    _delete_copies(locked, asked_by)
    return deletion


def _find_flags_again(course: Course, student: User, asked_by: User) -> None:
    """Others' texts may be flagged for what they share with this student's."""
    theirs = Submission.objects.filter(assignment__course=course, student=student)
    for assignment in Assignment.objects.filter(pk__in=theirs.values("assignment")):
        flags_start(assignment=assignment, requested_by=asked_by)


def _pending_in(course: Course) -> QuerySet[Deletion]:
    return Deletion.objects.filter(course=course, state=Deletion.State.WAITING)


def _create(
    kind: Deletion.Kind, course: Course, number: int, counts: dict[str, int], asked_by: User
) -> Deletion:
    deletion = Deletion.objects.create(
        kind=kind,
        number=number,
        course=course,
        course_number=course.pk,
        counts=counts,
        asked_by=asked_by,
        leaves_at=timezone.now() + timedelta(days=settings.GRACE_DAYS),
    )
    sentence = f"Asked for deletion {deletion.pk}: {deletion.get_kind_display().lower()}."
    record(AuditKind.DELETION_STARTED, sentence, course=course, actor=asked_by)
    return deletion


def _delete_copies(course: Course, asked_by: User) -> None:
    """Delete rows with copies of students' work or names, whoever they are about."""
    for model, course_lookup in COPIES_OF_STUDENT_WORK.items():
        model._base_manager.filter(**{course_lookup: course.pk}).delete()
    unfinished = WorkImport.objects.unfinished().filter(assignment__course=course)
    for work_import in unfinished.select_for_update():
        work_import.end(WorkImport.State.DISCARDED, asked_by)
    # That a gradebook was exported stays in its log.
    exports = GradebookExport.objects.filter(assignment__course=course)
    exports.update(data=b"", is_there=False)
    # Errors of failed jobs name students.
    Job.objects.filter(assignment__course=course, state=Job.State.FAILED).delete()


# --- a student's rows as a document ---


def _serialized(collector: Collector) -> bytes:
    """All rows but those that can be calculated again, and where rows that stay led to them."""
    rows = [
        row
        for model, pks in _pks(collector).items()
        if model not in NOT_IN_FILES
        for row in serializers.serialize("python", model._base_manager.filter(pk__in=pks))
    ]
    updates: Any = collector.field_updates  # its values are lists of lists, not as typed
    links = [
        {
            "model": key.model._meta.label,
            "pk": row.pk,
            "field": key.name,
            "to": getattr(row, key.attname),
        }
        for (key, _), batches in updates.items()
        if key.model not in NOT_IN_FILES
        for batch in batches
        for row in batch
    ]

    def as_text(value: Any) -> str:
        # Django's own encoder cuts times to milliseconds.
        return value.isoformat() if isinstance(value, datetime) else str(value)

    return zlib.compress(json.dumps({"rows": rows, "led": links}, default=as_text).encode())


def _with_parents(rows: list[Any]) -> list[Any]:
    """Leave out rows that lead to nothing, and those that lead to them, and so on."""
    while True:
        restored: dict[Any, set[Any]] = {}
        for row in rows:
            restored.setdefault(type(row), set()).add(row.pk)
        complete = [row for row in rows if _has_parents(row, restored)]
        if len(complete) == len(rows):
            return rows
        rows = complete


def _has_parents(row: Model, restored: dict[Any, set[Any]]) -> bool:
    """Keys that may be empty are emptied where they lead to nothing."""
    for key in row._meta.fields:
        if not isinstance(key, ForeignKey):
            continue
        pk = getattr(row, key.attname)
        model: Any = key.related_model
        if pk is None or pk in restored.get(model, ()):
            continue
        if not model._base_manager.filter(pk=pk).exists():
            if not key.null:
                return False
            setattr(row, key.attname, None)
    return True


# --- restoring ---


@transaction.atomic
def deletion_restore(*, deletion: Deletion, author: User) -> bool:
    """Restore it; False where it was restored already, or is gone, by now."""
    locked = _locked(deletion.pk)
    if locked is None:
        return False
    if locked.kind == Deletion.Kind.COURSE:
        Course.objects.filter(pk=locked.number).update(leaves_at=None)
    elif locked.kind == Deletion.Kind.ASSIGNMENT:
        Assignment.objects.filter(pk=locked.number).update(leaves_at=None)
    else:
        course, student = locked.course, locked.student
        if course is None or student is None:
            raise InputError(
                "The account or the course no longer exists, so this can't be restored."
            )
        owned = [table for table in TABLES if table.student and table.model is not Membership]
        if any(table.rows_of_student(course, student).exists() for table in owned):
            raise InputError(
                "This student joined the course again and has new work or a new grade. "
                "Delete the new work first, or keep it and leave the old work deleted."
            )
        Membership.objects.filter(course=course, user=student).delete()  # the old one comes back
        # Save the rows with their old numbers, without those whose parents are gone by now.
        document = json.loads(zlib.decompress(bytes(locked.kept)))
        kept = [_with_current_names(row) for row in document["rows"]]
        rows = [item.object for item in serializers.deserialize("python", kept)]
        for row in _with_parents(rows):
            row.save_base(raw=True, force_insert=True)
        for link in document["led"]:
            model = apps.get_model(link["model"])
            target = model._meta.get_field(link["field"]).related_model
            if target._base_manager.filter(pk=link["to"]).exists():
                unlinked = model._base_manager.filter(**{"pk": link["pk"], link["field"]: None})
                unlinked.update(**{link["field"]: link["to"]})
        _find_flags_again(course, student, author)
        for assignment in Assignment.objects.filter(course=course, submissions__student=student):
            opinions_start(assignment=assignment, requested_by=author)
    _end(locked, Deletion.State.TAKEN_BACK, author)
    return True


def _with_current_names(row: dict[str, Any]) -> dict[str, Any]:
    """A serialized row, in which a field may have its first name: it was kept before a renaming."""
    fields = apps.get_model(row["model"])._meta.concrete_fields
    names = {name_in_files(field): field.name for field in fields}
    return row | {"fields": {names.get(name, name): value for name, value in row["fields"].items()}}


def _locked(pk: int) -> Deletion | None:
    pending = Deletion.objects.select_for_update().filter(state=Deletion.State.WAITING)
    return pending.filter(pk=pk).first()


def _end(deletion: Deletion, state: Deletion.State, author: User | None) -> None:
    """Keep a note of who asked for what and how much it was, and nothing else."""
    sentence = f"Deletion {deletion.pk} ended: {state.label.lower()}."
    record(AuditKind.DELETION_ENDED, sentence, course=deletion.course, actor=author)
    Deletion.objects.filter(pk=deletion.pk).update(
        state=state,
        ended_at=timezone.now(),
        ended_by=author,
        kept=b"",
        student=None,
        assignment=None,
    )


# --- the end ---


def clear_away() -> int:
    """Delete for good what has waited long enough, and expired files; return how many deletions.

    What cannot be deleted keeps no other from being deleted, and is tried again next time.
    """
    now = timezone.now()
    CourseFile.objects.filter(expires_at__lte=now).delete()
    due = Deletion.objects.filter(state=Deletion.State.WAITING, leaves_at__lte=now)
    done = 0
    for pk in due.values_list("pk", flat=True):
        try:
            done += _finish(pk)
        except DatabaseError:
            logger.exception("Deletion %s could not be carried out.", pk)
    if done and connection.vendor == "sqlite" and not connection.in_atomic_block:
        # What was deleted is still in the log of writes, until that is folded into the database.
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return done


@transaction.atomic
def _finish(pk: int) -> bool:
    deletion = _locked(pk)
    if deletion is None:
        return False
    people: set[int] = set()
    if deletion.kind == Deletion.Kind.COURSE and deletion.course is not None:
        people = _finish_course(deletion.course)
    elif deletion.kind == Deletion.Kind.ASSIGNMENT:
        Assignment.objects.filter(pk=deletion.number).delete()
    elif deletion.student_id is not None:
        people = {deletion.student_id}
    _end(deletion, Deletion.State.DONE, None)
    _delete_unused_accounts(people)
    return True


def _finish_course(course: Course) -> set[int]:
    """Delete it and end other deletions in it; return whose accounts it may have made."""
    people = set(course.memberships.values_list("user", flat=True))
    people |= set(course.removed_members.values_list("user", flat=True))
    people |= set(
        Submission.objects.filter(assignment__course=course).values_list("student", flat=True)
    )
    for other in _pending_in(course).exclude(kind=Deletion.Kind.COURSE):
        if other.student_id is not None:
            people.add(other.student_id)
        _end(other, Deletion.State.DONE, None)
    Course.objects.filter(pk=course.pk).delete()
    return people


def _delete_unused_accounts(people: Collection[int]) -> None:
    """Delete accounts that a roster or an import made and that nobody has ever used.

    Whoever has logged in has an account of their own, which they or the administrator delete.
    """
    unused = User.objects.filter(pk__in=people, last_login=None)
    unused = unused.filter(is_staff=False, is_superuser=False, may_create_courses=False)
    pending = Deletion.objects.filter(student__isnull=False, state=Deletion.State.WAITING)
    unused = unused.exclude(pk__in=pending.values("student"))
    for relation in User._meta.related_objects:
        goes_along = relation.on_delete is CASCADE and relation.related_model not in OF_ACCOUNTS
        if goes_along:  # so the account is in use somewhere else
            key = relation.field.attname
            unused = unused.exclude(pk__in=relation.related_model._base_manager.values(key))
    unused.delete()
