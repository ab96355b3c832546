"""From scores to grades: what each student of a class gets by the assignment's rule. Read-only."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from grading.models.assignments import Assignment
from grading.models.courses import Membership
from grading.models.grade_rules import ManualGrade, StoredGradeRule, rule_of
from grading.models.scores import Score
from grading.models.summaries import Submission, counting_of
from grading.pyramid.grade_rules import (
    Attempt,
    Grade,
    GradeRule,
    Scores,
    days_late,
    grade_of,
    label_of,
    passes,
    plain,
)
from grading.scoring.results import (
    StudentResult,
    class_results,
    newest_scores,
    newest_scores_in,
)

Shows = Callable[[Submission], bool]


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
    reason: str = ""  # of what was set manually
    possible: Decimal = Decimal(100)
    label: str = ""
    passed: bool | None = None
    submission: Submission | None = None
    days_late: int = 0
    by_rule: Grade | None = None  # what the rule alone gives, with its steps
    hand: ManualGrade | None = None  # the last word by hand, where it says other than the rule
    why_not: str = ""  # where the rule gives nothing

    @property
    def state(self) -> str:
        if self.excused:
            return "excused"
        if self.grade is None:
            return "held" if self.result.is_held else "ungraded"
        return "graded"

    @property
    def as_text(self) -> str:
        """“8 of 10 (B), set manually”."""
        if self.grade is None:
            return "excused" if self.excused else "no grade"
        band = f" ({self.label})" if self.label else ""
        how = "set manually" if self.by_hand else "by the rule"
        return f"{plain(self.grade)} of {plain(self.possible)}{band}, {how}"

    @property
    def possible_text(self) -> str:
        return plain(self.possible)

    @property
    def rests_on_another(self) -> bool:
        """Not on the newest attempt?"""
        newest = self.result.submission
        return None not in {newest, self.submission} and newest != self.submission

    @property
    def manual_points_out_of(self) -> Decimal | None:
        """The maximum when a manual grade was given, if the rule has another maximum now."""
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
        # The last manual grade of each student.
        rows = assignment.manual_grades.select_related("author")
        self._hand = {row.student_id: row for row in rows}
        self._assignment = assignment
        self._work: dict[int, list[tuple[Submission, Score | None]]] | None = None

    def grades(self, rule: GradeRule | None = None) -> list[StudentGrade]:
        """By the current rule, or by another."""
        rule = rule or self.rule
        return [
            _graded(rule, result, self._candidates(rule, result), self._hand.get(result.student.pk))
            for result in self.results
        ]

    def _candidates(
        self, rule: GradeRule, result: StudentResult
    ) -> list[tuple[Submission, Score | None]]:
        if result.submission is None:
            return []
        if rule.attempt is Attempt.LAST:
            return [(result.submission, result.score)]
        if self._work is None:
            # Every attempt with its score, in two queries.
            scores = newest_scores_in(self._assignment)
            work: dict[int, list[tuple[Submission, Score | None]]] = {}
            for submission in self._assignment.submissions.defer("text").order_by("-attempt"):
                work.setdefault(submission.student_id, []).append(
                    (submission, scores.get(submission.pk))
                )
            self._work = work
        return self._work[result.student.pk]


def student_grade(
    assignment: Assignment, student: Membership, manual_grade: ManualGrade | None = None
) -> StudentGrade:
    """One student's, as graders see it; ``manual_grade`` is tried in place of the last one."""
    rule = rule_of(StoredGradeRule.objects.newest_of(assignment))
    attempts = list(Submission.objects.attempts_of(assignment, student.user).defer("text"))
    return _fetched(rule, assignment, student, attempts, manual_grade)


def own_grade(
    stored: StoredGradeRule | None,
    assignment: Assignment,
    student: Membership,
    attempts: Sequence[Submission],
    shows: Shows,
) -> StudentGrade | None:
    """What the student may see. Where that is nothing, no score or manual grade is read."""
    if stored is None or not is_grade_shown(stored, assignment, student.user_id, attempts, shows):
        return None
    return _fetched(stored.rule, assignment, student, attempts)


def is_grade_shown(
    stored: StoredGradeRule,
    assignment: Assignment,
    student: int,
    attempts: Sequence[Submission],
    shows: Shows,
) -> bool:
    """Does the student see the grade? ``attempts`` are the student's, the latest first.

    Where the best attempt counts, all that are compared must be shown: which one is best tells of
    the others.
    """
    return stored.students_see and is_released(stored.rule, assignment, student, attempts, shows)


def is_released(
    rule: GradeRule,
    assignment: Assignment,
    student: int,
    attempts: Sequence[Submission],
    shows: Shows,
) -> bool:
    """Are all results shown to the student that the grade rests on?"""
    compared = _compared(rule, attempts)
    return all(map(shows, compared)) if compared else assignment.shows_results_to(student)


def grade_of_attempts(
    rule: GradeRule,
    student: Membership,
    attempts: Sequence[Submission],
    scores: Mapping[int, Score],
    manual_grade: ManualGrade | None,
) -> StudentGrade:
    """Of all attempts of one student, the latest first; asks the database for nothing."""
    counting = counting_of(attempts)
    result = StudentResult(student, counting, scores.get(counting.pk) if counting else None)
    work = [(attempt, scores.get(attempt.pk)) for attempt in _compared(rule, attempts)]
    return _graded(rule, result, work, manual_grade)


def _fetched(
    rule: GradeRule,
    assignment: Assignment,
    student: Membership,
    attempts: Sequence[Submission],
    manual_grade: ManualGrade | None = None,
) -> StudentGrade:
    for attempt in attempts:
        attempt.assignment = assignment
    scores = newest_scores(_compared(rule, attempts))
    if manual_grade is None:
        manual_grade = assignment.manual_grades.filter(student=student.user_id).last()
    return grade_of_attempts(rule, student, attempts, scores, manual_grade)


def _compared(rule: GradeRule, attempts: Sequence[Submission]) -> list[Submission]:
    """Attempts that the grade can be based on."""
    counting = counting_of(attempts)
    if counting is None or rule.attempt is Attempt.LAST:
        return [counting] if counting else []
    return [attempt for attempt in attempts if attempt.is_final == counting.is_final]


def _graded(
    rule: GradeRule,
    result: StudentResult,
    work: Sequence[tuple[Submission, Score | None]],
    hand: ManualGrade | None,
) -> StudentGrade:
    """The grade of a student: by the rule, unless a manual grade says otherwise."""
    submission, grade, days, why_not = _by_rule(rule, work)
    manual_grade = hand if hand is not None and hand.says else None
    points = grade.points if grade else None
    if manual_grade is not None:
        points = manual_grade.points
        # With as many places as grades by the rule have, where that changes nothing.
        if points is not None and (shorter := points.quantize(rule.rounding)) == points:
            points = shorter
    by_hand = manual_grade is not None and manual_grade.points is not None
    return StudentGrade(
        result=result,
        grade=points,
        excused=manual_grade is not None and manual_grade.is_excused,
        by_hand=by_hand,
        reason=manual_grade.reason if manual_grade else "",
        possible=rule.points,
        label=_label(rule, grade, points, by_hand=by_hand),
        passed=None if points is None else passes(rule, points),
        submission=submission,
        days_late=days,
        by_rule=grade,
        hand=manual_grade,
        why_not=why_not,
    )


def _label(rule: GradeRule, grade: Grade | None, points: Decimal | None, *, by_hand: bool) -> str:
    if points is None:
        return ""
    if by_hand or grade is None:
        return label_of(rule, points)
    return grade.label


def _by_rule(
    rule: GradeRule, work: Sequence[tuple[Submission, Score | None]]
) -> tuple[Submission | None, Grade | None, int, str]:
    """The attempt that the grade rests on, the grade, how late; or why there is none."""
    if not work:
        return None, None, 0, "Nothing was submitted."
    finals = [(attempt, score) for attempt, score in work if attempt.is_final]
    if not finals and not rule.drafts_count:
        return None, None, 0, "Only a draft was submitted; drafts get no grade."
    scored = [(attempt, score) for attempt, score in finals or work if score is not None]
    if not scored:
        return None, None, 0, "It is not scored yet."
    free = [(attempt, score) for attempt, score in scored if not score.held]
    if not free:
        reason = scored[0][1].held_because
        return None, None, 0, f"Held: {reason}. A grader decides what counts."
    graded = [_attempt_grade(rule, attempt, score) for attempt, score in free]
    best = max(graded, key=lambda attempt: (attempt[1].points, attempt[0].attempt))
    return *best, ""


def _attempt_grade(
    rule: GradeRule, submission: Submission, score: Score
) -> tuple[Submission, Grade, int]:
    # By the student's own due date; ``late`` follows it, and what is not called late is not.
    due_at = submission.due_at
    days = 0
    if due_at is not None and submission.late:
        days = days_late(submission.submitted_at - due_at, rule.late)
    scores = Scores.of(
        comprehensive=score.comprehensive, quality=score.quality, coverage=score.coverage
    )
    return submission, grade_of(rule, scores, days), days
