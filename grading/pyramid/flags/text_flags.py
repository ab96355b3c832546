"""Flags: why a person should look at a text, each with its reason in words. Never a verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class FlagKind(StrEnum):
    """In the order in which they are shown. Values are stored: never change one."""

    HELD = "held"
    CONTRADICTS = "contradicts"
    GIBBERISH = "gibberish"
    OTHER_LANGUAGE = "language"
    OFF_TOPIC = "topic"
    LIKE_ANOTHER = "like"
    COPIED = "copied"
    SHORT = "short"
    METHODS_DISAGREE = "disagree"

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS = {
    FlagKind.HELD: "Held",
    FlagKind.CONTRADICTS: "Contradicts the experts",
    FlagKind.GIBBERISH: "Gibberish?",
    FlagKind.OTHER_LANGUAGE: "Other language",
    FlagKind.OFF_TOPIC: "Off the topic?",
    FlagKind.LIKE_ANOTHER: "Like another",
    FlagKind.COPIED: "Mostly copied",
    FlagKind.SHORT: "Short",
    FlagKind.METHODS_DISAGREE: "Methods disagree",
}


@dataclass(frozen=True, slots=True)
class Flag:
    kind: FlagKind
    reason: str


@dataclass(frozen=True, slots=True)
class Near:
    """A text of somebody else that shares words: its key and its author's, how many, what share."""

    text: int
    author: int
    words: int
    share: float


@dataclass(frozen=True, slots=True)
class TextFlags:
    """The flags that a text gets for its words alone, and the texts that it shares words with."""

    flags: tuple[Flag, ...] = ()
    near: tuple[Near, ...] = ()


NO_TEXT_FLAGS = TextFlags()


def flags_to_json(text_flags: TextFlags) -> dict[str, Any]:
    return {
        "flags": [[str(flag.kind), flag.reason] for flag in text_flags.flags],
        "near": [[near.text, near.author, near.words, near.share] for near in text_flags.near],
    }


def flags_from_json(document: Mapping[str, Any]) -> TextFlags:
    return TextFlags(
        tuple(Flag(FlagKind(kind), reason) for kind, reason in document.get("flags", ())),
        tuple(Near(*near) for near in document.get("near", ())),
    )
