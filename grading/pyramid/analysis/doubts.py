"""Ideas that were probably put together wrongly: how probable that is, and why.

A contributor belongs to an idea that several references share, or it does not. Three figures say
how probable it is that it does, by a logistic curve:

- how similar it is to the other contributors on average, as the share of pairs of wordings of
  *different* ideas that are as similar (its logarithm): so it means the same in every pyramid;
- how many wordings of a reference are closer to it than the one in the idea, or the other way
  round (the mean over the others of ln(1 + that number));
- how many references share the idea.

The curve was fitted to pyramids of wim's references beside the pyramid made by people, and checked
on other topics (docs/methods.md). An idea is as doubtful as its most doubtful contributor.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.editing.wording import quoted
from grading.pyramid.similarity import Matrix, Similarity
from grading.pyramid.structures import Contributor, Pyramid, Scu, Standing, Unit

NAMED_FROM = 0.35  # the probability from which an idea is named
_FEWEST_PAIRS = 10  # of wordings of different ideas: fewer are no yardstick
_MOST_REFERENCES = 5  # that were seen when the curve was fitted
_DECIMALS = 4

# Of the log-odds that a contributor belongs.
_CONSTANT = -3.34
_BY_CHANCE = -0.86  # for each factor of ten
_RIVALS = -1.10
_REFERENCES = 0.88


@dataclass(frozen=True, slots=True)
class DoubtfulIdea:
    """An idea that is wrong with this probability; ``reference`` contributes what fits least."""

    uid: int
    probability: float
    reason: str
    reference: str


def doubtful_ideas(pyramid: Pyramid, similarity: Similarity) -> tuple[DoubtfulIdea, ...]:
    """The shared ideas that are probably wrong, the most doubtful first."""
    wordings = _Wordings(pyramid, similarity)
    named = [doubt for doubt in wordings.doubts() if doubt.probability >= NAMED_FROM]
    return tuple(sorted(named, key=lambda doubt: (-doubt.probability, doubt.uid)))


class _Wordings:
    """What the references contribute to the ideas that count, compared with each other."""

    def __init__(self, pyramid: Pyramid, similarity: Similarity) -> None:
        self._scus = [scu for scu in pyramid.scus if scu.standing is not Standing.ASIDE]
        pairs = [(place, each) for place, scu in enumerate(self._scus) for each in scu.contributors]
        units = [Unit(pyramid.reference(each.reference), each.spans) for _, each in pairs]
        self._contributors: list[Contributor] = [each for _, each in pairs]
        self._similar: Matrix = similarity.among(units) if units else np.zeros((0, 0))
        self._places: NDArray[np.int64] = np.array([place for place, _ in pairs], dtype=np.int64)
        self._references: NDArray[np.str_] = np.array(
            [each.reference for _, each in pairs], dtype=np.str_
        )
        apart = self._references[:, None] != self._references
        different = np.triu(apart & (self._places[:, None] != self._places))
        self._by_chance = np.sort(self._similar[different])

    def doubts(self) -> Iterator[DoubtfulIdea]:
        """Of all ideas that several references share."""
        if len(self._by_chance) < _FEWEST_PAIRS:
            return
        for place, scu in enumerate(self._scus):
            members = np.flatnonzero(self._places == place).tolist()
            if len(members) > 1:
                chances = [(self._belongs(member, members), member) for member in members]
                least, member = min(chances)
                yield self._doubt(scu, member, members, round(1 - least, _DECIMALS))

    def _belongs(self, member: int, members: Sequence[int]) -> float:
        """The probability that a contributor belongs to the others."""
        others = [other for other in members if other != member]
        mean = round(float(self._similar[member, others].mean()), _DECIMALS)
        as_similar = len(self._by_chance) - int(np.searchsorted(self._by_chance, mean))
        rivals = np.log1p([self._rivals(member, other) for other in others]).mean()
        odds = (
            _CONSTANT
            + _BY_CHANCE * np.log10(as_similar / len(self._by_chance) + 0.001)
            + _RIVALS * rivals
            + _REFERENCES * min(len(members), _MOST_REFERENCES)
        )
        return round(float(1 / (1 + np.exp(-odds))), _DECIMALS)

    def _rivals(self, first: int, other: int) -> int:
        """How many wordings of the other's reference are closer; or of this one's to the other."""
        closer = []
        for left, right in ((first, other), (other, first)):
            of_reference = self._similar[left, self._references == self._references[right]]
            closer.append(int((of_reference > self._similar[first, other]).sum()))
        return max(closer)

    def _doubt(
        self, scu: Scu, member: int, members: Sequence[int], probability: float
    ) -> DoubtfulIdea:
        # Of two contributors both are equally doubtful: it is the one that fits better elsewhere.
        suspects = members if len(members) == 2 else [member]
        closer = {each: self._closer_idea(each, members) for each in suspects}
        member = next((each for each in suspects if closer[each]), member)
        own = self._contributors[member].reference
        if len(members) == 2:
            names = [quoted(self._contributors[each].reference) for each in members]
            reason = f"{names[0]} and {names[1]} may say different things."
        else:
            others = "both others" if len(members) == 3 else f"the {len(members) - 1} others"
            reason = f"{quoted(own)} may say something different from {others}."
        if closer[member]:
            reason += f" The words of {quoted(own)} are closer to {quoted(closer[member])}."
        return DoubtfulIdea(scu.uid, probability, reason, own)

    def _closer_idea(self, member: int, members: Sequence[int]) -> str:
        """The label of the idea of other references that has the most similar words.

        Empty if the most similar words are in this idea.
        """
        apart = self._references != self._references[member]
        similar = np.where(apart, self._similar[member], -1)
        inside = max(similar[other] for other in members if other != member)
        best = int(similar.argmax())
        return self._scus[self._places[best]].label if similar[best] > inside else ""
