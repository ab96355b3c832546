"""Titles, headings, names and word counts are no statements."""

import time
from collections.abc import Callable

import pytest

from grading.pyramid.parsing import Parser
from grading.pyramid.segmentation.sentences import is_heading, segment
from grading.pyramid.structures import Text
from tests.fakes import FakeParser

Headings = Callable[[str], list[str]]
BODY = (
    "Cities are hotter than the country because dark surfaces store heat. Trees cool the streets "
    "by shade. Planting is cheap, but it takes years."
)


@pytest.fixture(scope="module")
def headings(spacy_parser: Parser) -> Headings:
    def headings_of(content: str) -> list[str]:
        (parsed,) = spacy_parser.parse([Text("text", content)])
        text = segment(parsed, max_segmentations=1)
        return [
            content[sentence.span.start : sentence.span.end]
            for sentence in text.sentences
            if is_heading(text, sentence)
        ]

    return headings_of


@pytest.mark.models
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            f"Zoe Branza\n\nWhy Cities Are Hotter\n\n{BODY}\n\nWord count: 219",
            ["Zoe Branza", "Why Cities Are Hotter", "Word count: 219"],
        ),
        (
            f"Name: Zoe Branza\nStudent ID: 1234567\n{BODY}\n219 words",
            ["Name: Zoe Branza", "Student ID: 1234567", "219 words"],
        ),
        (f"{BODY}\n\nWhat Makes Cities Hot?\n\n{BODY}", ["What Makes Cities Hot?"]),
        (f"{BODY}\n\nWhat Can Be Done\n\n{BODY}", ["What Can Be Done"]),
        (f"{BODY} Word count: 219.", ["Word count: 219."]),
        (f"{BODY} (219 words)", ["(219 words)"]),
        (f"{BODY}\n\nThe word count is 219.", ["The word count is 219."]),
        (f"Name: Zoe Branza. {BODY}", ["Name: Zoe Branza."]),
    ],
)
def test_what_surrounds_a_text_is_found(
    headings: Headings, content: str, expected: list[str]
) -> None:
    assert headings(content) == expected


@pytest.mark.models
@pytest.mark.parametrize(
    "content",
    [
        BODY,
        BODY.upper(),
        BODY.replace(". ", "\n").title(),
        f"{BODY}\n\nIs it the dark roofs that make it hot?",
        f"{BODY} The report has 219 words about trees.",
        f"{BODY}\n\nCourse work shows: roofs matter.",
        f"{BODY}\n\nParis and London are hot.",
    ],
)
def test_statements_are_none(headings: Headings, content: str) -> None:
    assert headings(content) == []


def test_the_time_grows_with_the_length() -> None:
    (parsed,) = FakeParser().parse([Text("text", "Why Cities Glow\n" * 3_000)])
    text = segment(parsed, max_segmentations=1)
    started = time.process_time()

    for sentence in text.sentences:
        is_heading(text, sentence)

    assert time.process_time() - started < 3
