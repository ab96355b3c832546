"""Claims, and looking through."""

from datetime import timedelta

import pytest
from django.utils import timezone

from grading.access.hidden_names import person_key
from grading.models import Assignment, Review, Submission, SubmissionEvent, User
from grading.models.reviews import CLAIM_LASTS
from grading.queue.actions import (
    review_keep_alive,
    review_take_over,
    reviews_claim,
    reviews_complete,
    reviews_release,
    reviews_reopen,
)
from tests.conftest import Cast
from tests.drafts.test_drafts_at_once import at_once
from tests.queue_scene import Work, handed_in


def claims(submission: Submission, user: User) -> bool:
    mine = reviews_claim(
        assignment=submission.assignment, students=[submission.student_id], user=user
    )
    return submission.student_id in mine


def looks_through(submission: Submission, user: User) -> bool:
    return bool(
        reviews_complete(assignment=submission.assignment, submissions=[submission.pk], user=user)
    )


def a_claim_ago(submission: Submission) -> None:
    Review.objects.filter(student=submission.student_id).update(
        alive_at=timezone.now() - CLAIM_LASTS - timedelta(seconds=1)
    )


@pytest.fixture
def submission(assignment: Assignment) -> Submission:
    return handed_in(assignment, Work("Ana"))[0]


@pytest.mark.django_db
class TestClaims:
    def test_the_first_has_it(self, cast: Cast, submission: Submission) -> None:
        assert claims(submission, cast.ta)
        since = Review.objects.get().claimed_at

        assert not claims(submission, cast.instructor)
        assert claims(submission, cast.ta)
        review = Review.objects.get()
        assert (review.claimant, review.claimed_at) == (cast.ta, since)

    def test_without_a_sign_of_life_it_ends(self, cast: Cast, submission: Submission) -> None:
        claims(submission, cast.ta)
        a_claim_ago(submission)

        assert Review.objects.get().claimant is None
        assert claims(submission, cast.instructor)
        assert not review_keep_alive(submission=submission, user=cast.ta)

    def test_a_sign_of_life_keeps_it(self, cast: Cast, submission: Submission) -> None:
        claims(submission, cast.ta)
        a_claim_ago(submission)

        assert review_keep_alive(submission=submission, user=cast.ta)
        assert not claims(submission, cast.instructor)

    def test_only_ones_own_is_given_back(self, cast: Cast, submission: Submission) -> None:
        claims(submission, cast.ta)
        given = {"assignment": submission.assignment, "students": [submission.student_id]}

        assert reviews_release(**given, user=cast.instructor) == 0  # type: ignore[arg-type]
        assert reviews_release(**given, user=cast.ta) == 1  # type: ignore[arg-type]
        assert claims(submission, cast.instructor)

    def test_it_is_taken_over_from_who_was_seen_to_have_it(
        self, cast: Cast, submission: Submission
    ) -> None:
        claims(submission, cast.ta)
        user, assignment = cast.instructor, submission.assignment
        outsider_key = person_key(assignment, cast.outsider.pk)
        ta_key = person_key(assignment, cast.ta.pk)

        assert not review_take_over(submission=submission, claimant_key=outsider_key, user=user)
        assert review_take_over(submission=submission, claimant_key=ta_key, user=user)
        assert Review.objects.get().claimant == cast.instructor

    def test_several_at_once_are_those_that_are_free(
        self, cast: Cast, assignment: Assignment
    ) -> None:
        three = handed_in(assignment, Work("Ana"), Work("Ben"), Work("Ciro"))
        claims(three[1], cast.instructor)

        mine = reviews_claim(
            assignment=assignment,
            students=[submission.student_id for submission in three],
            user=cast.ta,
        )

        assert mine == {three[0].student_id, three[2].student_id}


@pytest.mark.django_db(transaction=True)
def test_of_two_who_claim_at_once_one_gets_it(cast: Cast, submission: Submission) -> None:
    for _ in range(8):
        got = at_once(
            lambda: claims(submission, cast.ta), lambda: claims(submission, cast.instructor)
        )
        assert sorted(got) == [False, True]
        Review.objects.all().delete()


@pytest.mark.django_db
class TestLookingThrough:
    def test_it_ends_the_claim_and_says_who_and_when(
        self, cast: Cast, submission: Submission
    ) -> None:
        claims(submission, cast.ta)

        assert looks_through(submission, cast.ta)

        review = Review.objects.get()
        assert review.claimant is None
        assert review.reviewed_by == cast.ta
        assert review.is_up_to_date(submission, [0.5, 0.5, 0.5])
        event = SubmissionEvent.objects.get()
        assert (event.kind, event.author) == (SubmissionEvent.Kind.LOOKED, cast.ta)

    def test_not_of_what_somebody_else_holds(self, cast: Cast, submission: Submission) -> None:
        claims(submission, cast.instructor)

        assert not looks_through(submission, cast.ta)
        assert not SubmissionEvent.objects.exists()

    def test_not_of_an_attempt_that_counts_no_more(
        self, cast: Cast, submission: Submission
    ) -> None:
        Submission.objects.create(
            assignment=submission.assignment,
            student=submission.student,
            attempt=2,
            text="Again.",
            words=1,
        )

        assert not looks_through(submission, cast.ta)

    def test_it_can_be_undone(self, cast: Cast, submission: Submission) -> None:
        looks_through(submission, cast.ta)
        undo = {"assignment": submission.assignment, "submissions": [submission.pk]}

        assert reviews_reopen(**undo, user=cast.instructor) == 1  # type: ignore[arg-type]
        assert reviews_reopen(**undo, user=cast.instructor) == 0  # type: ignore[arg-type]

        assert Review.objects.get().reviewed_at is None
        kinds = list(SubmissionEvent.objects.values_list("kind", flat=True))
        assert kinds == ["looked", "not_looked"]
