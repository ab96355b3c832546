"""Rubrics as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.formats.rubric_list import (
    MOST_STATEMENTS,
    Statement,
    pyramid_of_rubric,
    read_rubric,
)
from grading.pyramid.structures import Scu, Text


@pytest.mark.parametrize(
    ("line", "text", "weight"),
    [
        ("3\tDark roofs store heat", "Dark roofs store heat", 3),
        ("Dark roofs store heat\t3", "Dark roofs store heat", 3),
        ("Dark roofs store heat | 3", "Dark roofs store heat", 3),
        ("| Dark roofs store heat | 3 |", "Dark roofs store heat", 3),
        ("Dark roofs store heat (3)", "Dark roofs store heat", 3),
        ("- Dark roofs store heat [3 points]", "Dark roofs store heat", 3),
        ("Dark roofs store heat (Oke 1982) (1982)", "Dark roofs store heat (Oke 1982) (1982)", 1),
        ("3. Dark roofs store heat", "Dark roofs store heat", 1),
        ("(3) Dark roofs store heat", "Dark roofs store heat", 1),
        ("12) Dark roofs store heat", "Dark roofs store heat", 1),
        ("- Dark roofs store heat", "Dark roofs store heat", 1),
        ("• Dark  roofs store heat | 2", "Dark roofs store heat", 2),
        ("Dark roofs store heat", "Dark roofs store heat", 1),
        ("2 million people moved", "2 million people moved", 1),
        ("深色的屋顶储存热量 | 4", "深色的屋顶储存热量", 4),
    ],
)
def test_a_statement_and_its_weight_are_told_apart(line: str, text: str, weight: int) -> None:
    rubric = read_rubric(f"another | 1\n\n{line}\n")

    assert not rubric.problems
    assert rubric.statements[1] == Statement(3, text, weight)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Content:", "looks like a heading"),
        ("# Content", "looks like a heading"),
        ("=====", "looks like a heading"),
        ("|---|---|", "looks like a heading"),
        ("Weight\tStatement", "looks like a heading"),
        ("Heat | high", "the weight, “high”"),
        ("Heat | 0", "the weight, “0”"),
        ("Heat | 101", "the weight, “101”"),
        ("2.5\tHeat", "the weight, “2.5”"),
        ("SCU\t0\t3\tHeat", "the weight, “Heat”"),
        ("3\t12", "no statement"),
        ("x" * 501, "longer than 500"),
    ],
)
def test_what_is_no_statement_is_refused_with_its_line(line: str, said: str) -> None:
    (problem,) = read_rubric(f"one | 1\n{line}\ntwo").problems

    assert problem.startswith("Line 2: ")
    assert said in problem


def test_all_wrong_lines_are_named_at_once() -> None:
    problems = read_rubric("A:\nfine\nx | y").problems

    assert [problem[:7] for problem in problems] == ["Line 1:", "Line 3:"]


@pytest.mark.parametrize(("count", "said"), [(0, "none"), (1, "1."), (MOST_STATEMENTS + 1, "201")])
def test_too_few_and_too_many_are_refused(count: int, said: str) -> None:
    (problem,) = read_rubric("\n".join(f"statement {n} | 2" for n in range(count))).problems

    assert "2 to 200" in problem
    assert said in problem


def test_repetitions_are_reported() -> None:
    rubric = read_rubric("Dark roofs\nTrees\ndark  roofs. | 2")

    assert not rubric.problems
    assert rubric.remarks == (
        "Lines 1 and 3 say the same: a student who expresses it gains both weights.",
    )


def test_statements_become_ideas_with_given_weights_heaviest_first() -> None:
    references = (Text("Ada", "Words."),)

    pyramid = pyramid_of_rubric(read_rubric("light\nheavy | 5"), references)

    assert pyramid.references == references
    assert pyramid.scus == (
        Scu(2, "heavy", (), given_weight=5),
        Scu(1, "light", (), given_weight=1),
    )


@given(st.text("ab |\t\n-3.:#", max_size=60))
def test_any_text_is_a_rubric_or_refused(text: str) -> None:
    rubric = read_rubric(text)

    assert rubric.problems or 2 <= len(rubric.statements) <= MOST_STATEMENTS


def test_a_number_that_may_be_meant_as_a_weight_is_remarked() -> None:
    rubric = read_rubric(
        "3 Dark roofs store heat\n2. Trees cool\n4 | 4 trees cool\n5\t6 streets heat"
    )

    (remark,) = rubric.remarks
    assert remark.startswith("Line 1 begins with a number and weighs 1.")
