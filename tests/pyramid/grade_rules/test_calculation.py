"""From scores to grades: the order of the steps, rounding, lateness, and what never happens."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.grade_rules import (
    DEFAULT_RULE,
    ROUNDINGS,
    Band,
    Bands,
    GradeRule,
    LatePenalty,
    Linear,
    Scores,
    Unit,
    Weights,
    days_late,
    grade_of,
    label_of,
    number_in_words,
)

BANDS = Bands(
    (
        Band("F", Decimal(0), Decimal(0)),
        Band("A", Decimal("0.8"), Decimal(10)),
        Band("B", Decimal("0.6"), Decimal(8)),
    )
)


def scores(comprehensive: float, quality: float = 0.5, coverage: float = 0.5) -> Scores:
    return Scores.of(comprehensive=comprehensive, quality=quality, coverage=coverage)


def test_the_default_is_the_comprehensive_score_in_percent() -> None:
    grade = grade_of(DEFAULT_RULE, scores(0.61834))

    assert grade.points == Decimal("61.83")
    assert grade.steps == (
        "Comprehensive score: 0.6183.",
        "0.6183 \u00d7 100 = 61.83 of 100 points.",
    )


def test_the_example_of_the_docs() -> None:
    docs = (Path(__file__).resolve().parents[3] / "docs" / "methods.md").read_text("utf-8")
    rule = GradeRule(
        points=Decimal(10),
        rounding=Decimal("0.5"),
        late=LatePenalty(Decimal(10)),
        passes_from=Decimal(5),
    )

    grade = grade_of(rule, scores(0.62), days=1)

    assert (grade.points, grade.passed) == (Decimal("5.5"), True)
    assert grade.steps == (
        "Comprehensive score: 0.62.",
        "0.62 \u00d7 10 = 6.2 of 10 points.",
        "1 day late: \u221210 % of it leaves 5.58.",
        "Rounded to 0.5: 5.5.",
        "5.5 passes: the pass mark is 5.",
    )
    assert "".join(f"    {step}\n" for step in grade.steps) in docs


def test_a_mean_of_the_three_on_a_line_with_floor_and_ceiling() -> None:
    rule = GradeRule(
        points=Decimal(10),
        weights=Weights(50, 30, 20),
        scale=Linear(Decimal("0.2"), Decimal("0.9"), Decimal(1)),
        rounding=Decimal("0.1"),
    )

    grade = grade_of(rule, scores(0.62, 0.7, 0.55))

    assert grade.points == Decimal("6.5")  # 1 + 9 * (0.63 - 0.2) / 0.7 = 6.52857…
    assert grade.steps[0] == (
        "50 % of comprehensive 0.62 + 30 % of quality 0.7 + 20 % of coverage 0.55 = 0.63."
    )
    assert "about 6.5286 of 10" in grade.steps[1]
    assert grade_of(rule, scores(0, 0, 0)).points == 1
    assert grade_of(rule, scores(1, 1, 0.9)).points == 10


@pytest.mark.parametrize(
    ("score", "points", "label"),
    [(0.8, 10, "A"), (0.79996, 10, "A"), (0.7999, 8, "B"), (0.6, 8, "B"), (0, 0, "F")],
)
def test_a_band_begins_at_its_score(score: float, points: int, label: str) -> None:
    grade = grade_of(GradeRule(points=Decimal(10), scale=BANDS), scores(score))

    assert (grade.points, grade.label) == (Decimal(points), label)


def test_what_lateness_takes_can_lead_to_a_lower_band() -> None:
    rule = GradeRule(
        points=Decimal(10), scale=BANDS, late=LatePenalty(Decimal(1), Unit.POINTS, most=Decimal(3))
    )

    assert [grade_of(rule, scores(0.9), days).label for days in (0, 1, 2, 9)] == [*"ABBF"]
    assert [grade_of(rule, scores(0.9), days).points for days in (0, 1, 2, 9)] == [10, 9, 8, 7]
    assert label_of(rule, Decimal("8.5")) == "B"
    assert label_of(DEFAULT_RULE, Decimal(8)) == ""


@pytest.mark.parametrize(("penalty", "left"), [(True, 40), (False, 80)])
def test_per_day_or_once(penalty: bool, left: int) -> None:
    rule = GradeRule(late=LatePenalty(Decimal(20), per_day=penalty))

    assert grade_of(rule, scores(1), days=3).points == left
    assert grade_of(rule, scores(1), days=99).points >= 0


@pytest.mark.parametrize(
    ("minutes", "grace", "days"),
    [(0, 0, 0), (-5, 0, 0), (1, 0, 1), (15, 15, 0), (16, 15, 1), (1440, 0, 1), (1441, 0, 2)],
)
def test_a_day_counts_as_soon_as_it_has_begun(minutes: int, grace: int, days: int) -> None:
    penalty = LatePenalty(Decimal(10), grace_minutes=grace)

    assert days_late(timedelta(minutes=minutes), penalty) == days


def test_a_day_begun_is_counted_where_nothing_is_taken_too() -> None:
    assert days_late(timedelta(hours=30), None) == 2


@pytest.mark.parametrize(
    ("number", "words"), [("5.580", "5.58"), ("100", "100"), ("1/3", "about 0.3333"), ("0", "0")]
)
def test_numbers_are_told_without_needless_zeros(number: str, words: str) -> None:
    assert number_in_words(Fraction(number)) == words


# --- what holds for every rule ---

SCORE = st.integers(0, 10_000).map(lambda whole: whole / 10_000)
TEXTS = st.builds(scores, SCORE, SCORE, SCORE)
TENTHS = st.integers(0, 10).map(lambda tenth: Decimal(tenth) / 10)


@st.composite
def weights(draw: st.DrawFn) -> Weights:
    first = draw(st.integers(0, 100))
    second = draw(st.integers(0, 100 - first))
    return Weights(first, second, 100 - first - second)


@st.composite
def rules(draw: st.DrawFn) -> GradeRule:
    rounding = draw(st.sampled_from(ROUNDINGS))
    points = Decimal(draw(st.integers(1, 200)))
    return GradeRule(
        points=points,
        weights=draw(weights()),
        scale=draw(st.one_of(lines(points), bands(points))),
        rounding=rounding,
        late=draw(st.none() | penalties()),
    )


@st.composite
def lines(draw: st.DrawFn, points: Decimal) -> Linear:
    floor, ceiling = sorted(draw(st.lists(TENTHS, min_size=2, max_size=2, unique=True)))
    return Linear(floor, ceiling, draw(TENTHS) * points)


@st.composite
def bands(draw: st.DrawFn, points: Decimal) -> Bands:
    starts = sorted(draw(st.sets(TENTHS, min_size=1, max_size=6)) | {Decimal(0), Decimal(1)})
    given = st.integers(0, int(points))
    worth = sorted(draw(st.lists(given, min_size=len(starts), max_size=len(starts))))
    pairs = zip(starts, worth, strict=True)
    return Bands(tuple(Band(f"from {start}", start, Decimal(first)) for start, first in pairs))


@st.composite
def penalties(draw: st.DrawFn) -> LatePenalty:
    amount = draw(st.integers(1, 100))
    most = draw(st.none() | st.integers(amount, 100))
    return LatePenalty(
        Decimal(amount),
        draw(st.sampled_from(Unit)),
        per_day=draw(st.booleans()),
        most=None if most is None else Decimal(most),
    )


@given(rules(), TEXTS, TEXTS, st.integers(0, 9))
def test_a_better_text_never_gets_less(
    rule: GradeRule, first: Scores, other: Scores, days: int
) -> None:
    names = ("comprehensive", "quality", "coverage")
    pairs = [sorted((getattr(first, name), getattr(other, name))) for name in names]
    lower, higher = (Scores(*(pair[side] for pair in pairs)) for side in (0, 1))

    assert grade_of(rule, lower, days).points <= grade_of(rule, higher, days).points


@given(rules(), TEXTS, st.integers(0, 400))
def test_a_grade_is_a_multiple_of_the_rounding_between_nothing_and_all(
    rule: GradeRule, text: Scores, days: int
) -> None:
    points = grade_of(rule, text, days).points

    assert 0 <= points <= rule.points
    assert points % rule.rounding == 0


@given(rules(), TEXTS, st.integers(0, 9))
def test_a_later_text_never_gets_more(rule: GradeRule, text: Scores, days: int) -> None:
    assert grade_of(rule, text, days + 1).points <= grade_of(rule, text, days).points


@given(TEXTS, st.sampled_from(ROUNDINGS), st.integers(1, 200))
def test_rounding_goes_to_the_nearest_and_a_half_up(
    text: Scores, rounding: Decimal, points: int
) -> None:
    rule = GradeRule(points=Decimal(points), rounding=rounding)
    exact = Fraction(text.comprehensive) * points

    over = Fraction(grade_of(rule, text).points) - exact

    assert -Fraction(rounding) / 2 < over <= Fraction(rounding) / 2


@given(rules(), TEXTS, st.integers(0, 9))
def test_the_words_end_with_the_points(rule: GradeRule, text: Scores, days: int) -> None:
    grade = grade_of(rule, text, days)

    assert any(number_in_words(grade.points) in step for step in grade.steps)
