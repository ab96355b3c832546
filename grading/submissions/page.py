"""The page of an assignment for its students: the task, the rules, writing, and the attempts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

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
from grading.pyramid.grade_rules import Attempt as GradedAttempt
from grading.pyramid.grade_rules import attempt_in_words, rule_in_words
from grading.scoring.allowances import allowance_of, written_of
from grading.scoring.grades import own_grade
from grading.submissions.forms import SubmissionForm
from grading.web.assignment_rules import rules_of, terms_for
from grading.web.uploads import DocumentForm


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """An attempt in the list; ``answered`` second looks are counted where results are shown."""

    submission: Submission
    state: str
    counts: bool
    answered: int


class StudentPage:
    """The rows behind the page, read once; a view may show it with a form that was refused."""

    def __init__(self, assignment: Assignment, membership: Membership) -> None:
        self.assignment = assignment
        self.membership = membership
        self.attempts = list(Submission.objects.attempts_of(assignment, membership.user))
        for attempt in self.attempts:
            attempt.assignment = assignment  # whether its result is shown depends on it
        self.allowance = allowance_of(assignment, membership.user, self.attempts)
        self.written = written_of(assignment, membership.user, self.attempts)

    def form(self, data: Any = None, text: str | None = None) -> SubmissionForm:
        """The form with this text, or with what was saved last; bound where there is data."""
        return SubmissionForm(
            data,
            assignment=self.assignment,
            latest=self.attempts[0] if self.attempts else None,
            allowance=self.allowance,
            initial={"text": self.written.text if text is None else text},
        )

    def context(self, form: SubmissionForm | None = None, **more: Any) -> dict[str, Any]:
        assignment, membership = self.assignment, self.membership
        stored = StoredGradeRule.objects.newest_of(assignment)
        grade = own_grade(stored, assignment, membership, self.attempts, attrgetter("is_shown"))
        rules = rules_of(assignment, self.allowance, membership)
        rule = stored.rule if stored and stored.students_see else None
        counting = counting_of(self.attempts)
        if rule and rule.attempt is GradedAttempt.BEST:
            rules = replace(rules, counts=attempt_in_words(rule))
            counting = grade.submission if grade else None
        return {
            "assignment": assignment,
            "membership": membership,
            "allowance": self.allowance,
            "terms": terms_for(assignment, membership),
            "rules": rules,
            "attempts": _attempt_lines(self.attempts, counting),
            "grade": grade,
            "rule_lines": rule_in_words(rule) if rule else [],
            "written": self.written,
            "form": form or self.form(),
            "document_form": DocumentForm(owner=membership.user_id),
            "can_write": not self.allowance.is_none,
            **more,
        }


def _attempt_lines(
    attempts: Sequence[Submission], counting: Submission | None
) -> list[AttemptLine]:
    """No score, job or second look is read for an attempt whose result is hidden."""
    shown = [attempt for attempt in attempts if attempt.is_shown]
    answered: Counter[int] = Counter()
    held: dict[int, bool] = {}  # of attempts with a score
    being_scored: set[int | None] = set()
    if shown:
        states = (SecondLook.State.ACCEPTED, SecondLook.State.DECLINED)
        looks = SecondLook.objects.filter(submission__in=shown, state__in=states)
        answered.update(looks.values_list("submission", flat=True))
        scores = Score.objects.filter(submission__in=shown).oldest_first()
        held.update(scores.values_list("submission", "held"))
        jobs = Job.objects.filter(submission__in=shown, kind=Job.Kind.SCORE_SUBMISSIONS)
        being_scored.update(jobs.unfinished().values_list("submission", flat=True))
    lines = []
    for attempt in attempts:
        if attempt not in shown:
            state = "Shown later"
        elif attempt.pk in held:
            state = "Held" if held[attempt.pk] else "Scored"
        else:
            state = "Being scored" if attempt.pk in being_scored else "Not scored yet"
        lines.append(AttemptLine(attempt, state, attempt == counting, answered[attempt.pk]))
    return lines
