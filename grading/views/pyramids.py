"""The pyramid of an assignment: building it, looking at it, taking it away as a file."""

from collections.abc import Iterable
from itertools import groupby

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from grading import access
from grading.actions.pyramids import pyramid_start_build
from grading.conversion import is_outdated, pyramid_from_row
from grading.models import Job, StoredPyramid
from grading.pyramid.formats.ducview import write_pyramid
from grading.pyramid.structures import Pyramid, Scu
from grading.views.ideas import Idea, idea_of
from grading.views.rendering import SignedInRequest, render_page


@require_POST
def pyramid_build(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    if not assignment.references.exists():
        messages.error(request, "Add a reference summary first: a pyramid is made of them.")
        return redirect("references", pk)
    pyramid_start_build(assignment=assignment, requested_by=request.user)
    return redirect("pyramid", pk)


@require_safe
def pyramid(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    row = StoredPyramid.objects.newest_of(assignment)
    built = pyramid_from_row(row) if row else None
    context = {
        "assignment": assignment,
        "membership": membership,
        "pyramid": row,
        "references": assignment.references.count(),
        "outdated": row is not None and is_outdated(row, assignment),
        "bands": list(_bands(built)) if built else [],
        "built_from": built.references if built else (),
        "ideas": len(built.scus) if built else 0,
        "notes": built.notes if built else (),
        "job": Job.objects.latest_to_show(assignment),
    }
    return render_page(request, "grading/pyramids/detail.html", context)


def _bands(pyramid: Pyramid) -> Iterable[tuple[int, list[Idea]]]:
    """Weight and ideas, heaviest first."""

    def weight(scu: Scu) -> int:
        return scu.weight

    for band, scus in groupby(sorted(pyramid.scus, key=weight, reverse=True), key=weight):
        yield band, [idea_of(pyramid, scu) for scu in scus]


@require_safe
def pyramid_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """The pyramid as DUCView reads it."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    row = StoredPyramid.objects.newest_of(assignment)
    if row is None:
        raise Http404("There is no pyramid yet.")
    response = HttpResponse(write_pyramid(pyramid_from_row(row)), content_type="application/xml")
    response["Content-Disposition"] = f'attachment; filename="pyramid-{pk}-{row.number}.pyr"'
    return response
