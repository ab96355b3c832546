"""Where a visitor goes when a task is done, and the link that leads students to a course."""

from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from grading.models import Course


def own_destination(request: HttpRequest) -> str:
    """The address in ``next``, such as a join link. Empty where there is none, or not of ours."""
    address = request.POST.get("next") or request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours else ""


def join_link(request: HttpRequest, course: Course) -> str:
    """The whole address with which students join a course."""
    query = urlencode({"code": course.code})
    return request.build_absolute_uri(f"{reverse('course_join')}?{query}")
