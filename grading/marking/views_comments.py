"""Comments to students and notes for graders, on the marking desk."""

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from grading import access
from grading.marking.actions_comments import (
    Place,
    comment_bring_back,
    comment_change,
    comment_delete,
    comment_write,
)
from grading.marking.forms import CommentForm, RewordForm
from grading.marking.page import Asked, desk_page
from grading.marking.views import ANSWER, PAGE, answer_step
from grading.models import Membership, Submission
from grading.models.sight import FULL_SIGHT
from grading.web.rendering import (
    UNPROCESSABLE,
    SignedInRequest,
    asks_for_parts,
    render_page,
)


@require_POST
def comment_new(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_markable_submission_for(request.user, pk)
    form = CommentForm(request.POST, content=submission.text)
    if not form.is_valid():
        return _refused(request, submission, membership, form)
    is_private = form.cleaned_data["audience"] == "graders"
    comment_write(
        submission=submission,
        text=form.cleaned_data["said"],
        is_private=is_private,
        place=_place(submission, form),
        author=request.user,
    )
    said = (
        "The note is kept, for graders only."
        if is_private
        else ("The comment is kept. The student sees it with the result.")
    )
    return answer_step(request, submission, membership, said)


@require_POST
def comment_reword(request: SignedInRequest, pk: int) -> HttpResponse:
    comment, membership = access.get_own_comment_for(request.user, pk)
    form = RewordForm(request.POST)
    if not form.is_valid():
        return _refused(request, comment.submission, membership, form)
    comment_change(comment=comment, text=form.cleaned_data["said"], author=request.user)
    return answer_step(request, comment.submission, membership, "Your words are changed.")


@require_POST
def comment_remove(request: SignedInRequest, pk: int) -> HttpResponse:
    comment, membership = access.get_own_comment_for(request.user, pk)
    comment_delete(comment=comment, author=request.user)
    said = "It is deleted. You can bring it back, below the others."
    return answer_step(request, comment.submission, membership, said)


@require_POST
def comment_return(request: SignedInRequest, pk: int) -> HttpResponse:
    comment, membership = access.get_own_comment_for(request.user, pk)
    comment_bring_back(comment=comment, author=request.user)
    return answer_step(request, comment.submission, membership, "It is back.")


def _place(submission: Submission, form: CommentForm) -> Place:
    """About an idea only where the version that scores has it."""
    score = access.get_score_for(submission, FULL_SIGHT)
    spans, uid = form.cleaned_data["spans"], form.cleaned_data["idea"]
    if score is None or uid is None:
        return Place(spans)
    known = {scu["uid"] for scu in score.pyramid.document["scus"]}
    return Place(spans, score.pyramid, uid) if uid in known else Place(spans)


def _refused(
    request: SignedInRequest,
    submission: Submission,
    membership: Membership,
    form: CommentForm | RewordForm,
) -> HttpResponse:
    words = form.cleaned_data.get("spans", ())
    asked = Asked(words, form.cleaned_data.get("idea"))
    typed = "typed_whole" if asked == Asked() else "typed"
    page = desk_page(submission, membership, asked) | {
        "errors": [error for errors in form.errors.values() for error in errors],
        typed: form.data.get("said", ""),
    }
    template = ANSWER if asks_for_parts(request) else PAGE
    return render_page(request, template, page, status=UNPROCESSABLE)
