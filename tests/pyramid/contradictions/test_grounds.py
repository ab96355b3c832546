"""No rule finds a conflict where two sentences are not even aligned for want of grounds."""

from itertools import product

import pytest

from grading.pyramid.contradictions.grounds import is_suspicious, may_conflict
from grading.pyramid.contradictions.judgement import findings_of
from grading.pyramid.contradictions.statements import Statement
from tests.pyramid.contradictions.judging import Judge, cases

pytestmark = pytest.mark.models

NOTHING_SHARED = "Rain fills the barrel.", "Bees like clover."
SAME = "Dark roofs store heat.", "Dark roofs store the heat of the day."
EXCLUDED = "Plants grow with light.", "Plants grow without light."
IN_OTHER_PLACES = "Farmers feed the cows.", "The cows feed the farmers."


def pair(judge: Judge, sentences: tuple[str, str]) -> tuple[Statement, Statement]:
    [expert], [text] = map(judge.statements, sentences)
    return expert, text


def test_most_pairs_have_no_grounds(judge_by_stems: Judge) -> None:
    assert not may_conflict(*pair(judge_by_stems, NOTHING_SHARED))
    assert not may_conflict(*pair(judge_by_stems, SAME))
    assert may_conflict(*pair(judge_by_stems, EXCLUDED))
    assert may_conflict(*pair(judge_by_stems, IN_OTHER_PLACES))


@pytest.mark.parametrize("name", ["seen", "own_words"])
def test_what_conflicts_has_grounds(judge_text: Judge, judge_by_stems: Judge, name: str) -> None:
    experts = sorted({expert for case in cases(name) for expert in case.experts})
    sentences = sorted({case.sentence for case in cases(name)})
    conflicts = 0
    for judge, first, second in product((judge_text, judge_by_stems), experts, sentences):
        for expert, text in product(judge.statements(first), judge.statements(second)):
            is_conflict = any(finding.kind for finding in findings_of(expert, text))
            if is_conflict and is_suspicious(expert, text):
                assert may_conflict(expert, text), (first, second)
                conflicts += 1
    assert conflicts > 60
