"""Texts that are not written in sentences: neither a zero nor a grade until a grader decides."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, Scope, Submission, User
from grading.scoring.conversion import gradebook_row
from grading.scoring.grades import class_grades
from grading.scoring.queue_rows import QueueState, queue_rows
from grading.scoring.results import newest_scores
from tests.conftest import Cast
from tests.feedback_scene import keep
from tests.grade_scene import keep_rule
from tests.judgement_scene import denying, held, repeating, with_possible

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def submission(cast: Cast, assignment: Assignment) -> Submission:
    return keep(held(), assignment, cast.student)


@pytest.fixture
def in_part(cast: Cast, assignment: Assignment) -> Submission:
    return keep(held(whole=False), assignment, cast.student)


def page(client: Client, submission: Submission, name: str = "submission") -> str:
    return re.sub(r"[ \n]+", " ", client.get(reverse(name, args=[submission.pk])).text)


def press(client: Client, submission: Submission, what: str) -> int:
    desk = client.get(reverse("marking", args=[submission.pk]))
    step = {"do": what, "stamp": desk.context["desk"].stamp}
    return client.post(reverse("marking_step", args=[submission.pk]), step).status_code


def test_student_and_grader_are_told_why_there_is_no_score(
    cast: Cast, submission: Submission, client_of: ClientOf
) -> None:
    seen = page(client_of(cast.student), submission)
    assert "Your text is held: it isn\u2019t written in sentences." in seen
    assert "Until then it has no score, which is not a zero." in seen
    assert "score-number" not in seen
    assert "held-words" in seen
    assert "This text is held" in page(client_of(cast.ta), submission)


def test_there_is_no_grade_and_no_zero(
    cast: Cast, assignment: Assignment, submission: Submission, client_of: ClientOf
) -> None:
    keep_rule(assignment)
    grade = next(
        candidate
        for candidate in class_grades(assignment)
        if candidate.result.submission is not None
    )
    assert (grade.grade, grade.state, grade.why_not) == (
        None,
        "held",
        "Held: it isn\u2019t written in sentences. A grader decides what counts.",
    )

    row = gradebook_row(grade, grade.possible, assignment, Scope.ALL, {}, None)
    assert (row.state, row.grade_state, row.held) == (
        "held: not written in sentences",
        "held",
        "yes",
    )
    assert (row.grade, row.raw, row.comprehensive) == (None, None, None)
    seen = client_of(cast.ta).get(reverse("gradebook", args=[assignment.pk])).text
    assert "Held: not written in sentences" in seen
    assert "No grade yet. Held: it isn\u2019t written" in page(client_of(cast.student), submission)


def test_the_queue_has_a_state_a_flag_and_a_filter(
    cast: Cast, assignment: Assignment, submission: Submission, client_of: ClientOf
) -> None:
    (row,) = queue_rows(assignment)
    assert (row.state, row.numbers) == (QueueState.HELD, None)
    queue = reverse("queue", args=[assignment.pk])
    for choice in ({"state": "held"}, {"flag": "held"}):
        seen = client_of(cast.ta).get(queue, choice).text
        assert cast.student.name in seen
        assert "Not written in sentences. The text has no score and no grade until" in seen


def test_a_text_that_contradicts_the_experts_throughout_is_held_for_that(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    submission = keep(denying(), assignment, cast.student)

    because = "many of its sentences may contradict the experts"
    assert f"Your text is held: {because}." in page(client_of(cast.student), submission)
    assert f"This text is held: {because}" in page(client_of(cast.ta), submission, "marking")
    grade = next(row for row in class_grades(assignment) if row.result.submission is not None)
    assert grade.why_not == f"Held: {because}. A grader decides what counts."
    assert grade.result.state == "held: contradicts the experts"


def test_a_text_that_repeats_its_sentences_is_held_for_that(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    submission = keep(repeating(), assignment, cast.student)

    assert "Your text is held: it repeats the same sentences." in page(
        client_of(cast.student), submission
    )
    desk = page(client_of(cast.ta), submission, "marking")
    assert "This text is held: it repeats the same sentences" in desk
    assert "written in sentences" not in desk
    grade = next(row for row in class_grades(assignment) if row.result.submission is not None)
    assert grade.why_not == "Held: it repeats the same sentences. A grader decides what counts."
    assert grade.result.state == "held: repeats the same sentences"


def test_a_grader_counts_the_words(
    cast: Cast, assignment: Assignment, submission: Submission, client_of: ClientOf
) -> None:
    ta = client_of(cast.ta)
    assert "Count these words" in page(ta, submission, "marking")

    assert press(ta, submission, "count_held") in {200, 302}

    score = newest_scores([submission])[submission.pk]
    assert (score.held, score.held_in_part, score.is_corrected) == (False, False, True)
    assert score.raw > 0
    assert "score-number" in page(client_of(cast.student), submission)
    assert class_grades(assignment)[0].state in {"graded", "ungraded"}
    assert press(ta, submission, "count_held") == 422  # nothing is held any more
    assert press(ta, submission, "undo") in {200, 302}
    assert newest_scores([submission])[submission.pk].held


def test_a_grader_excludes_the_words(
    cast: Cast, submission: Submission, client_of: ClientOf
) -> None:
    assert press(client_of(cast.ta), submission, "exclude_held") in {200, 302}

    score = newest_scores([submission])[submission.pk]
    assert (score.held, score.raw, score.statements) == (False, 0, 0)


def test_a_text_of_which_some_words_are_held_is_graded_with_a_remark(
    cast: Cast, assignment: Assignment, in_part: Submission, client_of: ClientOf
) -> None:
    seen = page(client_of(cast.student), in_part)
    assert "Some words are held: not written in sentences." in seen
    assert "score-number" in seen
    (row,) = queue_rows(assignment)
    assert row.state == QueueState.SCORED
    assert [flag.kind for flag in row.flags] == ["held"]
    grade = next(
        candidate
        for candidate in class_grades(assignment)
        if candidate.result.submission is not None
    )
    assert grade.state == "graded"


def test_the_class_is_measured_without_texts_that_are_held(
    cast: Cast, assignment: Assignment, submission: Submission, client_of: ClientOf
) -> None:
    seen = client_of(cast.ta).get(reverse("class_figures", args=[assignment.pk])).text

    assert "Nothing is scored with version" in seen


def test_possible_matches_are_suggestions_at_the_desk_only(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    submission = keep(with_possible(), assignment, cast.student)
    before = newest_scores([submission])[submission.pk]
    uid = before.document["possible"][0]["scu"]
    assert "possible, 32" not in page(client_of(cast.student), submission).lower()
    desk = page(client_of(cast.ta), submission, "marking")
    assert "Possible, 32\u202f%" in desk

    assert press(client_of(cast.ta), submission, f"confirm {uid}") in {200, 302}

    after = newest_scores([submission])[submission.pk]
    assert after.raw == pytest.approx(before.raw + 5 * (1 - 0.32))
    assert "possible" not in after.document


def test_a_possible_match_can_be_dismissed(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    submission = keep(with_possible(), assignment, cast.student)
    before = newest_scores([submission])[submission.pk]
    uid = before.document["possible"][0]["scu"]

    assert press(client_of(cast.ta), submission, f"remove {uid}") in {200, 302}

    after = newest_scores([submission])[submission.pk]
    assert after.raw == pytest.approx(before.raw - 5 * 0.32)
