"""The rule's page: the effect before it is applied, for instructors; words for TAs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.access.hidden_names import person_key, pseudonym
from grading.models import Assignment, Membership, StoredGradeRule, Submission, User
from grading.pyramid.grade_rules import Attempt
from tests.conftest import Cast
from tests.grade_scene import TEN, hand_in, keep_rule, rescore, say
from tests.pages import flat
from tests.url_table import RULE

ClientOf = Callable[[User | None], Client]


def page(assignment: Assignment) -> str:
    return reverse("grade_rule", args=[assignment.pk])


def stamp_in(response: Any) -> str:
    return str(response.context["effect"]["stamp"])


def test_the_default_is_said_and_a_ta_reads_without_a_form(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    text = flat(client_of(cast.ta).get(page(assignment)).text)

    assert "This is the default." in text
    assert "The comprehensive score counts." in text
    assert "Apply" not in text
    assert "<form" not in text.split("<main", 1)[1]
    assert 'name="points"' in flat(client_of(cast.instructor).get(page(assignment)).text)


def test_the_effect_is_shown_and_nothing_is_written(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    hand_in(assignment, cast.student, 0.62)
    hand_in(assignment, cast.other_student, 0.48)
    keep_rule(assignment, students_see=False)
    say(assignment, cast.other_student, "7")

    response = client_of(cast.instructor).post(page(assignment), RULE | {"rounding": "0.5"})

    assert response.status_code == 200
    assert "Of 1 student: 1 down; the mean goes from 62.0 % to 60.0 % of the points." in (
        flat(response.text)
    )
    assert "6.2 of 10" in flat(response.text)
    assert "\u22120.2" in flat(response.text)
    assert "<svg" in flat(response.text)
    assert "1 set manually or excused doesn" in flat(response.text)
    assert StoredGradeRule.objects.count() == 1


def test_it_is_applied_as_shown_and_history_keeps_the_earlier(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    hand_in(assignment, cast.student, 0.62)
    keep_rule(assignment)
    client = client_of(cast.instructor)
    stamp = stamp_in(client.post(page(assignment), RULE))

    answer = client.post(page(assignment), RULE | {"what": "apply", "stamp": stamp}, follow=True)

    assert answer.redirect_chain == [(page(assignment), 302)]
    assert "Grade rule applied. 1 grade changed." in flat(answer.text)
    assert "To 0.5, once at the end" in flat(answer.text)
    assert "Earlier rules" in flat(answer.text)
    assert "This is the current rule" in flat(client.post(page(assignment), RULE).text)


def test_it_is_refused_with_the_new_effect_where_scores_have_changed(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    submission = hand_in(assignment, cast.student, 0.62)
    client = client_of(cast.instructor)
    stamp = stamp_in(client.post(page(assignment), RULE))
    rescore(submission, 0.93)

    answer = client.post(page(assignment), RULE | {"what": "apply", "stamp": stamp})

    assert answer.status_code == 409
    assert "<strong>Not applied.</strong>" in flat(answer.text)
    assert "93 of 100" in flat(answer.text)
    assert stamp_in(answer) != stamp
    assert not StoredGradeRule.objects.exists()


def test_lines_that_are_crossed_and_points_by_hand_out_of_others_are_told(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    hand_in(assignment, cast.student, 0.62)
    bands = {"scale": "bands", "rounding": "0.1", "passes_from": "5"}
    client = client_of(cast.instructor)
    first = RULE | bands | {"bands": "A | 0.6 | 10\nF | 0 | 0"}
    stamp = stamp_in(client.post(page(assignment), first))
    client.post(page(assignment), first | {"what": "apply", "stamp": stamp})
    say(assignment, cast.other_student, "7")

    second = RULE | bands | {"bands": "A | 0.7 | 10\nF | 0 | 0", "students_see": "on"}
    text = flat(client.post(page(assignment), second).text)
    assert "A \u2192 F, no longer passes" in text
    assert "0 pass, compared with 1 before." in text
    assert "will also see their grade" in text

    text = flat(client.post(page(assignment), second | {"points": "20"}).text)
    assert "<strong>Check these manual grades.</strong>" in text
    assert "7 of 10" in text


def test_a_fault_is_told_and_answers_422(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    data = RULE | {"scale": "bands", "bands": "A 1"}

    answer = client.post(page(assignment), data)
    part = client.post(page(assignment), data, headers={"HX-Request": "true"})

    assert (answer.status_code, part.status_code) == (422, 422)
    assert "Line 1:" in flat(part.text)
    assert "<html" not in flat(part.text)
    assert "Please correct this" in flat(answer.text)


def test_a_script_gets_the_effect_alone(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    part = client_of(cast.instructor).post(page(assignment), RULE, headers={"HX-Request": "true"})

    assert flat(part.text).startswith('<div class="stack" id="grade-effect">')
    assert "None of 2 students has a grade" in flat(part.text)


def test_names_are_hidden_where_they_are(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    Assignment.objects.update(names_hidden=True)
    hand_in(assignment, cast.student, 0.62)
    say(assignment, cast.student, "7")
    name = pseudonym(assignment, cast.student)
    client = client_of(cast.instructor)
    by_hand = reverse("manual_grade", args=[assignment.pk, person_key(assignment, cast.student.pk)])

    for text in (flat(client.post(page(assignment), RULE).text), flat(client.get(by_hand).text)):
        assert name in text
        assert cast.student.name not in text


def test_queries_do_not_grow_with_the_class(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    data = RULE | {"attempt": "best"}

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.post(page(assignment), data)
        return len(captured)

    hand_in(assignment, cast.student, 0.5)
    say(assignment, cast.other_student, "4")
    queries()
    few = queries()
    for number in range(6):
        student = User.objects.create_user(f"s{number}", name=f"Student {number}")
        Membership.objects.create(course=cast.course, user=student, role="student")
        hand_in(assignment, student, 0.3)
        say(assignment, student, "4")
        hand_in(assignment, cast.student, 0.4)

    assert queries() == few


# --- what the student is shown ---


def test_a_student_sees_the_grade_and_how_it_was_reckoned(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    hand_in(assignment, cast.student, 0.62)
    client = client_of(cast.student)
    home = reverse("assignment", args=[assignment.pk])
    assert "Your grade" not in flat(client.get(home).text)

    keep_rule(assignment)
    own = client.get(home)
    assert '<strong class="own-grade-number">6.2</strong> of 10 points' in flat(own.text)
    assert "0.62 \u00d7 10 = 6.2 of 10 points." in flat(own.text)
    assert "How grades are calculated" in flat(own.text)

    say(assignment, cast.student, "8", "Well argued.")
    text = flat(client.get(home).text)
    assert "8.0</strong> of 10 points" in text
    assert "Well argued." in text


@pytest.mark.parametrize("how", ["held", "by hand", "switch"])
def test_a_student_is_shown_no_grade_before_its_time(
    cast: Cast, assignment: Assignment, client_of: ClientOf, how: str
) -> None:
    hand_in(assignment, cast.student, 0.62)
    keep_rule(assignment, TEN, students_see=how != "switch")
    say(assignment, cast.student, "8", "Xyzzy.")
    if how == "held":
        Submission.objects.update(visibility="held")
    elif how == "by hand":
        Assignment.objects.update(release=Assignment.Release.BY_HAND)

    text = flat(client_of(cast.student).get(reverse("assignment", args=[assignment.pk])).text)

    assert "Xyzzy" not in text
    assert "own-grade" not in text
    assert ("Not shown yet." in text) is (how != "switch")


def test_where_the_best_counts_the_page_says_so_and_which_it_is(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    first = hand_in(assignment, cast.student, 0.9)
    newest = hand_in(assignment, cast.student, 0.3)
    keep_rule(assignment, replace(TEN, attempt=Attempt.BEST))
    client = client_of(cast.student)

    text = flat(client.get(reverse("assignment", args=[assignment.pk])).text)

    assert "The final submission with the best grade counts" in text
    attempts = text.split("Your attempts", 1)[1]
    second, place = attempts.split("the one that counts")[0], attempts.index("the one that counts")
    assert reverse("submission", args=[newest.pk]) in second
    assert attempts.index(reverse("submission", args=[first.pk])) < place
