"""From scores to grades: what each student of a class gets by the assignment's rule. Read-only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from grading.models.assignments import Assignment
from grading.models.courses import Membership
from grading.models.grade_rules import HandGrade, StoredGradeRule, rule_of
from grading.models.results import (
    StudentResult,
    class_results,
    newest_scores,
    newest_scores_in,
)
from grading.models.scores import Score
from grading.models.summaries import Submission, counting_of
from grading.pyramid.grade_rules.reckoning import (
    Grade,
    Scores,
    days_late,
    grade_of,
    label_of,
    passes,
)
from grading.pyramid.grade_rules.rules import Attempt, GradeRule


@dataclass(frozen=True, slots=True)
class StudentGrade:
    """A student's grade in points; None where there is none (yet), which is never a zero.

    ``result`` has the newest attempt that counts; ``submission`` is the one that the grade rests on
    by the rule, which is another where the best of several counts, and none where nothing does.
    """

    result: StudentResult
    grade: Decimal | None
    excused: bool = False
    by_hand: bool = False
    reason: str = ""  # of what was set by hand
    possible: Decimal = Decimal(100)
    label: str = ""
    passed: bool | None = None
    submission: Submission | None = None
    days_late: int = 0
    by_rule: Grade | None = None  # what the rule alone gives, with its steps
    hand: HandGrade | None = None  # the last word by hand, where it says other than the rule
    why_not: str = ""  # where the rule gives nothing

    @property
    def state(self) -> str:
        if self.excused:
            return "excused"
        return "ungraded" if self.grade is None else "graded"

    @property
    def rests_on_another(self) -> bool:
        """Not on the newest attempt?"""
        newest = self.result.submission
        return None not in {newest, self.submission} and newest != self.submission

    @property
    def hand_was_of(self) -> Decimal | None:
        """What the points by hand were out of, where the rule has other points by now."""
        if self.hand is None or not self.by_hand or self.hand.possible == self.possible:
            return None
        return self.hand.possible


def points_possible(assignment: Assignment) -> Decimal:
    """The most points that the assignment gives."""
    return rule_of(StoredGradeRule.objects.newest_of(assignment)).points


def class_grades(assignment: Assignment) -> list[StudentGrade]:
    """One for each student, in the order of ``class_results``."""
    return ClassGrading(assignment).grades()


class ClassGrading:
    """What a class's grades rest on, read once, so that other rules can be tried on it."""

    def __init__(self, assignment: Assignment) -> None:
        self.stored = StoredGradeRule.objects.newest_of(assignment)
        self.rule = rule_of(self.stored)
        self.results = class_results(assignment)
        self._hand = _hand_grades(assignment.hand_grades.select_related("author"))
        self._assignment = assignment
        self._work: dict[int, list[tuple[Submission, Score | None]]] | None = None

    def grades(self, rule: GradeRule | None = None) -> list[StudentGrade]:
        """By the rule that holds, or by another."""
        rule = rule or self.rule
        return [self._grade(rule, result) for result in self.results]

    def _grade(self, rule: GradeRule, result: StudentResult) -> StudentGrade:
        student = result.student.pk
        candidates = self._candidates(rule, result)
        return _graded(rule, self._assignment, result, candidates, self._hand.get(student))

    def _candidates(
        self, rule: GradeRule, result: StudentResult
    ) -> list[tuple[Submission, Score | None]]:
        if result.submission is None:
            return []
        if rule.attempt is Attempt.LAST:
            return [(result.submission, result.score)]
        if self._work is None:
            self._work = self._all_work()
        return self._work[result.student.pk]

    def _all_work(self) -> dict[int, list[tuple[Submission, Score | None]]]:
        """Every attempt with its score, in two queries."""
        scores = newest_scores_in(self._assignment)
        work: dict[int, list[tuple[Submission, Score | None]]] = {}
        for one in self._assignment.submissions.defer("text").order_by("-attempt"):
            work.setdefault(one.student_id, []).append((one, scores.get(one.pk)))
        return work


def own_grade(
    assignment: Assignment, student: Membership, attempts: Sequence[Submission]
) -> StudentGrade | None:
    """What the student may see of the grade, with all attempts, the latest first.

    Nothing where it is not shown; then nothing is asked about scores and grades either. Where the
    best attempt counts, all that are compared must be shown: which one is best tells of the others.
    """
    stored = StoredGradeRule.objects.newest_of(assignment)
    if stored is None or not stored.students_see:
        return None
    rule, counting = stored.rule, counting_of(attempts)
    compared = [] if counting is None else [counting]
    if counting is not None and rule.attempt is Attempt.BEST:
        compared = [one for one in attempts if one.is_final == counting.is_final]
    shown = [one.is_shown for one in compared] or [assignment.shows_results]
    if not all(shown):
        return None
    scores = newest_scores(compared)
    hand = _hand_grades(assignment.hand_grades.filter(student=student.user_id))
    score = scores.get(counting.pk) if counting else None
    result = StudentResult(student, counting, score)
    candidates = [(one, scores.get(one.pk)) for one in compared]
    return _graded(rule, assignment, result, candidates, hand.get(student.user_id))


def _hand_grades(rows: Iterable[HandGrade]) -> dict[int, HandGrade]:
    """By student the last word."""
    return {row.student_id: row for row in rows}


def _graded(
    rule: GradeRule,
    assignment: Assignment,
    result: StudentResult,
    work: Sequence[tuple[Submission, Score | None]],
    hand: HandGrade | None,
) -> StudentGrade:
    submission, grade, days, why_not = _by_rule(rule, assignment, work)
    said = hand if hand is not None and hand.says else None
    points = grade.points if grade else None
    if said is not None:
        points = said.points
    by_hand = said is not None and said.points is not None
    return StudentGrade(
        result=result,
        grade=points,
        excused=said is not None and said.is_excused,
        by_hand=by_hand,
        reason=said.reason if said else "",
        possible=rule.points,
        label=_label(rule, grade, points, by_hand=by_hand),
        passed=None if points is None else passes(rule, points),
        submission=submission,
        days_late=days,
        by_rule=grade,
        hand=said,
        why_not=why_not,
    )


def _label(rule: GradeRule, grade: Grade | None, points: Decimal | None, *, by_hand: bool) -> str:
    if points is None:
        return ""
    if by_hand or grade is None:
        return label_of(rule, points)
    return grade.label


def _by_rule(
    rule: GradeRule, assignment: Assignment, work: Sequence[tuple[Submission, Score | None]]
) -> tuple[Submission | None, Grade | None, int, str]:
    """The attempt that the grade rests on, the grade, how late; or why there is none."""
    if not work:
        return None, None, 0, "Nothing was handed in."
    finals = [(one, score) for one, score in work if one.is_final]
    if not finals and not rule.drafts_count:
        return None, None, 0, "Only a draft was handed in; drafts get no grade."
    scored = [(one, score) for one, score in finals or work if score is not None]
    if not scored:
        return None, None, 0, "It is not scored yet."
    graded = [_attempt_grade(rule, assignment, one, score) for one, score in scored]
    best = max(graded, key=lambda found: (found[1].points, found[0].attempt))
    return *best, ""


def _attempt_grade(
    rule: GradeRule, assignment: Assignment, submission: Submission, score: Score
) -> tuple[Submission, Grade, int]:
    days = _days_late(rule, assignment, submission)
    scores = Scores.of(
        comprehensive=score.comprehensive, quality=score.quality, coverage=score.coverage
    )
    return submission, grade_of(rule, scores, days), days


def _days_late(rule: GradeRule, assignment: Assignment, submission: Submission) -> int:
    """By the due date that holds; ``late`` follows it, and says also what was forgiven."""
    if assignment.due_at is None or not submission.late:
        return 0
    return days_late(submission.submitted_at - assignment.due_at, rule.late)
