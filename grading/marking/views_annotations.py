"""Annotations as files of DUCView: out and in, for one text and for a class."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.access.hidden_names import hide_names
from grading.marking.actions_annotations import (
    Annotated,
    annotations_look,
    annotations_write,
)
from grading.marking.actions_annotations import (
    annotations_take as take,
)
from grading.marking.forms_annotations import AnnotationsForm, ProposedForm, annotation_names
from grading.models import Assignment, Membership, Submission, User
from grading.pyramid.figures import number_of
from grading.pyramid.formats.annotation_changes import Change
from grading.scoring.conversion import submission_to_text
from grading.web.rendering import SignedInRequest, render_form_page

PAGE = "grading/marking/annotations.html"
_NO_FILE = "There is no score yet, or its pyramid has no references, as DUCView needs them."


@dataclass(frozen=True, slots=True)
class ShownChange:
    number: int
    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ShownFile:
    """``found`` with its changes in words."""

    found: Annotated
    changes: tuple[ShownChange, ...]


@require_safe
def annotation_file(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, _ = access.get_graded_submission_for(request.user, pk)
    hide_names(submission.assignment, [submission])
    written = annotations_write([submission]).get(submission.pk)
    if written is None:
        raise Http404(_NO_FILE)
    name = annotation_names([submission])[submission.pk]
    response = HttpResponse(written, content_type="application/xml; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{name}.pan")
    return response


@require_safe
def annotations_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """Of each student the attempt that counts."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    submissions = _submissions(assignment, assignment.submissions.latest_attempts())
    names, written = annotation_names(submissions), annotations_write(submissions)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, content in written.items():
            archive.writestr(f"{names[one]}.pan", content)
    title = slugify(assignment.title)[:60] or str(assignment.pk)
    response = HttpResponse(out.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = content_disposition_header(True, f"annotations-{title}.zip")
    return response


@require_http_methods(["GET", "POST"])
def annotation_upload(request: SignedInRequest, pk: int) -> HttpResponse:
    """For one text, whatever the file is called."""
    submission, membership = access.get_markable_submission_for(request.user, pk)
    hide_names(submission.assignment, [submission])
    form = _form(request)
    found: tuple[Annotated, ...] = ()
    if form.is_valid():
        name, data = form.files_read[0]
        found = annotations_look(files=[(name, data)], submissions={name: submission})
    context = _context(submission.assignment, membership, form, found)
    return render_form_page(request, PAGE, context | {"submission": submission})


@require_http_methods(["GET", "POST"])
def annotations(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    form = _form(request)
    found: tuple[Annotated, ...] = ()
    if form.is_valid():
        by_name = _by_name(assignment, request.user)
        found = annotations_look(files=form.files_read, submissions=by_name)
    context = _context(assignment, membership, form, found)
    return render_form_page(request, PAGE, context | {"submission": None})


@require_POST
def annotations_take(request: SignedInRequest, pk: int) -> HttpResponse:
    """What was shown, and nothing else."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    form = ProposedForm(request.POST, assignment=assignment)
    if not form.is_valid():
        messages.error(request, form.errors["proposed"].as_text().removeprefix("* "))
        return redirect("annotations", pk)
    proposed = form.cleaned_data["proposed"]
    known = {one.pk: one for one in _markable(assignment, request.user)}
    there = [one for one in proposed if one.submission in known]
    taken, stale = take(proposed=there, submissions=known, author=request.user)
    _tell(request, taken, stale)
    if len(proposed) == len(taken) == 1:
        return redirect("marking", taken[0].pk)
    return redirect("annotations", pk)


def _tell(
    request: SignedInRequest, taken: Sequence[Submission], stale: Sequence[Submission]
) -> None:
    if taken:
        texts = number_of(len(taken), "text")
        messages.success(request, f"Taken over for {texts}. Each can be undone on its desk.")
    if stale:
        names = ", ".join(submission_to_text(one).name for one in stale[:10])
        messages.warning(
            request,
            f"Not taken over, since it was changed in the meantime: {names}"
            f"{' and more' if len(stale) > 10 else ''}. Choose the file again to see how it is.",
        )


def _form(request: SignedInRequest) -> AnnotationsForm:
    return AnnotationsForm(*((request.POST, request.FILES) if request.method == "POST" else ()))


def _submissions(assignment: Assignment, rows: Any) -> list[Submission]:
    """With their students, whose names are hidden where that was chosen."""
    submissions: list[Submission] = list(rows.select_related("student").order_by("pk"))
    hide_names(assignment, submissions)
    return submissions


def _markable(assignment: Assignment, grader: User) -> list[Submission]:
    """Nobody marks what they wrote themselves."""
    return _submissions(assignment, assignment.submissions.exclude(student=grader))


def _by_name(assignment: Assignment, grader: User) -> dict[str, Submission]:
    """By the names that files are written with: of the attempts that count, then of the others."""
    everyone = _markable(assignment, grader)
    counting = set(assignment.submissions.latest_attempts().values_list("pk", flat=True))
    first = [one for one in everyone if one.pk in counting]
    by_pk = {one.pk: one for one in everyone}
    names = {name: pk for pk, name in annotation_names(everyone).items()}
    names |= {name: pk for pk, name in annotation_names(first).items()}
    return {name: by_pk[pk] for name, pk in names.items()}


def _context(
    assignment: Assignment,
    membership: Membership,
    form: AnnotationsForm,
    found: Sequence[Annotated],
) -> dict[str, Any]:
    changing = [one for one in found if one.is_change]
    return {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "found": [_shown(one) for one in found if one.changes and one.is_change],
        "same": [one for one in found if one.changes and not one.is_change],
        "refused": [one for one in found if one.problem],
        "is_shown": bool(found),
        "proposed": ProposedForm(assignment=assignment, shown=changing) if changing else None,
    }


def _shown(found: Annotated) -> ShownFile:
    changes = found.changes.changes if found.changes else ()
    return ShownFile(found, tuple(_told(found, change) for change in changes))


def _told(found: Annotated, change: Change) -> ShownChange:
    if found.submission is None or found.pyramid is None:
        raise ValueError("A file that changes something is about a text and its pyramid.")
    text = submission_to_text(found.submission)
    return ShownChange(
        number=change.scu,
        label=found.pyramid.scu(change.scu).label,
        before=text.quoted(change.before),
        after=text.quoted(change.after),
    )
