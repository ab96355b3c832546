"""How usual it is that a symbol follows two others: trigrams counted on sentences in order.

Probabilities are interpolated after Witten and Bell (1991): what follows in the same context counts
by how often the context was seen and how many different symbols followed it.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.order.symbols import Word

Trigram = tuple[str, str, str]

START = "<s>"  # stands twice before the first symbol of a sentence
TRIGRAM_TYPES = 3.0  # how much a different follower of two symbols weighs against what was seen
BIGRAM_TYPES = 1.0  # the same of one symbol
UNSEEN = 0.5  # of a count, for a symbol that never occurred
SHIPPED = Path(__file__).parent / "data" / "trigrams.txt"

_MOST_RATIOS = 200_000


def count_trigrams(sentences: Iterable[Sequence[Word]]) -> Counter[Trigram]:
    """The trigrams of the sentences' symbols, each sentence after two starts."""
    counts: Counter[Trigram] = Counter()
    for words in sentences:
        symbols = [START, START, *(word.symbol for word in words if word.symbol)]
        counts.update(zip(symbols, symbols[1:], symbols[2:], strict=False))
    return counts


class OrderModel:
    """How much likelier a symbol is after two others than anywhere."""

    def __init__(self, trigrams: Mapping[Trigram, int]) -> None:
        self._trigrams = trigrams
        self._bigrams: Counter[tuple[str, str]] = Counter()
        self._symbols: Counter[str] = Counter()
        self._after_two: Counter[tuple[str, str]] = Counter()
        self._after_one: Counter[str] = Counter()
        for (first, second, third), count in trigrams.items():
            self._bigrams[second, third] += count
            self._symbols[third] += count
            self._after_two[first, second] += count
            self._after_one[second] += count
        self._types_after_two = Counter((first, second) for first, second, _ in trigrams)
        self._types_after_one = Counter(second for second, _ in self._bigrams)
        self._all = self._symbols.total() + UNSEEN * (len(self._symbols) + 1)
        self._ratios: dict[Trigram, float] = {}

    def ratios(self, words: Iterable[Word]) -> list[float]:
        """For each word of a sentence ln p(symbol | the two before) - ln p(symbol).

        What has no symbol gets 0, and does not come between others.
        """
        known, first, second = self._ratios, START, START
        ratios = []
        for symbol, *_ in words:
            if not symbol:
                ratios.append(0.0)
                continue
            trigram = (first, second, symbol)
            ratio = known.get(trigram)
            ratios.append(self._ratio(trigram) if ratio is None else ratio)
            first, second = second, symbol
        return ratios

    def _ratio(self, trigram: Trigram) -> float:
        first, second, symbol = trigram
        anywhere = (self._symbols[symbol] + UNSEEN) / self._all
        after_one = _interpolated(
            self._bigrams[second, symbol],
            self._after_one[second],
            BIGRAM_TYPES * self._types_after_one[second],
            anywhere,
        )
        after_two = _interpolated(
            self._trigrams.get(trigram, 0),
            self._after_two[first, second],
            TRIGRAM_TYPES * self._types_after_two[first, second],
            after_one,
        )
        if len(self._ratios) >= _MOST_RATIOS:
            self._ratios.clear()
        ratio = self._ratios[trigram] = math.log(after_two / anywhere)
        return ratio


def _interpolated(count: int, of: int, types: float, otherwise: float) -> float:
    return (count + types * otherwise) / (of + types) if of else otherwise


def write_counts(trigrams: Mapping[Trigram, int], path: Path) -> None:
    """Store the counts: a line for two symbols with what follows them and how often."""
    followers: dict[tuple[str, str], list[str]] = {}
    for (first, second, third), count in sorted(trigrams.items()):
        followers.setdefault((first, second), []).append(f"{third} {count}")
    lines = (
        f"{first} {second}\t{' '.join(pairs)}\n" for (first, second), pairs in followers.items()
    )
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def read_counts(path: Path) -> dict[Trigram, int]:
    """Load the counts; a ResourceMissingError says how to make them if there are none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        trigrams = {}
        for line in lines:
            context, followers = line.split("\t")
            first, second = context.split(" ")
            fields = followers.split(" ")
            for third, count in zip(fields[::2], fields[1::2], strict=True):
                trigrams[first, second, third] = int(count)
    except (OSError, ValueError) as error:
        raise ResourceMissingError(
            f"There are no counts of the order of words in “{path}”. Make them with: "
            f"python manage.py train_order --wordnet DIR --out “{path}”"
        ) from error
    return trigrams


@lru_cache(maxsize=1)
def shipped_model() -> OrderModel:
    """The model that goes with the program, read when first needed."""
    return OrderModel(read_counts(SHIPPED))
