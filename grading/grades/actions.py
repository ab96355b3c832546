"""Grades: rules, manual grades, and gradebook files. What is saved is exactly what was shown.

Rules and manual grades are only added to. If the class has changed since the preview, its stamp
differs, and nothing is done.
"""

from django.db import transaction

from grading.grades.gradebook_files import FillChoices, PreparedFile
from grading.grades.queries import (
    ProposedManualGrade,
    ProposedRule,
    preview_manual_grade,
    preview_rule,
)
from grading.models import (
    Assignment,
    AuditKind,
    GradebookExport,
    GradebookUpload,
    ManualGrade,
    Membership,
    Scope,
    StoredGradeRule,
    User,
    record,
)
from grading.pyramid.figures import number_of
from grading.pyramid.formats.grade_rule_json import grade_rule_to_json
from grading.pyramid.formats.lms.filling import guess_column
from grading.pyramid.formats.lms.grade_file import GradeFile
from grading.scoring.grades import points_possible


@transaction.atomic
def grade_rule_set(
    *, assignment: Assignment, proposed: ProposedRule, author: User, stamp: str
) -> StoredGradeRule | None:
    """Save a rule. Returns None, and does nothing, if its effect is not what was shown."""
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    if preview_rule(assignment=assignment, proposed=proposed).stamp != stamp:
        return None
    record(
        AuditKind.GRADE_RULE_CHANGED, "Changed the grade rule.", assignment=assignment, actor=author
    )
    return StoredGradeRule.objects.create(
        assignment=assignment,
        document=grade_rule_to_json(proposed.rule),
        students_see=proposed.students_see,
        author=author,
    )


@transaction.atomic
def manual_grade_set(
    *,
    assignment: Assignment,
    student: Membership,
    manual_grade: ProposedManualGrade,
    author: User,
    stamp: str,
) -> ManualGrade | None:
    """Save a manual grade. Returns None, and does nothing, if the grade is not what was shown."""
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    preview = preview_manual_grade(assignment=assignment, student=student)
    if preview.stamp != stamp:
        return None
    row = manual_grade.row(assignment, student, preview.before.possible)
    if manual_grade.is_undo and len(preview.earlier) > 1:
        row.possible = preview.earlier[-2].possible
    row.author = author
    row.save()
    undone = " back to the grade before it" if manual_grade.is_undo else ""
    record(
        AuditKind.MANUAL_GRADE_SET,
        f"Set a manual grade{undone}.",
        assignment=assignment,
        person=student.user,
        actor=author,
    )
    return row


# --- gradebook files ---


@transaction.atomic
def upload_keep(
    *,
    assignment: Assignment,
    author: User,
    file_name: str,
    data: bytes,
    grade_file: GradeFile,
    scope: Scope,
) -> GradebookUpload:
    """Keep the file for a day, with its column where there is little doubt about it."""
    uploads_forget()
    column, is_clear = guess_column(grade_file, assignment.title, points_possible(assignment))
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
    """Delete uploads that are older than a day."""
    return GradebookUpload.objects.stale().delete()[0]


@transaction.atomic
def export_keep(*, assignment: Assignment, author: User, prepared: PreparedFile) -> GradebookExport:
    """Log a download, with its bytes."""
    sentence = f"Exported a gradebook file with {number_of(prepared.students, 'student')}."
    record(AuditKind.EXPORTED, sentence, assignment=assignment, actor=author)
    return GradebookExport.objects.create(
        assignment=assignment,
        author=author,
        kind=prepared.kind,
        platform=prepared.platform,
        scope=prepared.scope,
        title=prepared.title[:300],
        file_name=prepared.file_name,
        data=prepared.data,
        sha256=prepared.sha256,
        students=prepared.students,
        left_out=prepared.left_out,
        unticked=list(prepared.unticked),
    )
