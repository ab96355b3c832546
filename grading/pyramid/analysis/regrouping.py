"""Ideas that look like one, and ideas that look like two; and how alike wordings are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.analysis.suggestions import Kind, Quote, Suggestion, key_of
from grading.pyramid.calibration import Calibration
from grading.pyramid.contradictions.words_only import contradictions
from grading.pyramid.editing.commands import MergeScus, SplitScu
from grading.pyramid.editing.wording import quoted
from grading.pyramid.similarity import Matrix, Similarity
from grading.pyramid.structures import Pyramid, Scu, Span, Standing, Text, Unit

# How alike the wordings of ideas are: to one another, and to clauses that belong to no idea.
#
# What counts as alike is learnt from the pyramid itself, because similarities differ from subject
# to subject: pairs of experts' wordings of the same idea are compared with pairs of different
# ideas. Where there are too few pairs to learn from, the similarity's own threshold is taken.

_FEWEST_PAIRS = 10  # of one idea: fewer teach nothing
_DECIMALS = 6  # sums must not depend on the order of ideas


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Similarities that mean something in this pyramid."""

    alike: float  # nine of ten pairs of one idea are at least as alike
    likely: float  # eight of ten are
    fitting: float  # six of ten are
    very: float  # one of ten is
    apart: float  # three of four pairs of *different* ideas are less alike
    elsewhere: float  # in other texts, people call half of the pairs that are as alike a match


@dataclass(frozen=True, slots=True)
class Wording:
    """What a reference contributes to an idea (``idea`` is its place); a label, where nobody does.

    ``source`` tells references apart; a label is a source of its own.
    """

    idea: int
    source: int
    unit: Unit


class Likeness:
    """All wordings and clauses, compared once."""

    def __init__(self, pyramid: Pyramid, clauses: Sequence[Unit], similarity: Similarity) -> None:
        self.wordings = tuple(_wordings(pyramid))
        units = [*(wording.unit for wording in self.wordings), *clauses]
        self._matrix = similarity.among(units) if units else np.zeros((0, 0))
        count = len(self.wordings)
        self._places = np.array([wording.idea for wording in self.wordings], dtype=np.int64)
        owners = np.eye(len(pyramid.scus))[self._places].reshape(count, len(pyramid.scus))
        sources = np.array([wording.source for wording in self.wordings], dtype=np.int64)
        self._apart = (sources[:, None] != sources).astype(np.float64)
        self.yardstick = self._learn(similarity.priors.similarity)
        self.clauses: Matrix = self._matrix[count:, count:]
        apart = self._matrix[:count, :count] * self._apart
        self.ideas = _means(owners.T @ apart @ owners, owners.T @ self._apart @ owners)
        self.clauses_to_ideas = _means(self._matrix[count:, :count] @ owners, owners.sum(axis=0))

    def wordings_of(self, idea: int) -> list[Wording]:
        return [self.wordings[place] for place in self._of(idea)]

    def inside(self, idea: int) -> Matrix:
        """The wordings of an idea, compared with each other."""
        of = self._of(idea)
        among: Matrix = self._matrix[np.ix_(of, of)]
        return among

    def attraction(self, idea: int) -> float | None:
        """How alike the wordings of an idea are on average; None for a single one."""
        inside = self.inside(idea)
        pairs = inside[np.triu_indices(len(inside), 1)]
        return round(float(np.sort(pairs).mean()), 4) if len(pairs) else None

    def _of(self, idea: int) -> list[int]:
        return np.flatnonzero(self._places == idea).tolist()

    def _learn(self, prior: Calibration) -> Yardstick:
        count = len(self.wordings)
        upper = np.triu(self._apart, 1) > 0
        same = self._places[:, None] == self._places
        compared = self._matrix[:count, :count]
        within, across = compared[upper & same], compared[upper & ~same]
        if len(within) < _FEWEST_PAIRS or len(across) < _FEWEST_PAIRS:
            usual = prior.threshold
            return Yardstick(usual, usual, usual, (1 + usual) / 2, 0.0, usual)
        apart, least = np.percentile(across, [75, 95]).tolist()
        percentiles = np.maximum(np.percentile(within, [10, 20, 40, 90]), least)
        alike, likely, fitting, very = percentiles.tolist()
        return Yardstick(alike, likely, fitting, very, apart, prior.threshold)


def _means(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> Matrix:
    means: Matrix = np.round(sums / np.maximum(counts, 1), _DECIMALS)
    return means


def _wordings(pyramid: Pyramid) -> Iterator[Wording]:
    numbers = {text.name: number for number, text in enumerate(pyramid.references)}
    for place, scu in enumerate(pyramid.scus):
        for contributor in scu.contributors:
            unit = Unit(pyramid.reference(contributor.reference), contributor.spans)
            yield Wording(place, numbers[contributor.reference], unit)
        if not scu.contributors:
            unit = Unit(Text("", scu.label), (Span(0, len(scu.label)),))
            yield Wording(place, -1 - place, unit)


# Ideas that look like one, and ideas that look like two.
#
# Two ideas look like one where no reference tells both, each is the most similar of all to the
# other, and they are as alike as the wordings of one idea are here. An idea looks like two where
# its wordings fall into two groups that are no more alike than most pairs of different ideas.

_MOST_DIVIDED = 12  # wordings of an idea that is divided in all ways
_FEWEST_TO_MERGE = 3  # ideas: of two, each is the most similar of all to the other


def merges(pyramid: Pyramid, likeness: Likeness) -> Iterator[Suggestion]:
    if len(pyramid.scus) < _FEWEST_TO_MERGE:
        return
    similar = likeness.ideas.copy()
    np.fill_diagonal(similar, -1.0)
    nearest = similar.argmax(axis=1).tolist()
    for left, right in enumerate(nearest):
        similarity = float(similar[left, right])
        mutual = nearest[right] == left < right and similarity >= likeness.yardstick.alike
        if mutual and _may_be_one(pyramid.scus[left], pyramid.scus[right], likeness, (left, right)):
            yield _merge(pyramid, (left, right), similarity, likeness)


def _may_be_one(scu: Scu, other: Scu, likeness: Likeness, places: tuple[int, int]) -> bool:
    """Who tells two things apart means two things."""
    references = {contributor.reference for contributor in scu.contributors}
    if any(contributor.reference in references for contributor in other.contributors):
        return False
    if Standing.ASIDE in {scu.standing, other.standing}:
        return False
    words = [wording.unit.words for wording in likeness.wordings_of(places[0])]
    evidence = likeness.wordings_of(places[1])
    return not any(contradictions(words, wording.unit.words) for wording in evidence)


def _merge(
    pyramid: Pyramid, places: tuple[int, int], similarity: float, likeness: Likeness
) -> Suggestion:
    pair = [pyramid.scus[place] for place in places]
    into, gone = sorted(pair, key=lambda scu: (-scu.weight, scu.uid))
    uids = sorted(scu.uid for scu in pair)
    return Suggestion(
        key=key_of(Kind.MERGE, *uids),
        kind=Kind.MERGE,
        reason=_seem_one(into, gone),
        command=MergeScus(gone.uid, into.uid),
        strength=_above(similarity, likeness.yardstick.alike),
        scus=(into.uid, gone.uid),
        quotes=tuple(
            Quote(wording.unit.text.name or "label", wording.unit.words)
            for place in sorted(places, key=lambda place: pyramid.scus[place] is not into)
            for wording in likeness.wordings_of(place)
        ),
    )


def _seem_one(into: Scu, gone: Scu) -> str:
    size = len(into.contributors) + len(gone.contributors)
    by = f" As one idea it would be in {size} references." if size > 1 else ""
    if into.label == gone.label:
        return f"There are two ideas {quoted(into.label)}.{by}"
    return f"{quoted(into.label)} and {quoted(gone.label)} seem to say the same.{by}"


def splits(pyramid: Pyramid, likeness: Likeness) -> Iterator[Suggestion]:
    for place, scu in enumerate(pyramid.scus):
        if len(scu.contributors) < 2 or scu.standing is Standing.ASIDE:
            continue
        # The two groups that are least alike: their similarity, and the smaller one. Where both
        # are as large, the one without the first wording.
        inside = likeness.inside(place)
        groups = _groups(len(inside))
        others = 1 - groups
        sums = np.einsum("gi,ij,gj->g", groups, inside, others)
        means = np.round(sums / (groups.sum(axis=1) * others.sum(axis=1)), 6)
        least = int(means.argmin())
        group = groups[least] if 2 * groups[least].sum() <= len(inside) else others[least]
        similarity, parting = float(means[least]), np.flatnonzero(group).tolist()
        if similarity < likeness.yardstick.apart:
            yield _split(scu, place, parting, similarity, likeness)


def _groups(size: int) -> NDArray[np.float64]:
    """One group of each division, as rows of 0 and 1; of large ideas only single wordings part."""
    if size > _MOST_DIVIDED:
        return np.eye(size)
    numbers = np.arange(1, 1 << (size - 1))
    members = (numbers[:, None] >> np.arange(size - 1)) & 1
    return np.hstack([np.zeros((len(numbers), 1)), members])


def _split(
    scu: Scu, place: int, parting: list[int], similarity: float, likeness: Likeness
) -> Suggestion:
    wordings = likeness.wordings_of(place)
    staying = [number for number in range(len(wordings)) if number not in parting]
    names = [scu.contributors[index].reference for index in parting]
    # Whoever has the words of the label keeps the idea.
    labelled = any(wordings[index].unit.words == scu.label for index in parting)
    leaving = tuple(
        scu.contributors[index].reference for index in (staying if labelled else parting)
    )
    apart = likeness.yardstick.apart
    return Suggestion(
        key=key_of(Kind.SPLIT, scu.uid, *sorted(names)),
        kind=Kind.SPLIT,
        reason=_seems_two(scu, names),
        command=SplitScu(scu.uid, 0, leaving),
        strength=round((apart - similarity) / apart, 4),
        scus=(scu.uid,),
        quotes=tuple(
            Quote(wordings[index].unit.text.name, wordings[index].unit.words)
            for index in (*parting, *staying)
        ),
    )


def _seems_two(scu: Scu, names: list[str]) -> str:
    if len(scu.contributors) == 2:
        return f"In {quoted(scu.label)}, the two references seem to say different things."
    who = " and ".join(map(quoted, names)) if len(names) < 3 else f"{len(names)} references"
    seem = "seems" if len(names) == 1 else "seem"
    return f"In {quoted(scu.label)}, {who} {seem} to say something else than the others."


def _above(similarity: float, least: float) -> float:
    """How far above what is needed, from 0 to 1."""
    return round((similarity - least) / (1 - least), 4) if least < 1 else 0.0
