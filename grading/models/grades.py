"""From scores to grades: what each student of a class gets by the assignment's rule. Read-only."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from grading.models.assignments import Assignment
from grading.models.results import StudentResult, class_results


@dataclass(frozen=True, slots=True)
class StudentGrade:
    """A student's grade in points; None where there is none (yet), which is never a zero."""

    result: StudentResult
    grade: Decimal | None
    excused: bool = False
    by_hand: bool = False
    reason: str = ""  # of what was set by hand

    @property
    def state(self) -> str:
        if self.excused:
            return "excused"
        return "ungraded" if self.grade is None else "graded"


def points_possible(assignment: Assignment) -> Decimal:
    """The most points that the assignment gives."""
    del assignment
    return Decimal(100)


def class_grades(assignment: Assignment) -> list[StudentGrade]:
    """One for each student, in the order of ``class_results``."""
    return [_grade(result, points_possible(assignment)) for result in class_results(assignment)]


def _grade(result: StudentResult, most: Decimal) -> StudentGrade:
    if result.score is None:
        return StudentGrade(result, None)
    exact = Decimal(str(result.score.comprehensive)) * most
    return StudentGrade(result, exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))
