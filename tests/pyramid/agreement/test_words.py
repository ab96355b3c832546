"""What is said of figures: no more than they allow. And shares of few, and sizes of samples."""

from itertools import pairwise

import pytest

from grading.pyramid.agreement import (
    SIZES,
    Figure,
    Share,
    alpha_in_words,
    correlation_in_words,
    difference_in_words,
    expect,
)


def figure_of(value: float, low: float, high: float) -> Figure:
    return Figure(value, low, high, 10)


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (Figure(0.9, None, None, 4), "At least 5 texts are needed to tell. So far, there are 4"),
        (Figure(0.9, None, None, 1), "there is 1 text."),
        (Figure(None, None, None, 8), "These 8 texts are too alike"),
        (figure_of(0.9, 0.85, 0.95), "rely on either"),
        (figure_of(0.8, 0.7, 0.9), "with care"),
        (figure_of(0.7, 0.6, 0.8), "10 texts are too few to tell whether"),
        (figure_of(0.4, 0.2, 0.6), "too little"),
    ],
)
def test_alpha(figure: Figure, words: str) -> None:
    assert words in alpha_in_words(figure)


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (Figure(0.9, None, None, 3), "So far, there are 3 texts"),
        (figure_of(0.95, 0.85, 0.99), "nearly the same order"),
        (figure_of(0.8, 0.55, 0.9), "a similar order"),
        (figure_of(0.6, 0.1, 0.9), "10 texts are too few to tell how"),
        (figure_of(0.1, -0.3, 0.4), "different orders"),
    ],
)
def test_correlation(figure: Figure, words: str) -> None:
    assert words in correlation_in_words(figure)


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (figure_of(0.01, -0.03, 0.05), "no difference can be seen; it is hardly more than 0.05"),
        (figure_of(0.1, 0.05, 0.15), "the program gives 0.10 more than people do"),
        (figure_of(-0.1, -0.15, -0.05), "the program gives 0.10 less than people do"),
        (Figure(0.1, None, None, 2), "So far, there are 2 texts"),
    ],
)
def test_difference(figure: Figure, words: str) -> None:
    assert words in difference_in_words(figure, "people do", "the program")


def test_wilsons_interval_is_that_of_the_books() -> None:
    # Newcombe (1998), “Two-sided confidence intervals for the single proportion”, method 3.
    share = Share(81, 263)

    assert (share.low_percent, share.percent, share.high_percent) == (26, 31, 37)
    assert (Share(0, 20).low_percent, Share(0, 20).high_percent) == (0, 16)
    assert (Share(1, 29).low_percent, Share(1, 29).high_percent) == (1, 17)


def test_a_share_of_few_is_said_to_be_that() -> None:
    assert Share(1, 4).is_few
    assert not Share(1, 5).is_few
    assert (Share(0, 0).percent, Share(0, 0).low_percent, Share(0, 0).high_percent) == (0, 0, 100)


def test_more_texts_tell_more() -> None:
    result = [expect(texts) for texts in SIZES]

    for fewer, more in pairwise(result):
        assert more.alpha < fewer.alpha
        assert more.mean < fewer.mean
        assert more.low_correlation > fewer.low_correlation
        assert more.high_correlation < fewer.high_correlation
    assert expect(10).alpha == pytest.approx(0.066, abs=0.001)


def test_a_sample_of_the_class_says_better_what_the_next_will_tell() -> None:
    result = expect(40, figure_of(0.7, 0.6, 0.8), figure_of(0.0, -0.1, 0.1))

    assert (result.alpha, result.mean) == pytest.approx((0.05, 0.05))
