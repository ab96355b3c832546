"""What holds of every segmentation, whatever the text and the parser."""

from itertools import pairwise, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.pyramid.parsing import ParsedSentence, ParsedText, Parser
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Segment, Sentence, Text
from tests.fakes import FakeParser

LONG = (
    "Although the town is small, and because the river which crosses it often floods the streets "
    "that lie near its banks, the council decided last year that it would build a wall, but the "
    "people who live there say that the wall is ugly and costs too much, while others, who "
    "remember the flood that destroyed their homes, think that it is needed, so the mayor asked "
    "an engineer who knows the river to explain what can be done, and she answered that trees "
    "hold the soil when it rains, that a wall only moves the water to the next town, which has "
    "no wall, and that nobody can say how high the river will rise if the winters become as wet "
    "as the last one was, which worried everybody in the room."
)

WORDS = ["matter", "has", "mass", "and", "because", "which", "energy", "is", "that", "but", "we"]
MARKS = [
    ",",
    ".",
    "!",
    "(",
    ")",
    "\u201c",
    "\u2019",
    "\n",
    "\n\n",
    "- ",
    "5 %",
    "\U0001f600",
    "x\t",
]
writing = st.lists(st.sampled_from(WORDS * 2 + MARKS), max_size=60).map(" ".join)
texts = st.one_of(writing, st.text(max_size=200))


def words_of(sentence: ParsedSentence) -> list[tuple[int, int]]:
    """All but marks and conjunctions, which may be dropped between segments."""
    return [
        (token.start, token.end)
        for token in sentence.tokens
        if not token.is_punct and (token.dep, token.pos) != ("cc", "CCONJ")
    ]


def holds(segment: Segment, word: tuple[int, int]) -> bool:
    return any(span.start <= word[0] and word[1] <= span.end for span in segment.spans)


def check(parsed: ParsedText, max_segmentations: int) -> None:
    segmented = segment(parsed, max_segmentations=max_segmentations)
    assert segmented == segment(parsed, max_segmentations=max_segmentations)
    for sentence, words in zip(segmented.sentences, parsed.sentences, strict=True):
        check_sentence(parsed.text, sentence)
        assert len(sentence.segmentations) <= max_segmentations
        assert len(set(sentence.segmentations)) == len(sentence.segmentations)
        for segmentation, word in product(sentence.segmentations, words_of(words)):
            assert any(holds(segment, word) for segment in segmentation.segments)


def check_sentence(text: Text, sentence: Sentence) -> None:
    assert text.content[sentence.span.start : sentence.span.end].strip()
    assert sentence.segmentations[0].segments == (Segment((sentence.span,)),)
    for segmentation in sentence.segmentations[1:]:
        assert len(segmentation.segments) > 1
        for each in segmentation.segments:
            check_segment(text, sentence, each)


def check_segment(text: Text, sentence: Sentence, segment: Segment) -> None:
    assert len(text.words_at(segment.spans)) > 2
    assert sentence.span.start <= segment.spans[0].start
    assert segment.spans[-1].end <= sentence.span.end
    assert all(before.end < after.start for before, after in pairwise(segment.spans))
    for span in segment.spans:
        words = text.content[span.start : span.end]
        assert words
        assert words == words.strip()


@given(content=texts, max_segmentations=st.integers(1, 12))
def test_any_text(content: str, max_segmentations: int) -> None:
    (parsed,) = FakeParser().parse([Text("text", content)])
    check(parsed, max_segmentations)


@pytest.mark.models
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=texts, max_segmentations=st.integers(1, 12))
def test_any_text_with_the_real_parser(
    spacy_parser: Parser, content: str, max_segmentations: int
) -> None:
    (parsed,) = spacy_parser.parse([Text("text", content)])
    check(parsed, max_segmentations)


def test_alternatives_begin_with_the_full_split() -> None:
    text = Text("text", "Matter has mass and takes space because the world is full.")
    (parsed,) = FakeParser().parse([text])
    (sentence,) = segment(parsed, max_segmentations=12).sentences
    cut = [
        [text.words_at(segment.spans) for segment in segmentation.segments]
        for segmentation in sentence.segmentations
    ]
    assert cut == [
        ["Matter has mass and takes space because the world is full."],
        ["Matter has mass", "Matter takes space", "because the world is full"],
        ["Matter has mass", "Matter takes space because the world is full"],
        ["Matter has mass and takes space", "because the world is full"],
    ]


@pytest.mark.parametrize(("allowed", "alternatives"), [(1, 0), (2, 1), (3, 2), (50, 3)])
def test_never_more_than_allowed(allowed: int, alternatives: int) -> None:
    text = Text("text", "Matter has mass and takes space because the world is full.")
    (parsed,) = FakeParser().parse([text])
    (sentence,) = segment(parsed, max_segmentations=allowed).sentences
    assert len(sentence.segmentations) == 1 + alternatives


@pytest.mark.models
def test_a_sentence_of_150_words_is_bounded(spacy_parser: Parser) -> None:
    (parsed,) = spacy_parser.parse([Text("text", LONG)])
    longest = max(segment(parsed, max_segmentations=12).sentences, key=lambda s: s.span.end)
    assert len(LONG.split()) > 120
    assert len(longest.segmentations) == 12
    check(parsed, 12)


def test_a_sentence_without_end_is_bounded() -> None:
    (parsed,) = FakeParser().parse(
        [Text("text", "water falls which birds drink and likes it " * 500)]
    )
    (sentence,) = segment(parsed, max_segmentations=12).sentences
    assert len(sentence.segmentations) == 12
