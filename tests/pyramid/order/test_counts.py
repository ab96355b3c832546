"""Trigrams are counted, stored and turned into log ratios."""

import math
from pathlib import Path

import pytest

from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.order.counts import (
    SHIPPED,
    START,
    OrderModel,
    count_trigrams,
    read_counts,
    shipped_model,
    write_counts,
)
from grading.pyramid.order.held_words import words_of
from tests.pyramid.order.tagged import tokens_of

SENTENCE = words_of(tokens_of("Trees/NNS cool/VBP the/DT streets/NNS ./."))


def test_trigrams_of_a_sentence() -> None:
    assert count_trigrams([SENTENCE, SENTENCE]) == {
        (START, START, "NNS"): 2,
        (START, "NNS", "VBP"): 2,
        ("NNS", "VBP", "the"): 2,
        ("VBP", "the", "NNS"): 2,
        ("the", "NNS", "."): 2,
    }


def test_counts_come_back_from_their_file_which_is_always_the_same(tmp_path: Path) -> None:
    counts = count_trigrams([SENTENCE, words_of(tokens_of("The/DT sun/NN warms/VBZ it/PRP"))])
    first, second = tmp_path / "first", tmp_path / "second"

    write_counts(counts, first)
    write_counts(dict(reversed(counts.items())), second)

    assert read_counts(first) == counts
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("content", ["a b c 1\n", "a b\tc\n", "a\tc 1\n", "a b\tc many\n"])
def test_a_damaged_file_says_how_to_make_another(tmp_path: Path, content: str) -> None:
    path = tmp_path / "trigrams.txt"
    path.write_text(content)

    with pytest.raises(ResourceMissingError, match="train_order"):
        read_counts(path)


def test_a_missing_file_too(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissingError, match="train_order"):
        read_counts(tmp_path / "none")


def test_ratios_worked_out() -> None:
    """Five symbols seen, of four kinds: p(NNS) = 2.5 / 7.5, p(VBP) = 1.5 / 7.5, others .5 / 7.5."""
    model = OrderModel(count_trigrams([SENTENCE]))
    first, second, *_ = model.ratios(SENTENCE)

    # At the start: one bigram and trigram, always NNS.
    after_one = (1 + 1 * 2.5 / 7.5) / 2
    assert first == pytest.approx(math.log((1 + 3 * after_one) / 4 / (2.5 / 7.5)))
    # NNS is followed by VBP and by the stop.
    after_one = (1 + 2 * 1.5 / 7.5) / 4
    assert second == pytest.approx(math.log((1 + 3 * after_one) / 4 / (1.5 / 7.5)))


def test_what_was_never_seen_in_a_context_is_unusual() -> None:
    model = shipped_model()
    usual, unusual = (
        words_of(tokens_of("of/IN the/DT city/NN")),
        words_of(tokens_of("the/DT of/IN")),
    )

    assert min(model.ratios(usual)[1:]) > 0
    assert model.ratios(unusual)[1] < -3


def test_marks_without_symbol_do_not_come_between() -> None:
    model = shipped_model()
    plain = words_of(tokens_of("the/DT hot/JJ city/NN"))
    marked = words_of(tokens_of("the/DT hot/JJ -/HYPH city/NN"))
    ratios = model.ratios(marked)

    assert [ratios[0], ratios[1], ratios[3]] == model.ratios(plain)
    assert ratios[2] == 0.0


def test_the_shipped_counts_are_small() -> None:
    assert SHIPPED.stat().st_size < 1_000_000
