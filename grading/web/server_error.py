"""The page for an error that nothing handled."""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error as our_mistake

from grading.outages import outage_of

SECONDS_TO_WAIT = "60"


def server_error(request: HttpRequest) -> HttpResponse:
    """Our mistake (500); or what the program runs on is away or full (503): try again soon."""
    if not (outage := outage_of(sys.exception())):
        return our_mistake(request)
    response = render(None, "503.html", {"outage": outage}, status=503)
    response["Retry-After"] = SECONDS_TO_WAIT
    return response
