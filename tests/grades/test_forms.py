"""The form of a rule: what a choice does not use is left out of account."""

from decimal import Decimal
from typing import Any

import pytest

from grading.grades.forms import GradeRuleForm, ManualGradeForm, rule_initial
from grading.grades.queries import ProposedRule
from grading.pyramid.grade_rules import (
    DEFAULT_RULE,
    Attempt,
    GradeRule,
    LatePenalty,
    Linear,
    Unit,
    Weights,
)
from tests.pyramid.grade_rules.test_calculation import BANDS

RULES = (
    DEFAULT_RULE,
    GradeRule(
        points=Decimal("12.5"),
        weights=Weights(50, 30, 20),
        scale=Linear(Decimal("0.15"), Decimal("0.9"), Decimal("0.5")),
        rounding=Decimal("0.5"),
        late=LatePenalty(Decimal(10), most=Decimal(50), grace_minutes=15),
        attempt=Attempt.BEST,
        drafts_count=False,
        passes_from=Decimal(6),
    ),
    GradeRule(
        points=Decimal(10),
        weights=Weights(0, 100, 0),
        scale=BANDS,
        late=LatePenalty(Decimal(1), Unit.POINTS, per_day=False),
    ),
)


def sent(rule: GradeRule = DEFAULT_RULE, **changes: object) -> dict[str, Any]:
    """As a browser sends what the form begins with."""
    initial = rule_initial(ProposedRule(rule, students_see=True)) | changes
    return {name: value for name, value in initial.items() if value is not False}


@pytest.mark.parametrize("rule", RULES, ids=["default", "line", "bands"])
def test_what_the_form_begins_with_is_the_rule(rule: GradeRule) -> None:
    form = GradeRuleForm(sent(rule))

    assert form.is_valid(), form.errors
    assert form.proposed == ProposedRule(rule, students_see=True)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"counts": "mix", "comprehensive": "50"}, "counts"),
        ({"counts": "nothing"}, "counts"),
        ({"points": ""}, "points"),
        ({"points": "0"}, "points"),
        ({"points": "ten"}, "points"),
        ({"points": "9.75", "rounding": "0.5"}, "points"),
        ({"floor": "0.9", "ceiling": "0.5"}, "ceiling"),
        ({"ceiling": "90"}, "ceiling"),
        ({"least": "200"}, "least"),
        ({"scale": "bands", "bands": "A 1 2"}, "bands"),
        ({"scale": "bands", "bands": ""}, "bands"),
        ({"scale": "bands", "bands": "A | 0.5 | 200\nF | 0 | 0"}, "bands"),
        ({"late": "per_day", "late_amount": ""}, "late_amount"),
        ({"late": "per_day", "late_amount": "20", "late_most": "10"}, "late_most"),
        ({"late": "once", "grace_minutes": "-1"}, "grace_minutes"),
        ({"rounding": "0.3"}, "rounding"),
        ({"passes_from": "101"}, "passes_from"),
    ],
)
def test_a_fault_stands_at_its_field(changes: dict[str, str], field: str) -> None:
    form = GradeRuleForm(sent() | changes)

    assert not form.is_valid()
    assert list(form.errors) == [field]


def test_what_a_choice_does_not_use_is_left_out() -> None:
    form = GradeRuleForm(sent(quality="x", bands="A 1 2", late_amount="x", grace_minutes="x"))

    assert form.is_valid(), form.errors
    assert form.proposed.rule == DEFAULT_RULE


def test_a_comma_will_do() -> None:
    form = GradeRuleForm(sent(ceiling="0,9", points="12,5"))

    assert form.is_valid()
    assert form.proposed.rule.points == Decimal("12.5")


@pytest.mark.parametrize(
    ("data", "fields"),
    [
        ({"kind": "points", "points": "11", "reason": "x"}, ["points"]),
        ({"kind": "points", "points": "", "reason": "x"}, ["points"]),
        ({"kind": "points", "points": "1.234", "reason": "x"}, ["points"]),
        ({"kind": "points", "points": "-1", "reason": "x"}, ["points"]),
        ({"kind": "excused", "points": "x", "reason": " "}, ["reason"]),
        ({"kind": "zero", "reason": "x"}, ["kind"]),
        ({"kind": "points", "points": "10", "reason": "x" * 1001}, ["reason"]),
    ],
)
def test_a_word_by_hand_needs_points_and_a_reason(data: dict[str, str], fields: list[str]) -> None:
    form = ManualGradeForm(data, possible=Decimal(10), saves=True)

    assert not form.is_valid()
    assert list(form.errors) == fields


def test_what_changes_is_shown_before_a_reason_is_given() -> None:
    form = ManualGradeForm({"kind": "excused", "points": "x"}, possible=Decimal(10))

    assert form.is_valid()
    assert form.manual_grade is not None
    assert form.manual_grade.points is None
