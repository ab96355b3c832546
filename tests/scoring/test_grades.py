"""Grades of a class: which attempt, how late, by hand, and never a zero for nothing."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from grading.assignments.actions import assignment_change
from grading.models import Assignment, ManualGrade, Membership, StoredGradeRule, Submission, User
from grading.pyramid.grade_rules import Attempt, LatePenalty
from grading.scoring.grades import (
    StudentGrade,
    class_grades,
    own_grade,
    points_possible,
    student_grade,
)
from tests.conftest import Cast
from tests.grade_scene import TEN, hand_in, keep_rule, rescore, say

BEST = replace(TEN, attempt=Attempt.BEST)


def grade_of(assignment: Assignment, student: User) -> StudentGrade:
    """From the class, which is the same as asked for alone."""
    result = next(row for row in class_grades(assignment) if row.result.student == student)
    place = Membership.objects.select_related("user").get(user=student, course=assignment.course)
    alone = student_grade(assignment, place)
    assert replace(alone, result=result.result) == result
    return result


def test_without_a_rule_the_comprehensive_score_counts_in_percent(
    cast: Cast, assignment: Assignment
) -> None:
    hand_in(assignment, cast.student, 0.61834)
    hand_in(assignment, cast.other_student)

    graded, waiting = (
        grade_of(assignment, student) for student in (cast.student, cast.other_student)
    )

    assert (graded.grade, graded.state) == (Decimal("61.83"), "graded")
    assert points_possible(assignment) == 100
    assert (waiting.grade, waiting.state) == (None, "ungraded")
    assert waiting.why_not == "It is not scored yet."


def test_who_handed_in_nothing_has_no_grade_unless_by_hand(
    cast: Cast, assignment: Assignment
) -> None:
    keep_rule(assignment)
    nothing = grade_of(assignment, cast.student)
    assert (nothing.grade, nothing.why_not) == (None, "Nothing was submitted.")

    say(assignment, cast.student, None, "Ill.")
    excused = grade_of(assignment, cast.student)
    assert (excused.grade, excused.state, excused.reason) == (None, "excused", "Ill.")
    assert not excused.by_hand

    say(assignment, cast.student, "7.5")
    by_hand = grade_of(assignment, cast.student)
    assert (by_hand.grade, by_hand.state, by_hand.by_hand) == (Decimal("7.5"), "graded", True)


def test_a_word_by_hand_holds_whatever_the_score_until_it_is_taken_back(
    cast: Cast, assignment: Assignment
) -> None:
    keep_rule(assignment)
    submission = hand_in(assignment, cast.student, 0.5)
    say(assignment, cast.student, "8")
    rescore(submission, 0.9)

    grade = grade_of(assignment, cast.student)
    assert grade.grade == 8
    assert grade.by_rule is not None
    assert grade.by_rule.points == 9

    ManualGrade.objects.create(
        assignment=assignment, student=cast.student, kind="rule", possible=10, reason="Mistaken."
    )
    grade = grade_of(assignment, cast.student)
    assert (grade.by_hand, grade.reason, grade.hand) == (False, "", None)
    assert grade.grade == 9


def test_points_by_hand_out_of_other_points_are_told_and_not_converted(
    cast: Cast, assignment: Assignment
) -> None:
    say(assignment, cast.student, "8")

    grade = grade_of(assignment, cast.student)

    assert [grade.grade, grade.possible, grade.manual_points_out_of] == [8, 100, 10]
    keep_rule(assignment)
    assert grade_of(assignment, cast.student).manual_points_out_of is None


def test_the_best_attempt_can_be_another_than_the_newest(
    cast: Cast, assignment: Assignment
) -> None:
    first = hand_in(assignment, cast.student, 0.8)
    newest = hand_in(assignment, cast.student, 0.3)
    hand_in(assignment, cast.other_student, 0.4, is_final=False)

    keep_rule(assignment)
    assert grade_of(assignment, cast.student).submission == newest
    keep_rule(assignment, BEST)
    grade = grade_of(assignment, cast.student)

    assert (grade.submission, grade.rests_on_another) == (first, True)
    assert grade.grade == 8
    assert grade.result.submission == newest
    assert grade_of(assignment, cast.other_student).grade == 4
    unscored = hand_in(assignment, cast.student)
    assert grade_of(assignment, cast.student).submission == first
    rescore(unscored, 0.8)
    assert grade_of(assignment, cast.student).submission == unscored  # of equals the newest


def test_a_draft_is_never_compared_with_finals(cast: Cast, assignment: Assignment) -> None:
    hand_in(assignment, cast.student, 0.9, is_final=False)
    hand_in(assignment, cast.student, 0.3)
    hand_in(assignment, cast.other_student, 0.4, is_final=False)
    keep_rule(assignment, replace(BEST, drafts_count=False))

    assert grade_of(assignment, cast.student).grade == 3
    draft_only = grade_of(assignment, cast.other_student)
    assert draft_only.grade is None
    assert draft_only.why_not == "Only a draft was submitted; drafts get no grade."


def test_lateness_follows_the_due_date_that_holds(cast: Cast, assignment: Assignment) -> None:
    assignment.due_at = timezone.now() - timedelta(days=5)
    assignment.save()
    keep_rule(assignment, replace(TEN, late=LatePenalty(Decimal(10))))
    hand_in(assignment, cast.student, 1.0, late_by=timedelta(hours=25))

    late = grade_of(assignment, cast.student)
    assert late.days_late == 2
    assert late.grade == 8

    assignment.due_at += timedelta(hours=3)
    assignment_change(assignment=assignment, fields=["due_at"])
    assert (grade_of(assignment, cast.student).days_late) == 1

    Submission.objects.update(late=False)  # somebody said that it is not
    assert grade_of(assignment, cast.student).grade == 10


def test_a_late_attempt_can_be_worth_less_than_an_earlier_one(
    cast: Cast, assignment: Assignment
) -> None:
    assignment.due_at = timezone.now() - timedelta(days=5)
    assignment.save()
    keep_rule(assignment, replace(BEST, late=LatePenalty(Decimal(50))))
    first = hand_in(assignment, cast.student, 0.6, late_by=timedelta(0))
    hand_in(assignment, cast.student, 0.9, late_by=timedelta(hours=1))

    grade = grade_of(assignment, cast.student)

    assert (grade.submission, grade.days_late) == (first, 0)
    assert grade.grade == 6


def test_the_newest_rule_holds_and_earlier_ones_stay(assignment: Assignment) -> None:
    keep_rule(assignment)
    keep_rule(assignment, replace(TEN, points=Decimal(20)))

    assert points_possible(assignment) == 20
    assert StoredGradeRule.objects.count() == 2


@pytest.mark.parametrize("rule", [TEN, BEST], ids=["last", "best"])
def test_queries_do_not_grow_with_the_class(
    cast: Cast, assignment: Assignment, rule: object
) -> None:
    keep_rule(assignment, rule)  # type: ignore[arg-type]
    hand_in(assignment, cast.student, 0.4)
    assignment = Assignment.objects.get(pk=assignment.pk)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            class_grades(assignment)
        return len(captured)

    few = queries()
    for number in range(8):
        student = User.objects.create_user(f"s{number}", name=f"Student {number}")
        Membership.objects.create(course=cast.course, user=student, role="student")
        hand_in(assignment, student, 0.1, late_by=timedelta(hours=1))
        hand_in(assignment, student, 0.2)
        say(assignment, student, "3")

    assert queries() == few <= 7


# --- what students see ---


def own(assignment: Assignment, student: User) -> StudentGrade | None:
    attempts = list(Submission.objects.attempts_of(assignment, student))
    for later in attempts:
        later.assignment = assignment
    return own_grade(
        StoredGradeRule.objects.newest_of(assignment),
        assignment,
        Membership.objects.get(user=student, course=assignment.course),
        attempts,
        shows=lambda attempt: attempt.is_shown,
    )


def test_students_see_a_grade_only_by_a_rule_that_says_so(
    cast: Cast, assignment: Assignment
) -> None:
    hand_in(assignment, cast.student, 0.5)
    assert own(assignment, cast.student) is None
    keep_rule(assignment, students_see=False)
    assert own(assignment, cast.student) is None

    keep_rule(assignment)
    grade = own(assignment, cast.student)
    assert grade is not None
    assert grade.grade == 5


def test_a_grade_is_shown_where_the_results_that_it_rests_on_are(
    cast: Cast, assignment: Assignment
) -> None:
    first, second = (hand_in(assignment, cast.student, score) for score in (0.8, 0.5))
    assignment.release = Assignment.Release.BY_HAND
    keep_rule(assignment)
    assert own(assignment, cast.student) is None

    Submission.objects.filter(pk=second.pk).update(visibility=Submission.Visibility.SHOWN)
    assert own(assignment, cast.student) is not None
    keep_rule(assignment, BEST)
    assert own(assignment, cast.student) is None  # which is best tells of both
    Submission.objects.filter(pk=first.pk).update(visibility=Submission.Visibility.SHOWN)
    assert own(assignment, cast.student) is not None


def test_who_handed_in_nothing_sees_what_was_said_where_the_rule_shows_results(
    cast: Cast, assignment: Assignment
) -> None:
    keep_rule(assignment)
    say(assignment, cast.student, None, "Ill.")
    grade = own(assignment, cast.student)
    assert grade is not None
    assert grade.excused

    assignment.release = Assignment.Release.BY_HAND
    assert own(assignment, cast.student) is None
