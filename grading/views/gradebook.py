"""The class: who handed in what, what it scored, and the file for the gradebook."""

from zoneinfo import ZoneInfo

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from grading import access
from grading.conversion import gradebook_row
from grading.models import Job, StoredPyramid
from grading.models.grades import ClassGrading
from grading.models.results import class_results
from grading.pyramid.formats.gradebook import gradebook_csv
from grading.pyramid.grade_rules.rules import plain
from grading.views.gradebook_rows import GradebookRows
from grading.views.rendering import SignedInRequest, render_page

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
    return render_page(request, "grading/gradebook/detail.html", context)


@require_safe
def gradebook_file(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    zone = ZoneInfo(assignment.course.time_zone)
    rows = [gradebook_row(result, zone) for result in class_results(assignment)]
    name = slugify(assignment.title) or "assignment"
    response = HttpResponse(gradebook_csv(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="gradebook-{name}-{pk}.csv"'
    return response
