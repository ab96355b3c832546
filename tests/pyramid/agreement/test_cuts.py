"""Thresholds: suggested where people agree with another one, also on texts left out; else not."""

import numpy as np
import pytest
from numpy.typing import NDArray

from grading.pyramid.agreement.cuts import CUTS, Ground, JudgedText, advise

IDEAS = 40


def texts(count: int, people_at: float, noise: float = 0.0, seed: int = 1) -> list[JudgedText]:
    """People find what is at least so probable; with ``noise``, not always."""
    random = np.random.default_rng(seed)

    def text() -> JudgedText:
        probabilities = random.uniform(0, 1, IDEAS)
        blurred = probabilities + random.normal(0, noise, IDEAS) if noise else probabilities
        return JudgedText(probabilities, (blurred >= people_at,))

    return [text() for _ in range(count)]


def test_where_people_find_more_a_lower_threshold_is_suggested() -> None:
    advice = advise(texts(10, 0.3, 0.1), 0.5)

    assert advice.ground is Ground.BETTER
    assert advice.suggested == pytest.approx(0.3, abs=0.051)
    assert advice.gain.low is not None
    assert advice.gain.low > 0
    assert advice.new > 0
    assert advice.new_rightly > advice.new / 2
    assert advice.gone == 0


def test_where_people_find_less_a_higher_one_is() -> None:
    advice = advise(texts(10, 0.7, 0.1), 0.5)

    assert advice.suggested == pytest.approx(0.7, abs=0.051)
    assert advice.gone > 0
    assert advice.gone_rightly > advice.gone / 2


def test_where_people_agree_with_the_one_in_use_it_stays() -> None:
    advice = advise(texts(10, 0.5), 0.5)

    assert (advice.ground, advice.suggested) == (Ground.SAME, None)
    assert advice.agreement_now.value == pytest.approx(1.0)


def test_few_texts_say_nothing() -> None:
    advice = advise(texts(4, 0.2), 0.5)

    assert (advice.ground, advice.suggested, advice.texts) == (Ground.TOO_FEW, None, 4)
    assert advise([], 0.5).ground is Ground.TOO_FEW


@pytest.mark.parametrize("seed", range(6))
def test_chance_suggests_nothing(seed: int) -> None:
    """People who agree with the threshold in use, with much noise: the best one is only luck."""
    advice = advise(texts(8, 0.5, 0.5, seed), 0.5)

    assert advice.suggested is None


def test_texts_that_nobody_has_annotated_say_nothing() -> None:
    judged = texts(8, 0.3)
    more = [*judged, JudgedText(np.full(IDEAS, 0.9), ())]

    assert advise(more, 0.5) == advise(judged, 0.5)


def test_the_order_of_the_texts_decides_nothing_about_the_threshold() -> None:
    judged = texts(9, 0.35, 0.2)

    assert advise(judged, 0.5).best == advise(judged[::-1], 0.5).best


def test_a_threshold_in_use_that_is_not_in_the_list_is_compared_with() -> None:
    advice = advise(texts(10, 0.33), 0.33)

    assert advice.ground is Ground.SAME
    assert 0.33 not in CUTS
    assert [cut for cut, _ in advice.tried] == list(CUTS)


def alike(count: int) -> NDArray[np.float64]:
    return np.full(count, 0.8)


def test_where_everything_is_found_by_everybody_nothing_is_suggested() -> None:
    judged = [JudgedText(alike(5), (np.ones(5, dtype=bool),)) for _ in range(6)]

    advice = advise(judged, 0.5)

    assert advice.suggested is None
    assert advice.agreement_now.value is None
