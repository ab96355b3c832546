"""Denials, opposites, and what is neither said nor denied."""

import pytest

from grading.pyramid.contradictions.words_only import contradictions

DENIED = [
    (
        "Energy cannot be created or destroyed.",
        "energy can be created",
        "created",
        "cannot be created",
    ),
    ("Roofs absorb heat.", "Roofs do not absorb heat", "not absorb", "absorb"),
    (
        "Traffic increases in the city.",
        "traffic doesnt increase in the city",
        "doesnt increase",
        "increases",
    ),
    ("Bees never sleep.", "bees sleep", "sleep", "never sleep"),
    (
        "It is observed without changing the matter.",
        "it changes the matter",
        "changes",
        "without changing",
    ),
    ("Metals are soluble in water.", "metals are not very soluble", "not very soluble", "soluble"),
]
OPPOSITE = [
    ("Traffic increases in the city.", "traffic decreases in the city", "decreases", "increases"),
    (
        "The city is hotter than the country.",
        "the city is cooler than the country",
        "cooler",
        "hotter",
    ),
    ("Wash your hands before meals.", "wash hands after meals", "after", "before"),
    ("Dark roofs absorb heat.", "dark roofs reflect heat", "reflect", "absorb"),
]
AGREED = [
    ("Energy cannot be created or destroyed.", "energy can neither be created nor destroyed"),
    ("Energy cannot be created.", "one can\u2019t create energy"),
    ("No energy is lost.", "Energy is not lost."),
    ("Not only roofs absorb heat.", "Roofs absorb heat."),
    ("It is not true that roofs do not absorb heat.", "Roofs absorb heat."),
    ("Not all matter has mass.", "Matter has mass."),
    ("Traffic increases in the city.", "traffic does not decrease in the city"),
    ("The city is hotter than the country.", "the country is cooler than the city"),
    ("They did not stop the fire.", "They failed to stop the fire."),
    ("Andy will marry Kim.", "No 3 Andy will marry Kim."),
    ("The city has more roofs.", "The city has less trees."),
    ("Heat is stored and not lost.", "heat is not lost, it is stored"),
    ("nothing", "nothing is not nothing"),
]


@pytest.mark.parametrize(("idea", "evidence", "statement", "known"), DENIED + OPPOSITE)
def test_denials_and_opposites(idea: str, evidence: str, statement: str, known: str) -> None:
    (result,) = contradictions([idea], evidence)
    assert result.kind == "negation"
    assert result.remark == f"The text says “{statement}” where the experts say “{known}”."


@pytest.mark.parametrize(("idea", "evidence"), AGREED)
def test_no_denial(idea: str, evidence: str) -> None:
    assert contradictions([idea], evidence) == ()
    assert contradictions([evidence], idea) == ()


def test_what_few_of_the_experts_say_is_not_denied() -> None:
    experts = ["Density is a property.", "density", "we observe density without changing matter"]
    assert contradictions(experts, "density changes by changing the matter") == ()


def test_experts_who_differ_deny_nothing() -> None:
    experts = ["Bees sleep at night.", "Bees never sleep."]
    assert contradictions(experts, "bees sleep") == ()
    assert contradictions(experts, "bees never sleep") == ()
