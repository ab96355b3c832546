"""Releasing results, grades, and gradebook files."""

from hashlib import sha256
from typing import Annotated, Any

from django.http import HttpResponse
from ninja import Path, Router, Status

from grading import access
from grading.access.hidden_names import displayed_members, person_key
from grading.api.middleware import TokenRequest
from grading.api.pages import (
    USUAL_PAGE,
    After,
    Limit,
    page_of_items,
    page_of_rows,
    shown_page,
)
from grading.api.problems import check_form
from grading.api.schemas import (
    ExportIn,
    ExportOut,
    GradeIn,
    GradeOut,
    GradeRuleOut,
    Page,
    ReleaseIn,
    ReleaseOut,
    StudentKey,
)
from grading.api.shown import shown_export, shown_grade
from grading.api.v1.stamps import IfMatch, put_stamp, stale, stamp_sent
from grading.assignments.actions import submissions_release
from grading.assignments.forms import ReleaseForm
from grading.assignments.views import ClassAttempts
from grading.grades.actions import export_keep, manual_grade_set
from grading.grades.forms import FreshForm, ManualGradeForm
from grading.grades.gradebook_files import prepare_new
from grading.grades.queries import ManualGradePreview, preview_manual_grade
from grading.models import (
    Assignment,
    AuditKind,
    GradebookExport,
    Membership,
    Scope,
    StoredGradeRule,
    record,
)
from grading.models.grade_rules import rule_of
from grading.pyramid.formats.grade_rule_json import grade_rule_to_json
from grading.pyramid.grade_rules import rule_in_words
from grading.scoring.grades import class_grades, student_grade
from grading.scoring.results import class_results
from grading.web.downloads import render_file

router = Router(tags=["Release, grades and exports"])

Key = Annotated[StudentKey, Path(description="The student's key in this assignment.")]


@router.post(
    "/assignments/{id:assignment}/release",
    response=ReleaseOut,
    summary="Release results, or hold them back",
)
def release(request: TokenRequest, assignment: int, payload: ReleaseIn) -> Any:
    """Answers how many attempts of how many students changed."""
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    attempts = ClassAttempts(row, class_results(row))
    form = check_form(
        ReleaseForm(
            payload.dict(), assignment=row, handed_in=attempts.handed_in, waiting=attempts.waiting
        )
    )
    released = submissions_release(
        assignment=row,
        students=form.cleaned_data["students"],
        visibility=form.cleaned_data["what"],
        author=request.user,
        only_waiting=form.only_waiting,
    )
    return {"attempts": released.attempts, "students": released.students}


# --- grades ---


@router.get(
    "/assignments/{id:assignment}/grades", response=Page[GradeOut], summary="Grades of a class"
)
def grades(
    request: TokenRequest, assignment: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    keyed = [
        (person_key(row, grade.result.membership.user_id), grade) for grade in class_grades(row)
    ]
    page, following = page_of_items(keyed, after, limit)
    return shown_page([shown_grade(row, grade) for grade in page], following)


@router.get(
    "/assignments/{id:assignment}/grades/{student}",
    response=GradeOut,
    summary="A student's grade",
)
def grade(request: TokenRequest, response: HttpResponse, assignment: int, student: Key) -> Any:
    row, _, member = access.get_graded_student_for(request.user, assignment, student)
    return _shown(row, member, response)


@router.put(
    "/assignments/{id:assignment}/grades/{student}",
    response=GradeOut,
    summary="Set a grade manually",
)
def grade_set(
    request: TokenRequest,
    response: HttpResponse,
    assignment: int,
    student: Key,
    payload: GradeIn,
    if_match: IfMatch = None,
) -> Any:
    """Send the ETag of the grade as If-Match. Each manual grade stays in the history."""
    stamp = stamp_sent(if_match)
    row, _, member = access.get_graded_student_for(request.user, assignment, student)
    preview = preview_manual_grade(assignment=row, student=member)
    if _stamp(preview) != stamp:
        raise stale()
    form = check_form(ManualGradeForm(payload.dict(), possible=preview.before.possible, saves=True))
    proposed = form.manual_grade
    saved = proposed and manual_grade_set(
        assignment=row,
        student=member,
        manual_grade=proposed,
        author=request.user,
        stamp=preview.stamp,
    )
    if not saved:
        raise stale()
    return _shown(row, member, response)


def _shown(assignment: Assignment, member: Membership, response: HttpResponse) -> Any:
    [displayed] = displayed_members(assignment, [member])
    preview = preview_manual_grade(assignment=assignment, student=displayed)
    put_stamp(response, _stamp(preview))
    return shown_grade(assignment, student_grade(assignment, displayed))


def _stamp(preview: ManualGradePreview) -> str:
    """Of what the answer shows, too: so that who has it need not read it again."""
    grade = preview.before
    shown = [preview.stamp, grade.state, grade.label, grade.reason, grade.days_late]
    if grade.submission:
        shown.append(grade.submission.pk)
    return sha256(repr(shown).encode()).hexdigest()[:32]


@router.get(
    "/assignments/{id:assignment}/grade-rule",
    response=GradeRuleOut,
    summary="From scores to grades",
)
def grade_rule(request: TokenRequest, assignment: int) -> Any:
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    stored = StoredGradeRule.objects.newest_of(row)
    rule = rule_of(stored)
    return {
        "rule": grade_rule_to_json(rule),
        "in_words": [f"{about}: {words}" for about, words in rule_in_words(rule)],
        "students_see": bool(stored and stored.students_see),
        "is_default": stored is None,
    }


# --- exports ---


@router.get(
    "/assignments/{id:assignment}/exports",
    response=Page[ExportOut],
    summary="Gradebook files that were made",
)
def exports(
    request: TokenRequest, assignment: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    row, _ = access.get_exportable_assignment_for(request.user, assignment)
    rows = GradebookExport.objects.filter(assignment=row, is_there=True).defer("data")
    found, following = page_of_rows(rows, after, limit)
    return shown_page([shown_export(export) for export in found], following)


@router.post(
    "/assignments/{id:assignment}/exports",
    response={201: ExportOut},
    summary="Make a gradebook file",
)
def export_create(request: TokenRequest, assignment: int, payload: ExportIn) -> Any:
    row, _ = access.get_exportable_assignment_for(request.user, assignment)
    chosen = check_form(FreshForm(payload.dict(), title=row.title)).cleaned_data
    kind, scope = GradebookExport.Kind(chosen["kind"]), Scope(chosen["scope"])
    prepared, _ = prepare_new(row, kind, scope, chosen["title"])
    export = export_keep(assignment=row, author=request.user, prepared=prepared)
    return Status(201, shown_export(export))


@router.get("/exports/{id:export}/file", summary="A gradebook file, byte for byte")
def export_file(request: TokenRequest, export: int) -> Any:
    row, _ = access.get_gradebook_export_for(request.user, export)
    record(AuditKind.EXPORTED, "Downloaded a gradebook file.", assignment=row.assignment)
    return render_file(bytes(row.data), row.file_name, "text/csv")
