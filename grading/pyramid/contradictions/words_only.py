"""What a student's text says differently from the experts: another number, a denial, another name.

Not in the paper: similarities of words or vectors hardly see such differences. A contradiction is
told only where both sides say something of the same thing and differ. What is missing on one side
is none, and where the experts differ among themselves it is enough to agree with one of them.
Words alone are read, without a parse, because contributors are often fragments; so “the same
thing” means the same words beside it. Penalties: docs/methods.md, "Contradictions".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from grading.pyramid.contradictions.names import Names, names_of, other_name
from grading.pyramid.contradictions.numbers import Number, numbers_of, other_number
from grading.pyramid.contradictions.senses import Sense, other_sense, senses_of
from grading.pyramid.contradictions.tokens import tokens_of

PENALTIES = {"number": 1.4, "negation": 1.1, "name": 1.8}

_MOST_CHARACTERS = 5_000  # of one contributor, or of the evidence, are read


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A difference between a text and the experts, in a sentence for people."""

    kind: str  # "number", "negation" or "name"
    remark: str
    penalty: float  # what it takes off the log-odds of a match


def contradictions(idea: Sequence[str], evidence: str) -> tuple[Contradiction, ...]:
    """How ``evidence`` contradicts an SCU's label and contributors: at most one of each kind."""
    experts, text = [_read(words) for words in idea], _read(evidence)
    pairs = {
        "number": other_number([n for words in experts for n in words.numbers], text.numbers),
        "negation": other_sense([words.senses for words in experts], text.senses),
        "name": other_name([words.names for words in experts], text.names),
    }
    return tuple(
        Contradiction(kind, f"The text says {pair[1]} where the experts say {pair[2]}.", penalty)
        for kind, penalty in PENALTIES.items()
        if (pair := pairs[kind])
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    numbers: tuple[Number, ...]
    senses: tuple[Sense, ...]
    names: Names


@lru_cache(maxsize=2048)  # an SCU is read again for every segment of every text
def _read(words: str) -> _Reading:
    tokens = tokens_of(words[:_MOST_CHARACTERS])
    return _Reading(tuple(numbers_of(tokens)), tuple(senses_of(tokens)), names_of(tokens))
