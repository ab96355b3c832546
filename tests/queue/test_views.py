"""The queue's pages, and what their buttons do."""

from collections.abc import Callable
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import Assignment, Job, QueueView, Review, Submission, SubmissionFlags, User
from grading.pyramid.flags.text_flags import FlagKind
from grading.queue.actions import reviews_claim, reviews_complete
from tests.conftest import Cast
from tests.pages import flat
from tests.queue_scene import Work, handed_in, scored, version_of

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def submissions(assignment: Assignment) -> list[Submission]:
    """In the order *Needs review first*."""
    return handed_in(
        assignment,
        Work("Eva", flags=(FlagKind.LIKE_ANOTHER,)),
        Work("Ben", doubtful=2),
        Work("Ana", words=900),
    )


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


def text_of(client: Client, assignment: Assignment, query: str = "") -> str:
    response = client.get(f"{reverse('queue', args=[assignment.pk])}?{query}")
    assert response.status_code == 200
    return flat(response.content.decode())


def do(client: Client, assignment: Assignment, what: str, *chosen: Submission) -> str:
    data = {"what": what, "submissions": [submission.pk for submission in chosen]}
    response = client.post(reverse("queue_do", args=[assignment.pk]), data, follow=True)
    return response.content.decode()


def test_the_page_lists_what_a_grader_chooses_by(
    assignment: Assignment, submissions: list[Submission], ta: Client
) -> None:
    page = text_of(ta, assignment)

    assert page.index("Eva") < page.index("Ben") < page.index("Ana")
    for text in ("2 matches", "90&#8239;%</span>", "Because of like", "long", "3 submissions"):
        assert text in page, text
    assert 'aria-sort="ascending"' not in page  # doubt is no column
    assert 'aria-sort="descending"><a class="sort-link"' in text_of(
        ta, assignment, "sort=comprehensive&dir=down"
    )


def test_a_choice_is_kept_by_every_link(
    assignment: Assignment, submissions: list[Submission], ta: Client
) -> None:
    page = text_of(ta, assignment, "flag=any")

    assert "1 of 3" in page
    assert "?queue=flag%3Dany" in page
    assert "?flag=any&amp;sort=name&amp;dir=up" in page


@pytest.mark.parametrize(
    ("query", "expected"),
    [("flag=gibberish", "Nothing in this view"), ("show=absent", "have not submitted anything")],
)
def test_what_is_not_there_is_said(
    assignment: Assignment, submissions: list[Submission], ta: Client, query: str, expected: str
) -> None:
    assert expected in text_of(ta, assignment, query)


def test_an_empty_queue_says_so(assignment: Assignment, ta: Client) -> None:
    assert "No submissions yet" in text_of(ta, assignment)


def test_words_of_a_text_are_found(
    assignment: Assignment, submissions: list[Submission], ta: Client
) -> None:
    page = text_of(ta, assignment, f"q=text of {submissions[1].student.username}")

    assert "Ben" in page
    assert "Ana" not in page


@pytest.mark.parametrize("query", ["", "sort=words&q=text&state=todo", "show=all", "show=absent"])
def test_queries_do_not_grow_with_the_class(
    cast: Cast, assignment: Assignment, submissions: list[Submission], ta: Client, query: str
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            text_of(ta, assignment, query)
        return len(queries)

    before = asked()
    more = handed_in(
        assignment, *(Work(f"N{i}", flags=(FlagKind.LIKE_ANOTHER,)) for i in range(70))
    )
    for submission in more[:30]:
        scored(submission, version_of(assignment, 2), 0.4).save()
    students = [submission.student_id for submission in more[:20]]
    reviews_claim(assignment=assignment, students=students, user=cast.instructor)
    reviews_complete(
        assignment=assignment, submissions=[submission.pk for submission in more[30:]], user=cast.ta
    )

    assert asked() <= before


def test_ticked_rows_are_claimed_given_back_and_looked_through(
    cast: Cast, assignment: Assignment, submissions: list[Submission], ta: Client
) -> None:
    first, second, third = submissions
    others = [second.student_id]
    reviews_claim(assignment=assignment, students=others, user=cast.instructor)

    assert "You claimed 2 submissions. Skipped: 1" in do(ta, assignment, "claim", *submissions)
    assert "1 claim released" in do(ta, assignment, "release", first)
    assert "2 submissions marked as reviewed. Skipped: 1" in do(
        ta, assignment, "looked", *submissions
    )
    assert "Reviewed" in text_of(ta, assignment)
    assert "1 submission marked as not reviewed" in do(ta, assignment, "not_looked", third)
    assert set(Review.objects.exclude(reviewed_at=None).values_list("student", flat=True)) == {
        first.student_id
    }


def test_nothing_ticked_and_what_is_of_another_class_are_refused(
    cast: Cast, assignment: Assignment, submissions: list[Submission], ta: Client
) -> None:
    other = Assignment.objects.create(course=cast.other_course, title="Other", state="open")
    (foreign,) = handed_in(other, Work("Foreign"))

    assert "Nothing is ticked" in do(ta, assignment, "claim")
    assert "no longer exists" in do(ta, assignment, "claim", foreign)
    assert not Review.objects.exists()


def test_starting_claims_the_first_that_nobody_has(
    cast: Cast, assignment: Assignment, submissions: list[Submission], ta: Client
) -> None:
    others = [submissions[0].student_id]
    reviews_claim(assignment=assignment, students=others, user=cast.instructor)

    response = ta.post(reverse("queue_start", args=[assignment.pk]), {"queue": "state=todo"})

    assert response.headers["Location"] == (
        f"{reverse('marking', args=[submissions[1].pk])}?queue=state%3Dtodo"
    )
    assert Review.objects.get(student=submissions[1].student_id).claimant == cast.ta


def test_where_nothing_is_left_starting_says_so(
    cast: Cast, assignment: Assignment, submissions: list[Submission], ta: Client
) -> None:
    everyone = [submission.student_id for submission in submissions]
    reviews_claim(assignment=assignment, students=everyone, user=cast.instructor)

    response = ta.post(reverse("queue_start", args=[assignment.pk]), follow=True)

    assert (
        "Nothing left in this view: everything is reviewed, or claimed by others."
        in response.content.decode()
    )


def test_views_are_saved_for_oneself_and_the_whole_course(
    cast: Cast, assignment: Assignment, ta: Client, client_of: ClientOf
) -> None:
    address = reverse("queue_view_new", args=[assignment.pk])
    another = Assignment.objects.create(course=cast.course, title="Another", state="open")

    ta.post(address, {"name": "Late ones", "queue": "late=yes&nonsense=1&page=4"})
    ta.post(address, {"name": "Late ones", "queue": "late=yes&sort=name"})
    long = ta.post(address, {"name": "Long", "queue": f"q={quote(99 * 'ع')}"}, follow=True)
    assert "the search is too long" in long.content.decode()

    view = QueueView.objects.get()
    assert view.query == "late=yes&sort=name"
    assert "Late ones" in text_of(ta, another)
    assert "Late ones" not in text_of(client_of(cast.instructor), assignment)
    assert "Give the view a name" in ta.post(address, {"name": ""}, follow=True).content.decode()
    ta.post(reverse("queue_view_delete", args=[view.pk]), {"assignment": assignment.pk})
    assert not QueueView.objects.exists()


def test_somebody_can_ask_for_flags_where_nobody_has_looked(
    assignment: Assignment, submissions: list[Submission], ta: Client
) -> None:
    SubmissionFlags.objects.all().delete()
    assert "not checked for flags yet" in text_of(ta, assignment)

    ta.post(reverse("queue_flags", args=[assignment.pk]))

    assert Job.objects.get().kind == Job.Kind.FIND_FLAGS
    assert "Looking for flags" in text_of(ta, assignment)


def test_two_texts_stand_side_by_side(
    cast: Cast, assignment: Assignment, submissions: list[Submission], ta: Client
) -> None:
    same = "the bakery in my street sells the best bread of the town"
    Submission.objects.filter(pk=submissions[0].pk).update(text=f"First, {same}.")
    Submission.objects.filter(pk=submissions[1].pk).update(text=f"{same}, I <b>think</b>.")

    page = ta.get(reverse("likeness", args=[submissions[0].pk, submissions[1].pk])).content.decode()

    assert page.count(f'<mark class="match match-band-3">{same}</mark>') == 2
    assert "12 of 40 words" in page
    assert "&lt;b&gt;" in page


def test_texts_of_two_assignments_do_not(
    cast: Cast, assignment: Assignment, submissions: list[Submission], ta: Client
) -> None:
    another = Assignment.objects.create(course=cast.course, title="Another", state="open")
    (other,) = handed_in(another, Work("Other"))

    assert ta.get(reverse("likeness", args=[submissions[0].pk, other.pk])).status_code == 404
