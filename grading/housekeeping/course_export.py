"""Export a course to a file that people can read and another server can import."""

import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.text import slugify

from grading.housekeeping.course_tables import PEOPLE, TABLES, Table
from grading.housekeeping.field_values import name_in_files, value_for_file
from grading.jobs.claims import Claim, course_job_start
from grading.models import (
    Assignment,
    AuditKind,
    Course,
    CourseFile,
    Draft,
    Job,
    Submission,
    User,
    record,
)
from grading.pyramid.errors import InputError
from grading.pyramid.formats.course_archive import ArchiveWriter, Row
from grading.pyramid.formats.file_kinds import FILE_KINDS
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row

ROWS_TOGETHER = 200
MOST_FILES = 3  # of a course that are kept

README = """\
A course of PyrEval Classroom
=============================

This archive holds everything of one course:

- people (without passwords and rights) and assignments
- expert summaries, pyramids and drafts with their history
- submissions, unfinished texts, scores, corrections and second looks
- a log of events

It names people, so keep it as safe as grades.

files/           To read without any program: a folder for each assignment. It has the source, the
                 expert summaries, the pyramids (.pyr, for DUCView), and every attempt as text.
tables/          To import elsewhere (Courses, then Import a course): one JSON object a line.
manifest.json    The form of the file, the version that wrote it, and a SHA-256 of each part.
"""


@transaction.atomic
def export_start(*, course: Course, requested_by: User) -> Job:
    """Ask a worker for a file of the course; while one is written, return that job."""
    Course.objects.select_for_update().get(pk=course.pk)  # one start at a time
    kind = Job.Kind.EXPORT_COURSE
    running = Job.objects.filter(course=course, kind=kind).unfinished().first()
    if running is not None:
        return running
    sentence = "Requested an export of the course."
    record(AuditKind.EXPORTED, sentence, course=course, actor=requested_by)
    name = slugify(f"{course.name} {course.term}")[:80] or f"course-{course.pk}"
    now = timezone.now()
    file = CourseFile.objects.create(
        kind=CourseFile.Kind.EXPORT,
        course=course,
        owner=requested_by,
        name=f"{name}-{now:%Y-%m-%d}.zip",
        expires_at=now + timedelta(days=settings.COURSE_FILE_DAYS),
    )
    return course_job_start(kind=kind, course=course, file=file, requested_by=requested_by)


def course_export(job: Job, claim: Claim) -> None:
    """Write the course of the job to its file."""
    if job.course is None or job.file is None:
        raise InputError("The course no longer exists.")
    with tempfile.TemporaryFile() as out:
        ids = Ids(job.course)
        total = sum(map(len, ids.by_model.values()))
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            writer = ArchiveWriter(archive, datetime.now(UTC))
            writer.write_table(PEOPLE.name, _rows(PEOPLE, ids))
            done = 0
            for table in TABLES:
                claim.progress("Writing the tables", done, total)
                writer.write_table(table.name, _rows(table, ids))
                done += len(ids.by_model[table.model])
            assignments = Assignment.objects.filter(pk__in=ids.by_model[Assignment])
            for number, assignment in enumerate(assignments.order_by("pk")):
                claim.progress("Writing the texts", number, len(ids.by_model[Assignment]))
                for name, content in _files_of(assignment, number + 1):
                    writer.write_file(name, content)
            writer.finish(
                product_version=settings.PRODUCT_VERSION,
                course={"name": job.course.name, "term": job.course.term},
                readme=README,
            )
        size, most = out.tell(), settings.LARGEST_COURSE_FILE
        if size > most:
            raise InputError(
                f"The file has {size / 1_000_000:,.0f} MB, and at most {most / 1_000_000:,.0f} MB "
                "are kept. Ask the administrator to allow more (LARGEST_COURSE_FILE_MB)."
            )
        out.seek(0)
        with transaction.atomic():
            claim.finish()
            job.file.fill(out)
            files = CourseFile.objects.filter(course=job.course, kind=CourseFile.Kind.EXPORT)
            newest = list(files.order_by("-pk").values_list("pk", flat=True)[:MOST_FILES])
            files.exclude(pk__in=newest).delete()


@dataclass(slots=True)
class Ids:
    """The rows of a course, and the number by which each is known in the file.

    Tables are visited from the last to the first: whatever a row leads to was there before
    it, so work that goes on meanwhile leaves no row that leads nowhere.
    """

    course: Course
    by_model: dict[type[Model], dict[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        people: set[int] = set()
        for table in reversed(TABLES):
            rows = table.rows(self.course)
            names = [key.attname for key in table.key_fields if key.related_model is User]
            pks = list(rows.values_list("pk", *names))
            self.by_model[table.model] = {row[0]: place for place, row in enumerate(pks, 1)}
            people |= {pk for row in pks for pk in row[1:] if pk is not None}
        known = User.objects.filter(pk__in=people).order_by("username").values_list("pk", flat=True)
        self.by_model[User] = {pk: place for place, pk in enumerate(known, 1)}

    def of(self, model: Any, pk: int | None) -> int | None:
        return None if pk is None else self.by_model.get(model, {}).get(pk)


def _rows(table: Table, ids: Ids) -> Iterator[Row]:
    """Rows of the file in its order, without those deleted since."""
    pks = iter(ids.by_model[table.model])
    while batch := list(islice(pks, ROWS_TOGETHER)):
        instances = table.model._base_manager.in_bulk(batch)
        for pk in batch:
            if pk in instances and (row := _row(table, instances[pk], ids)) is not None:
                yield row


def _row(table: Table, instance: Any, ids: Ids) -> Row | None:
    """None where it leads to a row that is not in the file."""
    row: Row = {"id": ids.of(table.model, instance.pk)}
    for key in table.key_fields:
        row[key.name] = ids.of(key.related_model, getattr(instance, key.attname))
        if row[key.name] is None and not key.null:
            return None
    for copied in table.copied_fields:
        row[name_in_files(copied)] = value_for_file(getattr(instance, copied.attname))
    for name, inside in table.ids.items():
        document = row[name]
        if isinstance(document, dict):
            row[name] = document | {
                key: ids.of(model, document[key])
                for key, model in inside.items()
                if key in document
            }
    return row


# --- files to read ---


def _files_of(assignment: Assignment, number: int) -> Iterator[tuple[str, str]]:
    folder = f"{number:02d}-{slugify(assignment.title)[:60] or 'assignment'}"
    if assignment.source_text:
        yield f"{folder}/source.txt", f"{assignment.source_title}\n\n{assignment.source_text}\n"
    taken: set[str] = set()
    for reference in assignment.references.all():
        yield f"{folder}/references/{_free_name(reference.name, taken)}.txt", reference.text
    for version in assignment.pyramids.order_by("number"):
        yield from _pyramid_file(
            f"{folder}/version-{version.number}.pyr", pyramid_from_row(version)
        )
    for draft in assignment.drafts.filter(state=Draft.State.OPEN).order_by("number"):
        yield from _pyramid_file(f"{folder}/draft-{draft.number}.pyr", pyramid_from_draft(draft))
    for name, text in _attempts_of(assignment):
        yield f"{folder}/submissions/{name}", text


def _pyramid_file(name: str, pyramid: Pyramid) -> Iterator[tuple[str, str]]:
    """Empty where DUCView cannot hold a single idea; the tables still have everything."""
    with suppress(InputError):
        yield name, FILE_KINDS["pyr"].write(pyramid)


def _attempts_of(assignment: Assignment) -> Iterator[tuple[str, str]]:
    rows = Submission.objects.filter(assignment=assignment).select_related("student")
    names: dict[int, str] = {}
    taken: set[str] = set()
    for submission in rows.order_by("student__username", "attempt").iterator(ROWS_TOGETHER):
        student = submission.student
        if student.pk not in names:
            names[student.pk] = _free_name(student.username, taken)
        yield f"{names[student.pk]}.attempt-{submission.attempt}.txt", submission.text


def _free_name(wanted: str, taken: set[str]) -> str:
    """A file name of plain letters that is not taken yet."""
    stem, number = slugify(wanted)[:60] or "text", 1
    name = stem
    while name in taken:
        number += 1
        name = f"{stem}-{number}"
    taken.add(name)
    return name
