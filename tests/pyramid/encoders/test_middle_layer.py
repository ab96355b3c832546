"""The states of MiniLM's third layer: of each token, and of each sentence alone."""

import numpy as np
import pytest

from grading.pyramid.encoders.middle_layer import WIDTH, packaged_middle_layer
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.structures import Text, Token

pytestmark = pytest.mark.models


def token(start: int, text: str) -> Token:
    return Token(0, start, start + len(text), text, text, "X", "XX", "dep", 0, False)


def words(content: str, start: int = 0) -> list[Token]:
    tokens = []
    for word in content.split(" "):
        tokens.append(token(start, word))
        start += len(word) + 1
    return tokens


def test_each_token_has_a_row() -> None:
    states = packaged_middle_layer().read(words("Supercalifragilistic roofs store heat ."))

    assert states.shape == (5, WIDTH)
    assert (np.abs(states).max(axis=1) > 0).all()


def test_states_are_those_in_context() -> None:
    read = packaged_middle_layer().read
    river, money = read(words("the bank of the river")), read(words("the bank has my money"))

    assert not np.allclose(river[1], money[1], atol=0.1)
    assert read(words("the bank of the river")).tobytes() == river.tobytes()


def test_a_sentence_reads_the_same_wherever_it_is(spacy_parser: SpacyParser) -> None:
    read = packaged_middle_layer().read
    content = "Roofs store heat because they're dark."
    [alone, behind] = spacy_parser.parse([Text("a", content), Text("b", f"Trees help. {content}")])

    assert read(alone.sentences[0].tokens).tobytes() == read(behind.sentences[1].tokens).tobytes()


def test_odd_characters_and_long_sentences_are_read() -> None:
    read = packaged_middle_layer().read

    assert read([token(3, "\ud83d"), token(4, "\u200d"), token(6, "\u00e9")]).shape == (3, WIDTH)
    assert read([token(0, "\u200d")]).shape == (1, WIDTH)
    assert read(words("heat " * 600 + "end")).shape == (601, WIDTH)
