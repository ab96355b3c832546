"""Releasing results, grades, and gradebook files."""

from hashlib import sha256
from typing import Annotated, Any

from django.db import transaction
from django.http import HttpResponse
from django.utils.datastructures import MultiValueDict
from ninja import File, Form, Path, Router, Status, UploadedFile

from grading import access
from grading.access.hidden_names import displayed_members, person_key
from grading.api.grading_schemas import GradeRuleIn, GradeRuleOut, RulePreviewOut
from grading.api.middleware import TokenRequest
from grading.api.pages import (
    USUAL_PAGE,
    After,
    Limit,
    page_of_items,
    page_of_rows,
    shown_page,
)
from grading.api.problems import UNPROCESSABLE, RefusedError, check_form
from grading.api.schemas import (
    ExportIn,
    ExportOut,
    FilledIn,
    GradeIn,
    GradeOut,
    Page,
    ReleaseIn,
    ReleaseOut,
    StudentKey,
)
from grading.api.shown import (
    shown_export,
    shown_grade,
    shown_rule,
    shown_student,
    words_of_rule,
)
from grading.api.v1.stamps import IfMatch, put_stamp, stale, stamp_sent
from grading.assignments.actions import submissions_release
from grading.assignments.forms import ReleaseForm
from grading.assignments.views import ClassAttempts
from grading.class_figures.views import class_ideas_file
from grading.grades.actions import export_keep, grade_rule_set, manual_grade_set, upload_keep
from grading.grades.forms import FreshForm, LmsFileForm, ManualGradeForm
from grading.grades.gradebook_files import FillChoices, fill_upload, prepare_filled, prepare_new
from grading.grades.queries import (
    ManualGradePreview,
    ProposedRule,
    preview_manual_grade,
    preview_rule,
)
from grading.marking.views import annotation_file, annotations_file
from grading.models import (
    Assignment,
    AuditKind,
    GradebookExport,
    Membership,
    Scope,
    StoredGradeRule,
    record,
)
from grading.pyramid.formats.grade_rule_json import grade_rule_from_json
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


# --- the rule from scores to grades ---


@router.get(
    "/assignments/{id:assignment}/grade-rule",
    response=GradeRuleOut,
    summary="From scores to grades",
)
def grade_rule(request: TokenRequest, response: HttpResponse, assignment: int) -> Any:
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    return _shown_rule(row, response)


@router.post(
    "/assignments/{id:assignment}/grade-rule/preview",
    response=RulePreviewOut,
    summary="What another rule would change",
)
def grade_rule_preview(request: TokenRequest, assignment: int, payload: GradeRuleIn) -> Any:
    """Saves nothing. Manual grades stay as they are."""
    row, _ = access.get_editable_assignment_for(request.user, assignment)
    proposed = _proposed(payload)
    preview = preview_rule(assignment=row, proposed=proposed)
    after = {grade.result.student.pk: grade for grade in preview.after}
    pairs = [(before, after[before.result.student.pk]) for before in preview.before]
    return {
        "in_words": words_of_rule(proposed.rule),
        "students": len(pairs),
        "changes": [
            {
                "student": shown_student(row, before.result.membership),
                "before": before.grade,
                "after": now.grade,
            }
            for before, now in pairs
            if before.grade != now.grade
        ],
    }


@router.put(
    "/assignments/{id:assignment}/grade-rule",
    response=GradeRuleOut,
    summary="Set the rule from scores to grades",
)
def grade_rule_change(
    request: TokenRequest,
    response: HttpResponse,
    assignment: int,
    payload: GradeRuleIn,
    if_match: IfMatch = None,
) -> Any:
    """Send the ETag of the rule as If-Match. Earlier rules stay in the history."""
    stamp = stamp_sent(if_match)
    with transaction.atomic():
        row, _ = access.get_editable_assignment_for(request.user, assignment)
        Assignment.objects.select_for_update().get(pk=row.pk)
        if _rule_stamp(StoredGradeRule.objects.newest_of(row)) != stamp:
            raise stale()
        proposed = _proposed(payload)
        preview = preview_rule(assignment=row, proposed=proposed)
        saved = grade_rule_set(
            assignment=row, proposed=proposed, author=request.user, stamp=preview.stamp
        )
        if saved is None:
            raise stale()
    return _shown_rule(row, response)


def _proposed(payload: GradeRuleIn) -> ProposedRule:
    rule = grade_rule_from_json(payload.rule.model_dump(mode="json"))
    return ProposedRule(rule, payload.students_see)


def _shown_rule(assignment: Assignment, response: HttpResponse) -> dict[str, Any]:
    stored = StoredGradeRule.objects.newest_of(assignment)
    put_stamp(response, _rule_stamp(stored))
    return shown_rule(stored)


def _rule_stamp(stored: StoredGradeRule | None) -> str:
    """Rules are only added to, so that a number says which one it is."""
    return f"rule-{stored.pk if stored else 0}"


# --- exports ---


@router.get(
    "/assignments/{id:assignment}/exports",
    response=Page[ExportOut],
    summary="Gradebook files that were created",
)
def exports(
    request: TokenRequest, assignment: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    row, _ = access.get_exportable_assignment_for(request.user, assignment)
    rows = GradebookExport.objects.filter(assignment=row, is_there=True).defer("data")
    page_rows, following = page_of_rows(rows, after, limit)
    return shown_page([shown_export(export) for export in page_rows], following)


@router.post(
    "/assignments/{id:assignment}/exports",
    response={201: ExportOut},
    summary="Create a gradebook file",
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


@router.post(
    "/assignments/{id:assignment}/exports/filled",
    response={201: ExportOut},
    summary="Fill in a file that an LMS exported",
    url_name="fill_file",
)
def export_filled(
    request: TokenRequest, assignment: int, file: File[UploadedFile], payload: Form[FilledIn]
) -> Any:
    """Students are matched by their numbers, logins or addresses, never by their names alone."""
    row, _ = access.get_exportable_assignment_for(request.user, assignment)
    files = MultiValueDict({"file": [file]})
    form = LmsFileForm(payload.dict(), files, owner=request.user.pk)
    check_form(form)
    content, scope = form.grade_file, Scope(payload.scope)
    with transaction.atomic():
        upload = upload_keep(
            assignment=row,
            author=request.user,
            file_name=str(file.name),
            data=form.content,
            grade_file=content,
            scope=scope,
        )
        column = FillChoices.from_json(upload.choices).column
        titles = {candidate.title: candidate.index for candidate in content.candidates}
        if payload.column:
            column = titles.get(payload.column)
        choices = FillChoices(column, scope, comments=payload.comments)
        filling = fill_upload(upload, content, choices)
        if filling is None:
            sentence = "Name the column to fill: " + ", ".join(f"“{name}”" for name in titles)
            error = {"field": "column", "message": f"{sentence}."}
            raise RefusedError(UNPROCESSABLE, f"{sentence}.", [error])
        if filling.refusal:
            raise RefusedError(UNPROCESSABLE, filling.refusal)
        prepared = prepare_filled(upload, filling, scope)
        export = export_keep(assignment=row, author=request.user, prepared=prepared)
        upload.delete()
    return Status(201, shown_export(export))


# --- files of a class, as its pages give them ---


@router.get(
    "/assignments/{id:assignment}/annotations",
    summary="All texts with their annotations, a zip of files for DUCView",
)
def class_annotations(request: TokenRequest, assignment: int) -> Any:
    """Each student's attempt that counts. Where names are hidden, files have pseudonyms."""
    return annotations_file(request, assignment)


@router.get(
    "/submissions/{id:submission}/annotation",
    summary="A text with its annotation, a file for DUCView",
)
def submission_annotation(request: TokenRequest, submission: int) -> Any:
    return annotation_file(request, submission)


@router.get(
    "/assignments/{id:assignment}/class/ideas",
    summary="How often each idea was expressed, a CSV",
)
def class_ideas(request: TokenRequest, assignment: int) -> Any:
    return class_ideas_file(request, assignment)
