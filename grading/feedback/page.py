"""The page of a submission: what its reader may see of it, whoever that is.

A grader who looks as the student gets the same page from the same function.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.http import QueryDict

from grading import access
from grading.feedback.events import timeline_of
from grading.feedback.page_feedback import Asked, Feedback, feedback_of
from grading.models import (
    Assignment,
    ExpertScores,
    Job,
    Membership,
    Role,
    Score,
    Sight,
    StoredGradeRule,
    StoredPyramid,
    Submission,
)
from grading.models.summaries import counting_of
from grading.pyramid.corrections.verdicts import in_force
from grading.pyramid.scores import ExpertScale
from grading.pyramid.structures import ScoreReport
from grading.scoring.allowances import allowance_of
from grading.scoring.comments_shown import ShownComment, comments_shown
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.corrections import Carrier, corrections_of
from grading.scoring.grades import StudentGrade, own_grade, student_grade
from grading.scoring.results import newest_scores
from grading.second_looks.views import second_looks_of


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt in the list of all; with its score where that is shown and not held."""

    submission: Submission
    comprehensive: float | None
    is_held: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """A grader looks as the student: as it is now, once released, or after the due date."""

    shown: bool = False
    past: bool = False

    def sight(self, submission: Submission) -> Sight:
        sight, assignment = submission.student_sight, submission.assignment
        if self.past:
            rule = submission.visibility == Submission.Visibility.RULE
            waits = assignment.release == Assignment.Release.AFTER_DUE
            opened = sight.shown or (rule and waits)
            sight = replace(sight, shown=opened, missed=submission.missed_when(past=True))
        return replace(sight, shown=sight.shown or self.shown)


def preview_asked(query: QueryDict) -> Preview:
    return Preview(shown=query.get("shown") == "1", past=query.get("past") == "1")


def as_student(submission: Submission, grader: Membership) -> Membership:
    """The student's place in the course, also of one who has left it. Never saved."""
    return Membership(course=grader.course, user=submission.student, role=Role.STUDENT)


def page_of(submission: Submission, membership: Membership, sight: Sight) -> dict[str, Any]:
    """The context of the page. Where nothing is shown, what was scored is not even asked for."""
    assignment = submission.assignment
    score, work = _score_and_work(submission, sight)
    attempts = _attempts(submission, sight)
    comments = comments_shown(submission, score, sight)
    grade = _grade(submission, membership, sight, [one.submission for one in attempts])
    asks = score is not None and not score.held and not sight.full and assignment.second_looks
    return {
        "assignment": assignment,
        "membership": membership,
        "submission": submission,
        "sight": sight,
        "attempts": _counting(attempts, grade),
        "compares": sum(one.comprehensive is not None for one in attempts) > 1,
        "allowance": None if sight.full else allowance_of(assignment, submission.student),
        "grade": grade,
        "rests_here": _rests_on(grade, submission),
        "asks": asks,
        "score": score,
        "experts": _expert_scale(score),
        "feedback": _feedback(submission, score, sight, comments) if score else None,
        "comments": comments,
        "second_looks": second_looks_of(submission, sight),
        "events": timeline_of(submission, sight),
        **work,
    }


def _expert_scale(score: Score | None) -> ExpertScale | None:
    """What experts score, measured as this score is."""
    beside = ExpertScores.objects.beside(score) if score is not None else None
    return beside.scale if beside else None


def _grade(
    submission: Submission, membership: Membership, sight: Sight, attempts: Sequence[Submission]
) -> StudentGrade | None:
    """What the student gets, as far as the reader sees it."""
    assignment = submission.assignment
    if not sight.full:
        stored = StoredGradeRule.objects.newest_of(assignment)
        shows = partial(_shows, looked_at=submission, sight=sight)
        return own_grade(stored, assignment, membership, attempts, shows)
    students = assignment.course.memberships.filter(role=Role.STUDENT)
    student = students.filter(user=submission.student_id).first()
    return student_grade(assignment, student) if student else None


def _rests_on(grade: StudentGrade | None, submission: Submission) -> bool:
    """Does the grade come of this attempt, or would it, as the newest?"""
    return grade is not None and submission in {grade.submission, grade.result.submission}


def _counting(attempts: Sequence[Attempt], grade: StudentGrade | None) -> tuple[Attempt, ...]:
    """With the attempt that the grade rests on as the one that counts."""
    if grade is None or grade.submission is None:
        return tuple(attempts)
    return tuple(replace(one, counts=one.submission == grade.submission) for one in attempts)


def _feedback(
    submission: Submission, score: Score, sight: Sight, comments: Sequence[ShownComment]
) -> Feedback:
    assignment = submission.assignment
    report = report_from_row(score)
    asked = Asked(
        sight,
        (assignment.min_words, assignment.max_words),
        _graders(submission, score.pyramid, report),
        comments,
        excluded=not report.evidence.segments and _has_excluded_words(submission, score.pyramid),
    )
    text = submission_to_text(submission)
    return feedback_of(text, pyramid_from_row(score.pyramid), report, asked)


def _graders(submission: Submission, version: StoredPyramid, report: ScoreReport) -> dict[int, str]:
    """By idea: whose word it is that it was marked by hand, in whatever version."""
    if not any(match.by_hand for match in report.evidence.matches):
        return {}
    carrier = Carrier.to_version(version)
    return {
        one.scu: row.author.name if row.author else ""
        for row in corrections_of([submission]).get(submission.pk, [])
        for one in carrier.carried([row])
        if one.scu is not None
    }


def _has_excluded_words(submission: Submission, version: StoredPyramid) -> bool:
    """Did a grader exclude words of this text from scoring?"""
    carrier = Carrier.to_version(version)
    rows = corrections_of([submission]).get(submission.pk, [])
    return bool(in_force(carrier.carried(rows)).left_out)


def _score_and_work(submission: Submission, sight: Sight) -> tuple[Score | None, dict[str, Any]]:
    score = access.get_score_for(submission, sight)
    work = _work(submission, score, sight) if sight.shown else {}
    if score is None and work:
        score = access.get_score_for(submission, sight)  # a worker may have ended between the two
    return score, work


def _work(submission: Submission, score: Score | None, sight: Sight) -> dict[str, Any]:
    """What a worker is doing about it. Students are not told of work on a score that they have."""
    if score is not None and not sight.full:
        return {}
    job = Job.objects.latest_scoring(submission, of_the_class=True)
    if score is not None:
        return {"updating": job if job and job.is_unfinished else None}
    if sight.full or job is None or job.submission_id is not None:
        return {"job": job}
    # What is said of the class may name others: a student sees only that it is at work.
    own = Job.objects.latest_scoring(submission, of_the_class=False)
    if job.is_unfinished:
        return {"class_is_scored": True}
    return {"job": own, "class_failed": job.is_failed}


def _attempts(submission: Submission, sight: Sight) -> tuple[Attempt, ...]:
    """All of the student, the latest first."""
    assignment = submission.assignment
    rows = list(Submission.objects.attempts_of(assignment, submission.student).defer("text"))
    for row in rows:
        row.assignment = assignment
    shown = [row for row in rows if sight.full or _shows(row, submission, sight)]
    scores, counting = newest_scores(shown), counting_of(rows)
    return tuple(_attempt(row, scores.get(row.pk), counts=row is counting) for row in rows)


def _attempt(row: Submission, score: Score | None, *, counts: bool) -> Attempt:
    is_held = score is not None and score.held
    comprehensive = score.comprehensive if score and not is_held else None
    return Attempt(row, comprehensive, is_held, counts)


def _shows(row: Submission, looked_at: Submission, sight: Sight) -> bool:
    """A preview shows this attempt as it would be, the others as they are."""
    return sight.shown if row.pk == looked_at.pk else row.is_shown
