"""Courses and assignments are put aside to be only read, and brought back."""

from django.utils import timezone

from grading.models import Assignment, Course


def archive_put(*, row: Course | Assignment) -> None:
    """From now on it can only be read (grading/access/), and stands apart in lists."""
    row.archived_at = row.archived_at or timezone.now()
    row.save(update_fields=["archived_at"])


def archive_take_back(*, row: Course | Assignment) -> None:
    """As if it had never been put aside."""
    row.archived_at = None
    row.save(update_fields=["archived_at"])
