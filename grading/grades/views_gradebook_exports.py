"""Grades on their way to a learning platform: a file to fill, a new one, and what was given out."""

import csv
import io
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_safe

from grading import access
from grading.grades.actions_gradebook_exports import Prepared, export_keep, fresh_file, upload_keep
from grading.grades.forms_gradebook_exports import FreshForm, LmsFileForm
from grading.models import Assignment, GradebookExport, GradebookUpload, Membership, Scope
from grading.pyramid.formats.lms.fresh import Fresh
from grading.pyramid.formats.lms.reading import EXPECTED
from grading.scoring.grades import class_grades, points_possible
from grading.web.rendering import (
    CONFLICT,
    SignedInRequest,
    render_form_page,
    render_page,
)

EXPORTS_SHOWN = 50
UPLOADS_SHOWN = 3
LINES_SHOWN = 8  # of a new file


@dataclass(frozen=True, slots=True)
class Standing:
    """How far grading is, before anything is exported."""

    students: int
    graded: int
    excused: int

    @property
    def without(self) -> int:
        return self.students - self.graded - self.excused


@require_http_methods(["GET", "POST"])
def gradebook_export(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_exportable_assignment_for(request.user, pk)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = LmsFileForm(*sent)
    if form.is_valid():
        upload = upload_keep(
            assignment=assignment,
            author=request.user,
            file_name=str(form.cleaned_data["file"].name),
            data=form.content,
            scope=Scope(form.cleaned_data["scope"]),
        )
        return redirect("gradebook_fill", upload.pk)
    context = _context(assignment, membership) | {"form": form, "expected": EXPECTED}
    return render_form_page(request, "grading/grades/export.html", context)


def _context(assignment: Assignment, membership: Membership) -> dict[str, Any]:
    grades = class_grades(assignment)
    exports = GradebookExport.objects.filter(assignment=assignment).defer("data")
    uploads = GradebookUpload.objects.filter(assignment=assignment, author=membership.user_id)
    return {
        "assignment": assignment,
        "membership": membership,
        "fresh_form": FreshForm(title=assignment.title),
        "possible": points_possible(assignment),
        "uploads": uploads.defer("data").order_by("-pk")[:UPLOADS_SHOWN],
        "exports": exports.select_related("author")[:EXPORTS_SHOWN],
        "standing": Standing(
            students=len(grades),
            graded=sum(grade.state == "graded" for grade in grades),
            excused=sum(grade.excused for grade in grades),
        ),
    }


@require_http_methods(["GET", "POST"])
def gradebook_fresh(request: SignedInRequest, pk: int) -> HttpResponse:
    """A new file: shown by GET, given out by POST if it is still what was shown."""
    assignment, membership = access.get_exportable_assignment_for(request.user, pk)
    form = FreshForm(request.POST or request.GET or None, title=assignment.title)
    context: dict[str, Any] = {"assignment": assignment, "membership": membership, "form": form}
    if not form.is_valid():
        return render_form_page(request, "grading/grades/fresh.html", context)
    prepared, fresh = _prepared(assignment, form)
    is_wanted = request.method == "POST"
    if is_wanted and form.cleaned_data["stamp"] == prepared.stamp:
        export = export_keep(assignment=assignment, author=request.user, prepared=prepared)
        return redirect("gradebook_exported_file", export.pk)
    lines = _first_lines(prepared)
    context |= {"prepared": prepared, "fresh": fresh, "lines": lines, "has_changed": is_wanted}
    status = CONFLICT if is_wanted else 200
    return render_page(request, "grading/grades/fresh.html", context, status=status)


def _prepared(assignment: Assignment, form: FreshForm) -> tuple[Prepared, Fresh]:
    chosen = form.cleaned_data
    kind, scope = GradebookExport.Kind(chosen["kind"]), Scope(chosen["scope"])
    return fresh_file(assignment, kind, scope, chosen["title"])


def _first_lines(prepared: Prepared) -> list[list[str]]:
    text = io.StringIO(prepared.data.decode("utf-8-sig"), newline="")
    return [row for row, _ in zip(csv.reader(text), range(LINES_SHOWN), strict=False)]


@require_safe
def gradebook_exported_file(request: SignedInRequest, pk: int) -> HttpResponse:
    export, _ = access.get_gradebook_export_for(request.user, pk)
    response = HttpResponse(bytes(export.data), content_type="text/csv")
    response["Content-Disposition"] = content_disposition_header(True, export.file_name)
    return response
