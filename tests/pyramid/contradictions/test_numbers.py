"""Numbers in all their forms; only what is counted alike can differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.contradictions.words_only import contradictions

SAME = [
    ("1,000 cars", "1 000 cars"),
    ("1,000 cars", "1000 cars"),
    ("1000 cars", "a thousand cars"),
    ("2 million people", "2,000,000 people"),
    ("$1.5m was raised", "it raised 1.5 million dollars"),
    ("There are twenty-five cities.", "25 cities"),
    ("three hundred and twenty-five dogs", "325 dogs"),
    ("half of the cities", "50% of the cities"),
    ("two-thirds of the cars", "about 67 per cent of the cars"),
    ("a third of the cars", "30% of the cars"),
    ("2/3 of the cars", "two thirds of the cars"),
    ("the 21st century", "the twenty-first century"),
    ("30 countries signed", "over 25 countries signed"),
    ("40 people died", "nearly 42 people died"),
    ("50 to 60 stitches", "55 stitches"),
    ("between 50 and 60 stitches", "52 stitches"),
    ("1,234 people came", "1,200 people came"),
    ("one cause is 3 times as big", "the cause is three times as big"),
]
OTHER = [
    ("matter has three states", "there are four states of matter", "four", "three"),
    ("the sea is 30 metres deep", "the sea is 40 m deep", "40", "30"),
    ("30% of the cars are electric", "half of the cars are electric", "half", "30%"),
    ("2 million people", "2,500 people", "2,500", "2 million"),
    ("in the 20th century", "in the twenty-first century", "twenty-first", "20th"),
    ("the war ended in 1945", "the war ended in 1918", "1918", "1945"),
    ("she is 34 years old", "the woman, aged 43, fell", "43", "34"),
    ("Michael spent 7,500.", "Michael Pulman, 33, has spent 8,500 on it", "8,500", "7,500"),
    ("it cost $5 to cross", "it cost $7 to cross", "7", "5"),
    ("50 to 60 stitches", "70 stitches", "70", "50 to 60"),
]
OTHER_THINGS = [
    ("three states of matter", "two properties of matter"),
    ("30 metres", "40 kilometres"),
    ("8 years old", "10 years ago"),
    ("born in 1945", "he won a prize in 1960"),
    ("30% of the cars", "30 cars"),
    ("the second step has two parts", "one of the steps"),
    ("H2O is water", "CO2 is a gas"),
    ("the first law of motion", "the second law"),
    ("three states", "many states"),
    ("seven other heroes", "two other girls"),
]


@pytest.mark.parametrize(("idea", "evidence"), SAME + OTHER_THINGS)
def test_no_contradiction_of_numbers(idea: str, evidence: str) -> None:
    assert contradictions([idea], evidence) == ()
    assert contradictions([evidence], idea) == ()


@pytest.mark.parametrize(("idea", "evidence", "statement", "known"), OTHER)
def test_another_number(idea: str, evidence: str, statement: str, known: str) -> None:
    (result,) = contradictions([idea], evidence)
    assert result.kind == "number"
    assert result.remark == f"The text says {statement} where the experts say {known}."


def test_agreeing_with_one_of_the_experts_is_enough() -> None:
    experts = ["matter has three states", "there are four states", "matter has states"]
    assert contradictions(experts, "four states") == ()
    assert contradictions(experts, "five states") != ()


@given(st.integers(2, 10**7), st.integers(2, 10**7))
def test_numbers_differ_or_agree_from_both_sides(first: int, other: int) -> None:
    result = contradictions([f"{first} cars"], f"{other:,} cars")
    assert bool(result) == bool(contradictions([f"{other:,} cars"], f"{first} cars"))
    if first == other:
        assert result == ()
