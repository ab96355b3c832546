"""A suggestion: what could be better, why, and the edit that does it."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from grading.pyramid.editing import Command

MOST = 25  # suggestions shown: more of them nobody reads
_MOST_OF_A_KIND = 10


class Kind(StrEnum):
    """In the order in which pages show them."""

    REFERENCE = "reference"  # the references themselves have changed
    FIT = "fit"  # a reference that came later, all at once
    MERGE = "merge"
    SPLIT = "split"
    ADD = "add"
    NEW = "new"
    STUDENTS = "students"
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a suggestion is about, and where they come from."""

    source: str
    words: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``key`` names what it is about, whatever the labels: dismissed once, it stays dismissed.

    New ideas in ``command`` have the numbers 0, -1 … (``new_uids.py``). ``strength`` (0 to 1)
    orders suggestions.
    """

    key: str
    kind: Kind
    reason: str
    command: Command
    strength: float
    scus: tuple[int, ...] = ()
    quotes: tuple[Quote, ...] = ()


def key_of(kind: Kind, *about: object) -> str:
    """The same for the same numbers, names and places, in the order given."""
    document = json.dumps([str(kind), *about], ensure_ascii=True)
    return hashlib.sha256(document.encode("ascii")).hexdigest()[:32]


def best_of(suggestions: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    """As many as somebody will read, the strongest of each kind; in the order of the page."""
    by_kind: defaultdict[Kind, list[Suggestion]] = defaultdict(list)
    for one in sorted(suggestions, key=lambda one: (-one.strength, one.key)):
        if len(by_kind[one.kind]) < _MOST_OF_A_KIND:
            by_kind[one.kind].append(one)
    kept = [one for kind in Kind for one in by_kind[kind]]
    strongest = sorted(kept, key=lambda one: (-one.strength, one.key))[:MOST]
    return tuple(one for one in kept if one in strongest)
