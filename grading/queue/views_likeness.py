"""Two students' texts side by side, with the words that both have in a row."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading import access
from grading.models import Submission
from grading.pyramid.copying import RUN
from grading.pyramid.formats.highlighted_text import cut_at_marks
from grading.pyramid.signs.likeness import shared_passages
from grading.pyramid.structures import Span
from grading.web.rendering import SignedInRequest, render_page


@dataclass(frozen=True, slots=True)
class Side:
    """A text in pieces, each with whether the other text has it too."""

    submission: Submission
    pieces: tuple[tuple[str, bool], ...]
    shared: int  # words

    @property
    def share(self) -> float:
        return self.shared / self.submission.words if self.submission.words else 0.0


@require_safe
def likeness(request: SignedInRequest, pk: int, other: int) -> HttpResponse:
    left, right, membership = access.get_two_graded_submissions_for(request.user, pk, other)
    assignment = left.assignment
    known = [assignment.source_text, assignment.instructions]
    ours, theirs = shared_passages(left.text, right.text, known)
    context = {
        "assignment": assignment,
        "membership": membership,
        "sides": [_side(left, ours), _side(right, theirs)],
        "run": RUN,
        "is_same_student": left.student_id == right.student_id,
    }
    return render_page(request, "grading/queue/likeness.html", context)


def _side(submission: Submission, passages: Sequence[Span]) -> Side:
    pieces = cut_at_marks(submission.text, [(span,) for span in passages])
    words = sum(len(submission.text[span.start : span.end].split()) for span in passages)
    return Side(submission, tuple((one.words, bool(one.marks)) for one in pieces), words)
