"""What the order of words is judged by: a function word as itself, any other word by its tag.

The words belong to the counts in ``data/``: after a change, count anew (``manage.py train_order``).
"""

import re
from functools import lru_cache
from typing import NamedTuple

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
