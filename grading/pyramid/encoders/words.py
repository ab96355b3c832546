"""The words of a text: where they stand, their stems, and which of them carry content."""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.encoders.wtmf import stems

Offsets = NDArray[np.int64]
Vectors = NDArray[np.float16] | NDArray[np.float32]

# Letters and digits, with apostrophes inside; "3.5" and "1,000" are words too.
_WORD = re.compile(r"[^\W_]+(?:(?:['\u2019]|(?<=\d)[.,](?=\d))[^\W_]+)*")

# Looking back first keeps a long row of dots from being read again from each of them.
_SENTENCE_END = re.compile(r"(?<![.!?\u2026])[.!?\u2026]+[\"')\]\u2019\u201d]*\s+|\n+")

# Words that hold a sentence together; by themselves they tell no idea.
_FUNCTION_WORDS = frozenset(
    word
    for line in (
        "a an the this that these those some any each every all both other another such same own",
        "i me my mine you your yours he him his she her hers it its we us our ours they them their",
        "theirs one who whom whose which what myself itself himself herself themselves ourselves",
        "of to in on at by for with from as into onto over under about up down out off through",
        "between among against during within without upon per via",
        "and or but nor so yet if then than because while although though however when where why",
        "how whether since until unless therefore thus hence also too very just only even still",
        "there here am is are was were be been being do does did done doing has have had having",
        "can could may might must shall should will would not no don doesn didn isn aren wasn",
        "weren won wouldn couldn shouldn hasn haven hadn ain cannot",
    )
    for word in line.split()
)


@dataclass(frozen=True, eq=False, slots=True)
class Words:
    """The words of a text in order; ``vectors`` has a row of length 1 for each, or no columns."""

    starts: Offsets
    ends: Offsets
    stems: tuple[str, ...]
    has_content: NDArray[np.bool_]
    vectors: Vectors


def words_of(content: str) -> Words:
    """Words without vectors."""
    hits = list(_WORD.finditer(content))
    known = [_stem_and_content(word.group()) for word in hits]
    return Words(
        starts=np.array([word.start() for word in hits], dtype=np.int64),
        ends=np.array([word.end() for word in hits], dtype=np.int64),
        stems=tuple([stem for stem, _ in known]),
        has_content=np.array([has_content for _, has_content in known], dtype=np.bool_),
        vectors=np.zeros((len(hits), 0), dtype=np.float16),
    )


@lru_cache(maxsize=1 << 14)
def content_words_in(content: str) -> int:
    """How many of the words carry content. It is asked of sentences, and again after each edit."""
    return sum(_stem_and_content(word.group())[1] for word in _WORD.finditer(content))


def sentence_starts(content: str) -> list[int]:
    """Where sentences begin, told by their marks alone: good enough to cut a text into windows."""
    ends = [match.end() for match in _SENTENCE_END.finditer(content)]
    return [0, *(end for end in ends if end < len(content))]


@lru_cache(maxsize=1 << 16)
def _stem_and_content(word: str) -> tuple[str, bool]:
    has_content = re.split("['\u2019]", word.lower())[0] not in _FUNCTION_WORDS
    return " ".join(stems(word)), has_content
