"""Who sees results: the rule in words, released and held back by hand, and what newer ones do."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from grading.access.hidden_names import person_key
from grading.assignments.actions import submissions_release
from grading.models import Assignment, Membership, Missed, Submission, SubmissionEvent, User
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.pages import flat

ClientOf = Callable[[User | None], Client]
Release = Assignment.Release
SHOWN, HELD_BACK, RULE = (
    Submission.Visibility.SHOWN,
    Submission.Visibility.HELD_BACK,
    Submission.Visibility.RULE,
)
NEXT_SUMMARY = f"{SUMMARY} And more."


@pytest.fixture
def by_hand(cast: Cast, assignment: Assignment) -> Assignment:
    """Zoë has handed in twice, Omar once; nobody sees anything."""
    Assignment.objects.update(release=Release.BY_HAND)
    assignment.refresh_from_db()
    for student, text in (
        (cast.student, SUMMARY),
        (cast.student, NEXT_SUMMARY),
        (cast.other_student, SUMMARY),
    ):
        submission_submit(assignment=assignment, student=student, text=text)
    return assignment


def visibilities(user: User) -> list[str]:
    return list(user.submissions.order_by("attempt").values_list("visibility", flat=True))


def say(client: Client, assignment: Assignment, **data: object) -> str:
    address = reverse("release", args=[assignment.pk])
    return flat(client.post(address, data, follow=True).text)


def test_chosen_students_are_released_with_all_their_attempts(
    cast: Cast, by_hand: Assignment, client_of: ClientOf
) -> None:
    text = say(
        client_of(cast.ta),
        by_hand,
        what="shown",
        students=[person_key(by_hand, cast.student.pk)],
    )

    assert "Released to 1 student (2 attempts)." in text
    assert visibilities(cast.student) == [SHOWN, SHOWN]
    assert visibilities(cast.other_student) == [RULE]
    events = SubmissionEvent.objects.all()
    assert {(event.kind, event.author) for event in events} == {("released", cast.ta)}
    assert len(events) == 2


def test_what_is_handed_in_later_follows_the_rule_and_is_counted(
    cast: Cast, by_hand: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    say(client, by_hand, what="shown", who="all")

    submission_submit(assignment=by_hand, student=cast.student, text=f"{SUMMARY} Again.")

    text = flat(client.get(reverse("release", args=[by_hand.pk])).text)
    assert visibilities(cast.student) == [SHOWN, SHOWN, RULE]
    assert "1 student waits</strong> for results: 1 attempt" in text
    assert "1 of them has submitted again" in text


def test_holding_back_lasts_until_it_is_lifted(
    cast: Cast, by_hand: Assignment, client_of: ClientOf
) -> None:
    Assignment.objects.update(release=Release.AT_ONCE)
    by_hand.refresh_from_db()
    client = client_of(cast.ta)
    say(client, by_hand, what="held", students=[person_key(by_hand, cast.student.pk)])

    newest = submission_submit(assignment=by_hand, student=cast.student, text="Another text.")

    assert visibilities(cast.student) == [HELD_BACK, HELD_BACK, HELD_BACK]
    assert not newest.is_shown
    assert visibilities(cast.other_student) == [RULE]
    text = flat(client.get(reverse("release", args=[by_hand.pk])).text)
    assert "held back since an earlier attempt" in text

    say(client, by_hand, what="rule", students=[person_key(by_hand, cast.student.pk)])
    submission_submit(assignment=by_hand, student=cast.student, text="And one more.")
    assert visibilities(cast.student) == [RULE] * 4


def test_the_page_says_how_much_is_told_of_missing_ideas(
    cast: Cast, by_hand: Assignment, client_of: ClientOf
) -> None:
    Assignment.objects.update(missed_before=Missed.NOTHING, missed_after=Missed.LABELS)
    client, address = client_of(cast.ta), reverse("release", args=[by_hand.pk])
    assert "they now see of missing ideas: nothing." in flat(client.get(address).text)

    Assignment.objects.update(due_at=timezone.now() - timedelta(hours=1))
    assert "they now see of missing ideas: the ideas themselves." in flat(client.get(address).text)


def test_all_that_wait_leaves_what_is_held_back(
    cast: Cast, by_hand: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    say(client, by_hand, what="held", students=[person_key(by_hand, cast.other_student.pk)])

    assert "Release all waiting (1)" in flat(client.get(reverse("release", args=[by_hand.pk])).text)
    text = say(client, by_hand, what="shown", who="waiting")

    assert "Released to 1 student (2 attempts)." in text
    assert visibilities(cast.other_student) == [HELD_BACK]
    assert "Release all that wait" not in text


def test_each_button_takes_back_what_the_others_did(
    cast: Cast, by_hand: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)

    for what, now in (("shown", SHOWN), ("held", HELD_BACK), ("rule", RULE), ("shown", SHOWN)):
        say(client, by_hand, what=what, students=[person_key(by_hand, cast.other_student.pk)])
        assert visibilities(cast.other_student) == [now]

    kinds = cast.other_student.submissions.get().events.values_list("kind", flat=True)
    assert list(kinds) == ["released", "held", "by_rule", "released"]
    text = say(client, by_hand, what="shown", students=[person_key(by_hand, cast.other_student.pk)])
    assert "Nothing changed" in text
    assert len(kinds.all()) == 4


def test_the_page_says_who_said_so(cast: Cast, by_hand: Assignment, client_of: ClientOf) -> None:
    text = say(client_of(cast.ta), by_hand, what="held", who="all")

    assert "Held back from 2 students (3 attempts)" in text
    assert f"<bdi>{cast.ta.name}</bdi>, <time" in text
    assert text.count("Held back</span>") == 2


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"what": "shown"}, "No students are ticked. Tick students, and try again."),
        ({"who": "all"}, "Choose what to do"),
        ({"what": "burn", "who": "all"}, "burn is not one of"),
        (
            {"what": "shown", "students": ["999999"]},
            "has left the course or has no submission",
        ),
        (
            {"what": "shown", "students": ["x"]},
            "has left the course or has no submission",
        ),
    ],
)
def test_what_cannot_be_done_is_said(
    cast: Cast,
    by_hand: Assignment,
    client_of: ClientOf,
    data: dict[str, object],
    sentence: str,
) -> None:
    response = client_of(cast.ta).post(reverse("release", args=[by_hand.pk]), data)

    assert response.status_code == 422
    assert sentence in response.text
    assert not SubmissionEvent.objects.exists()


def test_somebody_of_another_course_is_not_reached(
    cast: Cast, by_hand: Assignment, client_of: ClientOf
) -> None:
    other = Assignment.objects.create(
        course=cast.other_course, title="Other", state=Assignment.State.OPEN
    )
    foreign = submission_submit(assignment=other, student=cast.outsider, text=SUMMARY)

    submissions_release(
        assignment=by_hand, students=[cast.outsider.pk], visibility=SHOWN, author=cast.ta
    )

    foreign.refresh_from_db()
    assert foreign.visibility == RULE


def test_who_has_left_the_course_is_not_listed_and_not_released(
    cast: Cast, by_hand: Assignment, client_of: ClientOf
) -> None:
    Membership.objects.filter(user=cast.other_student).delete()

    text = say(client_of(cast.ta), by_hand, what="shown", who="all")

    assert cast.other_student.name not in text
    assert visibilities(cast.other_student) == [RULE]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ((Release.AT_ONCE, None, "open"), "<strong>as soon as their text is scored</strong>"),
        ((Release.BY_HAND, None, "open"), "<strong>until you release them</strong>"),
        ((Release.AFTER_DUE, None, "open"), "until you close the assignment</strong>"),
        ((Release.AFTER_DUE, None, "closed"), "The assignment is closed: students see"),
        (
            (Release.AFTER_DUE, "future", "open"),
            "until 12 May 2099, 18:00</strong> (Europe/Madrid)",
        ),
        ((Release.AFTER_DUE, "past", "open"), "has passed: students see"),
        ((Release.AT_ONCE, None, "draft"), "The assignment is a draft: students can"),
    ],
)
def test_the_rule_is_told_in_words(
    cast: Cast,
    assignment: Assignment,
    client_of: ClientOf,
    rule: tuple[str, str | None, str],
    sentence: str,
) -> None:
    release, due, state = rule
    when = {
        "future": datetime(2099, 5, 12, 16, 0, tzinfo=UTC),
        "past": timezone.now() - timedelta(days=1),
        None: None,
    }[due]
    Assignment.objects.update(release=release, due_at=when, state=state)
    User.objects.filter(pk=cast.instructor.pk).update(time_zone="Europe/Madrid")
    cast.instructor.refresh_from_db()
    client = client_of(cast.instructor)

    page = flat(client.get(reverse("release", args=[assignment.pk])).text)

    assert sentence in page
    assert "Nothing to release yet" in page
    assert "Change the rule" in page
    assert sentence in flat(client.get(reverse("gradebook", args=[assignment.pk])).text)
    assert (
        "Change the rule"
        not in client_of(cast.ta).get(reverse("release", args=[assignment.pk])).text
    )


@pytest.mark.parametrize("method", ["get", "post"])
def test_queries_do_not_grow_with_the_class(
    cast: Cast, by_hand: Assignment, client_of: ClientOf, method: str
) -> None:
    client = client_of(cast.ta)
    address = reverse("release", args=[by_hand.pk])
    data = {"what": "shown", "who": "all"}

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(address) if method == "get" else client.post(address, data)
        return len(captured)

    client.get(address)
    few = queries()
    for number in range(60):
        student = User.objects.create_user(f"s{number}", name=f"Student {number:02}")
        Membership.objects.create(course=cast.course, user=student, role="student")
        Submission.objects.create(assignment=by_hand, student=student, text=SUMMARY, words=20)

    assert queries() <= few  # the second time the job that sends e-mails is there


def test_a_long_class_is_turned_over_page_by_page_and_stays_there(
    cast: Cast, by_hand: Assignment, client_of: ClientOf
) -> None:
    for number in range(60):
        student = User.objects.create_user(f"s{number}", name=f"Student {number:02}")
        Membership.objects.create(course=cast.course, user=student, role="student")
        Submission.objects.create(assignment=by_hand, student=student, text=SUMMARY, words=20)
    client = client_of(cast.ta)
    address = reverse("release", args=[by_hand.pk])

    page = flat(client.get(f"{address}?page=2").text)
    response = client.post(
        f"{address}?page=2",
        {"what": "shown", "students": [person_key(by_hand, cast.student.pk)]},
    )

    assert "Page 2 of 2" in page
    assert "Student 55" in page
    assert "all 62 students with a submission" in page
    assert response.headers["Location"] == f"{address}?page=2"
