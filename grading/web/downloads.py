"""Answers that a browser saves as a file."""

from collections.abc import Iterable

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

CSV = "text/csv; charset=utf-8"


ZIP = "application/zip"


def render_file(content: bytes | str, name: str, content_type: str) -> HttpResponse:
    """The name may hold any letters: Django encodes those that a header cannot have."""
    disposition = content_disposition_header(True, name)
    headers = {"Content-Type": content_type, "Content-Disposition": disposition}
    return HttpResponse(content, headers=headers)


def stream_archive(content: Iterable[bytes], name: str, size: int) -> StreamingHttpResponse:
    """A zip that is too large to be held in memory; ``size`` is its number of bytes."""
    disposition = content_disposition_header(True, name)
    headers = {"Content-Disposition": disposition, "Content-Length": str(size)}
    return StreamingHttpResponse(content, content_type=ZIP, headers=headers)
