"""Results of a class: who handed in what, and what it scored. Read-only, no table of its own."""

from collections.abc import Iterable
from dataclasses import dataclass

from grading.access.hidden_names import displayed_members
from grading.models.assignments import Assignment
from grading.models.courses import Membership, Role
from grading.models.scores import Score, ScoreQuerySet
from grading.models.summaries import Submission
from grading.models.users import User


@dataclass(frozen=True, slots=True)
class StudentResult:
    """A student with the attempt that counts (if any) and its newest score (if any)."""

    membership: Membership
    submission: Submission | None
    score: Score | None

    @property
    def student(self) -> User:
        return self.membership.user

    @property
    def state(self) -> str:
        if self.submission is None:
            return "not handed in"
        if self.is_held:
            return f"held: {self.score.held_for}" if self.score else "held"
        return "waiting" if self.score is None else "scored"

    @property
    def is_held(self) -> bool:
        """Is the text held, and no grader has decided on it yet?"""
        return self.score is not None and self.score.held

    @property
    def numbers(self) -> Score | None:
        """The score, where it says something: that of a held text is neither a zero nor a grade."""
        return None if self.is_held else self.score

    @property
    def is_corrected(self) -> bool:
        return self.score is not None and self.score.is_corrected


def class_results(assignment: Assignment) -> list[StudentResult]:
    """All students of the course by name (or pseudonym), in three queries however many."""
    latest = {
        submission.student_id: submission
        for submission in assignment.submissions.latest_attempts().defer("text")
    }
    scores = newest_scores(latest.values())
    students = Membership.objects.filter(course=assignment.course_id, role=Role.STUDENT)
    memberships = displayed_members(assignment, students.select_related("user"))
    results = [
        _result(membership, latest.get(membership.user_id), scores) for membership in memberships
    ]
    return sorted(results, key=lambda result: result.student.sort_key)


def newest_scores(submissions: Iterable[Submission]) -> dict[int, Score]:
    """By submission the score that holds, without its evidence, in one query."""
    return _newest(
        Score.objects.filter(submission__in=[submission.pk for submission in submissions])
    )


def newest_scores_in(assignment: Assignment) -> dict[int, Score]:
    """The same of all that was handed in, drafts and earlier attempts among it."""
    return _newest(Score.objects.filter(submission__assignment=assignment))


def _newest(scores: ScoreQuerySet) -> dict[int, Score]:
    light = scores.select_related("pyramid").defer("document", "pyramid__document")
    return {score.submission_id: score for score in light.oldest_first()}


def _result(
    membership: Membership, submission: Submission | None, scores: dict[int, Score]
) -> StudentResult:
    score = scores.get(submission.pk) if submission else None
    return StudentResult(membership, submission, score)
