"""The assignment page of a student, writing a summary there, and submitting it.

Requests that save come by POST. Students who had to log in again on the way, or who reload a page
with errors, arrive by GET, and are sent to the field.
"""

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
from grading.scoring.allowances import allowance_of, written_of
from grading.submissions.actions import (
    submission_submit,
    writing_bring_back,
    writing_replace,
    writing_save,
)
from grading.submissions.forms import WritingForm
from grading.submissions.page import StudentPage
from grading.web.assignment_rules import describe_submission
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

# The page shows messages with this tag beside the field, to which it scrolls.
add_field_message = partial(messages.add_message, extra_tags="field")


def student_page(
    request: SignedInRequest, assignment: Assignment, membership: Membership
) -> HttpResponse:
    """The page of an assignment for students; graders get ``assignment_overview``."""
    return render_page(request, PAGE, StudentPage(assignment, membership).context())


@require_http_methods(["GET", "POST"])
def writing(request: SignedInRequest, pk: int) -> HttpResponse:
    """Save what was typed: a script asks for it while the student types, else a button."""
    assignment, membership = access.get_submittable_assignment_for(request.user, pk)
    if request.method == "GET":
        return _redirect_to_field(pk)
    if (refusal := _save(request, assignment, membership)) is not None:
        return refusal
    if asks_for_parts(request):
        return _saved_state(assignment, membership)
    kept = " The other text is kept." if request.POST.get("choice") else ""
    add_field_message(request, messages.SUCCESS, f"Saved.{kept} Nothing is submitted yet.")
    return _redirect_to_field(pk)


@require_http_methods(["GET", "POST"])
def writing_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put the text of a file into the field."""
    assignment, membership = access.get_submittable_assignment_for(request.user, pk)
    if request.method == "GET":
        return _redirect_to_field(pk)
    return _save(request, assignment, membership) or _read_file(request, assignment, membership)


@require_http_methods(["GET", "POST"])
def bring_back(request: SignedInRequest, pk: int) -> HttpResponse:
    """Exchange the text in the field and the one that it replaced."""
    assignment, membership = access.get_submittable_assignment_for(request.user, pk)
    if request.method == "GET":
        return _redirect_to_field(pk)
    if (refusal := _save(request, assignment, membership)) is not None:
        return refusal
    if writing_bring_back(assignment=assignment, student=request.user):
        sentence = "Your earlier text is restored. You can switch back in the same way."
        add_field_message(request, messages.SUCCESS, sentence)
    else:
        add_field_message(request, messages.ERROR, "There is no other text to restore.")
    return _redirect_to_field(pk)


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
        return _read_file(request, assignment, membership)
    form = page.form(request.POST)
    if not form.is_valid():
        return render_page(request, PAGE, page.context(form), status=UNPROCESSABLE)
    submission = submission_submit(
        assignment=assignment,
        student=request.user,
        text=form.cleaned_data["text"],
        is_final=form.is_final,
    )
    messages.success(request, describe_submission(submission, request.user.zone))
    return redirect("submission", submission.pk)


def _save(
    request: SignedInRequest, assignment: Assignment, membership: Membership
) -> HttpResponse | None:
    """Save what was typed before anything else is done; a response only where that fails.

    A request without a text leaves what is saved as it is: nobody has emptied the field.
    """
    if "text" not in request.POST:
        return None
    typed = WritingForm(request.POST)
    if not typed.is_valid():
        if asks_for_parts(request):
            reasons = " ".join(str(error) for errors in typed.errors.values() for error in errors)
            return JsonResponse({"error": reasons}, status=UNPROCESSABLE)
        page = StudentPage(assignment, membership)
        context = page.context(page.form(request.POST))
        return render_page(request, PAGE, context, status=UNPROCESSABLE)
    if writing_save(assignment=assignment, student=request.user, **typed.cleaned_data):
        return None
    if asks_for_parts(request):
        return _saved_state(assignment, membership, status=CONFLICT)
    page = StudentPage(assignment, membership)
    form = page.form(text=typed.cleaned_data["text"])
    context = page.context(form, conflict=True, revision=typed.cleaned_data["revision"])
    return render_page(request, PAGE, context, status=CONFLICT)


def _read_file(
    request: SignedInRequest, assignment: Assignment, membership: Membership
) -> HttpResponse:
    """Put the text of a file into the field. The student checks it: programs misread files."""
    form = DocumentForm(request.POST, request.FILES, owner=request.user.pk)
    if not form.is_valid():
        page = StudentPage(assignment, membership)
        context = page.context(document_form=form)
        return render_page(request, PAGE, context, status=UNPROCESSABLE)
    text = form.cleaned_data["file"].text
    if not writing_replace(assignment=assignment, student=request.user, text=text):
        sentence = "Another window has just saved a text. Choose the file again."
        add_field_message(request, messages.ERROR, sentence)
        return _redirect_to_field(assignment.pk)
    for sentence in form.messages():
        add_field_message(request, messages.INFO, sentence)
    return _redirect_to_field(assignment.pk)


def _redirect_to_field(assignment_pk: int) -> HttpResponse:
    return redirect(f"{reverse('assignment', args=[assignment_pk])}#submit-title")


def _saved_state(assignment: Assignment, membership: Membership, status: int = 200) -> HttpResponse:
    """What is saved now, for the script; in a conflict also the other text to choose."""
    written = written_of(assignment, membership.user)
    saved_at = timezone.localtime(written.saved_at) if written.saved_at else None
    state: dict[str, object] = {
        "revision": written.revision,
        "saved": date_format(saved_at, "H:i") if saved_at else "",
        "next": allowance_of(assignment, membership.user).reason or "Not submitted yet.",
        "has_replaced": bool(written.replaced),
    }
    if status == CONFLICT:
        state["text"] = written.text
    return JsonResponse(state, status=status)
