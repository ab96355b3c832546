"""Counts queries for less than Django's CaptureQueriesContext, which asks SQLite to quote each."""

from collections.abc import Callable
from typing import Any


class QueryCount:
    """For ``connection.execute_wrapper``."""

    def __init__(self) -> None:
        self.total = 0

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        self.total += 1
        return execute(*args)
