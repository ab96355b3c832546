"""Texts of a class that share words: a worker process remembers the class from job to job."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from grading.models import Assignment, Submission
from grading.pyramid.flags.text_flags import Near
from grading.pyramid.flags.text_index import TextIndex, Written

MOST_RUNS: Final = 4_000_000  # that a process remembers, of all classes: some 100 MB
# Of each assignment, the one that was used last at the end.
_remembered: dict[int, "ClassIndex"] = {}


class ClassIndex:
    """The submissions of an assignment by their runs, as they were when it last caught up."""

    def __init__(self, assignment_pk: int) -> None:
        self._assignment_pk = assignment_pk
        self._known: tuple[str, str] | None = None
        self._index = TextIndex()
        self._rows: dict[int, tuple[int, datetime]] = {}

    @property
    def size(self) -> int:
        return self._index.size

    def catch_up(self) -> dict[int, tuple[Near, ...]]:
        """Read what came, went or changed since; by submission, whose nearest may be others now."""
        assignment = Assignment.objects.filter(pk=self._assignment_pk)
        known = assignment.values_list("source_text", "instructions").get()
        if known != self._known:
            self._known, self._index, self._rows = known, TextIndex(known), {}
        submissions = Submission.objects.filter(assignment=self._assignment_pk)
        # A number of a submission can come again, after a backup was restored.
        rows = {
            pk: (student_pk, submitted_at)
            for pk, student_pk, submitted_at in submissions.values_list(
                "pk", "student_id", "submitted_at"
            )
        }
        removed = [pk for pk, row in self._rows.items() if rows.get(pk) != row]
        new = [pk for pk, row in rows.items() if self._rows.get(pk) != row]
        added = [
            Written(*row)
            for row in submissions.filter(pk__in=new).values_list("pk", "student_id", "text")
        ]
        changed = self._index.update(added, removed)
        self._rows = {pk: row for pk, row in rows.items() if pk in self._index}
        return {pk: self._index.nearest(pk) for pk in changed}

    def nearest(self, submission_pk: int) -> tuple[Near, ...]:
        """Nothing for a submission that is not there any more."""
        return self._index.nearest(submission_pk) if submission_pk in self._index else ()


@contextmanager
def class_index(assignment_pk: int) -> Iterator[ClassIndex]:
    """Save in the block what changed. Where that fails, the whole class is read again."""
    index = _remembered.pop(assignment_pk, None) or ClassIndex(assignment_pk)
    yield index
    _remembered[assignment_pk] = index
    while len(_remembered) > 1 and sum(kept.size for kept in _remembered.values()) > MOST_RUNS:
        del _remembered[next(iter(_remembered))]
