"""A grade by hand: before and after are shown, a reason is asked for, and it can be undone."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.access.hidden_names import person_key
from grading.models import Assignment, ManualGrade, Membership, User
from tests.conftest import Cast
from tests.feedback_scene import keep, made
from tests.grade_scene import hand_in, keep_rule, rescore
from tests.pages import flat

ClientOf = Callable[[User | None], Client]
EIGHT = {"kind": "points", "points": "8", "reason": "Well argued."}


@pytest.fixture
def page(cast: Cast, assignment: Assignment) -> str:
    keep_rule(assignment)
    hand_in(assignment, cast.student, 0.62)
    return reverse("manual_grade", args=[assignment.pk, person_key(assignment, cast.student.pk)])


def stamp(client: Client, page: str) -> str:
    return str(client.get(page).context["stamp"])


def test_before_and_after_are_shown_and_nothing_is_kept(
    cast: Cast, page: str, client_of: ClientOf
) -> None:
    answer = client_of(cast.ta).post(page, {"kind": "points", "points": "8"})

    assert answer.status_code == 200
    assert "6.2 of 10, by the rule" in flat(answer.text)
    assert "<strong>8 of 10, set manually</strong>" in flat(answer.text)
    assert not ManualGrade.objects.exists()


def test_a_ta_sets_a_grade_with_a_reason_and_undoes_it(
    cast: Cast, page: str, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)

    kept = client.post(page, EIGHT | {"what": "save", "stamp": stamp(client, page)}, follow=True)
    assert "Saved: 8 of 10, set manually." in flat(kept.text)
    assert "Well argued." in flat(kept.text)
    assert "0.62 \u00d7 10 = 6.2 of 10 points." in flat(kept.text)
    assert "Undo the last: back to what the rule gives" in flat(kept.text)
    assert ManualGrade.objects.get().author == cast.ta

    undone = client.post(page, {"what": "undo", "stamp": stamp(client, page)}, follow=True)
    assert "Undone: 6.2 of 10, by the rule." in flat(undone.text)
    assert "Undo the last: back to 8 points, set manually" in flat(undone.text)
    assert ManualGrade.objects.count() == 2


def test_without_a_reason_nothing_is_kept_and_the_button_stays(
    cast: Cast, page: str, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    data = EIGHT | {"what": "save", "reason": " ", "stamp": stamp(client, page)}

    answer = client.post(page, data)

    assert answer.status_code == 422
    assert "Give the reason in a sentence." in flat(answer.text)
    assert 'value="save"' in flat(answer.text)
    assert not ManualGrade.objects.exists()


def test_points_that_cannot_be_are_refused(cast: Cast, page: str, client_of: ClientOf) -> None:
    answer = client_of(cast.ta).post(page, EIGHT | {"points": "11"})

    assert answer.status_code == 422
    assert "The assignment gives at most 10 points." in flat(answer.text)


def test_a_grade_that_has_changed_is_shown_and_not_overwritten(
    cast: Cast, assignment: Assignment, page: str, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    old = stamp(client, page)
    rescore(assignment.submissions.get(), 0.9)

    for what in ({"what": "save"}, {"what": "undo"}):
        answer = client.post(page, EIGHT | what | {"stamp": old})
        assert answer.status_code == 409 or what == {"what": "undo"}
    assert "9 of 10, by the rule" in flat(answer.text)
    assert not ManualGrade.objects.exists()


def test_who_handed_in_nothing_can_be_excused(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    page = reverse(
        "manual_grade", args=[assignment.pk, person_key(assignment, cast.other_student.pk)]
    )
    client = client_of(cast.ta)
    assert "Nothing was submitted." in flat(client.get(page).text)

    data = {"kind": "excused", "reason": "Ill.", "what": "save", "stamp": stamp(client, page)}
    assert "Saved: excused." in flat(client.post(page, data, follow=True).text)

    book = flat(client.get(reverse("gradebook", args=[assignment.pk])).text)
    assert "<dt>Excused</dt><dd>1</dd>" in book
    assert "<dt>Ungraded</dt><dd>1</dd>" in book


def test_who_is_no_student_of_the_course_has_no_grade(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)

    for user in (cast.ta, cast.outsider):
        page = reverse("manual_grade", args=[assignment.pk, person_key(assignment, user.pk)])
        assert client.get(page).status_code == 404


def test_the_page_of_a_submission_tells_graders_the_grade(
    cast: Cast, assignment: Assignment, page: str, client_of: ClientOf
) -> None:
    submission = hand_in(assignment, cast.student)
    address = reverse("submission", args=[submission.pk])

    assert page in flat(client_of(cast.ta).get(address).text)
    Membership.objects.filter(user=cast.student).delete()
    assert page not in flat(client_of(cast.ta).get(address).text)


def test_the_preview_of_a_student_shows_the_grade_as_it_will_be(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    keep_rule(assignment)
    submission = keep(made(5), assignment, cast.student)
    address = reverse("submission_as_student", args=[submission.pk])
    Assignment.objects.update(release=Assignment.Release.BY_HAND)
    client = client_of(cast.ta)

    assert "Your grade" not in flat(client.get(address).text)
    shown_page = flat(client.get(f"{address}?shown=1").text)
    assert "</strong> of 10 points" in shown_page
    submission.assignment.release = Assignment.Release.AT_ONCE
    submission.assignment.save()
    own = flat(client_of(cast.student).get(reverse("submission", args=[submission.pk])).text)
    assert "</strong> of 10 points" in own
