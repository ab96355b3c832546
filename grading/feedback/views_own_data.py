"""What is held about one's own work: said in words, and to take away."""

from collections.abc import Collection
from dataclasses import dataclass

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading import access
from grading.feedback.events import TimelineEntry, timelines_of
from grading.feedback.page_own_work import own_sight_of, own_work_of, writings_of
from grading.models import SecondLook, Submission, User
from grading.pyramid.formats.my_work import my_work_zip
from grading.web.rendering import SignedInRequest, render_page


@dataclass(frozen=True, slots=True)
class CorrectedAttempt:
    """An attempt with what people said of what the program found, where that is shown."""

    submission: Submission
    corrections: tuple[TimelineEntry, ...]


@require_safe
def own_data(request: SignedInRequest) -> HttpResponse:
    user = request.user
    memberships = access.get_memberships_of(user)
    submissions = user.submissions.staying()
    context = {
        "memberships": memberships,
        "attempts": submissions.count(),
        "assignments": submissions.values("assignment").distinct().count(),
        "writings": writings_of(user).exclude(text="").count(),
        "second_looks": SecondLook.objects.filter(submission__in=submissions).count(),
        "leaving": access.get_leavings_of_student(user),
        "corrected": _corrected(user, {one.course_id for one in memberships}),
    }
    return render_page(request, "grading/feedback/own_data.html", context)


def _corrected(user: User, courses: Collection[int]) -> list[CorrectedAttempt]:
    """In as many queries however many attempts there are."""
    rows = user.submissions.staying().select_related("assignment").defer("text")
    submissions = list(rows.order_by("assignment", "attempt"))
    for submission in submissions:
        submission.student = user
    timelines = timelines_of([(one, own_sight_of(one, courses)) for one in submissions])
    corrected = [
        CorrectedAttempt(one, tuple(entry for entry in timelines[one.pk] if entry.corrects))
        for one in submissions
    ]
    return [one for one in corrected if one.corrections]


@require_safe
def own_data_file(request: SignedInRequest) -> HttpResponse:
    response = HttpResponse(my_work_zip(own_work_of(request.user)), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="my-work.zip"'
    return response
