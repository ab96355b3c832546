"""How a text was cut comes back as it was, and what is damaged is told from what is sound."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats.segmented_text import (
    SEGMENTED_FORMAT,
    segmented_text_from_json,
    segmented_text_to_json,
)
from grading.pyramid.pipeline import read_summaries
from grading.pyramid.structures import SegmentedText, Text
from tests.fakes import fake_engine

WORDS = ["Matter", "has", "mass", "and", "takes", "space", "because", "heat", "flows", ".", "🐝"]
TEXT = Text("zoe", "Matter has mass and takes space because heat flows. Ice melts slowly.")

contents = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)


def read(text: Text) -> SegmentedText:
    return read_summaries([text], fake_engine())[0]


@given(contents)
def test_it_comes_back_as_it_was(content: str) -> None:
    segmented = read(Text("zoe", content))
    kept = json.loads(json.dumps(segmented_text_to_json(segmented)))
    assert segmented_text_from_json(kept, segmented.text) == segmented


def test_a_text_has_several_cuts() -> None:
    assert len(read(TEXT).sentences[0].segmentations) > 1


_TOKENS = [
    [0, 6, "matter", "NOUN", "NN", "nsubj", 1, 0],
    [7, 10, "have", "VERB", "VBZ", "ROOT", 1, 0],
]
_SOUND = [[0, 51], [[[0, 51]], [[0, 15], [16, 51]]], _TOKENS]


def test_what_is_sound_is_read() -> None:
    [sentence] = segmented_text_from_json(_kept([_SOUND]), TEXT).sentences
    assert [(token.index, token.text, token.head) for token in sentence.tokens] == [
        (0, "Matter", 1),
        (1, "has", 1),
    ]


def _kept(sentences: object) -> dict[str, object]:
    return {"format": SEGMENTED_FORMAT, "characters": len(TEXT.content), "sentences": sentences}


def _with(place: int, value: object) -> list[object]:
    """The tokens of a sentence, one of which has another value in this place."""
    damaged: list[object] = [*_TOKENS[1]]
    damaged[place] = value
    return [_TOKENS[0], damaged]


@pytest.mark.parametrize(
    "sentences",
    [
        None,
        7,
        "no list",
        [7],
        [[[0, 51], []]],
        [[[0, 51], [], []]],
        [[[0, 51], [7], []]],
        [[[0, 51], {"0": [[0, 51]]}, []]],
        [[[0], [[[0, 51]]], []]],
        [[[], [[[0, 51]]], []]],
        [[[0, 20, 30, 51], [[[0, 51]]], []]],
        [[[0, 51], [[[0, 9, 9, 51]]], []]],
        [[[0, 51], [[[9, 0]]], []]],
        [[[0, 51], [[[-1, 51]]], []]],
        [[[0, 51], [[[0, 70]]], []]],
        [[[0, 51], [[[0, 51, 60]]], []]],
        [[[0, 51], [[["0", 51]]], []]],
        [[[0, 51], [[[False, 51]]], []]],
        [[[0, 51], [[[0.0, 51]]], []]],
        [_SOUND, None],
    ],
)
def test_what_is_damaged_is_refused(sentences: object) -> None:
    with pytest.raises(InputError, match="zoe"):
        segmented_text_from_json(_kept(sentences), TEXT)


@pytest.mark.parametrize(
    "tokens",
    [
        None,
        7,
        [7],
        [[]],
        ["12345678"],
        [dict.fromkeys("12345678", 0)],
        [_TOKENS[0], _TOKENS[1][:7]],
        [_TOKENS[0], [*_TOKENS[1], 0]],
        [row[:3] + row[4:] for row in _TOKENS],
        *(_with(place, value) for place in (0, 1, 6, 7) for value in (None, "1", 1.0, True)),
        *(_with(place, value) for place in (2, 3, 4, 5) for value in (None, 1, ["NOUN"])),
        _with(0, -1),
        _with(0, 10),
        _with(1, 70),
        _with(6, -1),
        _with(6, 2),
    ],
)
def test_damaged_tokens_are_refused(tokens: object) -> None:
    with pytest.raises(InputError, match="zoe"):
        segmented_text_from_json(_kept([[*_SOUND[:2], tokens]]), TEXT)


@pytest.mark.parametrize(
    "kept",
    [
        None,
        [],
        {},
        {"format": 1, "characters": 69, "sentences": [_SOUND]},
        {"format": SEGMENTED_FORMAT, "characters": 68, "sentences": [_SOUND]},
        {"format": SEGMENTED_FORMAT, "characters": 69},
    ],
)
def test_what_is_of_another_form_or_text_is_refused(kept: object) -> None:
    with pytest.raises(InputError):
        segmented_text_from_json(kept, TEXT)
