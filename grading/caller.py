"""The person and the request behind what is going on, for the log and the audit log.

A request has a caller from its first middleware on, a job from its claim on. Threads and tests
that nobody called have an empty one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Caller:
    """``user_pk`` is known once the session was read; a job's is whoever requested it."""

    user_pk: int | None = None
    address: str = ""
    request_id: str = ""
    job_pk: int | None = None


_caller: ContextVar[Caller | None] = ContextVar("caller", default=None)


def get_caller() -> Caller:
    return _caller.get() or Caller()


@contextmanager
def called_by(caller: Caller) -> Iterator[Caller]:
    """Everything in the block is done for this caller."""
    token = _caller.set(caller)
    try:
        yield caller
    finally:
        _caller.reset(token)
