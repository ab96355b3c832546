"""What another rule does to a class."""

from decimal import Decimal
from fractions import Fraction

from grading.pyramid.grade_effect import GradeByRule, effect_of_rules, percent

HUNDRED, TEN = Decimal(100), Decimal(10)


def held(
    points: str | None, possible: Decimal = TEN, label: str = "", passed: bool | None = None
) -> GradeByRule:
    return GradeByRule(None if points is None else Decimal(points), possible, label, passed)


def test_grades_out_of_other_points_are_compared_as_shares() -> None:
    effect = effect_of_rules(
        {1: held("62", HUNDRED), 2: held("61.8", HUNDRED), 3: held(None, HUNDRED)},
        {1: held("6.2"), 2: held("6.2"), 3: held(None)},
    )

    assert [move.student for move in effect.movers] == [2]
    assert effect.movers[0].by == Fraction("0.002")
    assert (effect.ups, effect.downs, effect.crossing) == (1, 0, 0)
    assert effect.before.graded == effect.after.graded == 2
    assert (effect.before.mean, effect.after.mean) == (Decimal("61.9"), Decimal("62.0"))


def test_what_rounding_makes_of_other_points_is_no_move() -> None:
    effect = effect_of_rules({1: held("28.57", HUNDRED)}, {1: held("5.71", Decimal(20))})

    assert not effect.movers
    assert (effect.ups, effect.downs) == (0, 0)


def test_who_gets_or_loses_a_grade_comes_first_and_is_no_move_by_a_number() -> None:
    effect = effect_of_rules(
        {1: held("1"), 2: held("5"), 3: held(None), 4: held("9")},
        {1: held("9"), 2: held(None), 3: held("4"), 4: held("9")},
    )

    assert [move.student for move in effect.movers] == [2, 3, 1]
    assert (effect.graded_now, effect.graded_no_more) == (1, 1)
    assert (effect.ups, effect.downs) == (1, 0)


def test_lines_that_are_crossed() -> None:
    effect = effect_of_rules(
        {
            1: held("5", label="B", passed=False),
            2: held("6", label="B", passed=True),
            3: held(None, label=""),
        },
        {
            1: held("5", label="B", passed=True),
            2: held("6", label="A", passed=True),
            3: held("6", label="A", passed=True),
        },
    )

    assert effect.crossing == 2
    assert [move.crosses_pass for move in effect.moves] == [True, False, False]
    assert [move.crosses_band for move in effect.moves] == [False, True, False]


def test_the_highest_grade_is_in_the_last_tenth() -> None:
    effect = effect_of_rules({1: held("10"), 2: held("0")}, {1: held("9"), 2: held("0.99")})

    assert effect.before.counts == (1, *[0] * 8, 1)
    assert effect.after.counts == (1, *[0] * 8, 1)


def test_nobody_graded_has_no_mean() -> None:
    effect = effect_of_rules({1: held(None)}, {1: held(None)})

    assert effect.before.mean is None
    assert not effect.movers


def test_percents_have_one_decimal() -> None:
    assert percent(Fraction(1, 3)) == Decimal("33.3")
    assert percent(Fraction("0.0005")) == Decimal("0.1")
