"""How good is the automatic pyramid itself, beside the one made by hand?

Words are looked at, not units: a word of one reference and a word of another that stand in one
unit are a pair; a word weighs as much as its heaviest unit. Both are asked of content words only.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from grading.pyramid.parsing import Parser
from grading.pyramid.pipeline import build_pyramid
from grading.pyramid.structures import Contributor, Pyramid, Text
from tests.bench import wim
from tests.bench.engines import engine_of
from tests.bench.statistics import Measure, Numbers, Rows, Statistic, f1, pearson, with_spread
from tests.bench.table import Row, Table

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


def table(data: wim.Wim, names: Sequence[str]) -> Table:
    """Each method's pyramid of the references, as they stand in the manual one."""
    words = content_words(data.pyramid.references, engine_of(names[0]).parser)
    rows = [row for name in names for row in _rows(name, data.pyramid, words)]
    return Table(
        "The automatic pyramid beside the manual one, wim (5 references)",
        "Pairs: content words of different references in one unit. Weight of a word: that of its "
        "heaviest unit, 0 if in none. Spread over references.",
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


def _pairs_of(contributors: Sequence[Contributor], words: Words) -> Iterator[Pair]:
    told = [words.of(contributor) for contributor in contributors]
    for one, other in combinations(told, 2):
        yield from ((min(a, b), max(a, b)) for a in one for b in other)


def _rows(name: str, by_hand: Pyramid, words: Words) -> list[Row]:
    pyramid = build_pyramid(words.references, engine_of(name))
    count = len(words.references)
    found, wanted = pairs(pyramid, words), pairs(by_hand, words)
    true, yes, there = (_counts(each, count) for each in (found & wanted, found, wanted))

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
        Row(name, "pairs: F1", with_spread(both, count), None, 3),
        Row(name, "r of words' weights", with_spread(_weights(pyramid, by_hand, words), count)),
        *(_units_of_weight(name, weight, pyramid, by_hand) for weight in range(count, 0, -1)),
    ]


def _units_of_weight(name: str, weight: int, pyramid: Pyramid, by_hand: Pyramid) -> Row:
    what = f"units of weight {weight} (by hand {_of_weight(by_hand, weight)})"
    return Row(name, what, Measure(_of_weight(pyramid, weight)), None, 0)


def _of_weight(pyramid: Pyramid, weight: int) -> int:
    return sum(1 for scu in pyramid.scus if scu.weight == weight)


def _weights(one: Pyramid, other: Pyramid, words: Words) -> Statistic:
    first, second = weights(one, words), weights(other, words)
    columns = [
        np.array([(first[n, s], second[n, s]) for s in starts], dtype=np.float64).reshape(-1, 2)
        for n, starts in enumerate(words.starts)
    ]

    def of_rows(rows: Rows) -> float:
        both = np.concatenate([columns[row] for row in rows])
        return pearson(both[:, 0], both[:, 1])

    return of_rows


def _counts(found: set[Pair], count: int) -> Numbers:
    counts = np.zeros((count, count))
    for one, other in found:
        counts[one[0], other[0]] += 1
    return counts


def _drawn(counts: Numbers, rows: Rows) -> float:
    """The pairs between references, each as often as the two were drawn."""
    often = np.bincount(rows, minlength=len(counts))
    return float(often @ counts @ often)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")
