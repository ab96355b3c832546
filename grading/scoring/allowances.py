"""What a student may still submit to an assignment, and what they have typed. Read-only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from grading.models.assignments import MOST_ATTEMPTS, Assignment
from grading.models.summaries import Submission, Writing
from grading.models.terms import Terms
from grading.models.users import User


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many drafts and finals are left; ``reason`` says why there is none of either."""

    drafts: int
    finals: int
    drafts_in: int = 0
    finals_in: int = 0
    reason: str = ""

    @property
    def is_none(self) -> bool:
        return not self.drafts and not self.finals

    def of_kind(self, *, is_final: bool) -> int:
        return self.finals if is_final else self.drafts


def allowance_of(
    assignment: Assignment, student: User, attempts: Sequence[Submission] | None = None
) -> Allowance:
    """Drafts come before the first final; every rule is the instructor's but the last number.

    ``attempts`` are all of the student's, where the caller has them.
    """
    if attempts is None:
        submitted = Submission.objects.filter(assignment=assignment, student=student)
        rows = list(submitted.values_list("is_final", "submitted_at"))
    else:
        rows = [(attempt.is_final, attempt.submitted_at) for attempt in attempts]
    kinds = [is_final for is_final, _ in rows]
    finals_in = sum(kinds)
    drafts_in = len(kinds) - finals_in
    terms = assignment.terms_of(student.pk)
    reason = _reason(assignment, terms, finals_in, len(kinds))
    if reason := reason or _reason_today([submitted_at for _, submitted_at in rows]):
        return Allowance(0, 0, drafts_in, finals_in, reason)
    left = MOST_ATTEMPTS - len(kinds)
    most = terms.max_attempts or MOST_ATTEMPTS
    drafts = 0 if finals_in else max(0, min(assignment.max_drafts - drafts_in, left - 1))
    return Allowance(drafts, min(most - finals_in, left), drafts_in, finals_in)


def _reason(assignment: Assignment, terms: Terms, finals_in: int, handed_in: int) -> str:
    if over := _over(assignment, terms):
        return f"{over}: you can't submit any more."
    if terms.max_attempts is not None and finals_in >= terms.max_attempts:
        if terms.max_attempts == 1:
            return "You have submitted your one attempt."
        return f"You have used your {finals_in} final submissions."
    if handed_in >= MOST_ATTEMPTS:
        return f"You have submitted {handed_in} times; that is the limit."
    return ""


def _reason_today(times: Sequence[datetime]) -> str:
    most, day = settings.ATTEMPTS_A_DAY, timedelta(days=1)
    recent = sorted(time for time in times if time > timezone.now() - day)
    if len(recent) < most:
        return ""
    again = timezone.localtime(recent[-most] + day)
    return (
        f"You have submitted {len(recent)} times in 24 hours; that is the limit. Try again "
        f"after {again:%H:%M}."
    )


def _over(assignment: Assignment, terms: Terms) -> str:
    if assignment.is_archived or assignment.course.is_archived:
        return "This assignment is archived"
    if not assignment.is_open:
        return "This assignment is closed"
    if terms.is_overdue and not assignment.accepts_late:
        return "The due date has passed"
    return ""


# Where a student's text stands: what was typed last, else the latest attempt. Read-only.

# Submitting ends a count of revisions: a window from before is never taken for one of after.
REVISIONS_AN_ATTEMPT = 100_000


@dataclass(frozen=True, slots=True)
class Written:
    """``saved_at`` is None where nothing was typed since the latest attempt."""

    text: str
    revision: int
    replaced: str = ""
    saved_at: datetime | None = None
    is_typed: bool = True


def written_of(
    assignment: Assignment, student: User, attempts: Sequence[Submission] | None = None
) -> Written:
    """What the student's field begins with. ``attempts``, the latest first, spare a query."""
    writing = Writing.objects.filter(assignment=assignment, student=student).first()
    if writing is not None:
        return Written(
            text=writing.text,
            revision=writing.revision,
            replaced=writing.replaced,
            saved_at=writing.saved_at,
            is_typed=writing.is_typed,
        )
    if attempts is None:
        latest = Submission.objects.attempts_of(assignment, student).first()
    else:
        latest = attempts[0] if attempts else None
    if latest is None:
        return Written("", 0)
    return Written(latest.text, latest.attempt * REVISIONS_AN_ATTEMPT)
