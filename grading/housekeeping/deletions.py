"""Deleting for good: hidden at once, to be brought back for some days, then deleted by the worker.

A course or an assignment is hidden where everybody comes through: grading/access/. The rows of
one student are everywhere, so they are taken out of their tables at once and kept as one document
until they go: no page can show what is not there.
"""

import json
import logging
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.db import DatabaseError, router, transaction
from django.db.models import CASCADE, ForeignKey, Model, QuerySet
from django.db.models.deletion import Collector
from django.utils import timezone

from grading.bulk_import.actions import import_discard
from grading.housekeeping.course_tables import (
    HOLDING_PEOPLE,
    NOT_IN_FILES,
    OF_ACCOUNTS,
    TABLES,
    words_for,
)
from grading.models import (
    Assignment,
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
)
from grading.pyramid.errors import InputError
from grading.scoring.flags import signs_start

logger = logging.getLogger(__name__)

# Of a course, nobody asks how many of these there are.
_NOT_TOLD = (Course, CourseFilePart, Job)


@dataclass(frozen=True, slots=True)
class Leaving:
    """What would go, or goes: its name, to be typed, and how many rows of each kind."""

    name: str
    counts: dict[str, int]


# --- what goes ---


def course_leaving(*, course: Course) -> Leaving:
    return Leaving(course.name, _counts(_collected([Course.objects.filter(pk=course.pk)])))


def assignment_leaving(*, assignment: Assignment) -> Leaving:
    rows = Assignment.objects.filter(pk=assignment.pk)
    return Leaving(assignment.title, _counts(_collected([rows])))


def student_leaving(*, course: Course, student: User) -> Leaving:
    return Leaving(str(student), _counts(_collected(_rows_of(course, student))))


def _rows_of(course: Course, student: User) -> list[QuerySet[Any]]:
    owned = [table for table in TABLES if table.student]
    return [table.rows_of_student(course, student) for table in owned]


def _collected(roots: Iterable[QuerySet[Any]]) -> Collector:
    """What Django would delete with these rows: nothing that a model forgets to say is missed."""
    collector = Collector(using=router.db_for_write(Course))
    for rows in roots:
        collector.collect(rows)
    return collector


def _pks(collector: Collector) -> dict[type[Model], set[Any]]:
    """By model; Django comes to some rows on more ways than one."""
    found: dict[type[Model], set[Any]] = {
        model: {one.pk for one in instances} for model, instances in collector.data.items()
    }
    for rows in collector.fast_deletes:
        found.setdefault(rows.model, set()).update(rows.values_list("pk", flat=True))
    return {model: pks for model, pks in found.items() if pks}


def _counts(collector: Collector) -> dict[str, int]:
    found = {words_for(model): len(pks) for model, pks in _pks(collector).items()}
    not_told = {words_for(model) for model in _NOT_TOLD}
    return {words: count for words, count in sorted(found.items()) if words not in not_told}


# --- asking ---


@transaction.atomic
def course_delete(*, course: Course, asked_by: User) -> Deletion:
    """Hide the course from everybody; after the grace period it is gone for good."""
    locked = Course.objects.select_for_update().get(pk=course.pk)
    if waiting := _waiting(course).filter(kind=Deletion.Kind.COURSE).first():
        return waiting
    leaving = course_leaving(course=locked)
    deletion = _ask(Deletion.Kind.COURSE, locked, locked.pk, leaving, asked_by)
    Course.objects.filter(pk=locked.pk).update(leaves_at=deletion.leaves_at)
    CourseFile.objects.filter(course=locked).delete()
    return deletion


@transaction.atomic
def assignment_delete(*, assignment: Assignment, asked_by: User) -> Deletion:
    """The same of one assignment."""
    locked = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if waiting := _waiting(locked.course).filter(assignment=locked).first():
        return waiting
    leaving = assignment_leaving(assignment=locked)
    deletion = _ask(Deletion.Kind.ASSIGNMENT, locked.course, locked.pk, leaving, asked_by)
    Deletion.objects.filter(pk=deletion.pk).update(assignment=locked)
    Assignment.objects.filter(pk=locked.pk).update(leaves_at=deletion.leaves_at)
    CourseFile.objects.filter(course=locked.course).delete()
    return deletion


@transaction.atomic
def student_delete(*, course: Course, student: User, asked_by: User) -> Deletion:
    """Take all that is a student's in the course out of it, and keep it until it goes for good.

    Files and findings with the work of many go at once; they can be made again without it. Asked
    again while there is nothing new of the student, it returns the deletion that waits.
    """
    locked = Course.objects.select_for_update().get(pk=course.pk)
    collector = _collected(_rows_of(locked, student))
    waiting = _waiting(locked).filter(kind=Deletion.Kind.STUDENT, student=student).first()
    if waiting and not _pks(collector):
        return waiting
    kept = _kept(collector)
    deletion = _ask(
        Deletion.Kind.STUDENT,
        locked,
        student.pk,
        Leaving(str(student), _counts(collector)),
        asked_by,
    )
    Deletion.objects.filter(pk=deletion.pk).update(student=student, kept=kept)
    _find_signs_anew(locked, student, asked_by)
    collector.delete()
    _forget_copies(locked, asked_by)
    return deletion


def _find_signs_anew(course: Course, student: User, asked_by: User) -> None:
    """Others' texts are compared with what is there: once this is committed."""
    theirs = Submission.objects.filter(assignment__course=course, student=student)
    for assignment in Assignment.objects.filter(pk__in=theirs.values("assignment")):
        signs_start(assignment=assignment, requested_by=asked_by)


def _waiting(course: Course) -> QuerySet[Deletion]:
    return Deletion.objects.filter(course=course, state=Deletion.State.WAITING)


def _ask(
    kind: Deletion.Kind, course: Course, number: int, leaving: Leaving, asked_by: User
) -> Deletion:
    return Deletion.objects.create(
        kind=kind,
        number=number,
        course=course,
        course_number=course.pk,
        counts=leaving.counts,
        asked_by=asked_by,
        leaves_at=timezone.now() + timedelta(days=settings.GRACE_DAYS),
    )


def _forget_copies(course: Course, asked_by: User) -> None:
    """Rows with the work or the names of whoever is in the class."""
    holding = {table.model: table.course for table in TABLES if table.holds_people}
    for model, way in (holding | dict(HOLDING_PEOPLE)).items():
        model._base_manager.filter(**{way: course.pk}).delete()
    for waiting in WorkImport.objects.unfinished().filter(assignment__course=course):
        import_discard(work_import=waiting, author=asked_by)
    # That a gradebook was exported stays in its log.
    exports = GradebookExport.objects.filter(assignment__course=course)
    exports.update(data=b"", is_there=False)
    # What failed names whom it failed for.
    Job.objects.filter(assignment__course=course, state=Job.State.FAILED).delete()


# --- a student's rows, kept ---


def _kept(collector: Collector) -> bytes:
    """All rows as they are, but for what is worked out again, and where others led to them."""
    rows = [
        row
        for model, pks in _pks(collector).items()
        if model not in NOT_IN_FILES
        for row in serializers.serialize("python", model._base_manager.filter(pk__in=pks))
    ]
    led = [
        {"model": key.model._meta.label, "pk": pk, "field": key.name, "to": to}
        for (key, _), found in collector.field_updates.items()
        if key.model not in NOT_IN_FILES
        for pk, to in _were(key, found)
    ]
    return zlib.compress(json.dumps({"rows": rows, "led": led}, default=_told).encode())


def _told(value: Any) -> str:
    """To the microsecond, which Django's own encoder does not keep."""
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _were(key: Any, found: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Rows that stay, and what they led to; Django keeps them as a list of lists."""
    for instances in found:
        for one in instances:
            yield one.pk, getattr(one, key.attname)


def _put_back(kept: bytes) -> None:
    """Rows with their old numbers; those of what was deleted for good meanwhile stay away."""
    document = json.loads(zlib.decompress(kept))
    rows = [one.object for one in serializers.deserialize("python", document["rows"])]
    for row in _with_all_they_lead_to(rows):
        row.save_base(raw=True, force_insert=True)
    for one in document["led"]:
        model = apps.get_model(one["model"])
        to = model._meta.get_field(one["field"]).related_model
        if to._base_manager.filter(pk=one["to"]).exists():
            there = model._base_manager.filter(**{"pk": one["pk"], one["field"]: None})
            there.update(**{one["field"]: one["to"]})


def _with_all_they_lead_to(rows: list[Any]) -> list[Any]:
    while True:
        here: dict[Any, set[Any]] = {}
        for row in rows:
            here.setdefault(type(row), set()).add(row.pk)
        standing = [
            row for row in rows if all(_leads_somewhere(row, key, here) for key in _keys(row))
        ]
        if len(standing) == len(rows):
            return rows
        rows = standing


def _keys(row: Model) -> list[Any]:
    return [one for one in row._meta.fields if isinstance(one, ForeignKey)]


def _leads_somewhere(row: Model, key: Any, here: dict[Any, set[Any]]) -> bool:
    to = getattr(row, key.attname)
    model = key.related_model
    if to is None or to in here.get(model, ()):
        return True
    if model._base_manager.filter(pk=to).exists():
        return True
    if key.null:
        setattr(row, key.attname, None)
        return True
    return False


# --- bringing back ---


@transaction.atomic
def deletion_take_back(*, deletion: Deletion, author: User) -> bool:
    """Bring it back; False where it was brought back, or is gone, by now."""
    locked = _locked(deletion.pk)
    if locked is None:
        return False
    if locked.kind == Deletion.Kind.COURSE:
        Course.objects.filter(pk=locked.number).update(leaves_at=None)
    elif locked.kind == Deletion.Kind.ASSIGNMENT:
        Assignment.objects.filter(pk=locked.number).update(leaves_at=None)
    else:
        _bring_student_back(locked, author)
    _end(locked, Deletion.State.TAKEN_BACK, author)
    return True


def _bring_student_back(deletion: Deletion, author: User) -> None:
    course, student = deletion.course, deletion.student
    if course is None or student is None:
        raise InputError("The account or the course is gone: this cannot be brought back.")
    owned = [table for table in TABLES if table.student and table.model is not Membership]
    if any(table.rows_of_student(course, student).exists() for table in owned):
        raise InputError(
            "This student has joined the course again, and there is new work or a new grade. Two "
            "beginnings cannot be put together: delete the new one first, or leave the old one."
        )
    Membership.objects.filter(course=course, user=student).delete()  # the old one comes back
    _put_back(bytes(deletion.kept))
    _find_signs_anew(course, student, author)


def _locked(pk: int) -> Deletion | None:
    waiting = Deletion.objects.select_for_update().filter(state=Deletion.State.WAITING)
    return waiting.filter(pk=pk).first()


def _end(deletion: Deletion, state: Deletion.State, author: User | None) -> None:
    """From now on it says who asked for what, how much it was, and nothing else."""
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
    """Delete for good what has waited long enough, and files that are too old; how many."""
    now = timezone.now()
    CourseFile.objects.filter(expires_at__lte=now).delete()
    due = Deletion.objects.filter(state=Deletion.State.WAITING, leaves_at__lte=now)
    return sum(_finish_or_log(pk) for pk in due.values_list("pk", flat=True))


def _finish_or_log(pk: int) -> bool:
    """What cannot be deleted keeps no other from being deleted; it is tried again next time."""
    try:
        return _finish(pk)
    except DatabaseError:
        logger.exception("Deletion %s could not be carried out.", pk)
        return False


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
    _forget_accounts(people)
    return True


def _finish_course(course: Course) -> set[int]:
    """Delete it, with whatever in it waited by itself; gives whose accounts it may have made."""
    people = set(course.memberships.values_list("user", flat=True))
    people |= set(
        Submission.objects.filter(assignment__course=course).values_list("student", flat=True)
    )
    for other in _waiting(course).exclude(kind=Deletion.Kind.COURSE):
        if other.student_id is not None:
            people.add(other.student_id)
        _end(other, Deletion.State.DONE, None)
    Course.objects.filter(pk=course.pk).delete()
    return people


def _forget_accounts(people: Collection[int]) -> None:
    """Accounts that a roster or an import made, and that nobody has ever used, go as well.

    Whoever has logged in has an account of their own, which is for them or the administrator.
    """
    unused = User.objects.filter(pk__in=people, last_login=None)
    unused = unused.filter(is_staff=False, is_superuser=False, may_create_courses=False)
    waiting = Deletion.objects.filter(student__isnull=False, state=Deletion.State.WAITING)
    unused = unused.exclude(pk__in=waiting.values("student"))
    for relation in User._meta.related_objects:
        goes_along = relation.on_delete is CASCADE and relation.related_model not in OF_ACCOUNTS
        if goes_along:  # so the account is in use somewhere else
            key = relation.field.attname
            unused = unused.exclude(pk__in=relation.related_model._base_manager.values(key))
    unused.delete()
