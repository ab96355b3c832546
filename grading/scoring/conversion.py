"""Rows to core dataclasses and back: the only bridge between the database and the pyramid core."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from grading.models import Assignment, Draft, Reference, Scope, Score, StoredPyramid, Submission
from grading.pyramid.class_figures import ClassText
from grading.pyramid.feedback.sureness import sureness_of
from grading.pyramid.formats.gradebook import GradebookRow
from grading.pyramid.formats.lms.filling import Grade
from grading.pyramid.formats.lms.matching import Student
from grading.pyramid.formats.pyramid_json import (
    content_hash,
    pyramid_to_json,
    report_from_json,
    report_to_json,
)
from grading.pyramid.structures import Pyramid, ScoreReport, Text
from grading.scoring.grades import StudentGrade
from grading.scoring.queue_rows import QueueRow
from grading.scoring.results import StudentResult


def reference_to_text(reference: Reference) -> Text:
    return Text(reference.name, reference.text)


def submission_to_text(submission: Submission) -> Text:
    """Named by login and attempt, which together are unique in an assignment."""
    return Text(f"{submission.student.username}-{submission.attempt}", submission.text)


def pyramid_fields(pyramid: Pyramid) -> dict[str, Any]:
    """What a StoredPyramid keeps of a pyramid."""
    return {
        "document": pyramid_to_json(pyramid),
        "content_hash": content_hash(pyramid),
        "signature": pyramid.signature,
    }


def pyramid_from_row(row: StoredPyramid) -> Pyramid:
    """The version's pyramid. Hand the row object on: another object of it is parsed again."""
    return row.parsed_document


def pyramid_from_draft(draft: Draft) -> Pyramid:
    """The draft's pyramid. A document that was not loaded comes with the revision that it is of."""
    if "document" in draft.get_deferred_fields():
        together = ["document", "revision", "undo_top", "redo_top", "next_uid", "state"]
        draft.refresh_from_db(fields=together)
    return draft.parsed_document


def is_outdated(row: StoredPyramid, assignment: Assignment) -> bool:
    """Were references added, changed or deleted since the version took them in?"""
    return differs_from_references(pyramid_from_row(row), assignment)


def differs_from_references(pyramid: Pyramid, assignment: Assignment) -> bool:
    """The same of any pyramid. One that was never made of these references cannot be out of date.

    A rubric has no references, and those of a file may be quite others.
    """
    now = {reference_to_text(reference) for reference in assignment.references.all()}
    known = {text.name for text in pyramid.references} & {text.name for text in now}
    return bool(known) and now != set(pyramid.references)


def score_fields(report: ScoreReport) -> dict[str, Any]:
    """What a Score keeps of a report, apart from what it is a score of."""
    sureness = sureness_of(report.evidence.credited)
    return {
        "statements": report.statements,
        "raw": report.raw,
        "quality": report.quality,
        "coverage": report.coverage,
        "comprehensive": report.comprehensive,
        "confidence": sureness.mean,
        "doubtful": sureness.doubtful,
        "contradicted": len(report.evidence.contradicting),
        "held": report.evidence.is_held,
        "held_in_part": bool(report.evidence.held) and not report.evidence.is_held,
        "held_for": report.evidence.held_for or "",
        "document": report_to_json(report),
    }


def report_from_row(score: Score) -> ScoreReport:
    return report_from_json(score.document)


def class_texts(
    results: Sequence[StudentResult], ideas_by_submission: Mapping[int, frozenset[int]]
) -> list[ClassText]:
    """Results with numbers; by submission the uids of the ideas in its text, where wanted."""
    return [
        ClassText(
            key=result.submission.pk,
            words=result.submission.words,
            quality=result.numbers.quality,
            coverage=result.numbers.coverage,
            comprehensive=result.numbers.comprehensive,
            matched=ideas_by_submission.get(result.submission.pk, frozenset()),
            section=result.membership.section,
        )
        for result in results
        if result.submission is not None and result.numbers is not None
    ]


def lms_grade(grade: StudentGrade, assignment: Assignment, scope: Scope) -> Grade:
    """What is sent to a student's platform."""
    member, user = grade.result.membership, grade.result.student
    student = Student(
        key=user.pk,
        name=user.name,
        lms_id=member.lms_id,
        number=member.student_number,
        login=member.lms_login,
        email=member.known_email,
        # A login that looks like an address is not the address of whoever chose it.
        own_login="" if "@" in user.username else user.username,
    )
    if grade.excused:
        return Grade(student, is_excused=True)
    if grade.grade is None:
        # As the end of a sentence that begins with the name.
        sentence = grade.why_not.rstrip(".")
        return Grade(student, why_none=sentence[:1].lower() + sentence[1:] or "no grade")
    if not is_exported(grade, assignment, scope):
        return Grade(student, why_none="not released to the student yet")
    return Grade(student, grade.grade)


def is_exported(grade: StudentGrade, assignment: Assignment, scope: Scope) -> bool:
    """Is the student's result within what is exported?"""
    attempts = [
        attempt for attempt in (grade.result.submission, grade.submission) if attempt is not None
    ]
    student = grade.result.student.pk
    shown = [attempt.is_shown for attempt in attempts] or [assignment.shows_results_to(student)]
    return all(shown) or scope == Scope.ALL


def gradebook_row(
    grade: StudentGrade,
    possible: Decimal,
    assignment: Assignment,
    scope: Scope,
    ideas: Mapping[int, frozenset[int]],
    in_queue: QueueRow | None,
) -> GradebookRow:
    """A student's line of the gradebook, with times as the course counts them.

    ``ideas`` are those that are matched, by submission.
    """
    zone = ZoneInfo(assignment.course.time_zone)
    row = _row_of_result(grade.result, zone, ideas)
    if in_queue is not None:
        flags = "; ".join(flag.kind.label for flag in in_queue.flags)
        row = replace(row, flags=flags, reviewed="yes" if in_queue.is_reviewed else "no")
    member = grade.result.membership
    row = replace(
        row,
        grade_state=grade.state,
        section=member.section,
        student_number=member.student_number,
        lms_id=member.lms_id,
        lms_login=member.lms_login,
    )
    if grade.grade is None and grade.result.score is None:
        return replace(row, reason=grade.reason)
    if not is_exported(grade, assignment, scope):
        return replace(row, **_NOT_RELEASED)
    return replace(
        row,
        grade=grade.grade,
        points_possible=possible if grade.grade is not None else None,
        by_hand="yes" if grade.by_hand else "no",
        reason=grade.reason,
        grade_label=grade.label,
        grade_attempt=grade.submission.attempt if grade.submission else None,
    )


_NOT_RELEASED: dict[str, Any] = {
    "state": "not released",
    "grade_state": "not released",
    "statements": None,
    "ideas_matched": None,
    "raw": None,
    "quality": None,
    "coverage": None,
    "comprehensive": None,
    "pyramid": None,
    "signature": "",
    "copied": None,
    "contradicted": None,
    "held": "",
    "flags": "",
    "reviewed": "",
}


def _row_of_result(
    result: StudentResult, zone: ZoneInfo, ideas: Mapping[int, frozenset[int]]
) -> GradebookRow:
    row = GradebookRow(
        name=result.student.name,
        login=result.student.username,
        email=result.membership.known_email,
        state=result.state,
    )
    if (submission := result.submission) is not None:
        row = replace(
            row,
            attempt=submission.attempt,
            submitted_at=f"{submission.submitted_at.astimezone(zone):%Y-%m-%d %H:%M %z}",
            late="yes" if submission.late else "no",
            words=submission.words,
            final="yes" if submission.is_final else "no",
            shown="yes" if submission.is_shown else "no",
            copied=submission.copied,
        )
    if (score := result.score) is not None:
        row = replace(
            row,
            pyramid=score.pyramid.number,
            signature=score.signature,
            contradicted=score.contradicted,
            held="yes" if score.held else "in part" if score.held_in_part else "no",
        )
    if (score := result.numbers) is not None:
        row = replace(
            row,
            statements=score.statements,
            ideas_matched=len(ideas.get(score.submission_id, ())),
            raw=score.raw,
            quality=score.quality,
            coverage=score.coverage,
            comprehensive=score.comprehensive,
        )
    return row
