"""What is denied, and what is said by its opposite, on one side only."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from grading.pyramid.contradictions.tokens import (
    ENDS_A_CLAUSE,
    LIGHT,
    NEAR,
    Pair,
    Token,
    as_said,
    as_words,
    content,
)
from grading.pyramid.encoders.wtmf import stems


class Sense(NamedTuple):
    said: str
    axis: str  # a stem, or a pair of opposites
    sign: int  # -1 denied or the opposite, 0 in doubt
    before: tuple[str, ...]  # stems, the nearest last
    after: tuple[str, ...]


_NOT = as_words(
    "not no never neither nor without cannot hardly barely scarcely rarely seldom nobody nothing"
)
_NOT_IN_ONE_WORD = re.compile(
    r".*n't|(?:ca|wo|do|does|did|is|are|was|were|has|have|had|could|would|should)nt"
)
_DENIED_IN_PART = as_words(
    "all every everyone everything just least matter doubt merely necessarily one only simply sure"
    " true until"
)
# What follows these is neither said nor denied.
_DOUBTS = as_words(
    "avoid avoided avoiding avoids couldn't denied denies deny denying difficult doubt doubts"
    " fail failed failing fails few hard if impossible instead lack lacking lacks little might"
    " prevent prevented preventing prevents rather refuse refused refuses should stop stopped"
    " stopping stops unable unless unlikely whether would"
)
_BE = as_words("am are be been being is was were")
_REACH = 7  # words, of a denial or a doubt
_OPPOSITES = (
    "absorb reflect,accept reject,alive dead,all none,allow forbid,before after"
    ",begin end,began ended,bigger smaller,cheap expensive,cheaper costlier,colder hotter"
    ",colder warmer,cooler hotter,cooler warmer,decrease increase"
    ",difficult easy,earlier later,exclude include,expand contract,false true,fast slow"
    ",faster slower,fewer more,gain lose,guilty innocent,high low,higher lower"
    ",hot cold,inside outside,large small,larger smaller,less more,longer shorter,many few"
    ",maximum minimum,negative positive,open close,possible impossible,quickly slowly,rise fall"
    ",rose fell,same different,dangerous safe,start end,strengthen weaken"
    ",stronger weaker,strong weak,support oppose,win lose,won lost"
)


_PAIRS = frozenset(_OPPOSITES.split(","))


def _axes() -> dict[str, list[tuple[str, int]]]:
    """For the stem of each word of a pair, the pairs and its side."""
    axes: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for pair in sorted(_PAIRS):
        for word, side in zip(pair.split(), (1, -1), strict=True):
            axes[" ".join(stems(word))].append((pair, side))
    return dict(axes)


_AXES = _axes()


def other_sense(experts: Sequence[Sequence[Sense]], told: Sequence[Sense]) -> Pair | None:
    """What only one side denies, or says by its opposite, beside the same words."""
    known, text = _by_axis(chain.from_iterable(experts)), _by_axis(told)
    mentions = Counter(axis for senses in experts for axis in {sense.axis for sense in senses})
    axes = [
        axis
        for axis, times in mentions.items()
        if 2 * times >= len(experts) and _sign(known[axis]) * _sign(text.get(axis, ())) < 0
    ]
    places = {sense: place for place, sense in enumerate(told)}
    return min(
        (
            (places[other], f"\u201c{other.said}\u201d", f"\u201c{one.said}\u201d")
            for axis in axes
            for one in known[axis]
            for other in text[axis]
            if _beside_the_same(one, other)
        ),
        default=None,
    )


def _beside_the_same(sense: Sense, other: Sense) -> bool:
    """Opposites, unlike a word and its denial, are often said of different things."""
    if sense.axis not in _PAIRS:
        return not set(sense.before).isdisjoint(other.before) or not set(sense.after).isdisjoint(
            other.after
        )
    neighbours = ((sense.before[-1:], other.before[-1:]), (sense.after[:1], other.after[:1]))
    return any(a and a == b for a, b in neighbours) and all(
        a == b or not a or not b for a, b in neighbours
    )


def _by_axis(senses: Iterable[Sense]) -> dict[str, list[Sense]]:
    by_axis: defaultdict[str, list[Sense]] = defaultdict(list)
    for sense in senses:
        by_axis[sense.axis].append(sense)
    return dict(by_axis)


def _sign(senses: Sequence[Sense]) -> int:
    """The sign that all have; 0 where they differ."""
    signs = {sense.sign for sense in senses}
    return signs.pop() if len(signs) == 1 else 0


def senses_of(tokens: Sequence[Token]) -> Iterator[Sense]:
    denied, doubted = _denials(tokens)
    for at in range(len(tokens)):
        first = denied.get(at, at)
        sign = -1 if first < at else int(at not in doubted)
        before = tuple(content(tokens[max(first - NEAR, 0) : first]))
        after = tuple(content(tokens[at + 1 : at + 1 + NEAR]))
        for axis, side in _axes_of(tokens, at):
            yield Sense(as_said(tokens[first : at + 1]), axis, sign * side, before, after)


def _axes_of(tokens: Sequence[Token], at: int) -> list[tuple[str, int]]:
    token = tokens[at]
    axes = _AXES.get(token.stem, [])
    if not token.stem or token.word in LIGHT or (at and not token.said.islower()):
        return axes
    is_passive = token.word.endswith(("ed", "en", "wn")) and any(
        other.word in _BE for other in tokens[max(at - NEAR, 0) : at]
    )
    return [(f"be {token.stem}" if is_passive else token.stem, 1), *axes]


def _denials(tokens: Sequence[Token]) -> tuple[dict[int, int], set[int]]:
    """For each denied word the place of its denial; and the words that are in doubt."""
    denied: dict[int, int] = {}
    doubted: set[int] = set()
    for at, token in enumerate(tokens):
        reach = range(at + 1, min(at + 1 + _REACH, len(tokens)))
        if token.word in _DOUBTS or _is_partial(tokens, at):
            doubted.update(reach)
        elif _denies(token) and at not in doubted:
            words = _denied(tokens, at)
            denied |= dict.fromkeys(words, at)
            doubted.update(_clause(tokens, at))
    return denied, doubted - denied.keys()


def _denies(token: Token) -> bool:
    return token.word in _NOT or _NOT_IN_ONE_WORD.fullmatch(token.word) is not None


def _is_partial(tokens: Sequence[Token], at: int) -> bool:
    """“Not only”, “not all”, “No 3”."""
    return _denies(tokens[at]) and any(
        token.word in _DENIED_IN_PART or token.value is not None
        for token in tokens[at + 1 : at + 2]
    )


def _denied(tokens: Sequence[Token], at: int) -> list[int]:
    """The first word of content after a denial, and those that “or” and “nor” add to it."""
    words: list[int] = []
    for place in _rest_of_clause(tokens, at):
        token = tokens[place]
        if _denies(token) and token.word != "nor":
            return []
        if token.word in LIGHT or token.word == "nor" or token.word.endswith("ly"):
            continue
        if words and not _is_joined(tokens[words[-1] + 1 : place]):
            break
        words.append(place)
    return words


def _is_joined(between: Sequence[Token]) -> bool:
    return any(token.word in ("or", "nor") for token in between)


def _clause(tokens: Sequence[Token], at: int) -> Iterator[int]:
    """The words around a denial: “energy is not lost” does not affirm energy."""
    yield from _rest_of_clause(tokens, at)
    for place in range(at - 1, max(at - 1 - _REACH, -1), -1):
        if tokens[place].word in ENDS_A_CLAUSE:
            return
        yield place


def _rest_of_clause(tokens: Sequence[Token], at: int) -> Iterator[int]:
    for place in range(at + 1, min(at + 1 + _REACH, len(tokens))):
        if tokens[place].word in ENDS_A_CLAUSE:
            return
        yield place
