"""The queue as pages show it: the rows of a view, and the bar above a submission."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from grading.access.hidden_names import displayed_student, person_key
from grading.models import Assignment, QueueView, Review, Score, Submission, User
from grading.pyramid.flags.text_flags import NO_TEXT_FLAGS, flags_from_json
from grading.queue.forms import BUILT_IN, QueueForm
from grading.scoring.queue_rows import (
    QueueRow,
    QueueState,
    flags_of,
    near_texts,
    queue_rows,
    review_state,
)
from grading.scoring.results import newest_scores
from grading.scoring.second_opinions import (
    chosen_methods,
    disagreement_flags,
    opinion_setting_of,
)
from grading.web.rendering import SignedInRequest

COLUMNS = (
    ("name", "Student"),
    ("state", "State"),
    ("attempt", "Attempt"),
    ("handed", "Submitted"),
    ("words", "Words"),
    ("comprehensive", "Compre\u00adhensive"),
    ("quality", "Quality"),
    ("coverage", "Coverage"),
    ("sureness", "Unsure"),
    ("flags", "Flags"),
    ("held", "Claimed by"),
)
NUMERIC = frozenset({"attempt", "words", "comprehensive", "quality", "coverage"})
_BADGES = {
    QueueState.FAILED: "failed",
    QueueState.WAITING: "waiting",
    QueueState.ABSENT: "waiting",
    QueueState.HELD: "doubtful",
    QueueState.REVIEWED: "published",
    QueueState.CHANGED: "doubtful",
}


def work_url(submission_pk: int, query: str, done: int | None = None) -> str:
    """The page on which graders work on a submission.

    ``query`` is the view of the queue that they come from, for the bar. ``done`` is the submission
    that they have just reviewed, which can be undone there.
    """
    parameters = {"queue": query} | ({} if done is None else {"done": str(done)})
    return f"{reverse('marking', args=[submission_pk])}?{urlencode(parameters)}"


def queue_url(assignment_pk: int, query: str = "") -> str:
    url = reverse("queue", args=[assignment_pk])
    return f"{url}?{query}" if query else url


@dataclass(frozen=True, slots=True)
class Selection:
    """A view of a queue: ``rows`` in its order, out of ``all_rows``."""

    form: QueueForm
    viewer: User
    all_rows: Sequence[QueueRow]
    rows: Sequence[QueueRow]

    def after(self, submission_pk: int, following: int | None) -> Sequence[QueueRow]:
        """The rows after a submission, then those before it; all where it is not in the view.

        ``following`` is the submission that came next when the page was opened: corrections may
        have moved this one to another place since.
        """
        others = [row for row in self.rows if _pk(row) != submission_pk]
        at = next((i for i, row in enumerate(self.rows) if _pk(row) == submission_pk), 0)
        at = next((i for i, row in enumerate(others) if _pk(row) == following), at)
        return [*others[at:], *others[:at]]

    def free(self, rows: Iterable[QueueRow]) -> list[QueueRow]:
        """Rows with a submission that no other grader has claimed."""
        return [
            row
            for row in rows
            if row.submission and not (row.review and row.review.is_claimed_by_another(self.viewer))
        ]

    def to_do(self, rows: Iterable[QueueRow]) -> list[QueueRow]:
        return [row for row in self.free(rows) if not row.is_reviewed]


def select_rows(assignment: Assignment, form: QueueForm, viewer: User) -> Selection:
    """Read the rows of a view. A search for words makes one query more than the queue."""
    all_rows = queue_rows(assignment, form.show_value)
    with_words = frozenset[int]()
    if words := form.value("q"):
        texts = assignment.submissions.filter(text__icontains=words)
        with_words = frozenset(texts.values_list("pk", flat=True))
    return Selection(form, viewer, all_rows, form.filtered(all_rows, viewer, with_words))


def _pk(row: QueueRow) -> int | None:
    return row.submission.pk if row.submission else None


@dataclass(frozen=True, slots=True)
class QueuePosition:
    """Where a submission is in a view; ``number`` is None if it is not in the view (any more).

    ``previous``, ``following`` and ``unsure`` are addresses, or empty. They skip what others have
    claimed. ``following_pk`` is the submission at ``following``.
    """

    total: int
    number: int | None
    previous: str
    following: str
    following_pk: int | None
    unsure: str


def position_of(submission: Submission, selection: Selection) -> QueuePosition:
    """Find a submission in a view.

    A submission that has left the view, as a reviewed one does, keeps its neighbours.
    """

    def url(rows: Sequence[QueueRow]) -> str:
        pks = (pk for row in rows if (pk := _pk(row)))
        return next((work_url(pk, selection.form.query) for pk in pks), "")

    in_view = [row for row in selection.rows if _pk(row) == submission.pk]
    own = in_view or [row for row in selection.all_rows if _pk(row) == submission.pk]
    rows = selection.rows if in_view else selection.form.ordered([*selection.rows, *own])
    at = rows.index(own[0]) if own else -1
    later = selection.free(rows[at + 1 :])
    return QueuePosition(
        total=len(selection.rows),
        number=at + 1 if in_view else None,
        previous=url(rows[at - 1 : at] if at > 0 else ()),
        following=url(later[:1]),
        following_pk=_pk(later[0]) if later else None,
        unsure=url([row for row in later if row.doubtful and not row.is_reviewed][:1]),
    )


def queue_bar(
    request: SignedInRequest,
    submission: Submission,
    score: Score | None = None,
    attempts: Sequence[Submission] | None = None,
) -> dict[str, Any]:
    """The context of ``grading/queue/_bar.html``, for graders only: see the tag ``queue_bar``.

    Without ``?queue=`` in the address there are flags, claims and the review alone, for one query;
    one more where the page does not know the newest ``score``, one where it has not read the
    ``attempts``, and one where the text is like others. Second opinions add three. With it (see
    ``work_url``) the bar also says “12 of 200” and leads on, for as many queries as the queue.
    """
    query = request.GET.get("queue")
    form = QueueForm.of_query(query or "")
    position, row = None, None
    if query is not None:
        selection = select_rows(submission.assignment, form, request.user)
        position = position_of(submission, selection)
        row = next((row for row in selection.all_rows if _pk(row) == submission.pk), None)
    score = score or newest_scores([submission]).get(submission.pk)
    setting = opinion_setting_of(submission.assignment)
    if attempts is None:
        attempts = attempts_with_flags(submission)
    kept = [
        row.found_flags
        for row in attempts
        if row.pk == submission.pk and hasattr(row, "found_flags")
    ]
    text_flags = flags_from_json(kept[0].document) if kept else NO_TEXT_FLAGS
    students = {}
    if text_flags.near:
        authors = User.objects.filter(pk__in=[near.author for near in text_flags.near])
        students = {
            author.pk: displayed_student(submission.assignment, author) for author in authors
        }
    if row is None:
        disagreement = disagreement_flags(setting).get(submission.pk)
        flags = flags_of(submission, text_flags, score, disagreement)
    else:
        flags = row.flags  # with them the class was read
    return bar_state(request, submission, score, attempts) | {
        "queue_url": queue_url(submission.assignment_id, form.query),
        "position": position,
        "flags": flags,
        "near": near_texts(text_flags, students),
        "has_opinions": bool(chosen_methods(setting)),
    }


def attempts_with_flags(submission: Submission) -> list[Submission]:
    """All attempts of its student, the latest first; a query for both spares the page another."""
    attempts = Submission.objects.filter(
        assignment=submission.assignment_id, student=submission.student_id
    )
    return list(attempts.select_related("found_flags").defer("text").order_by("-attempt"))


def bar_state(
    request: SignedInRequest,
    submission: Submission,
    score: Score | None,
    attempts: Sequence[Submission],
) -> dict[str, Any]:
    """The context of ``grading/queue/_bar_state.html``: the claim and the review, in one query.

    The bar asks for this part again once the desk has corrected the submission. ``attempts`` are
    those of its student, the latest first.
    """
    query, done = request.GET.get("queue"), request.GET.get("done", "")[:18]
    form = QueueForm.of_query(query or "")
    reviews = Review.objects.filter(
        assignment=submission.assignment_id, student=submission.student_id
    )
    review = reviews.select_related("claimed_by", "reviewed_by").first()
    claimant = review.claimant if review else None
    final = [attempt for attempt in attempts if attempt.is_final]
    newest = (final or attempts)[0].pk
    counting = None if newest == submission.pk else newest
    state = review_state(submission, score, review, counts=counting is None)
    parameters = {} if query is None else {"queue": form.query}
    parameters |= {"done": done} if done.isdecimal() else {}
    return {
        "submission": submission,
        "viewer": request.user,
        "queue_query": form.query,
        "state_query": f"?{urlencode(parameters)}" if parameters else "",
        "in_view": query is not None,
        "review": review,
        "claimant": claimant,
        "claimant_key": person_key(submission.assignment, claimant.pk) if claimant else "",
        "is_mine": claimant == request.user,
        "is_reviewed": state == QueueState.REVIEWED,
        "has_changed": state == QueueState.CHANGED,
        "is_held": state == QueueState.HELD,
        "counting_url": "" if counting is None else work_url(counting, form.query),
        "done_before": int(done) if done.isdecimal() else None,
    }


def queue_table(selection: Selection, rows: Iterable[QueueRow]) -> dict[str, Any]:
    """The context of the table: its columns, and rows with the addresses of their submissions."""
    form = selection.form
    direction = "descending" if form.is_descending else "ascending"
    return {
        "columns": [
            {
                "title": title,
                "query": form.sorted_by(name),
                "is_numeric": name in NUMERIC,
                "aria_sort": direction if name == form.sort_name else "",
            }
            for name, title in COLUMNS
        ],
        "rows": [
            {
                "row": row,
                "url": work_url(row.submission.pk, form.query) if row.submission else "",
                "badge": _BADGES.get(row.state, "scored"),
            }
            for row in rows
        ],
        "total": len(selection.all_rows),
        "selected": len(selection.rows),
        "submitted": sum(row.submission is not None for row in selection.all_rows),
        "reviewed": sum(row.is_reviewed for row in selection.all_rows),
        "to_do": len(selection.to_do(selection.rows)),
        "sections": sorted({row.membership.section for row in selection.all_rows} - {""}),
    }


def queue_views(assignment: Assignment, selection: Selection) -> list[dict[str, Any]]:
    """Built-in views, and the viewer's own with their numbers."""
    own = QueueView.objects.filter(course=assignment.course_id, user=selection.viewer)
    views = [
        *((None, name, query) for name, query in BUILT_IN),
        *((view.pk, view.name, view.query) for view in own),
    ]
    return [
        {"pk": pk, "name": name, "query": query, "is_current": query == selection.form.query}
        for pk, name, query in views
    ]
