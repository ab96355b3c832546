"""The curve from similarity to probability, and how it is learnt."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from grading.pyramid.calibration import Calibration, learn, probability_of

PRIOR = Calibration(slope=11.0, threshold=0.66)
STRENGTH = 10.0

similarities = st.floats(0, 1).map(lambda value: round(value, 4))
examples = st.lists(st.tuples(similarities, st.booleans()), max_size=60)
Examples = Sequence[tuple[float, bool]]


def learnt(pairs: Examples, strength: float = STRENGTH) -> Calibration:
    return learn([first for first, _ in pairs], [match for _, match in pairs], PRIOR, strength)


def test_the_curve() -> None:
    curve = Calibration(slope=10.0, threshold=0.6)
    assert curve.probability(0.6) == 0.5
    # one log-odd: 1 / (1 + 1/e) = .731
    assert curve.probability(0.7) == pytest.approx(0.7311, abs=1e-4)
    assert curve.probability(0.5) == pytest.approx(1 - 0.7311, abs=1e-4)
    assert curve.log_odds(0.8) == pytest.approx(2)
    # A penalty of one takes the log-odd off again.
    assert curve.probability(0.7, penalty=1.0) == pytest.approx(0.5)
    assert isinstance(curve.probability(0.7), float)


def test_without_examples_the_prior_is_learnt() -> None:
    assert learnt([]) == PRIOR
    assert learnt([], strength=0.5) == PRIOR


def test_few_examples_say_little_and_many_say_much() -> None:
    low = [(0.2, False), (0.4, True)]
    few, many = learnt(low), learnt(low * 50)
    assert few.threshold > 0.5
    assert many.threshold == pytest.approx(0.33, abs=0.04)
    assert learnt(low, strength=1000.0).threshold == pytest.approx(PRIOR.threshold, abs=0.01)


def test_it_finds_the_curve_that_made_the_examples() -> None:
    truth = Calibration(slope=16.0, threshold=0.55)
    pairs = []
    for step in range(0, 101, 2):
        similarity = step / 100
        matching = round(100 * truth.probability(similarity))
        pairs += [(similarity, i < matching) for i in range(100)]
    result = learnt(pairs)
    assert result.slope == pytest.approx(16, abs=0.5)
    assert result.threshold == pytest.approx(0.55, abs=0.01)


@pytest.mark.parametrize("gap", [0.0001, 0.1, 0.9])
@pytest.mark.parametrize("many", [5, 5_000])
def test_separable_examples_stay_finite(gap: float, many: int) -> None:
    curve = learnt([(0.5 - gap / 2, False), (0.5 + gap / 2, True)] * many)
    assert 0 < curve.slope < 1_000
    assert curve.threshold == pytest.approx(0.5, abs=0.17)


def test_examples_the_wrong_way_round_do_not_turn_the_curve() -> None:
    curve = learnt([(0.3, True), (0.8, False)] * 50)
    assert curve.slope == PRIOR.slope / 10
    assert curve.threshold == pytest.approx(0.55, abs=0.03)  # half of them match, at .55 on average


@pytest.mark.parametrize("similarity", [0.0, 0.4, 0.9, 1.0])
@pytest.mark.parametrize("match", [False, True])
def test_nothing_makes_everything_match_or_nothing(similarity: float, match: bool) -> None:
    curve = learnt([(similarity, match)] * 500)
    assert curve.probability(0.0) < 0.5 < curve.probability(1.0)


@given(examples)
@example([(1.0, False)] * 60)
def test_the_curve_always_rises_and_stays_near_the_prior(pairs: Examples) -> None:
    curve = learnt(pairs)
    assert PRIOR.slope / 10 <= curve.slope < 1_000
    assert PRIOR.threshold / 2 <= curve.threshold <= (1 + PRIOR.threshold) / 2


@given(examples, st.data())
def test_the_order_of_examples_makes_no_difference(pairs: Examples, data: st.DataObject) -> None:
    assert learnt(data.draw(st.permutations(pairs))) == learnt(pairs)


@given(examples.filter(bool), st.data())
def test_one_more_match_makes_its_similarity_no_less_probable(
    pairs: Examples, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(pairs) - 1))
    similarity = pairs[at][0]
    curves = [
        learnt([*pairs[:at], (similarity, match), *pairs[at + 1 :]]) for match in (False, True)
    ]
    # Where the threshold is held back, the curve is not the one that fits best.
    assume(all(0.34 < curve.threshold < 0.82 for curve in curves))
    without, with_it = (curve.probability(similarity) for curve in curves)
    assert with_it >= without - 1e-3  # curves are rounded


@given(st.floats(0.0, 1.0), st.floats(0.1, 0.9), st.floats(0.0, 3.0))
def test_a_moved_curve_says_one_half_where_the_other_says_that(
    similarity: float, half_at: float, penalty: float
) -> None:
    curve = Calibration(slope=12.0, threshold=0.55)
    moved = curve.with_half_at(half_at)

    before, after = (stage.probability(similarity, penalty) for stage in (curve, moved))

    assert probability_of(after, half_at) == pytest.approx(before, abs=1e-9)
    assert (after >= 0.5) == (before >= half_at) or before == pytest.approx(half_at)


def test_certainty_stays_certain() -> None:
    assert (probability_of(0.0, 0.1), probability_of(1.0, 0.1)) == (0.0, 1.0)
