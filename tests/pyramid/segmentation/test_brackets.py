"""Whole sentences in brackets, which the small model likes to take for the main clause."""

from itertools import product

import pytest

from grading.pyramid.parsing import Parser
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Text

pytestmark = pytest.mark.models

BEFORE = (
    "Cities are hotter",
    "Trees cool the streets because their leaves give off water",
    "Dark roofs store heat and release it at night",
    "When the sun shines, roofs get hot",
    "The author says that cities are hotter",
    "Old people suffer when nights are hot",
)
INSIDE = (
    "it is a problem",
    "this is known as the urban heat island effect",
    "they do this because their leaves give off water",
    "it means that people die",
    "that is what the author says",
)
AFTER = (".", " and people suffer.", " because roofs are dark.", " so it is time to act.")


def test_any_bracketed_sentence_is_cut_into_segments_with_words(spacy_parser: Parser) -> None:
    sentences = [f"{a} ({b}){c}" for a, b, c in product(BEFORE, INSIDE, AFTER)]
    texts = [Text(str(number), sentence) for number, sentence in enumerate(sentences)]

    for parsed in spacy_parser.parse(texts):
        for sentence in segment(parsed, max_segmentations=12).sentences:
            for segmentation in sentence.segmentations:
                assert all(parsed.text.words_at(segment.spans) for segment in segmentation.segments)
