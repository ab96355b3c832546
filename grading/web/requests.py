"""Records the caller and the id of each request, and writes one line in the log for it."""

import logging
import re
import uuid
from collections.abc import Callable
from time import monotonic
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from grading.access import get_client_address
from grading.caller import Caller, called_by, get_caller

logger = logging.getLogger("grading.requests")

HEADER = "X-Request-ID"
_REQUEST_ID = re.compile(r"[A-Za-z0-9_.-]{8,64}")
NO_VIEW = "none"  # of an address that leads nowhere
STATIC_FILE = "static file"

GetResponse = Callable[[HttpRequest], HttpResponse]


def view_name(request: HttpRequest) -> str:
    """The name of the address, without the numbers (and tokens) in it."""
    if request.resolver_match is None:  # WhiteNoise answers before an address is looked up
        return STATIC_FILE if request.path.startswith(settings.STATIC_URL) else NO_VIEW
    return request.resolver_match.view_name or NO_VIEW


class CallerMiddleware:
    """Gives every request an id, which the response and every line of the log carry."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Only a proxy's number is used: a client's could be forged, or another person's.
        given = request.headers.get(HEADER, "") if settings.TRUSTED_PROXIES else ""
        caller = Caller(
            address=get_client_address(request),
            request_id=given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex,
        )
        with called_by(caller):
            began = monotonic()
            response = self.get_response(request)
            response[HEADER] = caller.request_id
            if (view := view_name(request)) != STATIC_FILE:
                details = {
                    "view": view,
                    "method": request.method,
                    "status": response.status_code,
                    "milliseconds": round(1000 * (monotonic() - began)),
                }
                logger.info("%s %s: %s", request.method, view, response.status_code, extra=details)
        return response

    def process_view(self, request: HttpRequest, *_: Any) -> None:
        """By now the session is known; the view itself may log somebody in or out."""
        get_caller().user_pk = request.user.pk
