"""A curve learnt from people's marks: small cases by hand, and what holds of all of them."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from grading.pyramid.config import Config
from grading.pyramid.errors import InputError
from grading.pyramid.learning import LEAST_SLOPE, Label, cut_of, learn_curve
from grading.pyramid.learnt_curve import LearntCurve


def class_of(texts: int, ideas: int = 6, seed: int = 1) -> list[Label]:
    """People find what is likely, idea 1 much more often than the matcher, and idea 2 seldom."""
    random = np.random.default_rng(seed)
    moved = {1: 3.0, 2: -3.0}
    labels = []
    for text, idea in product(range(texts), range(1, ideas + 1)):
        odds = random.normal(0, 2)
        chance = 1 / (1 + np.exp(-odds - moved.get(idea, 0.0)))
        base = round(float(1 / (1 + np.exp(-odds))), 4)
        labels.append(Label(idea, base, bool(random.uniform() < chance), text))
    return labels


# --- the curve ---


def test_without_labels_it_is_the_matchers_own() -> None:
    curve = learn_curve([])

    assert curve == LearntCurve(1.0, 0.0, (), 0.5)
    assert [curve.probability(7, base) for base in (0.0, 0.2, 0.5, 0.9)] == [0.0, 0.2, 0.5, 0.9]


def test_log_odds_are_stretched_and_moved() -> None:
    curve = LearntCurve(slope=2.0, shift=1.0, idea_shifts=((3, -0.5), (8, 0.25)))

    assert curve.probability(1, 0.5) == 0.7311  # 1 / (1 + exp(-1))
    assert curve.probability(3, 0.5) == 0.6225  # 1 / (1 + exp(-0.5))
    assert curve.probability(8, 0.5) == 0.7773  # 1 / (1 + exp(-1.25))
    assert curve.probability(1, 0.8) == 0.9775  # odds of 4 squared, times e
    assert curve.probability(1, 0.0) == 0.0
    assert LearntCurve(shift=-2.0).probability(1, 1.0) == 0.9927  # 1 is taken as .999


def test_the_cut_in_terms_of_the_matchers_own_probability() -> None:
    curve = LearntCurve(slope=2.0, shift=1.0, idea_shifts=((3, -1.0),), cut=0.5)

    assert curve.base_cut(3) == 0.5
    assert curve.base_cut(1) == pytest.approx(0.3775, abs=1e-4)  # log-odds of -1/2
    assert curve.probability(1, 0.3775) == pytest.approx(curve.cut, abs=2e-4)


def test_numbers_however_large_are_survived() -> None:
    steep, flat = LearntCurve(slope=1e308, shift=-1e308), LearntCurve(slope=1e-308, cut=0.4)

    assert [steep.probability(1, base) for base in (0.01, 0.5, 0.99)] == [0.0, 0.0, 1.0]
    assert LearntCurve(shift=-1e6).probability(1, 0.9) == 0.0
    assert LearntCurve(shift=-1e6).base_cut(1) == 1.0
    assert flat.base_cut(1) == pytest.approx(0.0)


def test_it_never_ranks_two_texts_the_other_way_round() -> None:
    curve = learn_curve(class_of(10))
    bases = [number / 100 for number in range(101)]

    for idea in (1, 2, 3, 99):
        result = [curve.probability(idea, base) for base in bases]
        assert result == sorted(result)


@pytest.mark.parametrize(
    "wrong",
    [
        {"slope": 0.0},
        {"slope": float("nan")},
        {"shift": float("inf")},
        {"cut": 1.0},
        {"idea_shifts": ((2, 0.1), (1, 0.1))},
        {"idea_shifts": ((1, 0.1), (1, 0.2))},
    ],
)
def test_a_curve_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        replace(LearntCurve(), **wrong)  # type: ignore[arg-type]


def test_shifts_follow_their_ideas_into_another_version() -> None:
    curve = LearntCurve(1.2, 0.3, ((1, 0.5), (2, -0.5), (3, 0.1)), 0.4)

    carried = curve.carried({1: 9, 3: 2})

    assert carried == LearntCurve(1.2, 0.3, ((2, 0.1), (9, 0.5)), 0.4)
    assert curve.carried({}) == LearntCurve(1.2, 0.3, (), 0.4)


# --- learning ---


def test_a_single_label_solved_by_hand() -> None:
    """At even odds the slope has no say. Where the gradients vanish, 1 - p = d and 1 - p = c / 4

    for the shift d of the idea and the common shift c, with p = 1 / (1 + exp(-5 d)): d = .2355.
    """
    curve = learn_curve([Label(4, 0.5, True)])

    assert curve.slope == 1.0
    assert [uid for uid, _ in curve.idea_shifts] == [4]
    assert curve.idea_shift(4) == pytest.approx(0.2355, abs=1e-4)
    assert curve.shift == pytest.approx(0.942, abs=2e-4)
    assert curve.probability(4, 0.5) == pytest.approx(1 - 0.2355, abs=2e-4)
    assert curve.probability(5, 0.5) == pytest.approx(1 / (1 + np.exp(-0.942)), abs=1e-3)


def test_opposite_labels_move_opposite_ideas_and_nothing_else() -> None:
    """By symmetry the common shift is 0; 1 - p = d with p = 1 / (1 + exp(-d)): d = .4011."""
    curve = learn_curve([Label(1, 0.5, True), Label(2, 0.5, False)])

    assert (curve.slope, curve.shift) == (1.0, 0.0)
    assert curve.idea_shift(1) == -curve.idea_shift(2)
    assert curve.idea_shift(1) == pytest.approx(0.4011, abs=1e-4)
    assert curve.cut == 0.5


def test_the_gradient_vanishes_at_what_is_learnt() -> None:
    labels = class_of(12)
    curve = learn_curve(labels)
    odds = np.array([np.log(label.probability / (1 - label.probability)) for label in labels])
    odds = np.clip(odds, -np.log(999), np.log(999))
    moved = np.array([curve.idea_shift(label.idea) for label in labels])
    errors = np.array([label.is_expressed for label in labels]) - 1 / (
        1 + np.exp(-(curve.slope * odds + curve.shift + moved))
    )

    assert (errors * odds).sum() == pytest.approx(0.5 * (curve.slope - 1), abs=0.02)
    assert errors.sum() == pytest.approx(0.25 * curve.shift, abs=0.02)
    for idea, shift in curve.idea_shifts:
        of_idea = sum(e for e, first in zip(errors, labels, strict=True) if first.idea == idea)
        assert of_idea == pytest.approx(shift, abs=0.02)


def test_more_labels_of_an_idea_move_it_more() -> None:
    shifts = [
        learn_curve([Label(1, 0.5, True, text) for text in range(count)]).idea_shift(1)
        for count in (1, 3, 9, 27)
    ]

    assert shifts == sorted(shifts)
    assert shifts[0] < shifts[-1]


def test_a_label_of_half_the_weight_moves_less() -> None:
    whole = learn_curve([Label(1, 0.3, True)]).idea_shift(1)
    half = learn_curve([Label(1, 0.3, True, weight=0.5)]).idea_shift(1)
    twice = learn_curve([Label(1, 0.3, True, weight=0.5)] * 2).idea_shift(1)

    assert 0 < half < whole
    assert twice == whole


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_labels_decides_nothing(seed: int) -> None:
    labels = class_of(9)
    mixed = [labels[place] for place in np.random.default_rng(seed).permutation(len(labels))]

    assert learn_curve(mixed) == learn_curve(labels)


def test_it_finds_out_which_ideas_people_find_more_often() -> None:
    curve = learn_curve(class_of(20))
    shifts = dict(curve.idea_shifts)

    assert min(shifts, key=shifts.__getitem__) == 2
    assert max(shifts, key=shifts.__getitem__) == 1
    assert shifts[1] > 1
    assert shifts[2] < -1


def test_labels_against_the_matcher_never_turn_it_round() -> None:
    labels = [Label(1, 0.95, False, n) for n in range(40)] + [
        Label(1, 0.05, True, n) for n in range(40, 80)
    ]

    assert learn_curve(labels).slope == LEAST_SLOPE


@pytest.mark.parametrize("is_expressed", [True, False])
def test_labels_that_all_say_the_same_are_survived(is_expressed: bool) -> None:
    labels = [Label(idea, 0.01, is_expressed, n) for n in range(200) for idea in range(5)]

    curve = learn_curve(labels)

    assert (curve.probability(0, 0.01) > 0.9) is is_expressed
    assert 0.1 <= curve.cut <= 0.9


# --- the cut ---


def test_as_many_matches_as_expected() -> None:
    assert cut_of([0.9, 0.8, 0.4, 0.3, 0.1, 0.1]) == 0.35  # 2.6 of them: three
    assert cut_of([0.6, 0.6, 0.6, 0.2]) == 0.6  # two, but three are alike
    assert cut_of([0.2, 0.1]) == 0.6  # none
    assert cut_of([0.95, 0.9]) == 0.45  # both
    assert cut_of([]) == 0.5


def test_the_cut_stays_away_from_all_and_nothing() -> None:
    assert cut_of([0.01] * 9) == 0.505
    assert cut_of([0.01] * 90) == 0.1
    assert cut_of([0.99] * 90) == 0.9


def test_the_labelled_texts_have_as_many_matches_as_people_found() -> None:
    labels = class_of(20)
    curve = learn_curve(labels)

    result = sum(curve.probability(label.idea, label.probability) >= curve.cut for label in labels)

    assert result == pytest.approx(sum(label.is_expressed for label in labels), abs=2)


# --- as an option ---


def test_the_signature_covers_what_was_learnt() -> None:
    curve = LearntCurve(1.1, 0.2, ((1, 0.5),), 0.4)
    usual, learnt = Config(), Config(learnt_curve=curve)

    assert learnt.signature() != usual.signature()
    assert learnt.signature() == Config(learnt_curve=replace(curve)).signature()
    for other in (replace(curve, cut=0.41), replace(curve, idea_shifts=((2, 0.5),))):
        assert Config(learnt_curve=other).signature() != learnt.signature()
