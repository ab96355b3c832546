"""Rules that cannot be meant are refused in words; those that can survive being kept."""

import json
from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given

from grading.pyramid.formats.grade_rule_json import grade_rule_from_json, grade_rule_to_json
from grading.pyramid.grade_rules import (
    Attempt,
    Band,
    Bands,
    GradeRule,
    LatePenalty,
    Linear,
    RuleError,
    Unit,
    Weights,
    plain,
    rule_in_words,
)
from tests.pyramid.grade_rules.test_calculation import BANDS, rules


def band(label: str, start: str, points: int) -> Band:
    return Band(label, Decimal(start), Decimal(points))


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: Weights(50, 30, 10), "weights"),
        (lambda: Weights(150, -50, 0), "weights"),
        (lambda: Linear(Decimal("0.5"), Decimal("0.5")), "ceiling"),
        (lambda: Linear(Decimal(-1)), "floor"),
        (lambda: Linear(least=Decimal(-1)), "least"),
        (lambda: GradeRule(scale=Linear(least=Decimal(101))), "least"),
        (lambda: Bands((band("A", "0", 1),)), "bands"),
        (lambda: Bands((band("A", "0", 1), band("A", "0.5", 2))), "bands"),
        (lambda: Bands((band("A", "0", 1), band("B", "0", 2))), "bands"),
        (lambda: Bands((band("A", "85", 1), band("B", "0", 2))), "bands"),
        (lambda: Bands((band("A", "0.5", 1), band("B", "0.1", 0))), "bands"),
        (lambda: Bands((band("A", "0.5", 1), band("B", "0", 2))), "bands"),
        (lambda: Bands((band("A", "0.5", 1), band("B", "0", -2))), "bands"),
        (lambda: GradeRule(points=Decimal(5), scale=BANDS), "bands"),
        (lambda: GradeRule(points=Decimal(0)), "points"),
        (lambda: GradeRule(points=Decimal(20_000)), "points"),
        (lambda: GradeRule(points=Decimal("9.75"), rounding=Decimal("0.5")), "points"),
        (lambda: GradeRule(rounding=Decimal("0.3")), "rounding"),
        (lambda: GradeRule(passes_from=Decimal(101)), "passes_from"),
        (lambda: LatePenalty(Decimal(0)), "late_amount"),
        (lambda: LatePenalty(Decimal(101)), "late_amount"),
        (lambda: LatePenalty(Decimal(10), most=Decimal(5)), "late_most"),
        (lambda: LatePenalty(Decimal(10), grace_minutes=-1), "grace_minutes"),
    ],
)
def test_what_cannot_be_meant_is_refused(make: Callable[[], object], part: str) -> None:
    with pytest.raises(RuleError) as raised:
        make()

    assert raised.value.part == part
    assert str(raised.value).endswith(".")


def test_bands_stand_in_order_however_they_were_given() -> None:
    assert [band.label for band in BANDS.bands] == ["A", "B", "F"]


@pytest.mark.parametrize(("number", "words"), [("5.50", "5.5"), ("100", "100"), ("0.00", "0")])
def test_plain_numbers(number: str, words: str) -> None:
    assert plain(Decimal(number)) == words


@given(rules())
def test_a_rule_is_the_same_after_it_was_kept(rule: GradeRule) -> None:
    assert grade_rule_from_json(json.loads(json.dumps(grade_rule_to_json(rule)))) == rule


def test_a_rule_in_words() -> None:
    rule = GradeRule(
        points=Decimal(10),
        weights=Weights(50, 30, 20),
        scale=Linear(Decimal("0.2"), Decimal("0.9"), Decimal(1)),
        rounding=Decimal("0.5"),
        late=LatePenalty(Decimal(10), most=Decimal(50), grace_minutes=15),
        attempt=Attempt.BEST,
        drafts_count=False,
        passes_from=Decimal(5),
    )

    late_words = "10 % of what was earned for each started day, at most 50 %"
    assert rule_in_words(rule) == [
        ("Score", "50 % comprehensive + 30 % quality + 20 % coverage."),
        ("Points", "1 up to a score of 0.2, rising evenly to 10 points at 0.9 or more."),
        (
            "Late work",
            f"{late_words}; none within 15 minutes of the due date.",
        ),
        ("Rounding", "To 0.5, once at the end. Halves go up."),
        ("Attempt", "The final submission with the best grade counts. Drafts get no grade."),
        ("Pass", "5 points or more."),
    ]
    flat = GradeRule(
        points=Decimal(10), scale=BANDS, late=LatePenalty(Decimal(1), Unit.POINTS, per_day=False)
    )
    assert rule_in_words(flat)[1:3] == [
        ("Points", "Of 10 points, by bands: “A” from 0.8: 10; “B” from 0.6: 8; “F” from 0: 0."),
        ("Late work", "1 point, however late."),
    ]
