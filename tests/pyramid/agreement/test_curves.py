"""A learnt curve is suggested where it agrees better with people on texts left out; else not."""

import numpy as np
import pytest

from grading.pyramid.agreement import CurveAdvice, Ground, LabelledText, advise_curve
from grading.pyramid.learning import Label, learn_curve
from grading.pyramid.learnt_curve import LearntCurve

IDEAS = 30
OWN = LearntCurve()


def texts(
    count: int, *, moved: float = 0.0, by_idea: float = 0.0, seed: int = 1
) -> list[LabelledText]:
    """People find ideas with log-odds that are moved, for all ideas and for each by chance."""
    random = np.random.default_rng(seed)
    shifts = random.normal(moved, by_idea, IDEAS) if by_idea else np.full(IDEAS, moved)

    def text(number: int) -> LabelledText:
        odds = random.normal(-0.5, 2.5, IDEAS)
        said = random.uniform(size=IDEAS) < 1 / (1 + np.exp(-(odds + shifts)))
        bases = 1 / (1 + np.exp(-odds))
        return LabelledText(
            tuple(
                Label(idea, round(float(bases[idea]), 4), bool(said[idea]), number)
                for idea in range(IDEAS)
            )
        )

    return [text(number) for number in range(count)]


def value(advice: CurveAdvice) -> float:
    assert advice.gain.value is not None
    return advice.gain.value


def test_where_people_find_much_more_a_curve_is_suggested() -> None:
    advice = advise_curve(texts(10, moved=2.5), OWN)

    assert advice.ground is Ground.BETTER
    assert advice.is_suggested
    assert advice.curve.shift > 1
    assert advice.gain.low is not None
    assert advice.gain.low > 0
    assert advice.gained_rightly > advice.gained / 2 > 0
    assert advice.lost < advice.gained / 10


def test_where_people_find_much_less_matches_are_lost() -> None:
    advice = advise_curve(texts(10, moved=-2.5), OWN)

    assert advice.is_suggested
    assert advice.lost > 0
    assert advice.lost_rightly > advice.lost / 2


def test_ideas_that_people_find_differently_are_learnt_one_by_one() -> None:
    advice = advise_curve(texts(15, by_idea=3.0), OWN)

    assert advice.is_suggested
    assert value(advice) > 0.05


def test_chance_seldom_suggests_anything() -> None:
    """People who find ideas as often as the program expects: a 95 % interval errs now and then."""
    suggested = [advise_curve(texts(8, seed=seed), OWN).is_suggested for seed in range(20)]

    assert sum(suggested) <= 3


def test_few_texts_teach_and_prove_nothing() -> None:
    advice = advise_curve(texts(4, moved=2.5), OWN)

    assert (advice.ground, advice.texts, advice.labels) == (Ground.TOO_FEW, 4, 4 * IDEAS)
    assert advice.curve.shift > 0
    assert advise_curve([], OWN).curve == OWN


def test_texts_with_a_few_corrections_teach_but_do_not_judge() -> None:
    whole = texts(8, moved=2.0)
    corrected = [
        LabelledText((Label(0, 0.01, True, 100 + number),), is_whole=False) for number in range(9)
    ]

    advice = advise_curve([*whole, *corrected], OWN)

    assert advice.texts == 8
    assert advice.labels == 8 * IDEAS + 9
    assert advice.curve.idea_shift(0) > learn_curve(
        label for text in whole for label in text.labels
    ).idea_shift(0)


def test_it_is_compared_with_what_is_in_use() -> None:
    marked = texts(12, moved=2.5)
    own = advise_curve(marked, OWN)
    lower = advise_curve(marked, LearntCurve(cut=0.15))

    assert lower.agreement_then == own.agreement_then
    assert value(lower) < value(own)


def test_the_order_of_the_texts_decides_nothing_about_the_curve() -> None:
    marked = texts(9, moved=1.0, by_idea=1.0)

    assert advise_curve(marked, OWN).curve == advise_curve(marked[::-1], OWN).curve
    assert value(advise_curve(marked, OWN)) == pytest.approx(value(advise_curve(marked[::-1], OWN)))
