"""Copy, archive, export, import and delete courses and assignments."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.housekeeping.copies import archive, assignment_copy, course_copy, unarchive
from grading.housekeeping.course_export import export_start
from grading.housekeeping.course_import import course_preview, import_keep, import_start
from grading.housekeeping.deletions import (
    DeletionPreview,
    assignment_delete,
    assignment_deletion_preview,
    course_delete,
    course_deletion_preview,
    deletion_restore,
    student_delete,
    student_deletion_preview,
)
from grading.housekeeping.forms import (
    AssignmentCopyForm,
    ConfirmForm,
    CourseCopyForm,
    CourseFileForm,
    CourseImportForm,
)
from grading.jobs.claims import job_retry
from grading.models import (
    AuditKind,
    Course,
    CourseFile,
    Deletion,
    Draft,
    Role,
    StoredPyramid,
    record,
)
from grading.pyramid.figures import number_of
from grading.web.downloads import stream_archive
from grading.web.rendering import (
    SignedInRequest,
    refresh_page,
    render_form_page,
    render_page,
    render_part,
)
from grading.web.same_person import needs_password_again, needs_password_to_post


@require_http_methods(["GET", "POST"])
def copy_assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_assignment_even_if_archived_for(request.user, pk)
    courses = access.get_courses_to_fill(request.user)
    form = AssignmentCopyForm(request.POST or None, courses=courses)
    if form.is_valid():
        copy = assignment_copy(
            assignment=assignment,
            course=form.cleaned_data["course"],
            rules=form.rules(),
            author=request.user,
        )
        messages.success(request, "Assignment copied. Students can't see it until you open it.")
        return redirect("assignment", copy.pk)
    context = {
        "form": form,
        "assignment": assignment,
        "membership": membership,
        "courses": courses.count(),
        "references": assignment.references.count(),
        "version": StoredPyramid.objects.newest_of(assignment),
        "draft": Draft.objects.open_of(assignment).first(),
    }
    return render_form_page(request, "grading/housekeeping/copy_assignment.html", context)


@require_http_methods(["GET", "POST"])
def copy_course(request: SignedInRequest, pk: int) -> HttpResponse:
    course = access.get_course_even_if_archived_for(request.user, pk).course
    author = access.get_course_creator(request.user)
    form = CourseCopyForm(request.POST or None, initial={"name": course.name})
    assignments = course.assignments.filter(archived_at=None, leaves_at=None)
    if form.is_valid():
        copy = course_copy(
            course=course,
            name=form.cleaned_data["name"],
            term=form.cleaned_data["term"],
            rules=form.rules(),
            author=author,
        )
        count = number_of(copy.assignments.count(), "assignment")
        messages.success(
            request, f"The new course has copies of {count}. Students don't see them yet."
        )
        return redirect("course", copy.pk)
    context = {"form": form, "course": course, "assignments": assignments}
    return render_form_page(request, "grading/housekeeping/copy_course.html", context)


@require_POST
def archive_course(request: SignedInRequest, pk: int) -> HttpResponse:
    course = access.get_course_even_if_archived_for(request.user, pk).course
    if request.POST.get("archived") == "no":
        unarchive(row=course)
        messages.success(request, "Course restored. People can work in it again.")
    else:
        archive(row=course)
        messages.success(request, "Course archived. It's now read-only.")
    return redirect("course", pk)


@require_POST
def archive_assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_assignment_even_if_archived_for(request.user, pk)
    if request.POST.get("archived") == "no":
        unarchive(row=assignment)
        messages.success(request, "Assignment restored. People can work on it again.")
    else:
        archive(row=assignment)
        messages.success(request, "Assignment archived. It's now read-only.")
    return redirect("assignment", pk)


# --- files of courses ---


@require_http_methods(["GET", "POST"])
@needs_password_to_post
def course_exports(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_course_even_if_archived_for(request.user, pk)
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
@needs_password_again
def course_file(request: SignedInRequest, pk: int) -> StreamingHttpResponse:
    file = access.get_course_file_for(request.user, pk)
    if file.kind != CourseFile.Kind.EXPORT or not file.is_there:
        raise Http404("No such file.")
    record(AuditKind.EXPORTED, "Downloaded an export of the course.", course=file.course)
    return stream_archive(file.content(), file.name, file.size)


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
    """Show what is in the file, then the job; once that is done, go to the course."""
    file = access.get_course_file_for(request.user, pk)
    if file.kind == CourseFile.Kind.IMPORT and file.course_id is not None:
        messages.success(request, "Course imported. You're its instructor.")
        return redirect("course", file.course_id)
    file = access.get_file_to_import_for(request.user, pk)
    if job := file.jobs.first():
        return render_page(request, "grading/housekeeping/importing.html", {"job": job})
    with file.opened() as content:
        preview = course_preview(content, request.user)
    form = CourseImportForm(request.POST or None, preview=preview)
    if form.is_valid():
        import_start(file=file, options=form.options(), requested_by=request.user)
        return redirect("course_import_look", pk)
    context = {"form": form, "preview": preview, "file": file}
    return render_form_page(request, "grading/housekeeping/import.html", context)


@require_safe
def course_job(request: SignedInRequest, pk: int) -> HttpResponse:
    """The part with the progress; once the job is done, htmx loads the whole page again."""
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
        messages.info(request, "Somebody has already started it again.")
    if job.course_id is not None:
        return redirect("course_exports", job.course_id)
    return redirect("course_import_look", job.file_id)


# --- deleting for good ---


DELETE_PAGE = "grading/housekeeping/delete.html"


@require_http_methods(["GET", "POST"])
@needs_password_to_post
def delete_course(request: SignedInRequest, pk: int) -> HttpResponse:
    course = access.get_course_even_if_archived_for(request.user, pk).course
    preview = course_deletion_preview(course=course)
    form = ConfirmForm(request.POST or None, name=preview.name)
    if form.is_valid():
        deletion = course_delete(course=course, asked_by=request.user)
        messages.success(request, f"Course deleted. {_until(request, deletion)}")
        return redirect("home")
    context = _delete_context(form, preview, course)
    context |= {"what": "course", "back": reverse("course_edit", args=[pk])}
    return render_form_page(request, DELETE_PAGE, context)


@require_http_methods(["GET", "POST"])
@needs_password_to_post
def delete_assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_assignment_even_if_archived_for(request.user, pk)
    preview = assignment_deletion_preview(assignment=assignment)
    form = ConfirmForm(request.POST or None, name=preview.name)
    if form.is_valid():
        deletion = assignment_delete(assignment=assignment, asked_by=request.user)
        messages.success(request, f"Assignment deleted. {_until(request, deletion)}")
        return redirect("deletions", membership.course_id)
    context = _delete_context(form, preview, membership.course)
    context |= {"what": "assignment", "back": reverse("assignment_edit", args=[pk])}
    return render_form_page(request, DELETE_PAGE, context | {"assignment": assignment})


@require_http_methods(["GET", "POST"])
@needs_password_to_post
def delete_student(request: SignedInRequest, pk: int, user_pk: int) -> HttpResponse:
    student, membership = access.get_person_of_for(request.user, pk, user_pk)
    preview = student_deletion_preview(course=membership.course, student=student)
    form = ConfirmForm(request.POST or None, name=preview.name)
    if form.is_valid():
        deletion = student_delete(course=membership.course, student=student, asked_by=request.user)
        messages.success(request, f"The student's data is hidden. {_until(request, deletion)}")
        return redirect("deletions", pk)
    context = _delete_context(form, preview, membership.course)
    context |= {"what": "student", "back": reverse("members", args=[pk])}
    return render_form_page(request, DELETE_PAGE, context | {"student": student})


def _delete_context(
    form: ConfirmForm, preview: DeletionPreview, course: Course
) -> dict[str, object]:
    return {"form": form, "preview": preview, "course": course, "days": settings.GRACE_DAYS}


def _until(request: SignedInRequest, deletion: Deletion) -> str:
    when = deletion.leaves_at.astimezone(request.user.zone)
    return f"You can restore it until {when:%-d %B %Y, %H:%M}."


@require_safe
def deletions(request: SignedInRequest, pk: int) -> HttpResponse:
    """What was or will be deleted, and students who have left whose data can be deleted."""
    membership = access.get_course_even_if_archived_for(request.user, pk)
    course = membership.course
    rows = course.deletions.select_related("asked_by", "ended_by", "student", "assignment")
    people = access.get_people_with_data(course)
    members = course.memberships.filter(role=Role.STUDENT).values("user")
    context = {
        "course": course,
        "waiting": [row for row in rows if row.is_waiting],
        "ended": [row for row in rows if not row.is_waiting],
        "left": people.exclude(pk__in=members).order_by("name"),
    }
    return render_page(request, "grading/housekeeping/deletions.html", context)


@require_POST
def deletion_bring_back(request: SignedInRequest, pk: int) -> HttpResponse:
    deletion = access.get_deletion_for(request.user, pk)
    if deletion_restore(deletion=deletion, author=request.user):
        messages.success(request, "Restored.")
    else:
        messages.info(request, "Somebody has already restored it, or it was deleted for good.")
    return redirect("course", deletion.course_number)
