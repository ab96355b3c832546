"""Pyramids for the tests of this folder: one to read, and any that hypothesis can think of."""

from hypothesis import strategies as st

from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Spans, Text, join_spans

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
    found = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    references = tuple(Text(name, draw(contents)) for name in found)
    usable = [text for text in references if text.content] or [Text(found[0], "x")]
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
