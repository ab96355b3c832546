"""Taking a draft or a version away: as a file, or as a page to print."""

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from grading import access
from grading.models import Assignment, StoredPyramid
from grading.pyramid.formats.file_kinds import FILE_KINDS
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row
from grading.web.pyramid_outline import outline_of
from grading.web.rendering import SignedInRequest, render_page


@require_safe
def draft_file(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    draft, _ = access.get_draft_for(request.user, pk)
    name = f"draft-{draft.number}"
    return _file(kind, pyramid_from_draft(draft), draft.assignment, name)


@require_safe
def version_file(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    version, _ = access.get_version_for(request.user, pk)
    name = f"version-{version.number}"
    return _file(kind, pyramid_from_row(version), version.assignment, name)


@require_safe
def pyramid_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """The newest version as DUCView reads it."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    row = StoredPyramid.objects.newest_of(assignment)
    if row is None:
        raise Http404("There is no pyramid yet.")
    return _file("pyr", pyramid_from_row(row), assignment, f"version-{row.number}")


def _file(kind: str, pyramid: Pyramid, assignment: Assignment, which: str) -> HttpResponse:
    written = FILE_KINDS[kind]
    content_type = f"{written.content_type}; charset=utf-8"
    response = HttpResponse(written.write(pyramid), content_type=content_type)
    title = slugify(assignment.title)[:60] or str(assignment.pk)
    name = f"pyramid-{title}-{which}.{kind}"
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


@require_safe
def draft_print(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, _ = access.get_draft_for(request.user, pk)
    pyramid = pyramid_from_draft(draft)
    context = {
        "assignment": draft.assignment,
        "draft": draft,
        "pyramid": pyramid,
        "outline": outline_of(pyramid),
    }
    return render_page(request, "grading/editor/print_draft.html", context)


@require_safe
def version_print(request: SignedInRequest, pk: int) -> HttpResponse:
    version, _ = access.get_version_for(request.user, pk)
    pyramid = pyramid_from_row(version)
    context = {
        "assignment": version.assignment,
        "version": version,
        "pyramid": pyramid,
        "outline": outline_of(pyramid),
    }
    return render_page(request, "grading/editor/print_draft.html", context)
