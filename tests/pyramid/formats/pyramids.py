"""Pyramids for the tests of this folder: one to read, and any that hypothesis can think of."""

import re
from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import HEAVIEST
from grading.pyramid.structures import (
    Contributor,
    Pyramid,
    Scu,
    Span,
    Spans,
    Standing,
    Text,
    join_spans,
)

EXAMPLE = Pyramid(
    references=(
        Text("anna", "Bees dance.\nThey show where flowers are, and how far."),
        Text("ben", "A dance of bees tells the way to flowers."),
    ),
    scus=(
        Scu(
            7,
            "Bees dance",
            (
                Contributor("anna", (Span(0, 10),), "short & sweet"),
                Contributor("ben", (Span(2, 15),)),
            ),
            'called a "waggle" <dance>',
        ),
        Scu(3, "It tells distance", (Contributor("anna", (Span(12, 21), Span(45, 52))),)),
    ),
)


def refusal(read: Callable[[], object]) -> str:
    """What the reader says against its input; nothing where it reads it."""
    try:
        read()
    except InputError as error:
        return str(error)
    return ""


# Characters that XML, DUCView's headers or Java have rules of their own for, and any others that
# a file can hold: XML has no way to write most control characters, and UTF-8 no lone surrogates.
_AWKWARD = st.sampled_from(
    ["-" * 25, "\n", "\r\n", "\r", "\t", "---\n", "&", "<", "]]>", '"', "🐝"]
)
_HEADERS = st.sampled_from(["\n---\n", "\n-------------------- < anna > --------------------\n"])
_ANY = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))
contents = st.lists(_ANY | _AWKWARD | _HEADERS, max_size=6).map("".join)
names = _ANY.filter(bool)


@st.composite
def spans_in(draw: st.DrawFn, content: str) -> Spans:
    """One to three spans of a text that has at least one character."""
    offset = st.integers(0, len(content))
    pairs = st.tuples(offset, offset).filter(lambda pair: pair[0] != pair[1])
    drawn = draw(st.lists(pairs, min_size=1, max_size=3))
    return join_spans(Span(min(pair), max(pair)) for pair in drawn)


@st.composite
def pyramids(draw: st.DrawFn) -> Pyramid:
    """Pyramids that keep their promises: heaviest first, a reference once in an SCU."""
    result = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    references = tuple(Text(name, draw(contents)) for name in result)
    usable = [text for text in references if text.content] or [Text(result[0], "x")]
    references = tuple(usable[0] if t.name == usable[0].name else t for t in references)
    uids = draw(st.lists(st.integers(1, 10**6), min_size=1, max_size=4, unique=True))
    scus = []
    for uid in uids:
        chosen = draw(st.lists(st.sampled_from(usable), min_size=1, unique=True))
        contributors = tuple(
            Contributor(text.name, draw(spans_in(text.content)), draw(contents)) for text in chosen
        )
        scus.append(Scu(uid, draw(contents), contributors, draw(contents)))
    scus.sort(key=lambda scu: -scu.weight)
    return Pyramid(references, tuple(scus))


@st.composite
def curated_pyramids(draw: st.DrawFn) -> Pyramid:
    """Pyramids that people worked on: weights and standings by hand, ideas without words, notes."""
    drawn = draw(pyramids())
    scus = tuple(
        replace(
            scu,
            contributors=scu.contributors if draw(st.booleans()) else (),
            given_weight=draw(st.none() | st.integers(0, HEAVIEST)),
            standing=draw(st.sampled_from(Standing)),
        )
        for scu in drawn.scus
    )
    return replace(drawn, scus=scus, notes=tuple(draw(st.lists(contents, max_size=2))))


_WORDS = st.text("abcdefghijklmnopqrstuvwxyzäéß", min_size=3, max_size=9)


@st.composite
def worded_pyramids(draw: st.DrawFn) -> Pyramid:
    """Pyramids of which each part is a run of words that stand nowhere else."""
    words = draw(st.lists(_WORDS, min_size=24, max_size=24, unique_by=lambda word: word.casefold()))
    spaced = [f"{number}x{word}" for number, word in enumerate(words, 10)]
    texts = [
        Text(name, "  ".join(spaced[at : at + 8])) for name, at in (("a", 0), ("b", 8), ("c", 16))
    ]
    scus = []
    for uid in range(1, 4):
        chosen = draw(st.lists(st.sampled_from(texts), min_size=1, max_size=3, unique=True))
        scus.append(
            Scu(uid, "", tuple(Contributor(t.name, draw(_runs(t.content))) for t in chosen))
        )
    scus.sort(key=lambda scu: -scu.weight)
    return Pyramid(tuple(texts), tuple(scus))


@st.composite
def _runs(draw: st.DrawFn, content: str) -> Spans:
    """One or two runs of whole words that are apart."""
    words = [Span(match.start(), match.end()) for match in re.finditer(r"\S+", content)]
    cuts = sorted(draw(st.sets(st.integers(0, len(words)), min_size=2, max_size=4)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return tuple(Span(words[first].start, words[last - 1].end) for first, last in pairs)
