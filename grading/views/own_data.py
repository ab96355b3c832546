"""What is held about one's own work: said in words, and to take away."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading import access
from grading.models import SecondLook
from grading.pyramid.formats.my_work import my_work_zip
from grading.views.own_work import own_work_of
from grading.views.rendering import SignedInRequest, render_page


@require_safe
def own_data(request: SignedInRequest) -> HttpResponse:
    user = request.user
    context = {
        "memberships": access.get_memberships_of(user),
        "attempts": user.submissions.count(),
        "assignments": user.submissions.values("assignment").distinct().count(),
        "writings": user.writings.exclude(text="").count(),
        "second_looks": SecondLook.objects.filter(submission__student=user).count(),
    }
    return render_page(request, "grading/own_data/detail.html", context)


@require_safe
def own_data_file(request: SignedInRequest) -> HttpResponse:
    response = HttpResponse(my_work_zip(own_work_of(request.user)), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="my-work.zip"'
    return response
