"""A course as a file: exported, downloaded, chosen, looked at, and imported."""

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.housekeeping.course_export import export_start
from grading.housekeeping.course_import import course_in_file, import_keep, import_start
from grading.housekeeping.forms import CourseFileForm, CourseImportForm
from grading.jobs.claims import job_retry
from grading.models import CourseFile
from grading.web.rendering import (
    SignedInRequest,
    refresh_page,
    render_form_page,
    render_page,
    render_part,
)


@require_http_methods(["GET", "POST"])
def course_exports(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_kept_course_for(request.user, pk)
    course = membership.course
    if request.method == "POST":
        export_start(course=course, requested_by=request.user)
        return redirect("course_exports", pk)
    files = course.files.filter(kind=CourseFile.Kind.EXPORT).select_related("owner")
    context = {
        "course": course,
        "job": course.jobs.filter(file__kind=CourseFile.Kind.EXPORT).select_related("file").first(),
        "files": [file for file in files if file.is_there],
        "hidden": course.assignments.filter(names_hidden=True, leaves_at=None).exists(),
    }
    return render_page(request, "grading/housekeeping/exports.html", context)


@require_safe
def course_file(request: SignedInRequest, pk: int) -> StreamingHttpResponse:
    file = access.get_course_file_for(request.user, pk)
    if file.kind != CourseFile.Kind.EXPORT or not file.is_there:
        raise Http404("No such file.")
    response = StreamingHttpResponse(file.content(), content_type="application/zip")
    response["Content-Disposition"] = content_disposition_header(True, file.name)
    response["Content-Length"] = str(file.size)
    return response


@require_http_methods(["GET", "POST"])
def course_import(request: SignedInRequest) -> HttpResponse:
    owner = access.get_course_creator(request.user)
    form = CourseFileForm(request.POST or None, request.FILES or None, owner=owner)
    if request.method == "POST" and form.is_valid():
        name = str(form.cleaned_data["file"].name)
        file = import_keep(content=form.content(), name=name, owner=owner)
        return redirect("course_import_look", file.pk)
    return render_form_page(request, "grading/housekeeping/import_file.html", {"form": form})


@require_http_methods(["GET", "POST"])
def course_import_look(request: SignedInRequest, pk: int) -> HttpResponse:
    """What is in the file, then the job; once that is done, the course."""
    file = access.get_course_file_for(request.user, pk)
    if file.kind == CourseFile.Kind.IMPORT and file.course_id is not None:
        messages.success(request, "The course is imported. You teach it.")
        return redirect("course", file.course_id)
    file = access.get_file_to_import_for(request.user, pk)
    if job := file.jobs.first():
        return render_page(request, "grading/housekeeping/importing.html", {"job": job})
    with file.opened() as content:
        found = course_in_file(content, request.user)
    form = CourseImportForm(request.POST or None, found=found)
    if form.is_valid():
        import_start(file=file, choices=form.choices(), requested_by=request.user)
        return redirect("course_import_look", pk)
    context = {"form": form, "found": found, "file": file}
    return render_form_page(request, "grading/housekeeping/import.html", context)


@require_safe
def course_job(request: SignedInRequest, pk: int) -> HttpResponse:
    """The panel; once the job is done, the page that shows it is loaded again."""
    job = access.get_course_job_for(request.user, pk)
    context = {"job": job}
    panel = render_part(
        request, "grading/progress/_job.html", "grading/housekeeping/importing.html", context
    )
    return refresh_page(request, panel) if job.is_done else panel


@require_POST
def course_job_try_again(request: SignedInRequest, pk: int) -> HttpResponse:
    job = access.get_course_job_for(request.user, pk)
    if not job_retry(job=job):
        messages.info(request, "Somebody has started it again already.")
    if job.course_id is not None:
        return redirect("course_exports", job.course_id)
    return redirect("course_import_look", job.file_id)
