"""What a request may do where something is archived: read, and no more."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import Http404


@dataclass(slots=True)
class Visit:
    """A request: does it write, and has it come to something archived (“course”, “assignment”)?

    ``course`` is the only one that exists for the request: an API token is for one course.
    """

    writes: bool = False
    archived: str = ""
    course: int | None = None


_visit: ContextVar[Visit | None] = ContextVar("visit", default=None)


@contextmanager
def visiting(*, writes: bool, course: int | None = None) -> Iterator[Visit]:
    """Around a request: whatever it comes to in the block is held to what it may do there."""
    token = _visit.set(Visit(writes=writes, course=course))
    try:
        yield get_visit()
    finally:
        _visit.reset(token)


def get_visit() -> Visit:
    return _visit.get() or Visit()


def only_read(what: str) -> None:
    visit = get_visit()
    visit.archived = visit.archived or what
    if visit.writes:
        raise PermissionDenied(
            f"This {what} is archived and read-only. An instructor can restore it in its settings."
        )


def enter_course(course_pk: int) -> None:
    """Every look-up of a place in a course comes through here."""
    if get_visit().course not in {None, course_pk}:
        raise Http404("No such course.")
