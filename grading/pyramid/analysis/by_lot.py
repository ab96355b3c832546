"""Some of many texts, drawn as if by lot, but the same ones each time and in any order."""

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def drawn_by_lot(texts: Iterable[T], content: Callable[[T], str], most: int) -> list[T]:
    """At most so many of them; what a text says is its lot."""

    def lot(text: T) -> str:
        return hashlib.sha256(content(text).encode("utf-8", "surrogatepass")).hexdigest()

    return sorted(texts, key=lot)[:most]
