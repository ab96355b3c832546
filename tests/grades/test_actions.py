"""What is applied is what was shown; whoever looked at something else is refused."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from grading.grades.actions import grade_rule_set, manual_grade_set
from grading.grades.queries import (
    ManualGradePreview,
    ProposedManualGrade,
    ProposedRule,
    preview_manual_grade,
    preview_rule,
)
from grading.models import Assignment, ManualGrade, Membership, StoredGradeRule
from grading.scoring.grades import class_grades
from tests.conftest import Cast
from tests.grade_scene import TEN, hand_in, keep_rule, rescore, say

NEW = ProposedRule(TEN, students_see=True)
KIND = ManualGrade.Kind


@pytest.fixture
def student(cast: Cast) -> Membership:
    return Membership.objects.select_related("user").get(user=cast.student, course=cast.course)


def test_a_rule_is_applied_as_it_was_shown(cast: Cast, assignment: Assignment) -> None:
    hand_in(assignment, cast.student, 0.62)
    preview = preview_rule(assignment=assignment, proposed=NEW)
    assert StoredGradeRule.objects.count() == 0

    stored = grade_rule_set(
        assignment=assignment, proposed=NEW, author=cast.instructor, stamp=preview.stamp
    )

    assert stored is not None
    assert (stored.rule, stored.students_see, stored.author) == (TEN, True, cast.instructor)
    assert [row.grade for row in preview.after] == [row.grade for row in class_grades(assignment)]
    assert preview_rule(assignment=assignment, proposed=NEW).is_same


@pytest.mark.parametrize("what", ["score", "by hand", "rule", "other rule", "switch"])
def test_a_rule_is_refused_where_its_effect_is_another_by_now(
    cast: Cast, assignment: Assignment, what: str
) -> None:
    submission = hand_in(assignment, cast.student, 0.62)
    stamp = preview_rule(assignment=assignment, proposed=NEW).stamp
    new = NEW
    if what == "score":
        rescore(submission, 0.7)
    elif what == "by hand":
        say(assignment, cast.student, "6.2")
    elif what == "rule":
        keep_rule(assignment, students_see=False)
    elif what == "other rule":
        new = ProposedRule(replace(TEN, rounding=Decimal(1)), students_see=True)
    else:
        new = ProposedRule(TEN, students_see=False)
    rules = StoredGradeRule.objects.count()

    assert (
        grade_rule_set(assignment=assignment, proposed=new, author=cast.instructor, stamp=stamp)
        is None
    )
    assert StoredGradeRule.objects.count() == rules


def test_what_was_said_by_hand_is_no_part_of_the_effect(cast: Cast, assignment: Assignment) -> None:
    hand_in(assignment, cast.student, 0.62)
    hand_in(assignment, cast.other_student, 0.5)
    say(assignment, cast.student, "9")

    preview = preview_rule(assignment=assignment, proposed=NEW)

    assert [move.student for move in preview.effect.moves] == [cast.other_student.pk]
    assert [row.result.student for row in preview.manual] == [cast.student]


def keep(
    assignment: Assignment, student: Membership, manual_grade: ProposedManualGrade, stamp: str = ""
) -> bool:
    preview = preview_manual_grade(
        assignment=assignment, student=student, manual_grade=manual_grade
    )
    author = assignment.course.members.get(username="tomasz")
    row = manual_grade_set(
        assignment=assignment,
        student=student,
        manual_grade=manual_grade,
        author=author,
        stamp=stamp or preview.stamp,
    )
    if row is not None and preview.after is not None:
        now = preview_manual_grade(assignment=assignment, student=student).before
        assert (now.grade, now.excused, now.reason) == (
            preview.after.grade,
            preview.after.excused,
            preview.after.reason,
        )
    return row is not None


def looked(assignment: Assignment, student: Membership) -> ManualGradePreview:
    return preview_manual_grade(assignment=assignment, student=student)


def test_a_grade_by_hand_is_undone_by_a_further_word(
    assignment: Assignment, student: Membership
) -> None:
    keep_rule(assignment)
    hand_in(assignment, student.user, 0.5)
    assert looked(assignment, student).undo is None
    assert keep(assignment, student, ProposedManualGrade(KIND.POINTS, "Better.", Decimal(8)))
    assert keep(assignment, student, ProposedManualGrade(KIND.EXCUSED, "Ill."))

    undo = looked(assignment, student).undo
    assert undo == ProposedManualGrade(KIND.POINTS, "Better.", Decimal(8), is_undo=True)
    assert keep(assignment, student, undo)
    assert looked(assignment, student).before.grade == 8

    again = looked(assignment, student).undo
    assert again is not None
    assert again.kind == KIND.EXCUSED
    assert [row.is_undo for row in looked(assignment, student).earlier] == [False, False, True]


def test_the_first_word_undone_is_the_rule_again(
    assignment: Assignment, student: Membership
) -> None:
    hand_in(assignment, student.user, 0.5)
    assert keep(assignment, student, ProposedManualGrade(KIND.POINTS, "Better.", Decimal(80)))

    undo = looked(assignment, student).undo
    assert undo is not None
    assert keep(assignment, student, undo)

    assert looked(assignment, student).before.grade == 50
    assert not looked(assignment, student).before.by_hand


@pytest.mark.parametrize("what", ["score", "word", "rule"])
def test_a_word_is_refused_where_the_grade_is_another_by_now(
    assignment: Assignment, student: Membership, what: str
) -> None:
    submission = hand_in(assignment, student.user, 0.5)
    stamp = looked(assignment, student).stamp
    if what == "score":
        rescore(submission, 0.6)
    elif what == "word":
        say(assignment, student.user, "5")
    else:
        keep_rule(assignment)
    said = ManualGrade.objects.count()

    assert not keep(assignment, student, ProposedManualGrade(KIND.EXCUSED, "Ill."), stamp)
    assert ManualGrade.objects.count() == said


def test_points_stand_where_they_are_set_and_nowhere_else(
    assignment: Assignment, student: Membership
) -> None:
    for kind, points in ((KIND.POINTS, None), (KIND.EXCUSED, 3)):
        with pytest.raises(IntegrityError), transaction.atomic():
            ManualGrade.objects.create(
                assignment=assignment,
                student=student.user,
                kind=kind,
                points=points,
                possible=10,
                reason="No.",
            )
