"""What is remembered of closest words, and how it is kept: never a difference to the numbers."""

import numpy as np
import pytest

from grading.pyramid import similarity
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.errors import InputError
from grading.pyramid.similarity import (
    MOST_WAYS,
    Closest,
    ClosestWords,
    Recall,
    RecallMemory,
    Rows,
    digest_of,
    token_recall,
)
from grading.pyramid.structures import Span, Text, Unit

ROWS: Rows = ((Span(0, 5),), (Span(6, 9), Span(12, 20)))
LONG = "Cities are hotter than the country around them because dark roofs store heat. " * 5


def table(words: int, rows: int = 2) -> Closest:
    return np.random.default_rng(words).random((words, rows)).astype(np.float16)


def filled(room: int = 3) -> ClosestWords:
    closest = ClosestWords(room)
    known = closest.of("text", ROWS)
    closest.add("text", known, {"long": table(60), "label": table(7)}, ["long", "label"])
    return closest


def test_what_is_kept_comes_back_to_the_bit() -> None:
    kept = filled().keep("text")
    other = ClosestWords(3)
    other.give_back("text", kept)
    back = other.of("text", ROWS)
    assert list(back) == ["label", "long"]
    assert np.array_equal(back["long"], table(60))
    assert np.array_equal(back["label"], table(7))
    assert back["long"].dtype == np.float16
    assert other.keep("text") == kept
    assert other.of("text", ROWS[:1]) == {}


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "_MOST_KEPT", 1)
    monkeypatch.setattr(similarity, "_MOST_SHORT", 2)
    closest = filled()
    known = closest.of("text", ROWS)
    new = {"last": table(50), "other": table(3), "third": table(3)}
    closest.add("text", known, new, new)
    other = ClosestWords(3)
    other.give_back("text", closest.keep("text"))
    assert list(other.of("text", ROWS)) == ["last", "other", "third"]


def test_many_labels_are_news() -> None:
    closest = ClosestWords(3)
    known = closest.of("text", ROWS)
    labels = {f"label {number}": table(10) for number in range(4)}
    closest.add("text", known, labels, labels)
    assert closest.has_news_of("text")


def test_there_is_news_when_something_long_was_found_out() -> None:
    closest = ClosestWords(3)
    known = closest.of("text", ROWS)
    closest.add("text", known, {"label": table(7)}, ["label"])
    assert not closest.has_news_of("text")
    closest.add("text", known, {"long": table(60)}, ["long"])
    assert closest.has_news_of("text")
    kept = closest.keep("text")
    assert not closest.has_news_of("text")
    closest.add("text", known, {"other": table(50)}, ["other"])
    closest.give_back("text", kept)
    assert not closest.has_news_of("text")


def test_nothing_known_is_kept_as_nothing() -> None:
    other = ClosestWords(3)
    other.give_back("text", ClosestWords(3).keep("text"))
    assert other.of("text", ROWS) == {}


def test_only_so_many_texts_ways_and_others_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    closest = filled(room=2)
    for content in ("second", "third"):
        closest.of(content, ROWS)
    assert closest.of("text", ROWS) == {}
    assert not closest.has_news_of("text")
    for start in range(MOST_WAYS + 3):
        closest.of("text", ((Span(start, 30),),))
    assert len(closest._known["text"]) == MOST_WAYS
    monkeypatch.setattr(similarity, "MOST_OTHERS", 3)
    known = closest.of("text", ROWS)
    for start in range(5):
        new = {f"{start}": table(3), f"{start}b": table(3)}
        closest.add("text", known, new, new)
    assert list(known) == ["3b", "4", "4b"]


def test_without_room_nothing_is_remembered() -> None:
    closest = filled(room=0)
    assert closest.of("text", ROWS) == {}
    assert not closest.has_news_of("text")


def whole(content: str) -> Unit:
    return Unit(Text("text", content), (Span(0, len(content)),))


@pytest.fixture(scope="module")
def model() -> OnnxEncoder:
    return OnnxEncoder()


def recall(model: OnnxEncoder) -> tuple[Recall, RecallMemory]:
    contextual = token_recall(model, remembered=5)
    assert isinstance(contextual.memory, RecallMemory)
    return contextual, contextual.memory


@pytest.mark.models
def test_what_another_process_kept_makes_the_same_numbers(model: OnnxEncoder) -> None:
    first, memory = recall(model)
    text, columns = "Dark roofs make a city hot at night.", [whole(LONG), whole("Roofs are dark.")]
    result = first.against(columns)([whole(text)])
    assert memory.has_news_of(text)
    kept = memory.keep(text)

    second, other = recall(model)
    other.give_back(text, kept)
    known = second._closest.of(text, (whole(text).spans,))
    assert set(known) == {digest_of(LONG), digest_of("Roofs are dark.")}
    assert np.array_equal(second.against(columns)([whole(text)]), result)
    assert not other.has_news_of(text)
    assert other.keep(text) == kept


@pytest.mark.models
def test_what_is_damaged_or_of_another_text_is_not_taken(model: OnnxEncoder) -> None:
    _, memory = recall(model)
    kept = memory.keep("Ice melts.")
    for wrong in (b"", kept[:-1], kept[:9], kept + b"\0", memory.keep("Heat moves.")):
        with pytest.raises(InputError):
            memory.give_back("Ice melts.", wrong)
