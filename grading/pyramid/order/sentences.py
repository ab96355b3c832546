"""How much the words of a sentence are in an order that sentences have."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from grading.pyramid.order.symbols import Word, word_of
from grading.pyramid.structures import Token

LENGTH = 4.0  # few words tell less: this over the square root of their number is added to the mean
CUT = 0.0  # least order of one sentence alone
LEAST_WORDS = 8  # of a sentence that is judged alone
JOINING_SHARE = 0.25  # the order of sentences with fewer says nothing
FORMULA = 0.75  # fewer words than this among a sentence's tokens make it a formula

_MARKS = (",", ".")
_COMPARATIVES = ("JJR", "RBR")


def words_of(tokens: Iterable[Token]) -> list[Word]:
    """The tokens of a sentence as they are judged, in order."""
    return [word_of(token.text, token.tag, token.is_punct, token.index == 0) for token in tokens]


def order_of(ratios: Sequence[float]) -> float:
    """How usual the order is: the mean log ratio, with what few words may lack by chance."""
    return round(sum(ratios) / len(ratios) + LENGTH / math.sqrt(len(ratios)), 6)


def telling_ratios(words: Sequence[Word], ratios: Sequence[float]) -> list[float]:
    """The log ratios that tell the order of a sentence.

    None of a formula or of a sentence that little joins: "Slow start: cwnd = 1, exponential."
    """
    count = marks = joining = 0
    telling = []
    for (symbol, is_word, joins, _), ratio in zip(words, ratios, strict=True):
        if symbol:
            telling.append(ratio)
            count += is_word
            joining += joins
            marks += symbol in _MARKS
    is_formula = count < FORMULA * (len(telling) - marks)
    is_bare = count >= LEAST_WORDS and joining < JOINING_SHARE * count
    return [] if is_formula or is_bare else telling


def is_disordered(tokens: Sequence[Token], ratios: Sequence[float]) -> bool:
    """Is a sentence alone in no order, by the log ratios that tell it?"""
    return (
        len(ratios) >= LEAST_WORDS
        and order_of(ratios) < CUT
        and sum(word.is_word for word in words_of(tokens)) >= LEAST_WORDS
        and not _is_comparison(tokens)
    )


def _is_comparison(tokens: Sequence[Token]) -> bool:
    """Is it of the form "the more ..., the less ..."? WordNet hardly has such sentences."""
    comparatives = sum(
        first.text.lower() == "the" and second.tag in _COMPARATIVES
        for first, second in pairwise(tokens)
    )
    return comparatives >= 2
