"""How long a server takes to answer, with how many queries and bytes: for what measures a page."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Answered:
    """``milliseconds`` of each round, after one to warm up that the rest is counted in."""

    queries: int
    kilobytes: float
    milliseconds: tuple[float, ...]

    @property
    def told(self) -> str:
        """The times, for the process that reads them."""
        return " ".join(f"{millisecond:.2f}" for millisecond in self.milliseconds)


def asked(ask: Callable[[], Any], rounds: int) -> Answered:
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    with CaptureQueriesContext(connection) as queries:
        answer = ask()
    count = len(queries)  # before the next request forgets them
    if answer.status_code != 200:
        raise RuntimeError(f"answered by {answer.status_code}")
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        ask()
        taken.append(1000 * (time.perf_counter() - started))
    return Answered(count, len(answer.content) / 1000, tuple(taken))
