"""Grades: another rule, or a word by hand. What is applied is exactly what was shown before.

Both are only added to. Whoever looked at something that is no longer so is told, by a stamp.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from hashlib import sha256

from django.db import transaction

from grading.models import (
    Assignment,
    ExpertScores,
    HandGrade,
    Membership,
    StoredGradeRule,
    StoredPyramid,
    User,
)
from grading.pyramid.formats.grade_rule_json import grade_rule_to_json
from grading.pyramid.grade_rules.grade_effect import GradeEffect, Held, effect_of_rules
from grading.pyramid.grade_rules.rules import DEFAULT_RULE, GradeRule, Linear
from grading.pyramid.scores import ExpertScale
from grading.scoring.grades import ClassGrading, StudentGrade, student_grade

_PLACES = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class NewRule:
    """``students_see``: are grades shown where results are?"""

    rule: GradeRule
    students_see: bool


@dataclass(frozen=True, slots=True)
class RuleProspect:
    """What a rule would make of the class now. ``stored`` is the one that holds."""

    new: NewRule
    stored: StoredGradeRule | None
    before: list[StudentGrade]
    after: list[StudentGrade]

    @property
    def is_same(self) -> bool:
        """Does this hold already, said by somebody and not only by default?"""
        stored = self.stored
        return stored is not None and self.new == NewRule(stored.rule, stored.students_see)

    @property
    def effect(self) -> GradeEffect:
        """Of those whom the rule grades: what was said by hand stays."""
        return effect_of_rules(_held(self.before), _held(self.after))

    @property
    def by_hand(self) -> list[StudentGrade]:
        return [grade for grade in self.after if grade.hand is not None]

    @property
    def stamp(self) -> str:
        """Another one once anything that was shown is different."""
        told = [
            self.stored.pk if self.stored else None,
            grade_rule_to_json(self.new.rule),
            self.new.students_see,
            [[_told(was), _told(now)] for was, now in zip(self.before, self.after, strict=True)],
        ]
        return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def expert_scale(assignment: Assignment) -> ExpertScale | None:
    """What experts score by the newest pyramid, in the newest way; None while it is unknown."""
    version = StoredPyramid.objects.newest_of(assignment)
    found = ExpertScores.objects.newest_of(version) if version else None
    return found.scale if found else None


def proposed_rule(scale: ExpertScale | None) -> GradeRule:
    """What a first rule begins with: all points from the experts' mean on, where it is known."""
    ceiling = None if scale is None else Decimal(repr(scale.mean)).quantize(_PLACES, ROUND_HALF_UP)
    if ceiling is None or not 0 < ceiling < 1:
        return DEFAULT_RULE
    return replace(DEFAULT_RULE, scale=Linear(ceiling=ceiling))


def grade_rule_prospect(*, assignment: Assignment, new: NewRule) -> RuleProspect:
    """Writes nothing."""
    grading = ClassGrading(assignment)
    return RuleProspect(new, grading.stored, grading.grades(), grading.grades(new.rule))


@transaction.atomic
def grade_rule_set(
    *, assignment: Assignment, new: NewRule, author: User, stamp: str
) -> StoredGradeRule | None:
    """Have the rule hold; None, and nothing is done, where its effect is another than was shown."""
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    prospect = grade_rule_prospect(assignment=assignment, new=new)
    if prospect.stamp != stamp:
        return None
    return StoredGradeRule.objects.create(
        assignment=assignment,
        document=grade_rule_to_json(new.rule),
        students_see=new.students_see,
        author=author,
    )


@dataclass(frozen=True, slots=True)
class HandWord:
    """What is said of a grade by hand, and why."""

    kind: HandGrade.Kind
    reason: str
    points: Decimal | None = None
    is_undo: bool = False

    def row(self, assignment: Assignment, student: Membership, possible: Decimal) -> HandGrade:
        """Not saved."""
        return HandGrade(
            assignment=assignment,
            student_id=student.user_id,
            kind=self.kind,
            points=self.points,
            possible=possible,
            reason=self.reason,
            is_undo=self.is_undo,
        )


@dataclass(frozen=True, slots=True)
class HandProspect:
    """A student's grade now, all that was said of it by hand, and what another word would make."""

    before: StudentGrade
    said: Sequence[HandGrade]  # the latest last
    after: StudentGrade | None = None

    @property
    def stamp(self) -> str:
        """Another one once somebody has said something, or the rule gives something else."""
        return f"{self.said[-1].pk if self.said else 0} {self.before.grade} {self.before.possible}"

    @property
    def undone(self) -> HandWord | None:
        """What held before the last word; nothing where nothing was said."""
        if not self.said:
            return None
        if len(self.said) == 1:
            return HandWord(HandGrade.Kind.RULE, "", is_undo=True)
        earlier = self.said[-2]
        return HandWord(HandGrade.Kind(earlier.kind), earlier.reason, earlier.points, is_undo=True)


def hand_grade_prospect(
    *, assignment: Assignment, student: Membership, word: HandWord | None = None
) -> HandProspect:
    """Writes nothing."""
    before = student_grade(assignment, student)
    said = list(assignment.hand_grades.filter(student=student.user_id).select_related("author"))
    after = None
    if word is not None:
        row = word.row(assignment, student, before.possible)
        after = student_grade(assignment, student, row)
    return HandProspect(before, said, after)


@transaction.atomic
def hand_grade_set(
    *, assignment: Assignment, student: Membership, word: HandWord, author: User, stamp: str
) -> HandGrade | None:
    """Say it; None, and nothing is done, where the grade is another than the grader looked at."""
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    prospect = hand_grade_prospect(assignment=assignment, student=student)
    if prospect.stamp != stamp:
        return None
    row = word.row(assignment, student, prospect.before.possible)
    if word.is_undo and len(prospect.said) > 1:
        row.possible = prospect.said[-2].possible
    row.author = author
    row.save()
    return row


def _held(grades: Sequence[StudentGrade]) -> dict[int, Held]:
    return {
        one.result.student.pk: Held(one.grade, one.possible, one.label, one.passed)
        for one in grades
        if one.hand is None
    }


def _told(grade: StudentGrade) -> list[object]:
    points = None if grade.grade is None else str(grade.grade)
    return [grade.result.student.pk, points, grade.label, grade.excused]
