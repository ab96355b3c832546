"""Gradebook files: an upload filled with grades, and new files. Read-only.

What is shown before a download is what the download gives: both are made here, and the stamp of
what was shown comes back with the request for the file. The stamp of a filled file covers all
changes that were offered, so that unticking some of them needs no second look.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import PurePath
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.text import slugify

from grading.models import Assignment, Comment, GradebookExport, GradebookUpload, Scope
from grading.pyramid.formats.gradebook import gradebook_csv
from grading.pyramid.formats.lms.cells import Place
from grading.pyramid.formats.lms.filling import Choices, Filling, fill
from grading.pyramid.formats.lms.fresh import Fresh, canvas_file, moodle_file
from grading.pyramid.formats.lms.grade_file import GradeFile
from grading.pyramid.stamps import stamp_of
from grading.scoring.conversion import gradebook_row, is_exported, lms_grade
from grading.scoring.grades import class_grades, points_possible
from grading.scoring.queue_rows import queue_rows
from grading.scoring.results import credited_ideas

Kind = GradebookExport.Kind
LONGEST_NAME = 120  # characters, without the end


@dataclass(frozen=True, slots=True)
class FillChoices:
    """The choices for an upload, as they are stored with it. No column: a person has to choose.

    ``ticks`` say of cells whether they may change; what was never shown has none.
    """

    column: int | None
    scope: Scope
    scale: bool = False
    out_of: Decimal | None = None
    comments: bool = False
    names: frozenset[tuple[int, int]] = frozenset()
    ticks: Mapping[Place, bool] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "scope": str(self.scope),
            "scale": self.scale,
            "out_of": None if self.out_of is None else str(self.out_of),
            "comments": self.comments,
            "names": sorted(self.names),
            "ticks": [[row, cell, tick] for (row, cell), tick in sorted(self.ticks.items())],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "FillChoices":
        return cls(
            column=stored["column"],
            scope=Scope(stored["scope"]),
            scale=stored["scale"],
            out_of=None if stored["out_of"] is None else Decimal(stored["out_of"]),
            comments=stored["comments"],
            names=frozenset((line, key) for line, key in stored["names"]),
            ticks={(row, cell): tick for row, cell, tick in stored.get("ticks", ())},
        )


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A file as a download would give it now.

    ``unticked`` are lines of an LMS's own file in which a change was offered and not made.
    """

    kind: GradebookExport.Kind
    scope: Scope
    title: str
    file_name: str
    data: bytes
    students: int
    left_out: int
    stamp: str
    platform: str = ""
    unticked: tuple[int, ...] = ()

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def comments_to_students(assignment: Assignment) -> dict[int, str]:
    """By student what graders wrote to them about the attempt that counts."""
    counting = assignment.submissions.latest_attempts()
    texts: dict[int, list[str]] = {}
    comments = Comment.objects.to_the_student().filter(submission__in=counting.values("pk"))
    for student, text in comments.values_list("submission__student", "text"):
        texts.setdefault(student, []).append(text)
    return {student: "\n\n".join(of_student) for student, of_student in texts.items()}


def fill_upload(upload: GradebookUpload, file: GradeFile, choices: FillChoices) -> Filling | None:
    """The file as it would be filled now; None as long as no column is chosen."""
    column = file.column(choices.column)
    if column is None:
        return None
    assignment, scope = upload.assignment, choices.scope
    grades, comments = class_grades(assignment), {}
    if choices.comments:
        written = comments_to_students(assignment)
        in_scope = [grade for grade in grades if is_exported(grade, assignment, scope)]
        students = {grade.result.student.pk for grade in in_scope}
        comments = {student: text for student, text in written.items() if student in students}
    chosen = Choices(
        column=column.index,
        points=points_possible(assignment),
        scale=choices.scale,
        out_of=choices.out_of,
        confirmed=choices.names,
        comments=comments,
        ticks=choices.ticks,
    )
    return fill(file, column, [lms_grade(grade, assignment, scope) for grade in grades], chosen)


def prepare_filled(upload: GradebookUpload, filling: Filling, scope: Scope) -> PreparedFile:
    uploaded = PurePath(upload.file_name)
    stem = uploaded.stem[:LONGEST_NAME]
    return PreparedFile(
        kind=Kind.FILLED,
        scope=scope,
        title=filling.column.title,
        file_name=f"{stem}-{_scope_and_time(upload.assignment, scope)}{uploaded.suffix or '.csv'}",
        data=filling.data,
        students=filling.students_in_file,
        left_out=filling.students - filling.students_in_file,
        stamp=filling.stamp,
        platform=str(filling.file.platform),
        unticked=tuple(sorted({change.pair.person.line for change in filling.unticked})),
    )


def prepare_new(
    assignment: Assignment, kind: GradebookExport.Kind, scope: Scope, title: str
) -> tuple[PreparedFile, Fresh]:
    """A new file as it would be now, with the students who are not in it and why."""
    possible, grades = points_possible(assignment), class_grades(assignment)
    if kind == Kind.CSV:  # every student has a row, with or without a grade
        ideas = credited_ideas([grade.result for grade in grades])
        in_queue = {row.student.pk: row for row in queue_rows(assignment)}
        rows = [
            gradebook_row(
                grade, possible, assignment, scope, ideas, in_queue.get(grade.result.student.pk)
            )
            for grade in grades
        ]
        graded = sum(row.grade is not None for row in rows)
        left_out = tuple((row.name, row.grade_state) for row in rows if row.grade is None)
        fresh = Fresh(gradebook_csv(rows).encode(), graded, left_out)
    else:
        lms_grades = [lms_grade(grade, assignment, scope) for grade in grades]
        sections = {grade.result.student.pk: grade.result.membership.section for grade in grades}
        fresh = (
            moodle_file(title, lms_grades)
            if kind == Kind.MOODLE
            else canvas_file(title, possible, lms_grades, sections)
        )
    slug = slugify(assignment.title)[:LONGEST_NAME] or f"assignment-{assignment.pk}"
    start = "gradebook" if kind == Kind.CSV else kind
    prepared = PreparedFile(
        kind=kind,
        scope=scope,
        title="" if kind == Kind.CSV else title,
        file_name=f"{start}-{slug}-{_scope_and_time(assignment, scope)}.csv",
        data=fresh.data,
        students=fresh.students,
        left_out=len(fresh.left_out),
        stamp=stamp_of(fresh.data),
    )
    return prepared, fresh


def _scope_and_time(assignment: Assignment, scope: Scope) -> str:
    """The end of every file name: which grades, and when, in the time zone of the course."""
    now = timezone.now().astimezone(ZoneInfo(assignment.course.time_zone))
    return f"{scope}-{now:%Y-%m-%d-%H%M}"
