"""Pyramids and classes in a few words."""

from collections.abc import Iterable

from grading.pyramid.class_figures import ClassText
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text

EXPERTS = tuple(Text(name, "Everyone says all of it.") for name in ("Ada", "Ben", "Chi", "Dov"))


def pyramid(*weights: int) -> Pyramid:
    """Ideas 1, 2, …, told by so many of four experts."""
    scus = (
        Scu(
            uid,
            f"Idea {uid}",
            tuple(Contributor(text.name, (Span(0, 8),)) for text in EXPERTS[:weight]),
        )
        for uid, weight in enumerate(weights, start=1)
    )
    return Pyramid(EXPERTS, tuple(scus))


def text(
    key: int, uids: Iterable[int] = (), score: float = 0.5, *, words: int = 100, section: str = ""
) -> ClassText:
    return ClassText(key, words, score, score, score, frozenset(uids), section)


def texts(*ideas_of_texts: Iterable[int]) -> list[ClassText]:
    return [text(key, uids) for key, uids in enumerate(ideas_of_texts, start=1)]
