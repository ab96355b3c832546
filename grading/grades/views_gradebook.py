"""The class: who handed in what, and what it scored."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from grading import access
from grading.grades.page_gradebook_rows import GradebookRows
from grading.models import GradebookExport, Job, Scope, StoredPyramid
from grading.pyramid.grade_rules.rules import plain
from grading.scoring.grades import ClassGrading
from grading.web.rendering import SignedInRequest, render_page

STUDENTS_A_PAGE = 50


@require_safe
def gradebook(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    job = Job.objects.latest_to_show(assignment)  # first: a worker may end while we look
    grading = ClassGrading(assignment)
    shown = GradebookRows(grading.grades(), request.GET)
    context = {
        "assignment": assignment,
        "membership": membership,
        "shown": shown,
        "page": Paginator(shown.rows, STUDENTS_A_PAGE).get_page(request.GET.get("page")),
        "rule": grading.stored,
        "possible": plain(grading.rule.points),
        "pyramid": StoredPyramid.objects.newest_of(assignment),
        "job": job,
    }
    return render_page(request, "grading/grades/gradebook.html", context)


@require_safe
def gradebook_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """Where there was a file without a log of who took it."""
    assignment, _ = access.get_exportable_assignment_for(request.user, pk)
    address = reverse("gradebook_fresh", args=[assignment.pk])
    return redirect(f"{address}?kind={GradebookExport.Kind.CSV}&scope={Scope.ALL}")
