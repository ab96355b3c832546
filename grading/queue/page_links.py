"""Where a row of the queue leads, with the view of the queue that one came from."""

from urllib.parse import urlencode

from django.urls import reverse

WORK_PAGE = "marking"  # the page on which graders work on a text


def work_address(submission_pk: int, query: str, done: int | None = None) -> str:
    """``query`` is what stood behind the ? of the queue; the page hands it on to its bar.

    ``done`` is the submission that was looked through a moment ago, which can be undone there.
    """
    told = {"queue": query} | ({} if done is None else {"done": str(done)})
    return f"{reverse(WORK_PAGE, args=[submission_pk])}?{urlencode(told)}"


def queue_address(assignment_pk: int, query: str = "") -> str:
    address = reverse("queue", args=[assignment_pk])
    return f"{address}?{query}" if query else address
