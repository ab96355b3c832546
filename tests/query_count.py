"""What a page costs: its queries, and how often a pyramid's document is parsed."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from grading.pyramid.formats.pyramid_json import pyramid_from_json


class QueryCount:
    """For ``connection.execute_wrapper``: cheaper than Django's CaptureQueriesContext.

    That one asks SQLite to quote each query.
    """

    def __init__(self) -> None:
        self.total = 0

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        self.total += 1
        return execute(*args)


def record_parses(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The list to which every parse of a pyramid adds its document, wherever it is called from."""
    parses: list[object] = []

    def parse(document: object) -> object:
        parses.append(document)
        return pyramid_from_json(document)

    for name, module in list(sys.modules.items()):
        if name.startswith("grading.") and hasattr(module, "pyramid_from_json"):
            monkeypatch.setattr(module, "pyramid_from_json", parse)
    return parses
