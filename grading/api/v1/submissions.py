"""Submissions, their results with evidence, and corrections."""

from typing import Annotated, Any, Literal

from django.db import transaction
from django.http import Http404, HttpResponse
from django.utils.datastructures import MultiValueDict
from ninja import Query, Router, Status

from grading import access
from grading.access.hidden_names import person_key
from grading.api.middleware import TokenRequest
from grading.api.pages import (
    USUAL_PAGE,
    After,
    Limit,
    page_of_items,
    shown_page,
)
from grading.api.problems import FORBIDDEN, RefusedError, check_form
from grading.api.schemas import (
    CorrectedOut,
    CorrectionIn,
    CorrectionsOut,
    NewSubmissionsIn,
    NewSubmissionsOut,
    Page,
    ResultOut,
    SubmissionOut,
    SubmissionRowOut,
)
from grading.api.shown import (
    shown_result,
    shown_row,
    shown_scores,
    shown_step,
    shown_submission,
)
from grading.api.submitting import submissions_submit
from grading.api.v1.reviews import read_spans
from grading.api.v1.stamps import IfMatch, put_stamp, stale, stamp_sent
from grading.marking.actions import TakenStep, step_redo, step_take, step_undo
from grading.marking.forms import StepForm
from grading.marking.queries import Desk, find_desk
from grading.models import Submission, User
from grading.scoring.queue_rows import AllAttempts, queue_rows
from grading.web.blind import blind_text_of
from grading.web.word_spans import span_ref

router = Router(tags=["Submissions and results"])

NO_SCORE = "There is no score yet."
Attempts = Annotated[
    Literal["counting", "all"],
    Query(description="Only the attempts that count, or all."),
]
# As the buttons of the review desk are called (marking/forms.py).
_VERBS = {
    "revert": "as_found",
    "exclude": "leave_out",
}


@router.get(
    "/assignments/{id:assignment}/submissions",
    response=Page[SubmissionRowOut],
    summary="Submissions of a class, with scores",
)
def submissions(
    request: TokenRequest,
    assignment: int,
    attempts: Attempts = "counting",
    after: After = "",
    limit: Limit = USUAL_PAGE,
) -> Any:
    """Without students who have left the course, as the queue lists them."""
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    show = AllAttempts.ALL if attempts == "all" else AllAttempts.COUNTING
    keyed = [
        (
            f"{person_key(row, queue_row.membership.user_id)} {queue_row.submission.attempt:04}",
            queue_row,
        )
        for queue_row in queue_rows(row, show)
        if queue_row.submission is not None
    ]
    page, following = page_of_items(keyed, after, limit)
    return shown_page([shown_row(page_row) for page_row in page], following)


@router.post(
    "/assignments/{id:assignment}/submissions",
    response={201: NewSubmissionsOut},
    summary="Submit for students",
)
def submissions_create(request: TokenRequest, assignment: int, payload: NewSubmissionsIn) -> Any:
    """Each text becomes its student's next final, unless it is one already. All or none."""
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    submitted = submissions_submit(assignment=row, sent=payload.submissions, author=request.user)
    job = submitted.job.pk if submitted.job else None
    return Status(201, {"submissions": submitted.rows, "job": job})


@router.get("/submissions/{id:submission}", response=SubmissionOut, summary="A submission")
def submission(request: TokenRequest, submission: int) -> Any:
    row, _ = access.get_graded_submission_for(request.user, submission)
    return shown_submission(row)


@router.get(
    "/submissions/{id:submission}/result",
    response=ResultOut,
    summary="The result of a submission, with evidence",
)
def result(request: TokenRequest, response: HttpResponse, submission: int) -> Any:
    row, _ = access.get_graded_submission_for(request.user, submission)
    desk = _desk(row, request.user)
    put_stamp(response, desk.stamp)
    return shown_result(row, desk)


# --- corrections ---


@router.get(
    "/submissions/{id:submission}/corrections",
    response=CorrectionsOut,
    summary="What graders corrected",
)
def corrections(request: TokenRequest, response: HttpResponse, submission: int) -> Any:
    row, _ = access.get_graded_submission_for(request.user, submission)
    desk = _desk(row, request.user)
    put_stamp(response, desk.stamp)
    steps = [shown_step(step) for step in desk.steps.steps.values()]
    return {"stamp": desk.stamp, "steps": steps}


@router.post(
    "/submissions/{id:submission}/corrections",
    response={201: CorrectedOut},
    summary="Correct a result",
)
def correction_create(
    request: TokenRequest,
    response: HttpResponse,
    submission: int,
    payload: CorrectionIn,
    if_match: IfMatch = None,
) -> Any:
    """Send the ETag of the result as If-Match. Nothing is lost: “undo” is a correction, too."""
    stamp = stamp_sent(if_match)
    with transaction.atomic():  # locked from the first look at the text to the last write
        row, _ = access.get_markable_submission_for(request.user, submission, locked=True)
        desk = _desk(row, request.user)
        if desk.stamp != stamp:
            raise stale()
        taken = _take(desk, row, payload, request.user)
    put_stamp(response, taken.desk.stamp)
    corrected = {
        "step": shown_step(taken.step),
        "stamp": taken.desk.stamp,
        "held": taken.after.held,
        "before": shown_scores(taken.before),
        "after": shown_scores(taken.after),
    }
    return Status(201, corrected)


def _take(desk: Desk, submission: Submission, payload: CorrectionIn, author: User) -> TakenStep:
    # As the form of the review desk sends it.
    ref = span_ref(read_spans(payload.spans))
    ideas = (payload.idea, payload.other_idea)
    words = [_VERBS.get(payload.action, payload.action)]
    if payload.action != "count":
        words += [str(idea) for idea in ideas if idea is not None]
    form = check_form(
        StepForm(
            MultiValueDict({"do": [" ".join(words)], "place": [ref]}),
            content=submission.text,
            desk=desk,
        )
    )
    if form.step is not None:
        did, corrections = form.step
        return step_take(desk=desk, corrections=corrections, did=did, author=author)
    return (step_undo if payload.action == "undo" else step_redo)(desk=desk, author=author)


def _desk(submission: Submission, user: User) -> Desk:
    """Not while the user annotates the text blind: on the pages there is a way round."""
    if blind_text_of(submission, user) is not None:
        sentence = "This text is in your blind sample. Finish the sample first."
        raise RefusedError(FORBIDDEN, sentence)
    desk = find_desk(submission)
    if desk is None:
        raise Http404(NO_SCORE)
    return desk
