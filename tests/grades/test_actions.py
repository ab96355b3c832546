"""What is applied is what was shown; whoever looked at something else is refused."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from grading.grades.actions import (
    HandProspect,
    HandWord,
    NewRule,
    grade_rule_prospect,
    grade_rule_set,
    hand_grade_prospect,
    hand_grade_set,
)
from grading.models import Assignment, HandGrade, Membership, StoredGradeRule
from grading.scoring.grades import class_grades
from tests.conftest import Cast
from tests.grade_scene import TEN, hand_in, keep_rule, rescore, say

NEW = NewRule(TEN, students_see=True)
KIND = HandGrade.Kind


@pytest.fixture
def student(cast: Cast) -> Membership:
    return Membership.objects.select_related("user").get(user=cast.student, course=cast.course)


def test_a_rule_is_applied_as_it_was_shown(cast: Cast, assignment: Assignment) -> None:
    hand_in(assignment, cast.student, 0.62)
    prospect = grade_rule_prospect(assignment=assignment, new=NEW)
    assert StoredGradeRule.objects.count() == 0

    stored = grade_rule_set(
        assignment=assignment, new=NEW, author=cast.instructor, stamp=prospect.stamp
    )

    assert stored is not None
    assert (stored.rule, stored.students_see, stored.author) == (TEN, True, cast.instructor)
    assert [row.grade for row in prospect.after] == [row.grade for row in class_grades(assignment)]
    assert grade_rule_prospect(assignment=assignment, new=NEW).is_same


@pytest.mark.parametrize("what", ["score", "by hand", "rule", "other rule", "switch"])
def test_a_rule_is_refused_where_its_effect_is_another_by_now(
    cast: Cast, assignment: Assignment, what: str
) -> None:
    submission = hand_in(assignment, cast.student, 0.62)
    stamp = grade_rule_prospect(assignment=assignment, new=NEW).stamp
    new = NEW
    if what == "score":
        rescore(submission, 0.7)
    elif what == "by hand":
        say(assignment, cast.student, "6.2")
    elif what == "rule":
        keep_rule(assignment, students_see=False)
    elif what == "other rule":
        new = NewRule(replace(TEN, rounding=Decimal(1)), students_see=True)
    else:
        new = NewRule(TEN, students_see=False)
    rules = StoredGradeRule.objects.count()

    assert (
        grade_rule_set(assignment=assignment, new=new, author=cast.instructor, stamp=stamp) is None
    )
    assert StoredGradeRule.objects.count() == rules


def test_what_was_said_by_hand_is_no_part_of_the_effect(cast: Cast, assignment: Assignment) -> None:
    hand_in(assignment, cast.student, 0.62)
    hand_in(assignment, cast.other_student, 0.5)
    say(assignment, cast.student, "9")

    prospect = grade_rule_prospect(assignment=assignment, new=NEW)

    assert [move.student for move in prospect.effect.moves] == [cast.other_student.pk]
    assert [row.result.student for row in prospect.by_hand] == [cast.student]


def keep(assignment: Assignment, student: Membership, word: HandWord, stamp: str = "") -> bool:
    prospect = hand_grade_prospect(assignment=assignment, student=student, word=word)
    author = assignment.course.members.get(username="tomasz")
    row = hand_grade_set(
        assignment=assignment,
        student=student,
        word=word,
        author=author,
        stamp=stamp or prospect.stamp,
    )
    if row is not None and prospect.after is not None:
        now = hand_grade_prospect(assignment=assignment, student=student).before
        assert (now.grade, now.excused, now.reason) == (
            prospect.after.grade,
            prospect.after.excused,
            prospect.after.reason,
        )
    return row is not None


def looked(assignment: Assignment, student: Membership) -> HandProspect:
    return hand_grade_prospect(assignment=assignment, student=student)


def test_a_grade_by_hand_is_undone_by_a_further_word(
    assignment: Assignment, student: Membership
) -> None:
    keep_rule(assignment)
    hand_in(assignment, student.user, 0.5)
    assert looked(assignment, student).undone is None
    assert keep(assignment, student, HandWord(KIND.POINTS, "Better.", Decimal(8)))
    assert keep(assignment, student, HandWord(KIND.EXCUSED, "Ill."))

    undo = looked(assignment, student).undone
    assert undo == HandWord(KIND.POINTS, "Better.", Decimal(8), is_undo=True)
    assert keep(assignment, student, undo)
    assert looked(assignment, student).before.grade == 8

    again = looked(assignment, student).undone
    assert again is not None
    assert again.kind == KIND.EXCUSED
    assert [row.is_undo for row in looked(assignment, student).said] == [False, False, True]


def test_the_first_word_undone_is_the_rule_again(
    assignment: Assignment, student: Membership
) -> None:
    hand_in(assignment, student.user, 0.5)
    assert keep(assignment, student, HandWord(KIND.POINTS, "Better.", Decimal(80)))

    undo = looked(assignment, student).undone
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
    said = HandGrade.objects.count()

    assert not keep(assignment, student, HandWord(KIND.EXCUSED, "Ill."), stamp)
    assert HandGrade.objects.count() == said


def test_points_stand_where_they_are_set_and_nowhere_else(
    assignment: Assignment, student: Membership
) -> None:
    for kind, points in ((KIND.POINTS, None), (KIND.EXCUSED, 3)):
        with pytest.raises(IntegrityError), transaction.atomic():
            HandGrade.objects.create(
                assignment=assignment,
                student=student.user,
                kind=kind,
                points=points,
                possible=10,
                reason="No.",
            )
