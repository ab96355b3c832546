"""A review and what changes the score after it. The queue, the bar and the desk say the same."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, Review, Score, Submission, User
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.structures import Span
from grading.queue.actions import reviews_complete
from grading.scoring.queue_rows import QueueState, queue_rows
from grading.scoring.scores import submissions_start_scoring
from grading.second_looks.actions import (
    Subject,
    second_look_answer,
    second_look_ask,
    second_look_stamp,
)
from tests.conftest import Cast
from tests.feedback_scene import keep
from tests.judgement_scene import held
from tests.marking.test_views import BICYCLE, do, matched
from tests.pages import flat
from tests.scoring.test_corrections import missed, newest, scored, work

__all__ = ["scored"]

ClientOf = Callable[[User | None], Client]
IN_BAR = {QueueState.HELD, QueueState.REVIEWED, QueueState.CHANGED}


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


@pytest.fixture
def instructor(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.instructor)


@pytest.fixture
def reviewed(cast: Cast, scored: Score) -> Submission:
    mark_reviewed(scored.submission, cast.ta)
    return scored.submission


def mark_reviewed(submission: Submission, user: User) -> None:
    assert reviews_complete(
        assignment=submission.assignment, submissions=[submission.pk], user=user
    )


def state(client: Client, submission: Submission) -> QueueState:
    """What the queue says, and the bar on the desk and on the result, now and asked for again."""
    assignment = Assignment.objects.select_related("course").get(pk=submission.assignment_id)
    (row,) = queue_rows(assignment)
    for name in ("marking", "submission", "review_state"):
        page = client.get(reverse(name, args=[submission.pk]), {"queue": ""}).content.decode()
        bar = page.split("queue-bar-state", 1)[1].split("</nav>", 1)[0]
        badges = re.findall(r'<span class="badge [^"]*">([^<]+)<', bar)
        assert badges == ([row.state.label] if row.state in IN_BAR else [])
    return row.state


def test_a_review_holds_through_corrections_by_the_reviewer(
    ta: Client, scored: Score, reviewed: Submission
) -> None:
    before = Review.objects.get()
    for what in (f"remove {matched(scored)}", "undo", "redo", f"add {missed(scored)}"):
        old = newest(reviewed).comprehensive
        assert do(ta, reviewed, what, place=BICYCLE).status_code == 302
        assert newest(reviewed).comprehensive != old

        assert state(ta, reviewed) == QueueState.REVIEWED

    review = Review.objects.get()
    assert review.numbers != before.numbers
    assert (review.reviewed_by, review.reviewed_at) == (before.reviewed_by, before.reviewed_at)


def test_a_correction_by_another_grader_marks_it_as_changed(
    ta: Client, instructor: Client, scored: Score, reviewed: Submission
) -> None:
    do(instructor, reviewed, f"remove {matched(scored)}")
    assert state(ta, reviewed) == QueueState.CHANGED

    do(ta, reviewed, f"add {missed(scored)}", place=BICYCLE)
    assert state(ta, reviewed) == QueueState.CHANGED  # the other correction is not reviewed yet

    do(ta, reviewed, "undo")
    do(ta, reviewed, "undo")
    assert state(ta, reviewed) == QueueState.REVIEWED


def test_another_grader_undoes_a_step_of_the_reviewer(
    ta: Client, instructor: Client, scored: Score, reviewed: Submission
) -> None:
    do(ta, reviewed, f"remove {matched(scored)}")
    do(instructor, reviewed, "undo")

    assert state(ta, reviewed) == QueueState.CHANGED


def test_a_correction_without_a_review_makes_none(ta: Client, scored: Score) -> None:
    do(ta, scored.submission, f"remove {matched(scored)}")

    assert state(ta, scored.submission) == QueueState.CORRECTED
    assert not Review.objects.exists()


def test_a_review_that_was_undone_is_not_restored(
    ta: Client, scored: Score, reviewed: Submission
) -> None:
    ta.post(reverse("review", args=[reviewed.pk]), {"what": "undo"})

    do(ta, reviewed, f"remove {matched(scored)}")

    assert state(ta, reviewed) == QueueState.CORRECTED


def test_a_new_attempt_is_not_reviewed(ta: Client, scored: Score, reviewed: Submission) -> None:
    do(ta, reviewed, f"remove {matched(scored)}")
    again = Submission.objects.create(
        assignment=reviewed.assignment,
        student=reviewed.student,
        attempt=2,
        text=reviewed.text,
        words=reviewed.words,
    )
    assert state(ta, again) == QueueState.WAITING

    submissions_start_scoring(assignment=again.assignment, requested_by=None, submission=again)
    work()

    assert state(ta, again) == QueueState.CHANGED
    do(ta, again, f"remove {matched(scored)}")
    assert state(ta, again) == QueueState.CHANGED


def test_a_rescore_by_the_program_marks_it_as_changed(
    ta: Client, scored: Score, reviewed: Submission
) -> None:
    do(ta, reviewed, f"remove {matched(scored)}")
    Score.objects.create(
        submission=reviewed,
        pyramid=scored.pyramid,
        signature="another",
        statements=scored.statements,
        raw=scored.raw,
        quality=0.11,
        coverage=0.12,
        comprehensive=0.13,
        document=scored.document,
    )

    assert state(ta, reviewed) == QueueState.CHANGED


@pytest.mark.parametrize(
    ("by_reviewer", "after"), [(True, QueueState.REVIEWED), (False, QueueState.CHANGED)]
)
def test_an_answer_to_a_second_look_counts_as_a_correction(
    cast: Cast,
    ta: Client,
    scored: Score,
    reviewed: Submission,
    by_reviewer: bool,
    after: QueueState,
) -> None:
    look = second_look_ask(score=scored, subject=Subject((Span(0, 20),)), reason="It is there.")

    assert second_look_answer(
        second_look=look,
        correction=Correction(missed(scored), Verdict.MATCHED, (Span(0, 20),)),
        text="Yes.",
        author=cast.ta if by_reviewer else cast.instructor,
        stamp=second_look_stamp(look, newest(reviewed)),
    )

    assert newest(reviewed).comprehensive != scored.comprehensive
    assert state(ta, reviewed) == after


def test_a_held_text_is_held_in_the_bar_as_in_the_queue(
    cast: Cast, assignment: Assignment, ta: Client
) -> None:
    submission = keep(held(), assignment, cast.student)
    Score.objects.filter(submission=submission).update(revision=0)
    mark_reviewed(submission, cast.ta)

    assert state(ta, submission) == QueueState.HELD
    bar = reverse("review_state", args=[submission.pk])
    assert "Undo the review" in ta.get(bar).content.decode()

    ta.post(reverse("review", args=[submission.pk]), {"what": "undo"})

    assert state(ta, submission) == QueueState.HELD
    assert "Undo the review" not in ta.get(bar).content.decode()


def test_a_held_text_that_its_reviewer_decides_on_is_reviewed(
    cast: Cast, assignment: Assignment, ta: Client
) -> None:
    submission = keep(held(), assignment, cast.student)
    Score.objects.filter(submission=submission).update(revision=0)
    mark_reviewed(submission, cast.ta)

    answer = do(ta, submission, "count", place=f"0-{len(submission.text)}")

    assert answer.status_code == 302
    assert not newest(submission).held
    assert state(ta, submission) == QueueState.REVIEWED


def test_the_bar_on_the_desk_asks_for_its_state_after_a_correction(
    ta: Client, instructor: Client, scored: Score, reviewed: Submission
) -> None:
    desk = reverse("marking", args=[reviewed.pk])
    page = flat(instructor.get(desk, {"queue": "sort=name", "done": "7"}).text)
    address = f"{reverse('review_state', args=[reviewed.pk])}?queue=sort%3Dname&amp;done=7"
    assert f'hx-get="{address}" hx-trigger="submission-corrected from:body"' in page

    answer = do(instructor, reviewed, f"remove {matched(scored)}", htmx="yes")
    stale = do(ta, reviewed, f"remove {matched(scored)}", htmx="yes", stamp="1-0")

    assert "submission-corrected" in answer.headers["HX-Trigger"]
    assert stale.status_code == 409
    assert "submission-corrected" in stale.headers["HX-Trigger"]
    state_now = instructor.get(address.replace("&amp;", "&")).content.decode()
    assert "Changed since" in state_now
    assert "Mark as reviewed, next" in state_now
    assert 'name="queue" value="sort=name"' in state_now
    assert "Undo the previous review" in state_now
