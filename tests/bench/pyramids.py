"""How good is the automatic pyramid itself, beside the one made by people?

Content words are compared, not units: a word of one reference and a word of another in one unit are
a pair; a word weighs as much as its heaviest unit. A contributor has a person's idea if at least
half of its words are words of it. Of a shared unit those contributors belong that have the idea
which most of them have, if there are two. A unit is sound if all of its contributors belong.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from grading.pyramid.analysis import doubts
from grading.pyramid.correlations import pearson
from grading.pyramid.parsing import Parser
from grading.pyramid.pipeline import build_pyramid
from grading.pyramid.structures import Contributor, Pyramid, Scu, Standing, Text
from tests.bench.engines import engine_of
from tests.bench.statistics import Measure, Numbers, Rows, Statistic, f1, with_spread
from tests.bench.table import Reach, Row, Table

_CONTENT = {"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"}

Word = tuple[int, int]  # the reference, by number, and where the word starts
Pair = tuple[Word, Word]


@dataclass(frozen=True, slots=True)
class Words:
    """The content words of all references, in order."""

    references: tuple[Text, ...]
    starts: tuple[tuple[int, ...], ...]

    def of(self, contributor: Contributor) -> list[Word]:
        names = [text.name for text in self.references]
        number = names.index(contributor.reference)
        return [
            (number, start)
            for start in self.starts[number]
            if any(span.start <= start < span.end for span in contributor.spans)
        ]


def table(topic: str, by_people: Pyramid, names: Sequence[str]) -> Table:
    """Each method's pyramid of the references, as they are in the one made by people."""
    words = content_words(by_people.references, engine_of(names[0]).parser)
    rows = [row for name in names for row in _rows(topic, name, by_people, words)]
    return Table(
        f"The automatic pyramid beside the manual one, {topic} "
        f"({len(by_people.references)} references)",
        "Pairs: content words of different references in one unit (two people on wim: F1 .76). "
        "Weight of a word: that of its heaviest unit, 0 if in none. Spread over references.",
        tuple(rows),
    )


def content_words(references: Sequence[Text], parser: Parser) -> Words:
    starts = (
        tuple(
            token.start
            for sentence in parsed.sentences
            for token in sentence.tokens
            if token.pos in _CONTENT
        )
        for parsed in parser.parse(references)
    )
    return Words(tuple(references), tuple(starts))


def pairs(pyramid: Pyramid, words: Words) -> set[Pair]:
    """Words of different references that stand in one unit, the first reference's first."""
    return {pair for scu in pyramid.scus for pair in _pairs_of(scu.contributors, words)}


def weights(pyramid: Pyramid, words: Words) -> Counter[Word]:
    """The weight of the heaviest unit that a word stands in."""
    heaviest: Counter[Word] = Counter()
    for scu in pyramid.scus:
        for contributor in scu.contributors:
            for word in words.of(contributor):
                heaviest[word] = max(heaviest[word], scu.weight)
    return heaviest


def belonging(pyramid: Pyramid, by_people: Pyramid, words: Words) -> dict[Scu, list[bool]]:
    """Of each unit that references share, which of its contributors belong, in order."""
    ideas = [
        {word for contributor in scu.contributors for word in words.of(contributor)}
        for scu in by_people.scus
    ]
    return {
        scu: _belong([set(words.of(contributor)) for contributor in scu.contributors], ideas)
        for scu in pyramid.scus
        if len(scu.contributors) > 1
    }


def _belong(contributors: Sequence[set[Word]], ideas: Sequence[set[Word]]) -> list[bool]:
    having = [
        [0 < len(contributor) <= 2 * len(contributor & idea) for contributor in contributors]
        for idea in ideas
    ]
    most = max(having, key=sum)
    return most if sum(most) > 1 else [False] * len(contributors)


def _pairs_of(contributors: Sequence[Contributor], words: Words) -> Iterator[Pair]:
    words_of_each = [words.of(contributor) for contributor in contributors]
    for first, other in combinations(words_of_each, 2):
        yield from ((min(a, b), max(a, b)) for a in first for b in other)


def _rows(topic: str, name: str, by_hand: Pyramid, words: Words) -> list[Row]:
    engine = engine_of(name)
    pyramid = build_pyramid(words.references, engine)
    aimed_at = topic == "wim" and name == "classroom"
    count = len(words.references)
    result, wanted = pairs(pyramid, words), pairs(by_hand, words)
    true, yes, there = (_counts(each, count) for each in (result & wanted, result, wanted))

    def precision(rows: Rows) -> float:
        return _ratio(_drawn(true, rows), _drawn(yes, rows))

    def recall(rows: Rows) -> float:
        return _ratio(_drawn(true, rows), _drawn(there, rows))

    def both(rows: Rows) -> float:
        drawn = [_drawn(each, rows) for each in (true, yes, there)]
        return f1(*drawn) if drawn[2] else float("nan")

    return [
        Row(name, "pairs: precision", with_spread(precision, count), None, 3),
        Row(name, "pairs: recall", with_spread(recall, count), None, 3),
        Row(name, "pairs: F1", with_spread(both, count), Reach(0.72) if aimed_at else None, 3),
        Row(name, "r of words' weights", with_spread(_weights(pyramid, by_hand, words), count)),
        *_rows_of_contributors(name, pyramid, by_hand, words, aimed_at=aimed_at),
        *_rows_of_doubts(name, pyramid, by_hand, words),
        *(_units_of_weight(name, weight, pyramid, by_hand) for weight in range(count, 0, -1)),
    ]


def _rows_of_contributors(
    name: str, pyramid: Pyramid, by_hand: Pyramid, words: Words, *, aimed_at: bool
) -> Iterator[Row]:
    units = belonging(pyramid, by_hand, words)
    names = [text.name for text in words.references]
    count = len(names)
    counts = np.zeros((count, 2))
    for scu, belong in units.items():
        for contributor, belongs in zip(scu.contributors, belong, strict=True):
            counts[names.index(contributor.reference)] += belongs, 1

    def share(rows: Rows) -> float:
        return _ratio(*counts[rows].sum(axis=0).tolist())

    reach = Reach(0.82) if aimed_at else None
    yield Row(name, "contributors that belong, of shared units", with_spread(share, count), reach)
    sound = sum(all(belong) for belong in units.values())
    yield Row(name, "shared units", Measure(len(units)), None, 0)
    yield Row(name, "sound among them", Measure(sound), None, 0)
    aside = [scu for scu in pyramid.scus if scu.standing is Standing.ASIDE]
    shared = {word for pair in pairs(by_hand, words) for word in pair}
    expressed = sum(any(word in shared for word in words.of(scu.contributors[0])) for scu in aside)
    yield Row(name, "clauses set aside", Measure(len(aside)), None, 0)
    yield Row(name, "with words that people share among them", Measure(expressed), None, 0)


def _rows_of_doubts(name: str, pyramid: Pyramid, by_hand: Pyramid, words: Words) -> Iterator[Row]:
    """Do the ideas that are named as probably wrong turn out wrong?"""
    named = doubts.doubtful_ideas(pyramid, engine_of(name).similarity)
    units = {scu.uid: all(belong) for scu, belong in belonging(pyramid, by_hand, words).items()}
    wrong = sum(not units[doubt.uid] for doubt in named)
    expected = sum(doubt.probability for doubt in named)
    yield Row(name, "units named as probably wrong", Measure(len(named)), None, 0)
    yield Row(name, "wrong among them", Measure(wrong), None, 0)
    yield Row(name, "wrong among them as expected", Measure(expected), None, 1)


def _units_of_weight(name: str, weight: int, pyramid: Pyramid, by_hand: Pyramid) -> Row:
    what = f"units of weight {weight} (by hand {_of_weight(by_hand, weight)})"
    return Row(name, what, Measure(_of_weight(pyramid, weight)), None, 0)


def _of_weight(pyramid: Pyramid, weight: int) -> int:
    return sum(1 for scu in pyramid.scus if scu.weight == weight)


def _weights(pyramid: Pyramid, other: Pyramid, words: Words) -> Statistic:
    first, second = weights(pyramid, words), weights(other, words)
    columns = [
        np.array([(first[n, s], second[n, s]) for s in starts], dtype=np.float64).reshape(-1, 2)
        for n, starts in enumerate(words.starts)
    ]

    def of_rows(rows: Rows) -> float:
        both = np.concatenate([columns[row] for row in rows])
        return pearson(both[:, 0], both[:, 1])

    return of_rows


def _counts(matched_pairs: set[Pair], count: int) -> Numbers:
    counts = np.zeros((count, count))
    for first, other in matched_pairs:
        counts[first[0], other[0]] += 1
    return counts


def _drawn(counts: Numbers, rows: Rows) -> float:
    """The pairs between references, each as often as the two were drawn."""
    often = np.bincount(rows, minlength=len(counts))
    return float(often @ counts @ often)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")
