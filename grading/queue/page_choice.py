"""The rows of a queue as somebody chose and sorted them, and the place of a text among them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grading.models import Assignment, Submission, User
from grading.queue.forms import QueueForm
from grading.queue.page_links import work_address
from grading.queue.queries import QueueRow, queue_rows


@dataclass(frozen=True, slots=True)
class Choice:
    """``rows`` are all that there is, ``chosen`` those that are asked for, in their order."""

    assignment: Assignment
    form: QueueForm
    viewer: User
    rows: Sequence[QueueRow]
    chosen: Sequence[QueueRow]

    def after(self, submission_pk: int | None) -> Sequence[QueueRow]:
        """What comes after this text, then what comes before: from the first where it is not."""
        at = next((i for i, row in enumerate(self.chosen) if pk_of(row) == submission_pk), -1)
        return [*self.chosen[at + 1 :], *self.chosen[: max(at, 0)]]

    def free(self, rows: Iterable[QueueRow]) -> list[QueueRow]:
        """Those with a text that nobody else has in hand."""
        viewer = self.viewer
        return [
            row
            for row in rows
            if row.submission and not (row.review and row.review.is_held_by_another(viewer))
        ]

    def to_do(self, rows: Iterable[QueueRow]) -> list[QueueRow]:
        return [row for row in self.free(rows) if not row.is_done]


def choose(assignment: Assignment, form: QueueForm, viewer: User) -> Choice:
    rows = queue_rows(assignment, form.show_value)
    words = form.said("q")
    found = holding_words(assignment, words) if words else frozenset[int]()
    return Choice(assignment, form, viewer, rows, form.chosen(rows, viewer, found))


def holding_words(assignment: Assignment, words: str) -> frozenset[int]:
    """The submissions in whose texts these words stand."""
    holding = assignment.submissions.filter(text__icontains=words)
    return frozenset(holding.values_list("pk", flat=True))


def pk_of(row: QueueRow) -> int | None:
    return row.submission.pk if row.submission else None


@dataclass(frozen=True, slots=True)
class Place:
    """Of a text in a view of the queue; without ``number`` where it is not in the view (any more).

    ``previous``, ``following`` and ``doubtful`` are addresses, or empty. What others have in hand
    is passed over as one goes on.
    """

    total: int
    number: int | None
    previous: str
    following: str
    doubtful: str


def place_of(submission: Submission, choice: Choice) -> Place:
    """A text that has left the view, as one does that was looked through, keeps its neighbours."""
    query, pk = choice.form.query, submission.pk
    there = [row for row in choice.chosen if pk_of(row) == pk]
    own = there or [row for row in choice.rows if pk_of(row) == pk]
    order = choice.chosen if there else choice.form.ordered([*choice.chosen, *own])
    at = order.index(own[0]) if own else -1
    later = choice.free(order[at + 1 :])
    doubtful = [row for row in later if row.doubtful and not row.is_done]
    return Place(
        total=len(choice.chosen),
        number=at + 1 if there else None,
        previous=_address(order[:at][-1:] if at > 0 else (), query),
        following=_address(later[:1], query),
        doubtful=_address(doubtful[:1], query),
    )


def _address(rows: Sequence[QueueRow], query: str) -> str:
    return next((work_address(pk, query) for row in rows if (pk := pk_of(row))), "")
