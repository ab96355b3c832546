"""Order, fragments, penalties; and that people's own matches stay untouched."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.contradictions.words_only import PENALTIES, Contradiction, contradictions
from grading.pyramid.formats.ducview import read_annotation, read_pyramid

WIM = Path(__file__).resolve().parents[4] / "shared/data/wim"

needs_data = pytest.mark.skipif(
    not WIM.exists(), reason="the annotated data is not beside the project"
)

PIECES = [
    *("the sea is 30 metres deep", "40 metres", "Energy cannot be", "is not", "no", "neither"),
    *("lost", "increase", "decrease", "in Paris", "in London", "Anna Berg said", "Bo Lund said"),
    *("a third of", "1,000", "two million", "$", "%", "2nd", "May", "June", "-", "and", ".", "n't"),
]
WORDS = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join) | st.text(max_size=60)


def test_a_sentence_for_people_and_the_penalty_of_its_kind() -> None:
    assert contradictions(["The sea is 30 metres deep."], "the sea is 40 metres deep") == (
        Contradiction("number", "The text says 40 where the experts say 30.", PENALTIES["number"]),
    )


def test_at_most_one_of_each_kind_and_always_in_the_same_order() -> None:
    idea = ["In May 30 ships did not reach the port of Genoa, and 12 trains stopped."]
    result = contradictions(idea, "In May 40 ships did reach the port of Naples, and 13 trains.")
    assert [each.kind for each in result] == ["number", "negation", "name"]


@pytest.mark.parametrize("idea", [[], [""], ["deep"], ["The sea is deep."]])
def test_what_one_side_leaves_out_is_no_contradiction(idea: list[str]) -> None:
    assert contradictions(idea, "The sea is not 30 metres wide in Genoa.") == ()
    assert contradictions(["The sea is not 30 metres wide in Genoa."], " ".join(idea)) == ()


@given(st.permutations(["30 cars", "thirty cars", "31 cars", "cars", "no cars"]))
def test_the_order_of_the_experts_changes_nothing(idea: list[str]) -> None:
    assert contradictions(idea, "40 cars") == contradictions(sorted(idea), "40 cars")


@given(st.lists(WORDS, max_size=4), WORDS)
def test_any_words_can_be_read(idea: list[str], evidence: str) -> None:
    result = contradictions(idea, evidence)
    assert result == contradictions(idea[::-1], evidence)
    assert all(each.penalty > 0 for each in result)
    assert len({each.kind for each in result}) == len(result)


@given(WORDS, st.lists(WORDS, max_size=3))
def test_who_repeats_an_expert_does_not_contradict(words: str, others: list[str]) -> None:
    assert contradictions([words, *others], words) == ()


@pytest.mark.parametrize("piece", ["not ", "30 ", "1 000 ", "Anna ", "one hundred and ", "not or "])
def test_a_long_text_takes_no_time(piece: str) -> None:
    started = time.process_time()
    contradictions([piece * 20_000], piece * 20_001)
    assert time.process_time() - started < 2


@pytest.mark.data
@needs_data
def test_people_s_matches_are_not_contradicted() -> None:
    """Measured on wim: none of 210 matched passages, 1 of 134 contributors."""
    pyramid = read_pyramid((WIM / "pyramid_WHAT_IS_MATTER.pyr").read_bytes())
    ideas = {
        scu.uid: [scu.label]
        + [pyramid.reference(each.reference).words_at(each.spans) for each in scu.contributors]
        for scu in pyramid.scus
    }
    matched = [
        (ideas[expression.scu_uid], annotation.summary.words_at(place.spans))
        for file in sorted((WIM / "target_summaries/scored").glob("*.pan"))
        for annotation in [read_annotation(file.read_bytes(), file.stem)]
        for expression in annotation.expressions
        if expression.scu_uid in ideas
        for place in expression.places
    ]
    assert len(matched) > 200
    assert [words for idea, words in matched if contradictions(idea, words)] == []
    wordings = [words for idea in ideas.values() for words in idea[1:]]
    others = [[*idea[:i], *idea[i + 1 :]] for idea in ideas.values() for i in range(1, len(idea))]
    false = [
        words for idea, words in zip(others, wordings, strict=True) if contradictions(idea, words)
    ]
    assert len(false) <= 1
