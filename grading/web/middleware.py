"""What happens around every view: the reader's time zone, and errors of the core as plain pages."""

import logging
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.cache import patch_cache_control

from grading.access import get_visit, visiting
from grading.pyramid.errors import InputError, PyramidError

logger = logging.getLogger(__name__)

REDIRECT, UNAUTHORISED = 302, 401
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
MARGIN = 1_000_000  # bytes of a request beside the file that it carries

GetResponse = Callable[[HttpRequest], HttpResponse]


class LargestRequestMiddleware:
    """Refuses what is too large before it is read; the forms' own limits are far below.

    A whole course comes to one address only, and may be larger there.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        size = int(request.META.get("CONTENT_LENGTH") or 0)
        if size > settings.LARGEST_REQUEST and size > (most := _most_for(request.path_info)):
            return render(request, "413.html", {"most": most // 1_000_000}, status=413)
        return self.get_response(request)


def _most_for(path: str) -> int:
    """What may be sent to this page: more where it takes a large file."""
    larger = {
        "submission_import": settings.LARGEST_WORK_UPLOAD + MARGIN,
        "import_files": settings.LARGEST_WORK_UPLOAD + MARGIN,  # of the API
        "course_import": settings.LARGEST_COURSE_FILE + MARGIN,
    }
    try:
        name = resolve(path).url_name or ""
    except Resolver404:
        name = ""
    return larger.get(name, settings.LARGEST_REQUEST)


class VisitMiddleware:
    """Archived things can only be read: tells grading/access/ which requests write."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with visiting(writes=request.method not in SAFE):
            return self.get_response(request)


class CharsetMiddleware:
    """Forms come as our pages send them: other ways to write letters make what no page expects."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "utf-8")
        if charset.lower() not in {"utf-8", "utf8"}:
            return HttpResponse("Send it as UTF-8.", status=415, content_type="text/plain")
        return self.get_response(request)


class ReaderMiddleware:
    """Times on pages are in the zone of whoever reads them, and no cache keeps these pages."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if isinstance(request.user, AnonymousUser):
            return self.get_response(request)
        with timezone.override(request.user.zone):
            response = self.get_response(request)
        if _has_logged_out(request):
            response["Clear-Site-Data"] = '"cache", "storage"'
        # Nothing of a person's pages stays behind in the browser of a shared computer.
        patch_cache_control(response, private=True, no_store=True)
        return response


def _has_logged_out(request: HttpRequest) -> bool:
    return isinstance(request.user, AnonymousUser)


class LoggedOutPartMiddleware:
    """A part of a page is not replaced by the log-in page: scripts hear 401 and say so in words."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_part = "HX-Request" in request.headers
        if is_part and response.status_code == REDIRECT and isinstance(request.user, AnonymousUser):
            return HttpResponse(status=UNAUTHORISED)
        return response


class PlainErrorMiddleware:
    """The one place where an error of the core becomes a response; views hold no try/except."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, PyramidError):
            return None
        if isinstance(error, InputError):
            return render(request, "grading/error.html", {"error": error}, status=422)
        logger.error("%s %s: %s", request.method, request.path, error)
        return render(request, "grading/error.html", {"error": error}, status=503)


def only_read(request: HttpRequest) -> dict[str, str]:
    """For every page: is it about something archived (“course”, “assignment”)?"""
    del request
    return {"only_read": get_visit().archived}
