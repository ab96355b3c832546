"""Answers that a browser saves as a file."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header

CSV = "text/csv; charset=utf-8"


def render_file(content: bytes | str, name: str, content_type: str) -> HttpResponse:
    """The name may hold any letters: Django encodes those that a header cannot have."""
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response
