"""Where a student's text stands: what was typed last, else the latest attempt. Read-only."""

from dataclasses import dataclass
from datetime import datetime

from grading.models.assignments import Assignment
from grading.models.summaries import Submission, Writing
from grading.models.users import User

# Handing in ends a count of revisions: a window from before is never taken for one of after.
REVISIONS_AN_ATTEMPT = 100_000


@dataclass(frozen=True, slots=True)
class Written:
    """``saved_at`` is None where nothing was typed since the latest attempt."""

    text: str
    revision: int
    replaced: str = ""
    saved_at: datetime | None = None
    is_typed: bool = True


def written_of(assignment: Assignment, student: User) -> Written:
    """What the student's field begins with."""
    writing = Writing.objects.filter(assignment=assignment, student=student).first()
    if writing is not None:
        return Written(
            text=writing.text,
            revision=writing.revision,
            replaced=writing.replaced,
            saved_at=writing.saved_at,
            is_typed=writing.is_typed,
        )
    latest = Submission.objects.attempts_of(assignment, student).first()
    if latest is None:
        return Written("", 0)
    return Written(latest.text, latest.attempt * REVISIONS_AN_ATTEMPT)
