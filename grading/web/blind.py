"""Samples are annotated blind: their texts are not shown with matches to who annotates them."""

from django.http import HttpResponse

from grading.models import CalibrationText, Membership, Submission, User
from grading.web.rendering import SignedInRequest, asks_for_parts, render_page


def blind_text_of(submission: Submission, user: User) -> CalibrationText | None:
    """The text of a sample that the user has begun, while the user is not done with this text."""
    texts = CalibrationText.objects.filter(
        submission=submission, round__texts__annotations__annotator=user
    ).exclude(annotations__annotator=user, annotations__is_done=True)
    return texts.select_related("round").first()


def blind_notice(
    request: SignedInRequest, submission: Submission, membership: Membership
) -> HttpResponse | None:
    """The page to show in place of the program's matches, or None where they can be shown.

    Graders who are annotating the text get it, unless they choose to see the matches anyway.
    """
    shows_anyway = asks_for_parts(request) or request.GET.get("look") == "yes"
    if shows_anyway or not membership.is_grader:
        return None
    text = blind_text_of(submission, request.user)
    if text is None:
        return None
    context = {
        "assignment": submission.assignment,
        "membership": membership,
        "text": text,
        "address": request.path,
    }
    return render_page(request, "grading/web/blind_notice.html", context)
