"""How many contradictions are held, and how many sentences that agree: docs/methods.md says so."""

from collections import Counter

import pytest

from tests.pyramid.contradictions.judging import Case, Judge, cases

pytestmark = pytest.mark.models

CONTRADICTING = ("denial", "roles", "number")


def held(judge: Judge, name: str) -> tuple[Counter[str], list[Case]]:
    """How many of each kind are held, and the sentences that agree and are held all the same."""
    result = [case for case in cases(name) if judge(case.experts, case.sentence).holds]
    return Counter(case.kind for case in result), [case for case in result if case.kind == "agrees"]


@pytest.mark.parametrize(("name", "least"), [("seen", 84), ("blind", 48), ("own_words", 28)])
def test_contradictions_are_held(judge_text: Judge, name: str, least: int) -> None:
    counts, _ = held(judge_text, name)
    assert sum(counts[kind] for kind in CONTRADICTING) >= least


@pytest.mark.parametrize(("name", "most"), [("seen", 0), ("blind", 1), ("own_words", 0)])
def test_sentences_that_agree_are_not_held(judge_text: Judge, name: str, most: int) -> None:
    assert len(held(judge_text, name)[1]) <= most


@pytest.mark.parametrize(("name", "least", "most"), [("seen", 83, 0), ("blind", 47, 1)])
def test_stems_alone_are_nearly_as_good(
    judge_by_stems: Judge, name: str, least: int, most: int
) -> None:
    counts, agreeing = held(judge_by_stems, name)
    assert sum(counts[kind] for kind in CONTRADICTING) >= least
    assert len(agreeing) <= most
