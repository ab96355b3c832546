"""Expressions that come with files, quick ones and those that would never end."""

import time

import pytest

from grading.pyramid.errors import InputError
from grading.pyramid.formats import documents
from grading.pyramid.formats.documents import search
from grading.pyramid.structures import Span


def test_places_are_found_in_order_up_to_a_number() -> None:
    text = "é---\n😀 bees\n---\nants\n---"

    assert search("-{3}", text, most=5) == (Span(1, 4), Span(12, 15), Span(21, 24))
    assert search("-{3}", text, most=2) == (Span(1, 4), Span(12, 15))
    assert search("-{4}", text, most=2) == ()


@pytest.mark.parametrize("expression", ["[ab]*[ab]*[ab]*[ab]*c", f"{'(a?)' * 30}{'a' * 30}b"])
def test_what_would_never_end_is_ended(expression: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_SECONDS", 0.5)
    started = time.monotonic()

    with pytest.raises(InputError, match="takes too long"):
        search(expression, "a" * 2000, most=1)

    assert time.monotonic() - started < 10
