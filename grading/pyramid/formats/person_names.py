"""Names of people as files write them: “Okoro, Ada”, “ada okoro”, “okoroada”."""

import unicodedata
from typing import Final

from grading.pyramid.formats.csv_table import squash

_SUFFIXES: Final = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md"})


def as_said(name: str) -> str:
    """With the first name first and one kind of space: “Okoro, Ada” is “Ada Okoro”."""
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    last, comma, first = plain.partition(",")
    if not comma or "," in first or not first.strip() or not last.strip():
        return plain.strip(", ")
    return plain if squash(first) in _SUFFIXES else f"{first.strip()} {last.strip()}"


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, each without case, accents and marks."""
    parts = name.replace(",", " ").replace("_", " ").split()
    return tuple(word for word in map(squash, parts) if word)


def spellings_of(name: str) -> frozenset[str]:
    """All its words squashed together, from whichever of them one begins: last or first name."""
    words = words_of(name)
    return frozenset("".join(words[turn:] + words[:turn]) for turn in range(len(words)))


def is_like(one: str, other: str) -> bool:
    """Do all words of the shorter name, two at least, stand in the longer one?"""
    shorter, longer = sorted((set(words_of(one)), set(words_of(other))), key=len)
    return len(shorter) > 1 and shorter <= longer
