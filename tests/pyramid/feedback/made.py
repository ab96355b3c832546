"""Texts, pyramids and reports written down in a line."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hypothesis import strategies as st

from grading.pyramid.scores import score
from grading.pyramid.structures import (
    Candidate,
    Contributor,
    Evidence,
    Match,
    Pyramid,
    Repeat,
    ScoreReport,
    Scu,
    Segment,
    Span,
    Spans,
    Standing,
    Text,
)


def spans_of(text: Text, *words: str) -> Spans:
    return tuple(Span(start := text.content.index(word), start + len(word)) for word in words)


def pyramid_of(ideas: Mapping[str, Sequence[str]], references: int | None = None) -> Pyramid:
    """Labels with the wordings of the experts, the first of them first."""
    count = references or max((len(idea) for idea in ideas.values()), default=0)
    contents = [""] * count
    scus = []
    for uid, (label, wordings) in enumerate(ideas.items(), start=1):
        contributors = []
        for expert, words in enumerate(wordings):
            start = len(contents[expert])
            contents[expert] += f"{words}. "
            contributors.append(Contributor(f"R{expert}", (Span(start, start + len(words)),)))
        scus.append(Scu(uid, label, tuple(contributors)))
    texts = tuple(Text(f"R{place}", content) for place, content in enumerate(contents))
    return Pyramid(texts, tuple(scus))


def plain_pyramid(references: int, *weights: int) -> Pyramid:
    """Ideas with no more to them than their weights."""
    wordings = [(f"idea {place}", [f"words of {place}"] * w) for place, w in enumerate(weights)]
    return pyramid_of(dict(wordings), references)


def report_of(
    text: Text,
    pyramid: Pyramid,
    *matched: tuple[str, int],
    idle: Sequence[str] = (),
    probability: float | None = 0.9,
) -> ScoreReport:
    """Words with the uid of the idea that they tell; ``idle`` words tell none."""
    matches = tuple(
        Match(Segment(spans_of(text, words)), uid, 0.9, probability=probability)
        for words, uid in matched
    )
    segments = {match.segment for match in matches} | {
        Segment(spans_of(text, words)) for words in idle
    }
    return score(pyramid, Evidence(tuple(sorted(segments)), matches), "")


def said_again(report: ScoreReport, text: Text, uid: int, *words: str) -> ScoreReport:
    """The report with words that say once more what is found elsewhere."""
    repeats = tuple(Repeat(Segment(spans_of(text, word)), uid) for word in words)
    return replace(report, evidence=replace(report.evidence, repeats=repeats))


def with_match(report: ScoreReport, uid: int, **changes: object) -> ScoreReport:
    """The report with another match of an idea."""
    matches = tuple(
        replace(match, **changes) if match.scu_uid == uid else match  # type: ignore[arg-type]
        for match in report.evidence.matches
    )
    return replace(report, evidence=replace(report.evidence, matches=matches))


_WORDS = st.sampled_from(
    ("heat", "roof", "city", "tree", "wind", "cool", "dark", "not", "50", "Nile", "the", "of")
)
_LABELS = st.lists(_WORDS, min_size=1, max_size=8).map(" ".join)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Text, Pyramid, ScoreReport]:
    """A text, ideas that were all found in it, and scores out of thin air."""
    references = draw(st.integers(0, 4))
    sentences = draw(st.lists(_LABELS, min_size=1, max_size=8))
    text = Text("mine", " ".join(f"{words.capitalize()}." for words in sentences))
    ends = sorted(draw(st.sets(st.integers(1, len(text.content)), min_size=1, max_size=6)))
    segments = [Segment((Span(max(0, end - 12), end),)) for end in ends]
    scus = [_idea(draw, uid, references) for uid in range(1, draw(st.integers(0, 5)) + 1)]
    pyramid = _pyramid(references, scus)
    matches = tuple(
        Match(
            draw(st.sampled_from(segments)),
            scu.uid,
            0.8,
            alternatives=(Candidate(99, draw(st.floats(0, 1))),),
            probability=draw(st.sampled_from([None, 0.55, 0.9])),
            remarks=draw(st.sampled_from([(), ("The text says 5 where the experts say 8.",)])),
            by_hand=draw(st.booleans()),
        )
        for scu in scus
    )
    quality, coverage, both = (draw(st.floats(0, 1)) for _ in range(3))
    raw = sum(scu.weight for scu in scus)
    report = ScoreReport(Evidence(tuple(segments), matches), raw, quality, coverage, both, (), "")
    return text, pyramid, report


@st.composite
def with_other_ideas(draw: st.DrawFn, pyramid: Pyramid) -> Pyramid:
    """The same pyramid with ideas that were not found, which may be anything."""
    first = max((scu.uid for scu in pyramid.scus), default=0) + 1
    count = draw(st.integers(0, 5))
    references = len(pyramid.references)
    more = [_idea(draw, uid, references) for uid in range(first, first + count)]
    mixed = draw(st.permutations([*pyramid.scus, *more]))
    return _pyramid(references, mixed)


def _idea(draw: st.DrawFn, uid: int, references: int) -> Scu:
    tellers = draw(st.integers(0, references))
    contributors = tuple(Contributor(f"R{place}", (Span(0, 4),)) for place in range(tellers))
    given = draw(st.integers(1, 9)) if not tellers else None
    return Scu(uid, draw(_LABELS), contributors, given_weight=given, standing=Standing.COUNTS)


def _pyramid(references: int, scus: Sequence[Scu]) -> Pyramid:
    texts = tuple(Text(f"R{place}", "Heat.") for place in range(references))
    return Pyramid(texts, tuple(scus))
