"""Launched pages in a frame: which LMS may show them, and cookies that work there."""

from collections.abc import Callable, Sequence
from typing import Final

from django.http import HttpRequest, HttpResponse

from grading.lti.cookies import let_into_frames
from grading.models import LtiPlatform

IN_FRAME_OF: Final = "lti_in_frame_of"  # in the session: the platform that launched it in a frame
FRAME_ORIGINS: Final = "lti_frame_origins"  # of a request before there is a session

GetResponse = Callable[[HttpRequest], HttpResponse]


def allow_frame(response: HttpResponse, origins: Sequence[str]) -> HttpResponse:
    """Let pages of these addresses, and of ours, show this one in a frame."""
    if origins:
        response.headers.pop("X-Frame-Options", None)
        ancestors = {"frame-ancestors": ["'self'", *origins]}
        response._csp_replace = ancestors  # type: ignore[attr-defined]  # noqa: SLF001  (csp's own way)
    return response


def allow_forms_to(response: HttpResponse, sources: Sequence[str]) -> HttpResponse:
    """Let forms of this page be sent to these addresses, too."""
    allowed = {"form-action": list(sources)}
    response._csp_update = allowed  # type: ignore[attr-defined]  # noqa: SLF001  (csp's own way)
    return response


class LaunchedPagesMiddleware:
    """Outside the session's: what it puts on its cookies comes last. It asks the database only for
    sessions that an LMS launched in a frame."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        session = getattr(request, "session", None)
        launched_by = session.get(IN_FRAME_OF) if session is not None and session.accessed else None
        if launched_by is not None:
            let_into_frames(response)
            platform = LtiPlatform.objects.filter(pk=launched_by, is_active=True).first()
            allow_frame(response, platform.frame_origins if platform else [])
        return allow_frame(response, getattr(request, FRAME_ORIGINS, []))
