"""What a student may still hand in to an assignment. Read-only, no table of its own."""

from dataclasses import dataclass

from grading.models.assignments import MOST_ATTEMPTS, Assignment
from grading.models.summaries import Submission
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


def allowance_of(assignment: Assignment, student: User) -> Allowance:
    """Drafts come before the first final; every rule is the instructor's but the last number."""
    kinds = list(
        Submission.objects.filter(assignment=assignment, student=student).values_list(
            "is_final", flat=True
        )
    )
    finals_in = sum(kinds)
    drafts_in = len(kinds) - finals_in
    if reason := _reason(assignment, finals_in, len(kinds)):
        return Allowance(0, 0, drafts_in, finals_in, reason)
    left = MOST_ATTEMPTS - len(kinds)
    most = assignment.max_attempts or MOST_ATTEMPTS
    drafts = 0 if finals_in else max(0, min(assignment.max_drafts - drafts_in, left - 1))
    return Allowance(drafts, min(most - finals_in, left), drafts_in, finals_in)


def _reason(assignment: Assignment, finals_in: int, handed_in: int) -> str:
    if over := _over(assignment):
        return f"{over}: nothing can be handed in any more."
    if assignment.max_attempts is not None and finals_in >= assignment.max_attempts:
        if assignment.max_attempts == 1:
            return "You have handed in your summary; there is one attempt."
        return f"You have handed in {finals_in} finals; no more can be handed in."
    if handed_in >= MOST_ATTEMPTS:
        return f"You have handed in {handed_in} times; that is the most that can be kept."
    return ""


def _over(assignment: Assignment) -> str:
    if assignment.is_archived or assignment.course.is_archived:
        return "This assignment is archived"
    if not assignment.is_open:
        return "This assignment is closed"
    if assignment.is_overdue and not assignment.accepts_late:
        return "The due date has passed"
    return ""
