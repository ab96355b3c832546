"""How usual it is that a symbol follows two others: trigrams counted on sentences in order.

Probabilities are interpolated after Witten and Bell (1991): what follows in the same context counts
by how often the context was seen and how many different symbols followed it.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from grading.pyramid.errors import ResourceMissingError

# What the order of words is judged by: a function word as itself, any other word by its tag.
#
# The words belong to the counts in ``data/``: after a change, count again (``manage.py
# train_order``).

# Words that hold a sentence together.
JOINING_WORDS = frozenset(
    word
    for line in (
        "a an the this that these those some any all both one who whom whose which what when where",
        "i me my mine you your yours he him his she her hers it its we us our ours they them their",
        "theirs myself yourself itself himself herself themselves ourselves something anything",
        "nothing everything someone anyone everyone nobody",
        "of to in on at by for with from as into onto about through between among against during",
        "within without upon and or but nor so yet if then than because while although though",
        "however why how whether since until unless therefore thus hence either neither",
        "am is are was were be been being do does did has have had not no",
        "can could may might must shall should will would cannot",
        "n't 's 're 've 'll 'd 'm ca wo",
    )
    for word in line.split()
)
# Function words that lists of words have as well.
LOOSE_WORDS = frozenset(
    word
    for line in (
        "each every another other such same own none more most less least much many few fewer",
        "several enough again always never once now here there instead rather quite almost just",
        "only even still also too very over under up down out off via per after before around",
        "across along behind below beneath beside besides beyond above despite except inside",
        "outside near toward towards till like unlike including due get gets got done doing having",
        "etc etc. e.g. e.g i.e. i.e vs vs.",
    )
    for word in line.split()
)
# What the tagger calls these joins words too, however it is spelt.
_JOINING_TAGS = frozenset(
    ("CC", "DT", "EX", "IN", "MD", "PDT", "POS", "PRP", "PRP$", "TO", "WDT", "WP", "WP$", "WRB")
)
_NAME_TAGS = ("NNP", "NNPS")
_STOPS = (",", ".")
_NEW_ITEM_TAGS = (":", "-LRB-", "-RRB-")

# How much of a list of words a token makes the words around it.
CONTENT = 1.0
NAME = 0.3  # a row of names is no list of keywords
JOINING = -2.0
LOOSE = -1.0
NEW_ITEM = -2.0  # a bullet within a sentence, a colon, a bracket

_LEADING = re.compile(r"[\W\d_]+")  # of "-To" and "3.To", as items of a list are written
_ITEM = re.compile(r"\W|\d{1,2}[.)]\D")
_WORD = re.compile(r"[^\W\d_]{2,}(?:['\u2019/.-]+[^\W\d_]+)*\W*")


class Word(NamedTuple):
    """A token as it is judged. No ``symbol``: a mark that says nothing about the order."""

    symbol: str
    is_word: bool  # rather than a number, a formula's letter or a mark
    joins: bool  # other words to a sentence
    list_weight: float


@lru_cache(maxsize=1 << 15)
def word_of(text: str, tag: str, is_punct: bool, is_first: bool) -> Word:
    """A token by what it is alone; ``is_first`` of its sentence."""
    if is_punct:
        symbol = tag if tag in _STOPS else ""
        return Word(symbol, False, False, NEW_ITEM if tag in _NEW_ITEM_TAGS else 0.0)
    function_word = _function_word(text, is_first)
    symbol = function_word or tag
    if function_word in LOOSE_WORDS:
        return Word(symbol, True, True, LOOSE)
    if function_word or tag in _JOINING_TAGS:
        return Word(symbol, True, True, JOINING)
    weight = NEW_ITEM if _ITEM.match(text) else 0.0
    if not _WORD.fullmatch(_LEADING.sub("", text, count=1)):
        return Word(symbol, False, False, weight)
    return Word(symbol, True, False, weight + (NAME if tag in _NAME_TAGS else CONTENT))


def _function_word(text: str, is_first: bool) -> str:
    """The function word that a token is, in lower case; a label (“bulb A”) is none."""
    if len(text) == 1 and text.isupper() and text != "I" and not (text == "A" and is_first):
        return ""
    word = text.lower().replace("\u2019", "'")
    if _is_function_word(word):
        return word
    bare = _LEADING.sub("", word, count=1)
    return bare if _is_function_word(bare) else ""


def _is_function_word(word: str) -> bool:
    return word in JOINING_WORDS or word in LOOSE_WORDS


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
