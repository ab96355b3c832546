"""The bar above a text: where one is, what comes next, and what its buttons do."""

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from grading.access.hidden_names import person_key
from grading.models import Assignment, Review, Submission, User
from grading.pyramid.flags.text_flags import FlagKind
from grading.queue.actions import reviews_claim, reviews_complete
from grading.queue.forms import QueueForm
from grading.queue.page import QueuePosition, position_of, select_rows
from tests.conftest import Cast
from tests.queue_scene import Work, handed_in

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def submissions(assignment: Assignment) -> list[Submission]:
    """In the order *Needs review first*."""
    return handed_in(assignment, Work("Eva", doubtful=2), Work("Ben", doubtful=1), Work("Ana"))


@pytest.fixture
def unscored(assignment: Assignment) -> list[Submission]:
    """Whose pages need no evidence."""
    return handed_in(assignment, *(Work(name, score=None) for name in ("Eva", "Ben", "Ana")))


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


def position(cast: Cast, submission: Submission, query: str = "") -> QueuePosition:
    assignment = Assignment.objects.select_related("course").get(pk=submission.assignment_id)
    return position_of(submission, select_rows(assignment, QueueForm.of_query(query), cast.ta))


def leads_to(address: str) -> int:
    match = re.match(r"/submissions/(\d+)/marking/\?queue=", address)
    return int(match[1]) if match else 0


def hold(cast: Cast, submission: Submission) -> None:
    reviews_claim(
        assignment=submission.assignment, students=[submission.student_id], user=cast.instructor
    )


def mark_reviewed(cast: Cast, submission: Submission) -> None:
    reviews_complete(assignment=submission.assignment, submissions=[submission.pk], user=cast.ta)


def test_the_place_of_a_text(cast: Cast, submissions: list[Submission]) -> None:
    eva, ben, ana = submissions

    middle = position(cast, ben)
    assert (middle.number, middle.total) == (2, 3)
    assert (leads_to(middle.previous), leads_to(middle.following)) == (eva.pk, ana.pk)
    assert leads_to(position(cast, eva).unsure) == ben.pk
    assert (
        position(cast, ana).following
        == position(cast, ana).unsure
        == position(cast, eva).previous
        == ""
    )


def test_what_others_have_is_passed_over(cast: Cast, submissions: list[Submission]) -> None:
    eva, ben, ana = submissions
    hold(cast, ben)

    assert leads_to(position(cast, eva).following) == ana.pk
    assert position(cast, eva).unsure == ""


def test_a_text_that_left_the_view_keeps_its_neighbours(
    cast: Cast, submissions: list[Submission]
) -> None:
    eva, ben, ana = submissions
    mark_reviewed(cast, ben)

    left = position(cast, ben, "state=todo&sort=words")

    assert (left.number, left.total) == (None, 2)
    assert (leads_to(left.previous), leads_to(left.following)) == (ana.pk, eva.pk)


def test_an_earlier_attempt_has_no_place_but_the_queue_goes_on(
    cast: Cast, submissions: list[Submission]
) -> None:
    eva = submissions[0]
    Submission.objects.create(
        assignment=eva.assignment, student=eva.student, attempt=2, text="Again.", words=40
    )

    earlier = position(cast, eva)

    assert earlier.number is None
    assert leads_to(earlier.following) == submissions[1].pk


def say(client: Client, submission: Submission, what: str, **fields: object) -> str:
    data = {"what": what, "queue": "sort=name", **fields}
    response = client.post(reverse("review", args=[submission.pk]), data, follow=True)
    return response.content.decode()


def test_the_bar_says_who_has_it_and_lets_one_take_over(
    cast: Cast, unscored: list[Submission], ta: Client
) -> None:
    ana = unscored[2]
    hold(cast, ana)
    page = ta.get(reverse("submission", args=[ana.pk]), {"queue": "sort=name"}).content.decode()
    assert "Claimed by <bdi>Ines Duarte</bdi>" in page
    assert "Mark as reviewed, next" not in page
    assert "Somebody else has claimed it" in say(ta, ana, "claim")
    assert "Not taken over" in say(
        ta, ana, "take_over", claimant=person_key(ana.assignment, cast.ta.pk)
    )
    assert "Not taken over" in say(ta, ana, "take_over", claimant="\u0663")

    page = say(ta, ana, "take_over", claimant=person_key(ana.assignment, cast.instructor.pk))

    assert "Claimed by you since" in page
    assert "<strong>1</strong> of 3" in page
    assert "Claimed by you since" not in say(ta, ana, "release")


def test_looked_through_goes_to_the_next_and_claims_it(
    cast: Cast, unscored: list[Submission], ta: Client
) -> None:
    eva, ben, ana = unscored
    hold(cast, ben)

    page = say(ta, ana, "looked_next")

    assert "Ana is marked as reviewed" in page
    assert "<bdi>Eva</bdi></h1>" in page
    assert "Claimed by you since" in page
    assert Review.objects.get(student=eva.student_id).claimant == cast.ta
    assert reverse("review", args=[ana.pk]) in page  # to undo it
    assert "Nothing left in this view: everything is reviewed, or claimed by others." in say(
        ta, eva, "looked_next"
    )


def test_the_review_goes_on_to_what_came_next_when_the_page_was_opened(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    """Decisions move the text to another place of *Needs review first*."""
    eva, ben, ana = handed_in(
        assignment,
        *(Work(name, doubtful=doubtful) for name, doubtful in (("Eva", 3), ("Ben", 2), ("Ana", 1))),
    )
    following = position(cast, eva).following_pk
    eva.scores.update(doubtful=0)
    assert leads_to(position(cast, ana).following) == eva.pk
    ta = client_of(cast.ta)

    answer = ta.post(
        reverse("review", args=[eva.pk]),
        {"what": "looked_next", "queue": "", "following": str(following)},
    )

    assert leads_to(answer["Location"]) == ben.pk


def test_looked_through_can_be_undone(unscored: list[Submission], ta: Client) -> None:
    ana = unscored[2]
    assert "by you" in say(ta, ana, "looked")

    assert "by you" not in say(ta, ana, "undo")


def test_a_sign_of_life_answers_nothing(cast: Cast, unscored: list[Submission], ta: Client) -> None:
    answer = ta.post(reverse("review", args=[unscored[0].pk]), {"what": "alive"})

    assert answer.status_code == 204
    assert "Nothing was changed, because the action is unknown. Reload the page." in say(
        ta, unscored[0], "nonsense"
    )


def test_queries_do_not_grow_with_the_class(
    cast: Cast, assignment: Assignment, unscored: list[Submission], ta: Client
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            ta.get(reverse("submission", args=[unscored[0].pk]), {"queue": ""})
        return len(queries)

    before = asked()
    for submission in handed_in(assignment, *(Work(f"N{i}", doubtful=i) for i in range(40)))[:9]:
        hold(cast, submission)

    assert asked() <= before


def without_tokens(page: str) -> str:
    return re.sub("[A-Za-z0-9]{64}", "", page)


def test_students_see_nothing_of_it(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    (own,) = handed_in(assignment, Work("Ana", score=None, flags=(FlagKind.OFF_TOPIC,)))
    client, address = client_of(own.student), reverse("submission", args=[own.pk])
    before = without_tokens(client.get(address, {"queue": ""}).content.decode())

    mark_reviewed(cast, own)
    Review.objects.update(claimed_by=cast.ta, alive_at=timezone.now(), claimed_at=timezone.now())

    page = without_tokens(client.get(address, {"queue": ""}).content.decode())
    assert page == before
    for text in ("queue-bar", "Off the topic", "Because of", "reviewed it"):
        assert text not in page
    grader = client_of(cast.ta).get(address).content.decode()
    assert "Off the topic?" in grader
    assert "reviewed it" in grader
