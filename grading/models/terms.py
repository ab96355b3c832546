"""What applies to one student of an assignment. Rules only, no table of its own."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone


@dataclass(frozen=True, slots=True)
class Terms:
    """The due date, and how many finals may be submitted; None is no due date, or no limit."""

    due_at: datetime | None
    max_attempts: int | None

    def extended(self, *, due_at: datetime | None, max_attempts: int | None) -> "Terms":
        """The more generous of each. An extension that leaves one of them empty changes it not.

        No due date and no limit are the most generous: nothing extends them.
        """
        later, more = self.due_at, self.max_attempts
        if later is not None and due_at is not None:
            later = max(later, due_at)
        if more is not None and max_attempts is not None:
            more = max(more, max_attempts)
        return Terms(later, more)

    @property
    def is_overdue(self) -> bool:
        return self.due_at is not None and timezone.now() > self.due_at
