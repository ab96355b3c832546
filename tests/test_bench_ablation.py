"""The rules that the bench switches off are there, and differences are paired."""

import numpy as np
import pytest

from grading.pyramid.pipeline import Engine
from grading.pyramid.registry import get_method
from grading.pyramid.similarity import lexical_recall
from tests.bench.ablation import RULES, Figure, Rule, difference
from tests.fakes import FakeParser

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


@each_rule
def test_a_rule_is_switched_off_by_names_of_the_product(rule: Rule) -> None:
    for swap in rule.swaps:
        assert getattr(swap.target, swap.name) != swap.value
    assert rule.swaps or rule.options or rule.builder


@each_rule
def test_options_and_builder_make_another_signature(rule: Rule) -> None:
    engine = Engine(FakeParser(), lexical_recall(0), get_method("classroom"))
    changes = bool(rule.options or rule.builder)
    assert (rule.switched_off(engine).signature != engine.signature) == changes


def test_no_two_rules_have_the_same_name() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_a_change_has_the_interval_of_paired_draws() -> None:
    values = np.arange(20.0)

    def drawn(add: float) -> Figure:
        return Figure("mean", lambda rows: float(values[rows].mean()) + add, len(values))

    change = difference(drawn(0.5).drawn(), drawn(0.0).drawn())
    assert (change.value, change.low, change.high) == pytest.approx((0.5, 0.5, 0.5))
    alone = Figure("share", lambda _: 0.25)
    assert difference(alone.drawn(), alone.drawn()).low is None
