"""Stretches of content words."""

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.order.held_words import Stretch, heaviest, list_stretches, words_of
from tests.pyramid.order.tagged import tokens_of

weights = st.lists(st.sampled_from([1.0, 0.3, -1.0, -2.0, 0.0]), max_size=60)


def test_a_stretch_ends_with_its_last_word_of_content() -> None:
    assert list(heaviest([-2, 1, 1, 1, -1, -2, -2])) == [Stretch(1, 4, 3)]


def test_a_joining_word_does_not_part_a_list() -> None:
    assert list(heaviest([1.0] * 5 + [-2] + [1.0] * 5)) == [Stretch(0, 11, 8)]


def test_prose_parts_two_lists() -> None:
    stretches = list(heaviest([1.0] * 9 + [-2, 1, -2, -2, -2] + [1.0] * 4))

    assert stretches == [Stretch(0, 9, 9), Stretch(14, 18, 4)]


def test_lines_of_a_list_are_one_stretch_and_sentences_are_not() -> None:
    heat, roofs = words_of(tokens_of("heat cities")), words_of(tokens_of("roofs trees"))
    sentence = words_of(tokens_of("it/PRP rains/VBZ"))

    assert list(list_stretches([heat, roofs])) == [Stretch(0, 4, 4)]
    assert list(list_stretches([heat, sentence, roofs])) == [
        Stretch(0, 2, 2),
        Stretch(3, 4, 1),
        Stretch(4, 6, 2),
    ]


@given(weights)
def test_stretches_are_apart_and_weigh_what_their_words_do(numbers: list[float]) -> None:
    end = 0
    for stretch in heaviest(numbers):
        assert end <= stretch.start < stretch.end <= len(numbers)
        assert abs(sum(numbers[stretch.start : stretch.end]) - stretch.weight) < 1e-9
        assert numbers[stretch.start] > 0
        assert numbers[stretch.end - 1] > 0
        end = stretch.end


@given(weights)
def test_what_weighs_most_is_found(numbers: list[float]) -> None:
    """Nothing heavier is left out than what a stretch may lose before it ends."""
    best = max((stretch.weight for stretch in heaviest(numbers)), default=0.0)
    run = most = 0.0
    for number in numbers:
        run = max(0.0, run + number) if number > -2 else 0.0
        most = max(most, run)

    assert best >= most - 1e-9
