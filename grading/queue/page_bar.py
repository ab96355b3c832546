"""The bar above a student's text: its place in the queue, who has it in hand, and what is next."""

from dataclasses import dataclass

from grading.access.hidden_names import displayed_student
from grading.models import Review, Submission, SubmissionSigns, User
from grading.models.reviews import numbers_of
from grading.pyramid.signs.flags import NO_SIGNS, Flag, Signs, signs_from_json
from grading.queue.forms import QueueForm
from grading.queue.page_choice import Place, choose, place_of
from grading.queue.page_links import queue_address, work_address
from grading.queue.queries import NearWork, flags_of
from grading.scoring.results import newest_scores
from grading.web.rendering import SignedInRequest


@dataclass(frozen=True, slots=True)
class QueueBar:
    """``place`` is there where one came from a view of the queue, by its ``query``."""

    submission: Submission
    viewer: User
    query: str
    place: Place | None
    review: Review | None
    is_done: bool
    flags: tuple[Flag, ...]
    near: tuple[NearWork, ...]
    counting: int | None  # the attempt that counts, where this is another one
    done_before: int | None  # the submission that was looked through a moment ago

    @property
    def queue(self) -> str:
        return queue_address(self.submission.assignment_id, self.query)

    @property
    def counting_address(self) -> str:
        return "" if self.counting is None else work_address(self.counting, self.query)

    @property
    def holder(self) -> User | None:
        return self.review.holder if self.review else None

    @property
    def is_mine(self) -> bool:
        return self.holder == self.viewer

    @property
    def is_changed(self) -> bool:
        """Was it looked through before it became what it is?"""
        return not self.is_done and self.review is not None and self.review.looked_at is not None


def queue_bar(request: SignedInRequest, submission: Submission) -> dict[str, QueueBar]:
    """What ``grading/queue/_bar.html`` needs, as ``{"bar": …}``: add it to the page's context.

    Call it for graders only, with a submission that access.py gave. Without ``?queue=`` in the
    address the bar holds flags, claims and *Looked through* alone, for four queries or five. With
    it (as the addresses of ``queue_links.work_address`` have it) the bar also says “12 of 200” and
    leads on, for as many queries as the queue itself, however large the class.

        page = page_of(…) | queue_bar(request, submission)
        {% include "grading/queue/_bar.html" %}   {# first in the header block #}

    The page links ``css/pages/queue-bar.css`` in its styles and ``js/queue-bar.js`` (deferred) in
    its scripts. The keys j, k, d, l and ? belong to the bar; a page that has keys of its own lists
    them in the block of the same sheet by ``bar_keys="grading/…/_keys.html"`` in the include.
    """
    query, done = request.GET.get("queue"), request.GET.get("done", "")[:18]
    form = QueueForm.of_query(query or "")
    place = None
    if query is not None:
        place = place_of(submission, choose(submission.assignment, form, request.user))
    review = _review_of(submission)
    signs = _signs_of(submission)
    score = newest_scores([submission]).get(submission.pk)
    bar = QueueBar(
        submission=submission,
        viewer=request.user,
        query=form.query,
        place=place,
        review=review,
        is_done=review is not None and review.holds_of(submission, numbers_of(score)),
        flags=flags_of(submission, signs, score),
        near=_near(submission, signs),
        counting=_counting(submission),
        done_before=int(done) if done.isdecimal() else None,
    )
    return {"bar": bar}


def _review_of(submission: Submission) -> Review | None:
    reviews = Review.objects.filter(assignment=submission.assignment_id)
    return (
        reviews.filter(student=submission.student_id)
        .select_related("claimed_by", "looked_by")
        .first()
    )


def _signs_of(submission: Submission) -> Signs:
    row = SubmissionSigns.objects.filter(submission=submission.pk).first()
    return signs_from_json(row.document) if row else NO_SIGNS


def _near(submission: Submission, signs: Signs) -> tuple[NearWork, ...]:
    """Whose texts share words with this one, by what they may be called."""
    if not signs.near:
        return ()
    students = {
        student.pk: displayed_student(submission.assignment, student)
        for student in User.objects.filter(pk__in=[near.author for near in signs.near])
    }
    there = (one for one in signs.near if one.author in students)
    return tuple(NearWork(one.text, students[one.author], one.words, one.share) for one in there)


def _counting(submission: Submission) -> int | None:
    latest = submission.assignment.submissions.latest_attempts()
    others = latest.filter(student=submission.student_id).exclude(pk=submission.pk)
    return others.values_list("pk", flat=True).first()
