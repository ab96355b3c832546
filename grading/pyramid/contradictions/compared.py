"""A contributor beside a sentence, and what is found where both say something."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grading.pyramid.contradictions.alignment import Pair
from grading.pyramid.contradictions.statements import Statement


@dataclass(frozen=True, slots=True)
class Finding:
    """What a contributor and the text say of the same thing.

    ``topic`` is a place of the text in one respect: where one contributor agrees, what another
    says differently is no conflict. ``kind`` is "" for what agrees.
    """

    topic: tuple[str, int]
    kind: str = ""
    said: str = ""
    known: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Both:
    """A contributor, a sentence of the text, and their aligned words."""

    expert: Statement
    text: Statement
    pairs: Mapping[int, Pair]

    def shared(self, pair: Pair) -> int:
        """How many other words the two have in common within two steps of these."""
        near, there = self.expert.near[pair.expert], self.text.near[pair.text]
        return sum(
            place in near and other.text in there and other.sign > 0 and not other.opposite
            for place, other in self.pairs.items()
        )

    def crossing(self, first: frozenset[int], second: frozenset[int]) -> int:
        """How many of the first words are the same as some of the second."""
        pairs = self.pairs
        return sum(
            place in pairs and pairs[place].says_the_same and pairs[place].text in second
            for place in first
        )

    def quoted(self, first: Iterable[int], second: Iterable[int]) -> tuple[str, str]:
        """What the text says, and what the experts say."""
        return self.text.quoted(second), self.expert.quoted(first)
