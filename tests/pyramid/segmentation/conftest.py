"""Sentences cut by the real parser."""

from collections.abc import Callable

import pytest

from grading.pyramid.parsing import Parser
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Text

Cut = Callable[[str], list[list[str]]]


@pytest.fixture(scope="session")
def cut(spacy_parser: Parser) -> Cut:
    """The segmentations of a text's first sentence, each as the words of its segments."""

    def cut_first(content: str) -> list[list[str]]:
        text = Text("text", content)
        (parsed,) = spacy_parser.parse([text])
        sentence = segment(parsed, max_segmentations=12).sentences[0]
        return [
            [text.words_at(segment.spans) for segment in segmentation.segments]
            for segmentation in sentence.segmentations
        ]

    return cut_first
