"""What a grade rule or a manual grade would change, before anything is saved. Read-only."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal

from grading.models import (
    Assignment,
    ExpertScores,
    ManualGrade,
    Membership,
    StoredGradeRule,
    StoredPyramid,
)
from grading.pyramid.formats.grade_rule_json import grade_rule_to_json
from grading.pyramid.grade_effect import GradeByRule, GradeEffect, effect_of_rules
from grading.pyramid.grade_rules import DEFAULT_RULE, GradeRule, Linear
from grading.pyramid.scores import ExpertScale
from grading.pyramid.stamps import stamp_of
from grading.scoring.grades import ClassGrading, StudentGrade, student_grade


@dataclass(frozen=True, slots=True)
class ProposedRule:
    """``students_see``: do students see grades where they see results?"""

    rule: GradeRule
    students_see: bool


@dataclass(frozen=True, slots=True)
class RulePreview:
    """What a rule would make of the class now; ``stored`` is the current rule."""

    proposed: ProposedRule
    stored: StoredGradeRule | None
    before: list[StudentGrade]
    after: list[StudentGrade]

    @property
    def is_same(self) -> bool:
        """Is this the current rule? The default is none until somebody saves it."""
        stored = self.stored
        return stored is not None and self.proposed == ProposedRule(
            stored.rule, stored.students_see
        )

    @property
    def effect(self) -> GradeEffect:
        """The effect on grades by the rule. Manual grades stay as they are."""
        before, after = (
            {
                grade.result.student.pk: GradeByRule(
                    grade.grade, grade.possible, grade.label, grade.passed
                )
                for grade in grades
                if grade.hand is None
            }
            for grades in (self.before, self.after)
        )
        return effect_of_rules(before, after)

    @property
    def manual(self) -> list[StudentGrade]:
        return [grade for grade in self.after if grade.hand is not None]

    @property
    def stamp(self) -> str:
        """Differs as soon as anything that is shown of the effect does."""
        shown = [
            self.stored.pk if self.stored else None,
            grade_rule_to_json(self.proposed.rule),
            self.proposed.students_see,
            [[_shown(was), _shown(now)] for was, now in zip(self.before, self.after, strict=True)],
        ]
        return stamp_of(*shown)


def _shown(grade: StudentGrade) -> list[object]:
    points = None if grade.grade is None else str(grade.grade)
    return [grade.result.student.pk, points, grade.label, grade.excused]


def expert_scale(assignment: Assignment) -> ExpertScale | None:
    """What experts score by the newest pyramid and method; None while it is unknown."""
    version = StoredPyramid.objects.newest_of(assignment)
    scores = ExpertScores.objects.newest_of(version) if version else None
    return scores.scale if scores else None


def first_rule(scale: ExpertScale | None) -> GradeRule:
    """What the form begins with: all points from the experts' mean score, where it is known."""
    if scale is None:
        return DEFAULT_RULE
    ceiling = Decimal(repr(scale.mean)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return replace(DEFAULT_RULE, scale=Linear(ceiling=ceiling)) if 0 < ceiling < 1 else DEFAULT_RULE


def preview_rule(*, assignment: Assignment, proposed: ProposedRule) -> RulePreview:
    """Calculate the grades of the class by the current rule and by the proposed one."""
    grading = ClassGrading(assignment)
    return RulePreview(proposed, grading.stored, grading.grades(), grading.grades(proposed.rule))


@dataclass(frozen=True, slots=True)
class ProposedManualGrade:
    """A grade that a person sets, and why."""

    kind: ManualGrade.Kind
    reason: str
    points: Decimal | None = None
    is_undo: bool = False

    def row(self, assignment: Assignment, student: Membership, possible: Decimal) -> ManualGrade:
        """A row that is not saved."""
        return ManualGrade(
            assignment=assignment,
            student_id=student.user_id,
            kind=self.kind,
            points=self.points,
            possible=possible,
            reason=self.reason,
            is_undo=self.is_undo,
        )


@dataclass(frozen=True, slots=True)
class ManualGradePreview:
    """A student's grade now, the manual grades so far, and the grade that another would make."""

    before: StudentGrade
    earlier: Sequence[ManualGrade]  # the latest last
    after: StudentGrade | None = None

    @property
    def stamp(self) -> str:
        """Differs once there is another manual grade, or the rule gives something else."""
        last = self.earlier[-1].pk if self.earlier else 0
        return stamp_of(last, self.before.grade, self.before.possible)

    @property
    def undo(self) -> ProposedManualGrade | None:
        """The manual grade that undoes the last one; None where there is nothing to undo."""
        if not self.earlier:
            return None
        if len(self.earlier) == 1:  # before the first, the rule gave the grade
            return ProposedManualGrade(ManualGrade.Kind.RULE, "", is_undo=True)
        row = self.earlier[-2]
        return ProposedManualGrade(ManualGrade.Kind(row.kind), row.reason, row.points, is_undo=True)


def preview_manual_grade(
    *, assignment: Assignment, student: Membership, manual_grade: ProposedManualGrade | None = None
) -> ManualGradePreview:
    """Calculate the student's grade now, and with ``manual_grade`` if one is proposed."""
    before = student_grade(assignment, student)
    rows = assignment.manual_grades.filter(student=student.user_id).select_related("author")
    after = None
    if manual_grade is not None:
        row = manual_grade.row(assignment, student, before.possible)
        after = student_grade(assignment, student, row)
    return ManualGradePreview(before, list(rows), after)
