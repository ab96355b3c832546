"""Writing a summary, and handing it in."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods

from grading import access
from grading.models import Assignment, Membership
from grading.scoring.allowances import allowance_of
from grading.scoring.written import written_of
from grading.submissions.actions import writing_bring_back, writing_replace, writing_save
from grading.submissions.actions_summaries import submission_submit
from grading.submissions.forms import SubmissionForm, WritingForm
from grading.submissions.page import StudentPage, told_handed_in
from grading.web.rendering import (
    CONFLICT,
    FORBIDDEN,
    UNPROCESSABLE,
    SignedInRequest,
    asks_for_parts,
    render_page,
)
from grading.web.uploads import DocumentForm

PAGE = "grading/submissions/student.html"

# Said beside the field, to which the page scrolls.
say = partial(messages.add_message, extra_tags="field")


# Who had to log in again in mid-way, or loads a refused page anew, arrives at these by GET.


@require_http_methods(["GET", "POST"])
def writing(request: SignedInRequest, pk: int) -> HttpResponse:
    """Keep what was typed: by script as it is typed, without it by a button."""
    assignment, membership = access.get_submittable_assignment_for(request.user, pk)
    if request.method == "GET":
        return _to_field(pk)
    if (refusal := _save(request, assignment, membership)) is not None:
        return refusal
    if asks_for_parts(request):
        return _told_written(assignment, membership)
    kept = " The other text is kept." if request.POST.get("choice") else ""
    say(request, messages.SUCCESS, f"Saved.{kept} Nothing is handed in yet.")
    return _to_field(pk)


@require_http_methods(["GET", "POST"])
def writing_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put the text of a file into the field."""
    assignment, membership = access.get_submittable_assignment_for(request.user, pk)
    if request.method == "GET":
        return _to_field(pk)
    return _save(request, assignment, membership) or _take_file(request, assignment, membership)


@require_http_methods(["GET", "POST"])
def bring_back(request: SignedInRequest, pk: int) -> HttpResponse:
    """What took the place of the typed text, and that text, change places."""
    assignment, membership = access.get_submittable_assignment_for(request.user, pk)
    if request.method == "GET":
        return _to_field(pk)
    if (refusal := _save(request, assignment, membership)) is not None:
        return refusal
    if writing_bring_back(assignment=assignment, student=request.user):
        say(request, messages.SUCCESS, "The other text is back; the one that stood here is kept.")
    else:
        say(request, messages.ERROR, "There is no other text to bring back.")
    return _to_field(pk)


@require_http_methods(["GET", "POST"])
def submit(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_submittable_assignment_for(request.user, pk)
    if request.method == "GET":
        return redirect("assignment", pk)
    if (refusal := _save(request, assignment, membership)) is not None:
        return refusal
    page = StudentPage(assignment, membership)
    if page.allowance.is_none:
        messages.error(request, f"{page.allowance.reason} Your text is kept.")
        return render_page(request, PAGE, page.context(), status=FORBIDDEN)
    if request.FILES.get("file"):
        return _take_file(request, assignment, membership)
    form = page.form(request.POST)
    if not form.is_valid():
        return render_page(request, PAGE, page.context(form), status=UNPROCESSABLE)
    return _hand_in(request, assignment, form)


def _hand_in(
    request: SignedInRequest, assignment: Assignment, form: SubmissionForm
) -> HttpResponse:
    text, is_final = form.cleaned_data["text"], form.is_final
    submission = submission_submit(
        assignment=assignment, student=request.user, text=text, is_final=is_final
    )
    messages.success(request, told_handed_in(submission, request.user.zone))
    return redirect("submission", submission.pk)


def _save(
    request: SignedInRequest, assignment: Assignment, membership: Membership
) -> HttpResponse | None:
    """Whatever comes next, what was typed is kept first; an answer only where it cannot be.

    Where no text was sent at all, what is kept stays as it is: nobody has emptied the field.
    """
    if "text" not in request.POST:
        return None
    typed = WritingForm(request.POST)
    if not typed.is_valid():
        return _refused(request, assignment, membership, typed)
    is_saved = writing_save(assignment=assignment, student=request.user, **typed.cleaned_data)
    if is_saved:
        return None
    if asks_for_parts(request):
        return _told_written(assignment, membership, status=CONFLICT)
    page = StudentPage(assignment, membership)
    form = page.form(text=typed.cleaned_data["text"])
    context = page.context(form, conflict=True, revision=typed.cleaned_data["revision"])
    return render_page(request, PAGE, context, status=CONFLICT)


def _refused(
    request: SignedInRequest, assignment: Assignment, membership: Membership, typed: WritingForm
) -> HttpResponse:
    if asks_for_parts(request):
        reasons = " ".join(str(error) for errors in typed.errors.values() for error in errors)
        return JsonResponse({"error": reasons}, status=UNPROCESSABLE)
    page = StudentPage(assignment, membership)
    return render_page(request, PAGE, page.context(page.form(request.POST)), status=UNPROCESSABLE)


def _take_file(
    request: SignedInRequest, assignment: Assignment, membership: Membership
) -> HttpResponse:
    """Never handed in at once: programs misread files, and the student looks first."""
    form = DocumentForm(request.POST, request.FILES, owner=request.user.pk)
    if not form.is_valid():
        page = StudentPage(assignment, membership)
        context = page.context(document_form=form)
        return render_page(request, PAGE, context, status=UNPROCESSABLE)
    read = form.cleaned_data["file"]
    if not writing_replace(assignment=assignment, student=request.user, text=read.text):
        say(request, messages.ERROR, "Another window saved a text just now. Choose the file again.")
        return _to_field(assignment.pk)
    for sentence in form.told_read():
        say(request, messages.INFO, sentence)
    return _to_field(assignment.pk)


def _to_field(assignment_pk: int) -> HttpResponse:
    return redirect(f"{reverse('assignment', args=[assignment_pk])}#submit-title")


def _told_written(
    assignment: Assignment, membership: Membership, status: int = 200
) -> HttpResponse:
    """What is kept now, for the script; the other text too where there is a choice to make."""
    written = written_of(assignment, membership.user)
    told: dict[str, object] = {
        "revision": written.revision,
        "saved": date_format(timezone.localtime(written.saved_at), "H:i")
        if written.saved_at
        else "",
        "next": allowance_of(assignment, membership.user).reason or "Not handed in yet.",
        "has_replaced": bool(written.replaced),
    }
    if status == CONFLICT:
        told["text"] = written.text
    return JsonResponse(told, status=status)
