"""The gradebook, the rule from scores to grades, manual grades, and gradebook files."""

import csv
import io
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from grading import access
from grading.access.hidden_names import displayed_members, hide_names, person_key
from grading.grades.actions import (
    export_keep,
    grade_rule_set,
    manual_grade_set,
    upload_choose,
    upload_keep,
)
from grading.grades.forms import (
    FillForm,
    FreshForm,
    GradeRuleForm,
    LmsFileForm,
    ManualGradeForm,
    rule_initial,
)
from grading.grades.gradebook_files import (
    FillChoices,
    PreparedFile,
    comments_to_students,
    fill_upload,
    prepare_filled,
    prepare_new,
)
from grading.grades.page import GradebookRows, rule_effect
from grading.grades.queries import (
    ManualGradePreview,
    ProposedManualGrade,
    ProposedRule,
    expert_scale,
    first_rule,
    preview_manual_grade,
    preview_rule,
)
from grading.models import (
    Assignment,
    AuditKind,
    GradebookExport,
    GradebookUpload,
    Job,
    ManualGrade,
    Membership,
    Scope,
    StoredGradeRule,
    StoredPyramid,
    record,
)
from grading.models.grade_rules import rule_of
from grading.pyramid.figures import number_of
from grading.pyramid.formats.lms.filling import Filling
from grading.pyramid.formats.lms.reading import EXPECTED, read_grade_file
from grading.pyramid.grade_rules import plain, rule_in_words
from grading.scoring.grades import (
    ClassGrading,
    StudentGrade,
    class_grades,
    points_possible,
    student_grade,
)
from grading.scoring.queue_rows import queue_rows, unreviewed_of
from grading.web.downloads import render_file
from grading.web.file_reader import read_apart
from grading.web.rendering import (
    CONFLICT,
    UNPROCESSABLE,
    SignedInRequest,
    render_form_page,
    render_page,
    render_part,
)

STUDENTS_A_PAGE = 50
MANUAL_GRADES_SHOWN = 200
EXPORTS_SHOWN = 50
UPLOADS_SHOWN = 3
LINES_SHOWN = 8  # of a new file
RULE_EFFECT, RULE = "grading/grades/_effect.html", "grading/grades/rule.html"
MANUAL_EFFECT, MANUAL = "grading/grades/_by_hand.html", "grading/grades/by_hand.html"


@require_safe
def gradebook(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    job = Job.objects.latest_to_show(assignment)  # first: a worker may end meanwhile
    grading = ClassGrading(assignment)
    shown = GradebookRows(grading.grades(), request.GET)
    page = Paginator(shown.rows, STUDENTS_A_PAGE).get_page(request.GET.get("page"))
    in_queue = {row.student.pk: row for row in queue_rows(assignment)}
    context = {
        "assignment": assignment,
        "membership": membership,
        "shown": shown,
        "counts": shown.counts,
        "page": page,
        "lines": [(row, in_queue.get(row.result.student.pk)) for row in page],
        "rule": grading.stored,
        "possible": plain(grading.rule.points),
        "pyramid": StoredPyramid.objects.newest_of(assignment),
        "job": job,
    }
    return render_page(request, "grading/grades/gradebook.html", context)


@require_safe
def gradebook_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """An old address: its file is now one of the exports, which are logged."""
    assignment, _ = access.get_exportable_assignment_for(request.user, pk)
    address = reverse("gradebook_fresh", args=[assignment.pk])
    return redirect(f"{address}?kind={GradebookExport.Kind.CSV}&scope={Scope.ALL}")


# --- the rule from scores to grades: what another would do is shown before it is applied ---


@require_http_methods(["GET", "POST"])
def grade_rule(request: SignedInRequest, pk: int) -> HttpResponse:
    if request.method == "POST":
        # Show what the rule would do. Apply it if that is what the page showed.
        assignment, membership = access.get_editable_assignment_for(request.user, pk)
        form = GradeRuleForm(request.POST)
        if not form.is_valid():
            context = _rule_context(assignment, membership, form)
            return render_part(request, RULE_EFFECT, RULE, context, status=UNPROCESSABLE)
        preview = preview_rule(assignment=assignment, proposed=form.proposed)
        applies = request.POST.get("what") == "apply"
        if applies and grade_rule_set(
            assignment=assignment,
            proposed=form.proposed,
            author=request.user,
            stamp=request.POST.get("stamp", ""),
        ):
            changed = len(preview.effect.movers)
            grades = f"{number_of(changed, 'grade')} changed." if changed else "No grade changed."
            messages.success(request, f"Grade rule applied. {grades}")
            return redirect("grade_rule", pk)
        context = _rule_context(assignment, membership, form)
        context |= {"effect": rule_effect(preview), "overtaken": applies}
        status = CONFLICT if applies else 200
        return render_part(request, RULE_EFFECT, RULE, context, status=status)
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    stored = StoredGradeRule.objects.newest_of(assignment)
    rule = stored.rule if stored else first_rule(expert_scale(assignment))
    current = ProposedRule(rule, bool(stored and stored.students_see))
    form = GradeRuleForm(initial=rule_initial(current))
    return render_page(request, RULE, _rule_context(assignment, membership, form))


def _rule_context(
    assignment: Assignment, membership: Membership, form: GradeRuleForm
) -> dict[str, Any]:
    rules = list(assignment.grade_rules.select_related("author").order_by("-pk"))
    rows = assignment.manual_grades.select_related("author", "student").order_by("-pk")
    manual_grades = list(rows[:MANUAL_GRADES_SHOWN])
    hide_names(assignment, manual_grades)
    current = rules[0] if rules else None
    return {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "stored": current,
        "experts": expert_scale(assignment),
        "rule_lines": rule_in_words(rule_of(current)),
        "earlier": [(row, rule_in_words(row.rule)) for row in rules[1:]],
        "manual_grades": manual_grades,
        "effect": None,
        "overtaken": False,
    }


# --- manual grades: before and after are shown, a reason is asked for, and each can be undone ---


@require_http_methods(["GET", "POST"])
def manual_grade(request: SignedInRequest, pk: int, student_key: str) -> HttpResponse:
    assignment, membership, student = access.get_graded_student_for(request.user, pk, student_key)
    [student] = displayed_members(assignment, [student])
    preview = preview_manual_grade(assignment=assignment, student=student)
    if request.method == "POST":
        return _propose_manual_grade(request, assignment, membership, student, preview)
    grade = preview.before
    kind = ManualGrade.Kind.EXCUSED if grade.excused else ManualGrade.Kind.POINTS
    initial = {"kind": kind, "points": "" if grade.grade is None else plain(grade.grade)}
    form = ManualGradeForm(initial=initial, possible=grade.possible)
    context = _manual_grade_context(assignment, membership, student, form, preview)
    return render_page(request, MANUAL, context)


def _propose_manual_grade(
    request: SignedInRequest,
    assignment: Assignment,
    membership: Membership,
    student: Membership,
    now: ManualGradePreview,
) -> HttpResponse:
    """Show what the grade would be, or save it (or undo the last) if that is what was shown."""
    what = request.POST.get("what")
    undo = now.undo if what == "undo" else None
    form = ManualGradeForm(
        None if undo else request.POST, possible=now.before.possible, saves=what == "save"
    )
    is_valid = undo is not None or form.is_valid()
    proposed = undo or form.manual_grade
    saves = is_valid and what in {"save", "undo"}
    if saves and proposed and _save_manual_grade(request, assignment, student, proposed):
        return redirect("manual_grade", assignment.pk, person_key(assignment, student.user_id))
    preview = preview_manual_grade(assignment=assignment, student=student, manual_grade=proposed)
    context = _manual_grade_context(assignment, membership, student, form, preview)
    status = CONFLICT if saves else 200 if is_valid else UNPROCESSABLE
    context["overtaken"] = saves
    return render_part(request, MANUAL_EFFECT, MANUAL, context, status=status)


def _save_manual_grade(
    request: SignedInRequest,
    assignment: Assignment,
    student: Membership,
    proposed: ProposedManualGrade,
) -> bool:
    row = manual_grade_set(
        assignment=assignment,
        student=student,
        manual_grade=proposed,
        author=request.user,
        stamp=request.POST.get("stamp", ""),
    )
    if row is not None:
        grade = student_grade(assignment, student).as_text
        messages.success(request, f"{'Undone' if proposed.is_undo else 'Saved'}: {grade}.")
    return row is not None


def _manual_grade_context(
    assignment: Assignment,
    membership: Membership,
    student: Membership,
    form: ManualGradeForm,
    preview: ManualGradePreview,
) -> dict[str, Any]:
    before, after, undo = preview.before, preview.after, preview.undo
    undo_text = ""
    if undo and undo.points is not None:
        undo_text = f"back to {plain(undo.points)} points, set manually"
    elif undo:
        is_excused = undo.kind == ManualGrade.Kind.EXCUSED
        undo_text = "excused again" if is_excused else "back to what the rule gives"
    return {
        "assignment": assignment,
        "membership": membership,
        "student": student.user,
        "form": form,
        "grade": before,
        "possible": plain(before.possible),
        "now": before.as_text,
        "after": after.as_text if after else "",
        "is_same": after is not None and _grade_and_reason(before) == _grade_and_reason(after),
        "earlier": list(reversed(preview.earlier)),
        "stamp": preview.stamp,
        "undo": undo_text,
        "overtaken": False,
    }


def _grade_and_reason(grade: StudentGrade) -> tuple[object, ...]:
    return grade.grade, grade.excused, grade.by_hand, grade.reason


# --- gradebook files: an LMS's own file to fill, a new one, and what was downloaded before ---


@require_http_methods(["GET", "POST"])
def gradebook_export(request: SignedInRequest, pk: int) -> HttpResponse:
    """All ways to get grades out, and what was downloaded. POST keeps an LMS's file to fill in."""
    assignment, membership = access.get_exportable_assignment_for(request.user, pk)
    data = (request.POST, request.FILES) if request.method == "POST" else ()
    form = LmsFileForm(*data, owner=request.user.pk)
    if form.is_valid():
        upload = upload_keep(
            assignment=assignment,
            author=request.user,
            file_name=str(form.cleaned_data["file"].name),
            data=form.content,
            grade_file=form.grade_file,
            scope=Scope(form.cleaned_data["scope"]),
        )
        return redirect("gradebook_fill", upload.pk)
    grades = class_grades(assignment)
    graded = sum(grade.state == "graded" for grade in grades)
    excused = sum(grade.excused for grade in grades)
    exports = GradebookExport.objects.filter(assignment=assignment).defer("data")
    uploads = GradebookUpload.objects.filter(assignment=assignment, author=request.user)
    context = {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "expected": EXPECTED,
        "fresh_form": FreshForm(title=assignment.title),
        "possible": points_possible(assignment),
        "uploads": uploads.defer("data").order_by("-pk")[:UPLOADS_SHOWN],
        "exports": exports.select_related("author")[:EXPORTS_SHOWN],
        "students": len(grades),
        "graded": graded,
        "excused": excused,
        "without": len(grades) - graded - excused,
        "unreviewed": unreviewed_of(queue_rows(assignment)),
    }
    return render_form_page(request, "grading/grades/export.html", context)


@require_http_methods(["GET", "POST"])
def gradebook_fresh(request: SignedInRequest, pk: int) -> HttpResponse:
    """A new file: a preview by GET, the download by POST if it is still what was shown."""
    assignment, membership = access.get_exportable_assignment_for(request.user, pk)
    form = FreshForm(request.POST or request.GET or None, title=assignment.title)
    context: dict[str, Any] = {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "unreviewed": unreviewed_of(queue_rows(assignment)),
    }
    if not form.is_valid():
        return render_form_page(request, "grading/grades/fresh.html", context)
    kind = GradebookExport.Kind(form.cleaned_data["kind"])
    scope = Scope(form.cleaned_data["scope"])
    prepared, fresh = prepare_new(assignment, kind, scope, form.cleaned_data["title"])
    is_download = request.method == "POST"
    if is_download and form.cleaned_data["stamp"] == prepared.stamp:
        export = export_keep(assignment=assignment, author=request.user, prepared=prepared)
        return redirect("gradebook_exported_file", export.pk)
    text = io.StringIO(prepared.data.decode("utf-8-sig"), newline="")
    lines = [line for line, _ in zip(csv.reader(text), range(LINES_SHOWN), strict=False)]
    context |= {"prepared": prepared, "fresh": fresh, "lines": lines, "has_changed": is_download}
    status = CONFLICT if is_download else 200
    return render_page(request, "grading/grades/fresh.html", context, status=status)


@require_safe
def gradebook_exported_file(request: SignedInRequest, pk: int) -> HttpResponse:
    export, _ = access.get_gradebook_export_for(request.user, pk)
    record(AuditKind.EXPORTED, "Downloaded a gradebook file.", assignment=export.assignment)
    return render_file(bytes(export.data), export.file_name, "text/csv")


@require_http_methods(["GET", "POST"])
def gradebook_fill(request: SignedInRequest, pk: int) -> HttpResponse:
    """An uploaded file: what would be filled in, or the download if it is what was shown."""
    upload, membership = access.get_gradebook_upload_for(request.user, pk)
    file = read_apart(read_grade_file, bytes(upload.data), owner=request.user.pk)
    choices = FillChoices.from_json(upload.choices)
    form = FillForm(request.POST if request.method == "POST" else None, file=file, stored=choices)
    if not form.is_valid():
        return _fill_page(request, membership, form, upload, choices)

    def pairs_by_name() -> list[tuple[int, int]]:
        filling = fill_upload(upload, file, choices)
        pairs = filling.matching.named if filling else ()
        return [(pair.person.line, pair.student.key) for pair in pairs]

    chosen = form.choices(pairs_by_name)
    upload_choose(upload=upload, choices=chosen)
    if "download" not in request.POST:
        return redirect("gradebook_fill", pk)
    prepared = _prepare(upload, fill_upload(upload, file, chosen), chosen)
    if prepared is None or form.cleaned_data["stamp"] != prepared.stamp:
        form = FillForm(file=file, stored=chosen)
        return _fill_page(request, membership, form, upload, chosen, has_changed=True)
    export = export_keep(assignment=upload.assignment, author=request.user, prepared=prepared)
    return redirect("gradebook_exported_file", export.pk)


def _prepare(
    upload: GradebookUpload, filling: Filling | None, choices: FillChoices
) -> PreparedFile | None:
    if filling is None or filling.refusal:
        return None
    return prepare_filled(upload, filling, choices.scope)


def _fill_page(
    request: SignedInRequest,
    membership: Membership,
    form: FillForm,
    upload: GradebookUpload,
    choices: FillChoices,
    *,
    has_changed: bool = False,
) -> HttpResponse:
    assignment, file = upload.assignment, form.file
    filling = fill_upload(upload, file, choices)
    by_name = [
        (pair, f"{pair.person.line}-{pair.student.key}", key in choices.names)
        for pair in (filling.matching.named if filling else ())
        for key in [(pair.person.line, pair.student.key)]
    ]
    context = {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "upload": upload,
        "file": file,
        "filling": filling,
        "prepared": _prepare(upload, filling, choices),
        "possible": points_possible(assignment),
        "by_name": by_name,
        "unreviewed": unreviewed_of(queue_rows(assignment)),
        "has_comments": file.comments is not None and bool(comments_to_students(assignment)),
        "has_changed": has_changed,
    }
    status = CONFLICT if has_changed else UNPROCESSABLE if form.is_bound else 200
    return render_page(request, "grading/grades/fill.html", context, status=status)
