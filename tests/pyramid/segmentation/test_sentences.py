"""What holds of every segmentation, whatever the text and the parser."""

import time
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
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
ODD = [
    "\r\n",
    "\t",
    "\u200b",
    "e\u0301t\u00e9",
    "na\u0131\u0308ve",
    "\u05e9\u05dc\u05d5\u05dd",
    "\u202b\u0645\u0631\u062d\u0628\u0627\u202c",
    "\u201cquoted\u201d",
    "\u00ab mot \u00bb",
    "3.5 \u00b0C",
    "1,000 km/h",
    "20%",
    "(Smith, 2018)",
    "(Smith & Lee, 2018, p. 4)",
    "[3]",
    "<REF>",
    "warming the air",
    "stored in walls",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "b/c",
    "don't",
    "\u0130STANBUL IS BIG",
]
writing = st.lists(st.sampled_from(WORDS * 3 + MARKS + ODD), max_size=60).map(" ".join)
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
@settings(max_examples=50)
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
@settings(max_examples=50)
@given(content=texts)
def test_segments_are_rebuilt_from_offsets(spacy_parser: Parser, content: str) -> None:
    """Word by word: the tokens of each sentence, read off the text as it was written."""
    (parsed,) = spacy_parser.parse([Text("text", content)])
    segmented = segment(parsed, max_segmentations=12)
    for sentence, words in zip(segmented.sentences, parsed.sentences, strict=True):
        for each in {each for cut in sentence.segmentations for each in cut.segments}:
            inside = [word for word in words.tokens if holds(each, (word.start, word.end))]
            rebuilt = "".join(content[word.start : word.end] for word in inside)
            assert rebuilt == "".join(word.text for word in inside)
            assert each.spans[0].start == inside[0].start
            assert each.spans[-1].end == inside[-1].end


@pytest.mark.models
def test_a_sentence_of_150_words_is_bounded(spacy_parser: Parser) -> None:
    (parsed,) = spacy_parser.parse([Text("text", LONG)])
    longest = max(segment(parsed, max_segmentations=12).sentences, key=lambda s: s.span.end)
    assert len(LONG.split()) > 120
    assert len(longest.segmentations) == 12
    check(parsed, 12)


@pytest.mark.models
@pytest.mark.parametrize("words", [60, 120, 5_000])
def test_a_text_without_full_stops_is_bounded(spacy_parser: Parser, words: int) -> None:
    unstopped = LONG.rstrip(".").split()
    content = " ".join((unstopped * (words // len(unstopped) + 1))[:words])
    (parsed,) = spacy_parser.parse([Text("text", content)])
    check(parsed, 12)


@pytest.mark.models
def test_the_time_grows_with_the_length(spacy_parser: Parser) -> None:
    """It took 7 s, and four times that for twice the length; now 0.3 s."""
    (parsed,) = spacy_parser.parse([Text("text", "we go and we run and " * 2_700)])
    started = time.process_time()
    segment(parsed, max_segmentations=12)
    assert time.process_time() - started < 3


def test_a_sentence_without_end_is_bounded() -> None:
    (parsed,) = FakeParser().parse(
        [Text("text", "water falls which birds drink and likes it " * 500)]
    )
    (sentence,) = segment(parsed, max_segmentations=12).sentences
    assert len(sentence.segmentations) == 12
