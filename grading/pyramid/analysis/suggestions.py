"""A suggestion: what could be better, why, and the edit that does it."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from grading.pyramid.editing import Command
from grading.pyramid.editing.commands import Several

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

    New ideas in ``command`` have the numbers 0, -1 … (``with_new_uids``). ``strength`` (0 to 1)
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
    for suggestion in sorted(
        suggestions, key=lambda suggestion: (-suggestion.strength, suggestion.key)
    ):
        if len(by_kind[suggestion.kind]) < _MOST_OF_A_KIND:
            by_kind[suggestion.kind].append(suggestion)
    kept = [candidate for kind in Kind for candidate in by_kind[kind]]
    strongest = sorted(kept, key=lambda candidate: (-candidate.strength, candidate.key))[:MOST]
    return tuple(candidate for candidate in kept if candidate in strongest)


# Numbers for ideas that a suggestion makes: 0, -1 … until it is taken, the draft's next then.

_NUMBERS = ("uid", "new_uid", "into", "to")


def with_new_uids(command: Command, next_uid: int) -> Command:
    """The same edit, with the first new idea as ``next_uid``, the second one higher, and so on."""
    if isinstance(command, Several):
        commands = tuple(with_new_uids(part, next_uid) for part in command.commands)
        return replace(command, commands=commands)
    names = {field.name for field in fields(command)}  # type: ignore[arg-type]  # a dataclass
    numbers = {name: getattr(command, name) for name in _NUMBERS if name in names}
    new = {name: next_uid - uid for name, uid in numbers.items() if uid <= 0}
    changed: Command = replace(command, **new)  # type: ignore[type-var]
    return changed
