"""A course in a file is taken in: first looked through without writing, then written all at once.

What is in the file is other people's word. Each row is checked field by field, each key leads to a
row of the same file, people get no rights but their place in the new course, and nothing that was
there before is changed. Whatever does not fit is an InputError with the part, the line and the
field, and then nothing is written.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, BinaryIO, cast

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction
from django.db.models import Field, Model
from django.utils import timezone

from grading.housekeeping.course_people import People
from grading.housekeeping.course_tables import PEOPLE, TABLES, Table
from grading.housekeeping.field_values import InFileError, value_in
from grading.jobs.claims import Claim, course_job_start
from grading.models import Course, CourseFile, Job, Membership, Role, User
from grading.pyramid.errors import InputError
from grading.pyramid.formats.course_archive import ArchiveReader, Row, table_file

ROWS_TOGETHER = 200
KNOWN_TABLES = [PEOPLE.name, *(table.name for table in TABLES)]


@dataclass(frozen=True, slots=True)
class Choices:
    """What the instructor said on seeing what is in the file."""

    name: str
    term: str
    joins_accounts: bool  # do people who have an account here already get into the course?


@dataclass(frozen=True, slots=True)
class CourseInFile:
    """What a file holds, before anything of it is written."""

    name: str
    term: str
    product_version: str
    written_at: str
    rows: list[tuple[str, int]]
    people: People


@transaction.atomic
def import_keep(*, content: BinaryIO, name: str, owner: User) -> CourseFile:
    """Keep a file that was looked at, in the place of one that was not taken further."""
    content.seek(0)
    CourseFile.objects.filter(kind=CourseFile.Kind.IMPORT, owner=owner, jobs=None).delete()
    file = CourseFile.objects.create(
        kind=CourseFile.Kind.IMPORT,
        owner=owner,
        name=name[-200:],
        expires_at=timezone.now() + timedelta(days=settings.COURSE_FILE_DAYS),
    )
    file.fill(content)
    return file


def course_in_file(content: BinaryIO, owner: User) -> CourseInFile:
    """What there is, and who of the people has an account here."""
    reader = ArchiveReader(content, settings.LARGEST_COURSE_UNPACKED)
    reader.check(KNOWN_TABLES)
    told = reader.manifest
    rows = [(name.replace("_", " "), count) for name, count in told.rows.items() if count]
    return CourseInFile(
        name=str(told.course.get("name", ""))[:200],
        term=str(told.course.get("term", ""))[:60],
        product_version=told.product_version,
        written_at=told.written_at,
        rows=[one for one in rows if one[0] not in {PEOPLE.name, "course"}],
        people=People.read(reader, owner),
    )


@transaction.atomic
def import_start(*, file: CourseFile, choices: Choices, requested_by: User) -> Job:
    """Ask a worker to take the file in; while one does, that one is meant."""
    CourseFile.objects.select_for_update().get(pk=file.pk)
    if running := file.jobs.first():
        return running
    job = course_job_start(kind=Job.Kind.IMPORT_COURSE, file=file, requested_by=requested_by)
    job.options = {
        "name": choices.name,
        "term": choices.term,
        "joins_accounts": choices.joins_accounts,
    }
    job.save(update_fields=["options"])
    return job


def course_import(job: Job, claim: Claim) -> None:
    """Make a course of the job's file."""
    if job.file is None or job.requested_by is None or not job.file.is_there:
        raise InputError("The file is gone. Choose it again.")
    with job.file.opened() as content:
        claim.progress("Looking through the file", 0, 0)
        reader = ArchiveReader(content, settings.LARGEST_COURSE_UNPACKED)
        reader.check(KNOWN_TABLES)
        _look_through(reader, claim)
        claim.progress("Writing the course", 0, 0)
        try:
            with transaction.atomic():
                claim.finish()
                course = _write(reader, job)
                CourseFile.objects.filter(pk=job.file.pk).update(course=course, size=0)
                job.file.parts.all().delete()
                Job.objects.filter(pk=job.pk).update(course=course)
        except (IntegrityError, DataError):
            raise InputError(
                "The file contradicts itself: it has something twice that can be there once only, "
                "or a number that is too large. Nothing was imported."
            ) from None


def _look_through(reader: ArchiveReader, claim: Claim) -> None:
    """Read every row as it will be written, and write none."""
    total = sum(reader.manifest.rows.values())
    done = 0
    for table in TABLES:
        for place, row in reader.rows(table.name):
            _checked(table, row, _Place(table, place))
            done += 1
            if done % ROWS_TOGETHER == 0:
                claim.progress("Looking through the file", done, total)


@dataclass(frozen=True, slots=True)
class _Place:
    table: Table
    line: int

    def error(self, sentence: str) -> InputError:
        return InputError(f"{table_file(self.table.name)}, line {self.line}: {sentence}")


def _checked(table: Table, row: Row, place: _Place) -> Any:
    """The row as an instance without its keys."""
    names = {"id", *table.copied.split(), *table.keys.split()}
    if unknown := sorted(set(row) - names):
        raise place.error(f"“{unknown[0][:60]}” is not known here.")
    given = {
        one.attname: _value(one, row, place)
        for one in table.copied_fields
        if one.name in row or _must_be_told(one)
    }
    instance = table.model(**given)
    if table.check is not None:
        try:
            table.check(instance)
        except InputError as error:
            raise place.error(str(error)) from None
    return instance


def _must_be_told(kept: "Field[Any, Any]") -> bool:
    """Has it no value of its own, for files that were written before there was such a field?"""
    return not (kept.has_default() or kept.null or kept.blank)


def _value(kept: "Field[Any, Any]", row: Row, place: _Place) -> Any:
    if kept.name not in row:
        raise place.error(f"“{kept.name}” is missing.")
    try:
        return value_in(kept, row[kept.name])
    except (InFileError, ValidationError) as error:
        said = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
        raise place.error(f"“{kept.name}”: {said}") from None


# --- writing ---


@dataclass(slots=True)
class _Writer:
    """Rows of one table after the other; ``ids`` are the new ones, by those in the file."""

    reader: ArchiveReader
    ids: dict[Any, dict[int, int]] = field(default_factory=dict)

    def write(self, table: Table) -> None:
        known = self.ids.setdefault(table.model, {})
        itself = any(key.related_model is table.model for key in table.key_fields)
        waiting: list[tuple[int, Model]] = []
        for number, instance in self.rows(table):
            waiting.append((number, instance))
            if itself or len(waiting) == ROWS_TOGETHER:
                self._flush(table, waiting, known)
        self._flush(table, waiting, known)

    def rows(self, table: Table) -> Iterator[tuple[int, Any]]:
        """Each with the id that it has in the file, which comes once only."""
        seen: set[int] = set()
        for line, row in self.reader.rows(table.name):
            place = _Place(table, line)
            instance = _checked(table, row, place)
            number = row.get("id")
            if not isinstance(number, int) or isinstance(number, bool) or number in seen:
                raise place.error("its “id” is missing, or another row has it.")
            seen.add(number)
            for key in table.key_fields:
                setattr(instance, key.attname, self._new_id(key, row, place))
            for name, inside in table.ids.items():
                setattr(instance, name, self._with_ids(getattr(instance, name), inside))
            yield number, instance

    def _new_id(self, key: Any, row: Row, place: _Place) -> int | None:
        told = row.get(key.name)
        if told is None and key.null:
            return None
        found = self.ids.get(key.related_model, {}).get(told) if isinstance(told, int) else None
        if found is None:
            raise place.error(f"“{key.name}” leads to nothing in this file.")
        return found

    def _with_ids(self, document: Any, inside: Mapping[str, type[Model]]) -> Any:
        if not isinstance(document, dict):
            return document
        there = {key: model for key, model in inside.items() if key in document}
        return document | {
            key: self.ids[model].get(told) if isinstance(told := document[key], int) else None
            for key, model in there.items()
        }

    def _flush(self, table: Table, waiting: list[tuple[int, Model]], known: dict[int, int]) -> None:
        made = table.model._base_manager.bulk_create([instance for _, instance in waiting])
        known |= {number: one.pk for (number, _), one in zip(waiting, made, strict=True)}
        waiting.clear()


def _write(reader: ArchiveReader, job: Job) -> Course:
    """The course with all that the file has, for whoever asked for it."""
    importer = job.requested_by
    assert importer is not None  # noqa: S101  (course_import has looked)
    people = People.read(reader, importer).written(
        joins_accounts=bool(job.options.get("joins_accounts"))
    )
    writer = _Writer(reader, {User: {number: user.pk for number, user in people.items()}})
    course = _course(writer, job)
    for table in TABLES:
        if table.model is Membership:
            _write_members(writer, table, importer)
        elif table.model is not Course:
            writer.write(table)
    return course


def _course(writer: _Writer, job: Job) -> Course:
    table = next(one for one in TABLES if one.model is Course)
    rows = list(writer.rows(table))
    if len(rows) != 1:
        raise InputError(f"{table_file(table.name)}: there must be one course.")
    number, course = cast(tuple[int, Course], rows[0])
    course.name = str(job.options.get("name") or course.name)
    course.term = str(job.options.get("term", course.term))
    course.save()
    writer.ids[Course] = {number: course.pk}
    return course


def _write_members(writer: _Writer, table: Table, importer: User) -> None:
    """Whoever imports it teaches the course; others who taught it are its assistants at first."""
    members = [member for _, member in writer.rows(table)]
    for member in members:
        if member.user_id == importer.pk:
            member.role = Role.INSTRUCTOR
        elif member.role == Role.INSTRUCTOR:
            member.role = Role.TA
    if importer.pk not in {member.user_id for member in members}:
        course_pk = next(iter(writer.ids[Course].values()))
        members.append(Membership(course_id=course_pk, user=importer, role=Role.INSTRUCTOR))
    Membership.objects.bulk_create(members, batch_size=ROWS_TOGETHER)
