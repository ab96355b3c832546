"""Grading together: claims and reviews, comments and notes, and answers to second looks."""

from typing import Any

from django.db.models import Q
from django.http import HttpResponse, QueryDict
from ninja import Router, Status

from grading import access
from grading.api.grading_schemas import (
    CommentIn,
    CommentOut,
    ReviewsIn,
    ReviewsOut,
    RewordIn,
    SavedCommentIn,
    SavedCommentOut,
    SecondLookAnswerIn,
    TakeOverIn,
)
from grading.api.middleware import TokenRequest
from grading.api.pages import USUAL_PAGE, After, Limit, page_of_rows, shown_page
from grading.api.problems import CONFLICT, UNPROCESSABLE, RefusedError, check_form
from grading.api.schemas import Page, SecondLookOut
from grading.api.shown import shown_comment, shown_saved_comment, shown_second_look
from grading.api.v1.stamps import IfMatch, put_stamp, stale, stamp_sent
from grading.marking.actions import (
    comment_change,
    comment_delete,
    comment_restore,
    comment_write,
    saved_comment_write,
)
from grading.marking.forms import CommentForm, RewordForm, SavedCommentForm
from grading.marking.queries import find_desk
from grading.models import Comment, Course, SavedComment, SecondLook, Submission
from grading.pyramid.structures import Span, Spans, Text
from grading.queue.actions import (
    review_take_over,
    reviews_claim,
    reviews_complete,
    reviews_release,
    reviews_reopen,
)
from grading.queue.forms import QueueDoForm
from grading.second_looks.actions import second_look_answer, second_look_stamp
from grading.second_looks.page import answer_page
from grading.web.word_spans import span_ref

router = Router(tags=["Reviews, comments and second looks"])

# As the form of the queue calls them (queue/forms.py).
_WHAT = {
    "claim": "claim",
    "release": "release",
    "mark_reviewed": "looked",
    "mark_not_reviewed": "not_looked",
}


def read_spans(sent: list[list[int]]) -> Spans:
    if any(start >= end for start, end in sent):
        raise RefusedError(UNPROCESSABLE, "A span begins before it ends.")
    return tuple(Span(start, end) for start, end in sent)


# --- claims and reviews ---


@router.post(
    "/assignments/{id:assignment}/reviews",
    response=ReviewsOut,
    summary="Claim, release, or mark as reviewed",
)
def reviews(request: TokenRequest, assignment: int, payload: ReviewsIn) -> Any:
    """Of many submissions at once, as with the ticks of the queue."""
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    owners = dict(row.submissions.values_list("pk", "student"))
    typed = {"what": _WHAT[payload.action], "submissions": payload.submissions}
    chosen = check_form(QueueDoForm(typed, submissions=owners)).cleaned_data["submissions"]
    students, user = {owners[pk] for pk in chosen}, request.user
    if payload.action == "claim":
        done = len(reviews_claim(assignment=row, students=students, user=user))
        return {"done": done, "skipped": len(students) - done}
    if payload.action == "release":
        done = reviews_release(assignment=row, students=students, user=user)
        return {"done": done, "skipped": len(students) - done}
    if payload.action == "mark_reviewed":
        done = len(reviews_complete(assignment=row, submissions=chosen, user=user))
    else:
        done = reviews_reopen(assignment=row, submissions=chosen, user=user)
    return {"done": done, "skipped": len(set(chosen)) - done}


@router.post(
    "/submissions/{id:submission}/take-over",
    response={204: None},
    summary="Take over another grader's claim",
)
def take_over(request: TokenRequest, submission: int, payload: TakeOverIn) -> Any:
    row, _ = access.get_graded_submission_for(request.user, submission)
    if not review_take_over(submission=row, claimant_key=payload.holder, user=request.user):
        raise RefusedError(CONFLICT, "Not taken over, because the claim has changed.")
    return Status(204, None)


# --- comments to students, and notes for graders ---


@router.get(
    "/submissions/{id:submission}/comments",
    response=list[CommentOut],
    summary="Comments and notes on a submission",
)
def comments(request: TokenRequest, submission: int) -> Any:
    """Of those that were deleted only your own: you can restore them."""
    row, _ = access.get_graded_submission_for(request.user, submission)
    seen = row.comments.filter(Q(deleted_at=None) | Q(author=request.user))
    return [shown_comment(comment, request.user) for comment in seen.select_related("author")]


@router.post(
    "/submissions/{id:submission}/comments",
    response={201: CommentOut},
    summary="Comment on a submission",
)
def comment_create(request: TokenRequest, submission: int, payload: CommentIn) -> Any:
    row, _ = access.get_markable_submission_for(request.user, submission)
    typed = {
        "comment": payload.text,
        "audience": payload.audience,
        "place": span_ref(read_spans(payload.spans)),
        "idea": payload.idea,
    }
    form = check_form(CommentForm(typed, content=row.text))
    desk = find_desk(row)
    idea = desk.commented(form.about_idea) if desk else None
    if form.about_idea is not None and idea is None:
        sentence = "This idea is not in the pyramid that scores the text."
        raise RefusedError(UNPROCESSABLE, sentence, [{"field": "idea", "message": sentence}])
    comment = comment_write(
        submission=row,
        text=form.cleaned_data["comment"],
        is_private=payload.audience == "graders",
        spans=form.cleaned_data["spans"],
        idea=idea,
        author=request.user,
    )
    return Status(201, shown_comment(comment, request.user))


@router.put("/comments/{id:comment}", response=CommentOut, summary="Change your comment")
def comment_update(request: TokenRequest, comment: int, payload: RewordIn) -> Any:
    row, _ = access.get_own_comment_for(request.user, comment)
    text = check_form(RewordForm({"comment": payload.text})).cleaned_data["comment"]
    comment_change(comment=row, text=text, author=request.user)
    return _comment(request, comment)


@router.delete("/comments/{id:comment}", response={204: None}, summary="Delete your comment")
def comment_remove(request: TokenRequest, comment: int) -> Any:
    """You can restore it."""
    row, _ = access.get_own_comment_for(request.user, comment)
    comment_delete(comment=row, author=request.user)
    return Status(204, None)


@router.post("/comments/{id:comment}/restore", response=CommentOut, summary="Restore your comment")
def comment_return(request: TokenRequest, comment: int) -> Any:
    row, _ = access.get_own_comment_for(request.user, comment)
    comment_restore(comment=row, author=request.user)
    return _comment(request, comment)


def _comment(request: TokenRequest, pk: int) -> dict[str, Any]:
    return shown_comment(Comment.objects.select_related("author").get(pk=pk), request.user)


@router.get(
    "/courses/{id:course}/saved-comments",
    response=Page[SavedCommentOut],
    summary="Saved comments of a course",
)
def saved_comments(
    request: TokenRequest, course: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    membership = access.get_grader_membership_for(request.user, course)
    rows, following = page_of_rows(membership.course.saved_comments.all(), after, limit)
    return shown_page([shown_saved_comment(row) for row in rows], following)


@router.post(
    "/courses/{id:course}/saved-comments",
    response={201: SavedCommentOut},
    summary="Save a comment to use again",
)
def saved_comment_create(request: TokenRequest, course: int, payload: SavedCommentIn) -> Any:
    membership = access.get_grader_membership_for(request.user, course)
    form = SavedCommentForm(payload.dict())
    form.check_room(membership.course)
    return Status(201, _save(request, membership.course, form))


@router.put(
    "/saved-comments/{id:saved}", response=SavedCommentOut, summary="Change a saved comment"
)
def saved_comment_update(request: TokenRequest, saved: int, payload: SavedCommentIn) -> Any:
    """Comments that used it stay as they are."""
    row, membership = access.get_saved_comment_for(request.user, saved)
    return _save(request, membership.course, SavedCommentForm(payload.dict()), row)


@router.delete("/saved-comments/{id:saved}", response={204: None}, summary="Delete a saved comment")
def saved_comment_delete(request: TokenRequest, saved: int) -> Any:
    row, _ = access.get_saved_comment_for(request.user, saved)
    row.delete()
    return Status(204, None)


def _save(
    request: TokenRequest,
    course: Course,
    form: SavedCommentForm,
    saved: SavedComment | None = None,
) -> dict[str, Any]:
    cleaned = check_form(form).cleaned_data
    key, text = cleaned["key"], cleaned["text"]
    if not saved_comment_write(course=course, key=key, text=text, author=request.user, saved=saved):
        raise RefusedError(CONFLICT, f"“/{key}” is in use. Choose another key.")
    return shown_saved_comment(course.saved_comments.get(key=key))


# --- second looks ---


@router.get(
    "/assignments/{id:assignment}/second-looks",
    response=Page[SecondLookOut],
    summary="Second looks that students requested",
)
def second_looks(
    request: TokenRequest, assignment: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    rows = SecondLook.objects.filter(submission__assignment=row)
    page_rows, following = page_of_rows(rows, after, limit)
    return shown_page([shown_second_look(look) for look in page_rows], following)


@router.get(
    "/second-looks/{id:look}", response=SecondLookOut, summary="A request for a second look"
)
def second_look(request: TokenRequest, response: HttpResponse, look: int) -> Any:
    row, _, score = access.get_graded_second_look_for(request.user, look)
    put_stamp(response, second_look_stamp(row, score))
    return shown_second_look(row)


@router.post(
    "/second-looks/{id:look}/answer",
    response={201: SecondLookOut},
    summary="Answer a second look",
)
def second_look_reply(
    request: TokenRequest, look: int, payload: SecondLookAnswerIn, if_match: IfMatch = None
) -> Any:
    """Send the ETag of the request as If-Match. What counts then is a correction."""
    stamp = stamp_sent(if_match)
    row, membership, score = access.get_answerable_second_look_for(request.user, look)
    if second_look_stamp(row, score) != stamp:
        raise stale()
    form, _ = answer_page(row, membership, score, _typed(payload, row.submission))
    check_form(form)
    saved = second_look_answer(
        second_look=row,
        correction=form.correction(),
        text=form.cleaned_data["answer"],
        author=request.user,
        stamp=stamp,
    )
    if not saved:
        raise stale()
    answered, _, _ = access.get_graded_second_look_for(request.user, look)
    return Status(201, shown_second_look(answered))


def _typed(payload: SecondLookAnswerIn, submission: Submission) -> QueryDict:
    """As the form of the page sends it."""
    spans = read_spans(payload.spans)
    if any(span.end > len(submission.text) for span in spans):
        raise RefusedError(UNPROCESSABLE, "These words are not in the text. Choose them again.")
    typed = QueryDict(mutable=True)
    typed.update(
        {
            "verdict": payload.verdict,
            "answer": payload.answer,
            "scu": "" if payload.idea is None else str(payload.idea),
            "words": Text("", submission.text).words_at(spans),
            "place": span_ref(spans),
        }
    )
    return typed
