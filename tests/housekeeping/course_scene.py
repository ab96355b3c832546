"""A course with something in each of its tables, and its way into a file and back."""

import io
import json
import zipfile
from collections.abc import Callable
from decimal import Decimal
from hashlib import sha256
from typing import Any

from django.utils import timezone

from grading.housekeeping.course_export import export_start
from grading.housekeeping.course_import import ImportOptions, import_keep, import_start
from grading.jobs.runner import job_run
from grading.marking.actions import locked_desk, step_take, step_undo
from grading.marking.queries import marking_stamp
from grading.models import (
    Assignment,
    Course,
    CourseFile,
    Dismissal,
    Draft,
    Job,
    ManualGrade,
    MarkingStep,
    Notice,
    Review,
    Score,
    StoredGradeRule,
    ThresholdChange,
    User,
    Writing,
)
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.editing.commands import SetLabel
from grading.pyramid.formats.grade_rule_json import grade_rule_to_json
from grading.pyramid.formats.learnt_curve_json import curve_to_json
from grading.pyramid.grade_rules import DEFAULT_RULE
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.structures import Span
from grading.scoring.corrections import match_correct
from tests.conftest import Cast
from tests.drafts.drafting import Editor
from tests.scenes import Scene

Change = Callable[[dict[str, bytes]], None]


def fill(scene: Scene) -> Course:
    """On top of what make_scene has made: an edited draft, a correction, somebody who types."""
    cast = scene.cast
    draft = Draft.objects.get(state=Draft.State.OPEN)
    editor = Editor(draft, cast.instructor)
    editor.edit(SetLabel(1, "Heat \u202b=1+1 “حار”"))
    editor.undo()
    Dismissal.objects.create(draft=draft, key="0" * 32, author=cast.ta)
    Writing.objects.create(
        assignment=draft.assignment, student=cast.other_student, text="Not yet.\n\tOmar 🚲"
    )
    _grade(draft.assignment, cast)
    ThresholdChange.objects.create(
        assignment=draft.assignment, before=None, after=0.4, author=cast.instructor
    )
    curve = LearntCurve(1.1, 0.2, ((1, -0.5),), 0.45)
    learnt = {"version": 1, "texts": 9, "labels": 90, **curve_to_json(curve)}
    ThresholdChange.objects.create(
        assignment=draft.assignment, before=0.4, learnt_after=learnt, author=cast.instructor
    )
    Assignment.objects.filter(pk=draft.assignment_id).update(learnt_curve=learnt)
    Notice.objects.create(
        assignment=draft.assignment,
        user=cast.student,
        kind=Notice.Kind.RESULT,
        submission=draft.assignment.submissions.get(),
        state=Notice.State.SENT,
        sent_at=timezone.now(),
    )
    Review.objects.create(
        assignment=draft.assignment,
        student=cast.student,
        reviewed_by=cast.ta,
        reviewed_at=timezone.now(),
        submission=draft.assignment.submissions.get(),
        numbers=[0.5, 0.5, 0.5],
    )
    score = draft.assignment.submissions.get().scores.get()
    uid = score.pyramid.document["scus"][-1]["uid"]
    correction = Correction(uid, Verdict.MATCHED, (Span(0, 20),))
    match_correct(score=score, correction=correction, author=cast.ta)
    _mark(score, cast)
    return cast.course


def _mark(score: Score, cast: Cast) -> None:
    """A step of the marking desk, and its undoing."""
    submission = score.submission
    first = submission.marking_steps.get()
    desk = locked_desk(submission, marking_stamp(submission.scores.latest("pk"), first.pk))
    assert desk
    taken = step_take(
        desk=desk,
        corrections=[Correction(None, Verdict.EXCLUDED, (Span(0, 30),))],
        did=MarkingStep.Did.EXCLUDED,
        author=cast.ta,
        copy_of=first,
    )
    step_undo(desk=taken.desk, author=cast.ta)


def _grade(assignment: Assignment, cast: Cast) -> None:
    StoredGradeRule.objects.create(
        assignment=assignment, document=grade_rule_to_json(DEFAULT_RULE), author=cast.instructor
    )
    ManualGrade.objects.create(
        assignment=assignment,
        student=cast.student,
        kind=ManualGrade.Kind.POINTS,
        points=Decimal("8.50"),
        possible=Decimal(10),
        reason="Ill on the day.",
        author=cast.ta,
    )


def exported(course: Course, by: User) -> CourseFile:
    job = export_start(course=course, requested_by=by)
    assert job_run(job_pk=job.pk)
    job.refresh_from_db()
    assert job.is_done, job.error
    assert job.file is not None
    return job.file


def content_of(file: CourseFile) -> bytes:
    return b"".join(file.content())


def tables_of(content: bytes) -> dict[str, list[dict[str, Any]]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            name.removeprefix("tables/").removesuffix(".jsonl"): [
                json.loads(line) for line in archive.read(name).splitlines()
            ]
            for name in archive.namelist()
            if name.startswith("tables/")
        }


def imported(content: bytes, by: User, *, joins_accounts: bool = False) -> Job:
    """The job, ended: well or with its error."""
    file = import_keep(content=io.BytesIO(content), name="course.zip", owner=by)
    choices = ImportOptions("Academic Writing", "Autumn", joins_accounts)
    job = import_start(file=file, options=choices, requested_by=by)
    assert job_run(job_pk=job.pk)
    job.refresh_from_db()
    return job


def forged(content: bytes, change: Change, *, resealed: bool = True) -> bytes:
    """The file with other parts; ``resealed`` with a manifest that knows of it."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    if resealed and "manifest.json" in parts:
        document = json.loads(parts["manifest.json"])
        others = {name: first for name, first in parts.items() if name != "manifest.json"}
        document["files"] = {name: sha256(first).hexdigest() for name, first in others.items()}
        parts["manifest.json"] = json.dumps(document).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, first in parts.items():
            archive.writestr(name, first)
    return out.getvalue()


def row_changed(table: str, **values: Any) -> Change:
    """The first row of a table with other values; a value of ``...`` takes the key away."""

    def change(parts: dict[str, bytes]) -> None:
        name = f"tables/{table}.jsonl"
        first, *rest = parts[name].splitlines(keepends=True)
        row = {
            key: value for key, value in (json.loads(first) | values).items() if value is not ...
        }
        parts[name] = b"".join([json.dumps(row).encode() + b"\n", *rest])

    return change
