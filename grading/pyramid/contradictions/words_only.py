"""What a student's text says differently from the experts: another number, a denial or another
name."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from grading.pyramid.contradictions.numbers import (
    ENDS_A_CLAUSE,
    LIGHT,
    NEAR,
    Number,
    Pair,
    Token,
    as_said,
    as_words,
    content,
    numbers_of,
    other_number,
    tokens_of,
)
from grading.pyramid.encoders.wtmf import stems

# Names, and whether a text has another one in the place of those of the experts.


class Name(NamedTuple):
    said: str
    kind: str  # "month", "day", "long" (of several words) or "short"
    stems: frozenset[str]
    before: tuple[str, str]  # the nearest stem, and the word that leads to the name
    after: str


_MONTHS = as_words(
    "january february march april may june july august september october november december"
)
_DAYS = as_words("monday tuesday wednesday thursday friday saturday sunday")
_WITHIN_NAMES = as_words("of de la van von - '")
_AT_PLACES = as_words("at by from in near of to with")
_NO_NAMES = (
    (LIGHT - {"may"})
    | ENDS_A_CLAUSE
    | _WITHIN_NAMES
    | as_words(
        "another after before but cannot finally first here how i'm i've neither never next no nor"
        " not now one overall second such what why without yes"
    )
)
_TITLE = 0.7  # where so many words have capitals, they show no names


@dataclass(frozen=True, slots=True)
class Names:
    """The names of some words, and what shows that a name is mentioned in another form."""

    names: tuple[Name, ...]
    stems: frozenset[str]
    initials: str


def other_name(experts: Sequence[Names], text: Names) -> Pair | None:
    """A name of the text that the experts have not, where it has none of theirs."""
    known = [name for words in experts for name in words.names]
    met = {name.kind for name in known if _is_mentioned(name, text)}
    new = [
        (place, name)
        for place, name in enumerate(text.names)
        if not any(_is_mentioned(name, words) for words in experts)
    ]
    return min(
        (
            (place, other.said, expert_name.said)
            for place, other in new
            for expert_name in known
            if expert_name.kind == other.kind
            and expert_name.kind not in met
            and _in_its_place(expert_name, other)
        ),
        default=None,
    )


def _is_mentioned(name: Name, words: Names) -> bool:
    """Also by a part, a word of the same beginning (“Swede”, “Swedish”), or initials."""
    return any(
        stem in words.stems
        or (len(stem) > 3 and any(other.startswith(stem[:4]) for other in words.stems))
        or (len(stem) > 1 and stem in words.initials)
        for stem in name.stems
    )


def _in_its_place(name: Name, other: Name) -> bool:
    if name.kind in ("month", "day"):
        return name.before[0] == other.before[0] != ""
    if name.kind == "short":
        return name.before == other.before and name.before[0] != "" and name.before[1] in _AT_PLACES
    return "" != name.after == other.after or "" != name.before[0] == other.before[0]


def names_of(tokens: Sequence[Token]) -> Names:
    return Names(
        names=tuple(_names(tokens)),
        stems=frozenset(token.stem for token in tokens if token.stem),
        initials="".join(token.word[0] for token in tokens if token.word not in LIGHT),
    )


def _names(tokens: Sequence[Token]) -> Iterator[Name]:
    written = [token.said for token in tokens if token.stem]
    if sum(word[0].isupper() for word in written) > max(_TITLE * len(written), 3):
        return
    end = 0
    for at in range(len(tokens)):
        if at < end or not _is_capital(tokens, at):
            continue
        end = _name_end(tokens, at)
        if end - at > 1 or not _starts_a_sentence(tokens, at) or _is_acronym(tokens[at]):
            yield _name(tokens, at, end)


def _is_capital(tokens: Sequence[Token], at: int) -> bool:
    return any(
        token.stem and token.said[0].isupper() and token.word not in _NO_NAMES
        for token in tokens[at : at + 1]
    )


def _is_acronym(token: Token) -> bool:
    return len(token.said) > 1 and token.said.isupper()


def _name_end(tokens: Sequence[Token], at: int) -> int:
    end = at + 1
    while _is_capital(tokens, end) or (
        tokens[end : end + 1] and tokens[end].word in _WITHIN_NAMES and _is_capital(tokens, end + 1)
    ):
        end += 1
    return end


def _starts_a_sentence(tokens: Sequence[Token], at: int) -> bool:
    return at == 0 or (not tokens[at - 1].stem and tokens[at - 1].word not in ",-(")


def _name(tokens: Sequence[Token], at: int, end: int) -> Name:
    parts = [t for t in tokens[at:end] if t.stem and t.word not in _WITHIN_NAMES]
    kind = "long" if len(parts) > 1 else "short"
    kind = "month" if parts[0].word in _MONTHS else "day" if parts[0].word in _DAYS else kind
    before = [token for token in tokens[max(at - NEAR, 0) : at] if token.word != "the"]
    nearest = content(before)[-1:] or [""]
    return Name(
        said=as_said(tokens[at:end]),
        kind=kind,
        stems=frozenset(part.stem for part in parts),
        before=(nearest[0], before[-1].word if before else ""),
        after=_next_content(tokens[end : end + NEAR]),
    )


def _next_content(following: Sequence[Token]) -> str:
    for token in following:
        if not token.stem and token.word != ",":
            return ""
        if token.word not in LIGHT and token.stem:
            return token.stem
    return ""


# What is denied, and what is said by its opposite, on one side only.


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


def other_sense(experts: Sequence[Sequence[Sense]], text: Sequence[Sense]) -> Pair | None:
    """What only one side denies, or says by its opposite, beside the same words."""
    known, used = _by_axis(chain.from_iterable(experts)), _by_axis(text)
    mentions = Counter(axis for senses in experts for axis in {sense.axis for sense in senses})
    axes = [
        axis
        for axis, times in mentions.items()
        if 2 * times >= len(experts) and _sign(known[axis]) * _sign(used.get(axis, ())) < 0
    ]
    places = {sense: place for place, sense in enumerate(text)}
    return min(
        (
            (places[other], f"\u201c{other.said}\u201d", f"\u201c{sense.said}\u201d")
            for axis in axes
            for sense in known[axis]
            for other in used[axis]
            if _beside_the_same(sense, other)
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
        between = tokens[words[-1] + 1 : place] if words else ()
        if words and not any(token.word in ("or", "nor") for token in between):
            break
        words.append(place)
    return words


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


# What a student's text says differently from the experts: another number, a denial, another name.
#
# Not in the paper: similarities of words or vectors hardly see such differences. A contradiction is
# told only where both sides say something of the same thing and differ. What is missing on one side
# is none, and where the experts differ among themselves it is enough to agree with one of them.
# Words alone are read, without a parse, because contributors are often fragments; so “the same
# thing” means the same words beside it. Penalties: docs/methods.md, "Contradictions".

PENALTIES = {"number": 1.4, "negation": 1.1, "name": 1.8}

_MOST_CHARACTERS = 5_000  # of one contributor, or of the evidence, are read


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A difference between a text and the experts, in a sentence for people."""

    kind: str  # "number", "negation" or "name"
    remark: str
    penalty: float  # what it takes off the log-odds of a match


def contradictions(idea: Sequence[str], evidence: str) -> tuple[Contradiction, ...]:
    """How ``evidence`` contradicts an SCU's label and contributors: at most one of each kind."""
    experts, text = [_read(words) for words in idea], _read(evidence)
    pairs = {
        "number": other_number([n for words in experts for n in words.numbers], text.numbers),
        "negation": other_sense([words.senses for words in experts], text.senses),
        "name": other_name([words.names for words in experts], text.names),
    }
    return tuple(
        Contradiction(kind, f"The text says {pair[1]} where the experts say {pair[2]}.", penalty)
        for kind, penalty in PENALTIES.items()
        if (pair := pairs[kind])
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    numbers: tuple[Number, ...]
    senses: tuple[Sense, ...]
    names: Names


@lru_cache(maxsize=2048)  # an SCU is read again for every segment of every text
def _read(words: str) -> _Reading:
    tokens = tokens_of(words[:_MOST_CHARACTERS])
    return _Reading(tuple(numbers_of(tokens)), tuple(senses_of(tokens)), names_of(tokens))
