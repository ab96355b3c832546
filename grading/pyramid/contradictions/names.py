"""Names, and whether a text has another one in the place of those of the experts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
            (place, other.said, one.said)
            for place, other in new
            for one in known
            if one.kind == other.kind and one.kind not in met and _in_its_place(one, other)
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
