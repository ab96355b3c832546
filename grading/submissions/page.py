"""The page of an assignment as its students have it: task, rules, writing, attempts."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any
from zoneinfo import ZoneInfo

from grading.models import (
    Assignment,
    Job,
    Membership,
    Score,
    SecondLook,
    StoredGradeRule,
    Submission,
)
from grading.models.summaries import counting_of
from grading.pyramid.figures import number_of
from grading.pyramid.grade_rules.rules import Attempt as GradedAttempt
from grading.pyramid.grade_rules.wording import told_attempt, told_rule
from grading.scoring.allowances import allowance_of
from grading.scoring.grades import StudentGrade, own_grade
from grading.scoring.written import written_of
from grading.submissions.forms import SubmissionForm
from grading.submissions.page_rules import rules_of, told_time
from grading.web.uploads import DocumentForm


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """One attempt as the list shows it."""

    submission: Submission
    state: str
    counts: bool
    answered: int  # second looks with an answer, where results are shown


class StudentPage:
    """What the page is made of; a view puts a form that was refused in the place of the first."""

    def __init__(self, assignment: Assignment, membership: Membership) -> None:
        self._assignment = assignment
        self._membership = membership
        self.attempts = list(Submission.objects.attempts_of(assignment, membership.user))
        self.allowance = allowance_of(assignment, membership.user)
        self.written = written_of(assignment, membership.user)

    def form(self, data: Any = None, text: str | None = None) -> SubmissionForm:
        """Begun with this text, or what was kept last; bound where there is data."""
        return SubmissionForm(
            data,
            assignment=self._assignment,
            latest=self.attempts[0] if self.attempts else None,
            allowance=self.allowance,
            initial={"text": self.written.text if text is None else text},
        )

    def context(self, form: SubmissionForm | None = None, **more: Any) -> dict[str, Any]:
        lines = _lines(self._assignment, self.attempts)
        stored = StoredGradeRule.objects.newest_of(self._assignment)
        shows = attrgetter("is_shown")
        grade = own_grade(stored, self._assignment, self._membership, self.attempts, shows)
        rules = rules_of(self._assignment, self.allowance, self._membership)
        rule = stored.rule if stored and stored.students_see else None
        if rule and rule.attempt is GradedAttempt.BEST:
            rules = replace(rules, counts=told_attempt(rule))
            lines = _counting_best(lines, grade)
        return {
            "assignment": self._assignment,
            "membership": self._membership,
            "allowance": self.allowance,
            "rules": rules,
            "attempts": lines,
            "grade": grade,
            "told": told_rule(rule) if rule else [],
            "written": self.written,
            "form": form or self.form(),
            "document_form": DocumentForm(owner=self._membership.user_id),
            "can_write": not self.allowance.is_none,
            **more,
        }


def _counting_best(lines: Sequence[AttemptLine], grade: StudentGrade | None) -> list[AttemptLine]:
    """With the attempt that the grade rests on as the one that counts, as far as that is told."""
    best = grade.submission if grade else None
    return [replace(line, counts=line.submission == best) for line in lines]


def _lines(assignment: Assignment, attempts: Sequence[Submission]) -> list[AttemptLine]:
    for attempt in attempts:
        attempt.assignment = assignment  # as fetched: what is shown rests on it
    shown = [attempt for attempt in attempts if attempt.is_shown]
    states, answered, counting = _states(shown), _answered(shown), counting_of(attempts)
    return [
        AttemptLine(
            attempt,
            states.get(attempt.pk, "Shown later"),
            counts=attempt == counting,
            answered=answered[attempt.pk],
        )
        for attempt in attempts
    ]


def _answered(shown: Sequence[Submission]) -> Counter[int]:
    """By attempt: how many requests for a second look have an answer."""
    if not shown:
        return Counter()
    states = (SecondLook.State.ACCEPTED, SecondLook.State.DECLINED)
    looks = SecondLook.objects.filter(submission__in=shown, state__in=states)
    return Counter(looks.values_list("submission", flat=True))


def _states(shown: Sequence[Submission]) -> dict[int, str]:
    """Of results that the student may see; nothing is asked about the others."""
    if not shown:
        return {}
    jobs = Job.objects.filter(submission__in=shown, kind=Job.Kind.SCORE_SUBMISSIONS)
    at_work = set(jobs.unfinished().values_list("submission", flat=True))
    scores = Score.objects.filter(submission__in=shown).oldest_first()
    held = dict(scores.values_list("submission", "held"))
    return {attempt.pk: _state(attempt.pk, held, at_work) for attempt in shown}


def _state(pk: int, held: Mapping[int, bool], at_work: Collection[int | None]) -> str:
    """``held`` says of each attempt with a score whether it is held."""
    if pk in held:
        return "Held" if held[pk] else "Scored"
    return "Being scored" if pk in at_work else "Not scored yet"


def told_handed_in(submission: Submission, zone: ZoneInfo) -> str:
    """What was handed in, plainly, and what happens next."""
    kind = ""
    if submission.assignment.max_drafts:
        kind = ", as final" if submission.is_final else ", as a draft"
    words = number_of(submission.words, "word")
    late = " It is late." if submission.late else ""
    return (
        f"Handed in: attempt {submission.attempt}{kind}, {words}, on "
        f"{told_time(submission.submitted_at, zone)}.{late} {_told_next(submission)}"
    )


def _told_next(submission: Submission) -> str:
    if not submission.is_shown:
        return "Your teacher will show the results later."
    at_work = Job.objects.filter(submission=submission).unfinished().exists()
    if submission.scores.exists():
        return "It is scored."
    if at_work:
        return "Your text is being scored; this page shows it when it is done."
    return "It is scored as soon as your teacher has prepared the ideas of the experts."
