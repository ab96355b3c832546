"""Gradebook files: an upload is kept, filled as was chosen, and what is given out is logged.

What is shown before a download is what the download gives: both are made here, and the stamp of
what was shown comes back with the wish for the file.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePath
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from grading.models import Assignment, Comment, GradebookExport, GradebookUpload, Scope, User
from grading.pyramid.formats.gradebook import gradebook_csv
from grading.pyramid.formats.lms.filling import Choices, Filling, fill, guess_column
from grading.pyramid.formats.lms.fresh import Fresh, canvas_file, moodle_file
from grading.pyramid.formats.lms.grade_file import GradeFile
from grading.pyramid.formats.lms.reading import read_grade_file
from grading.scoring.conversion import gradebook_row, is_told, lms_grade
from grading.scoring.grades import StudentGrade, class_grades, points_possible

Kind = GradebookExport.Kind
MOST_OF_A_NAME = 120  # characters of the uploaded file's


@dataclass(frozen=True, slots=True)
class FillChoices:
    """What was chosen for an upload, as it is kept with it; no column: a person has to choose."""

    column: int | None
    scope: Scope
    scale: bool = False
    out_of: Decimal | None = None
    comments: bool = False
    names: frozenset[tuple[int, int]] = frozenset()

    def as_json(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "scope": str(self.scope),
            "scale": self.scale,
            "out_of": None if self.out_of is None else str(self.out_of),
            "comments": self.comments,
            "names": sorted(self.names),
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "FillChoices":
        return cls(
            column=kept["column"],
            scope=Scope(kept["scope"]),
            scale=kept["scale"],
            out_of=None if kept["out_of"] is None else Decimal(kept["out_of"]),
            comments=kept["comments"],
            names=frozenset((line, key) for line, key in kept["names"]),
        )


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file as it would be given out now."""

    kind: GradebookExport.Kind
    scope: Scope
    title: str
    file_name: str
    data: bytes
    students: int
    left_out: int
    platform: str = ""

    @property
    def stamp(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@transaction.atomic
def upload_keep(
    *, assignment: Assignment, author: User, file_name: str, data: bytes, scope: Scope
) -> GradebookUpload:
    """Keep the file; where there is little doubt about the column, choose it."""
    uploads_forget()
    column, is_clear = guess_column(
        read_grade_file(data), assignment.title, points_possible(assignment)
    )
    choices = FillChoices(column.index if column and is_clear else None, scope)
    return GradebookUpload.objects.create(
        assignment=assignment,
        author=author,
        file_name=file_name[-200:],
        data=data,
        choices=choices.as_json(),
    )


def upload_choose(*, upload: GradebookUpload, choices: FillChoices) -> None:
    upload.choices = choices.as_json()
    upload.save(update_fields=["choices"])


def uploads_forget() -> int:
    """Delete the uploads whose day is over."""
    return GradebookUpload.objects.stale().delete()[0]


def export_keep(*, assignment: Assignment, author: User, prepared: Prepared) -> GradebookExport:
    """Log what is given out, with its bytes."""
    return GradebookExport.objects.create(
        assignment=assignment,
        author=author,
        kind=prepared.kind,
        platform=prepared.platform,
        scope=prepared.scope,
        title=prepared.title[:300],
        file_name=prepared.file_name,
        data=prepared.data,
        sha256=prepared.stamp,
        students=prepared.students,
        left_out=prepared.left_out,
    )


def comments_to_students(assignment: Assignment) -> dict[int, str]:
    """By student what graders wrote to them about the attempt that counts."""
    counting = assignment.submissions.latest_attempts()
    told: dict[int, list[str]] = {}
    comments = Comment.objects.to_the_student().filter(submission__in=counting.values("pk"))
    for student, text in comments.values_list("submission__student", "text"):
        told.setdefault(student, []).append(text)
    return {student: "\n\n".join(texts) for student, texts in told.items()}


def filling_of(upload: GradebookUpload, file: GradeFile, choices: FillChoices) -> Filling | None:
    """The file as it would be filled now; None as long as no column is chosen."""
    column = file.column(choices.column)
    if column is None:
        return None
    assignment, scope = upload.assignment, choices.scope
    grades = class_grades(assignment)
    chosen = Choices(
        column=column.index,
        points=points_possible(assignment),
        scale=choices.scale,
        out_of=choices.out_of,
        confirmed=choices.names,
        comments=_comments(assignment, grades, scope) if choices.comments else {},
    )
    return fill(file, column, [lms_grade(one, assignment, scope) for one in grades], chosen)


def _comments(
    assignment: Assignment, grades: Iterable[StudentGrade], scope: Scope
) -> dict[int, str]:
    """Of the students whose results are within what is exported."""
    told = {one.result.student.pk for one in grades if is_told(one, assignment, scope)}
    comments = comments_to_students(assignment)
    return {student: text for student, text in comments.items() if student in told}


def prepared_filling(upload: GradebookUpload, filling: Filling, scope: Scope) -> Prepared:
    given = PurePath(upload.file_name)
    stem = given.stem[:MOST_OF_A_NAME]
    return Prepared(
        kind=Kind.FILLED,
        scope=scope,
        title=filling.column.title,
        file_name=f"{stem}-{_when(upload.assignment, scope)}{given.suffix or '.csv'}",
        data=filling.data,
        students=filling.told,
        left_out=filling.students - filling.told,
        platform=str(filling.file.platform),
    )


def fresh_file(
    assignment: Assignment, kind: GradebookExport.Kind, scope: Scope, title: str
) -> tuple[Prepared, Fresh]:
    """A new file as it would be given out now, with who is not in it and why."""
    fresh = _fresh(assignment, kind, scope, title)
    slug = slugify(assignment.title)[:MOST_OF_A_NAME] or f"assignment-{assignment.pk}"
    begins = "gradebook" if kind == Kind.CSV else kind
    prepared = Prepared(
        kind=kind,
        scope=scope,
        title="" if kind == Kind.CSV else title,
        file_name=f"{begins}-{slug}-{_when(assignment, scope)}.csv",
        data=fresh.data,
        students=fresh.students,
        left_out=len(fresh.left_out),
    )
    return prepared, fresh


def _fresh(assignment: Assignment, kind: GradebookExport.Kind, scope: Scope, title: str) -> Fresh:
    possible = points_possible(assignment)
    if kind == Kind.CSV:
        return _everything(assignment, scope, possible)
    rows = class_grades(assignment)
    grades = [lms_grade(row, assignment, scope) for row in rows]
    if kind == Kind.MOODLE:
        return moodle_file(title, grades)
    sections = {row.result.student.pk: row.result.membership.section for row in rows}
    return canvas_file(title, possible, grades, sections)


def _everything(assignment: Assignment, scope: Scope, possible: Decimal) -> Fresh:
    """Every student has a row, with or without a grade."""
    rows = [gradebook_row(grade, possible, assignment, scope) for grade in class_grades(assignment)]
    graded = sum(row.grade is not None for row in rows)
    left_out = tuple((row.name, row.grade_state) for row in rows if row.grade is None)
    return Fresh(gradebook_csv(rows).encode(), graded, left_out)


def _when(assignment: Assignment, scope: Scope) -> str:
    """What every file name ends with: whose grades, and when by the clocks of the course."""
    now = timezone.now().astimezone(ZoneInfo(assignment.course.time_zone))
    return f"{scope}-{now:%Y-%m-%d-%H%M}"
