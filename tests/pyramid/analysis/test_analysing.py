"""The whole analysis, and what is kept of it."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest

from grading.pyramid.analysis import analysing
from grading.pyramid.analysis.analysing import (
    Analysis,
    analyse,
    analysis_from_json,
    analysis_to_json,
)
from grading.pyramid.analysis.suggestions import Kind, with_new_uids
from grading.pyramid.editing.commands import RemoveContributor, SplitScu
from grading.pyramid.editing.reference_commands import AddReference
from grading.pyramid.encoders.words import sentence_starts
from grading.pyramid.pipeline import build_pyramid, read_summaries
from grading.pyramid.structures import Pyramid, Text
from tests.conftest import REFERENCES, SUMMARY
from tests.fakes import fake_engine

ENGINE = fake_engine()
BUILT = build_pyramid(REFERENCES, ENGINE)
STUDENTS = read_summaries([Text("zoe-1", SUMMARY)], ENGINE)
LATER = Text("Dee", "Dark roofs store heat. The mayor plants trees in every street.")


def damaged() -> Pyramid:
    """An idea torn apart, one robbed of a contributor, and a reference that came later."""
    shared = [scu for scu in BUILT.scus if scu.weight > 1]
    torn = SplitScu(shared[0].uid, 900, (shared[0].contributors[0].reference,)).apply(BUILT)
    robbed = RemoveContributor(shared[1].uid, shared[1].contributors[0].reference).apply(torn)
    return AddReference(LATER.name, LATER.content).apply(robbed)


def looked(pyramid: Pyramid) -> Analysis:
    steps: list[str] = []
    result = analyse(pyramid, STUDENTS, ENGINE, progress=lambda stage, *_: steps.append(stage))
    assert steps == [
        "Reading the references",
        "Comparing ideas",
        "Reading what students say",
        "Leaving references out",
    ]
    return result


@pytest.mark.parametrize("pyramid", [BUILT, damaged(), Pyramid(REFERENCES, ()), Pyramid((), ())])
def test_every_suggestion_can_be_taken(pyramid: Pyramid) -> None:
    for suggestion in looked(pyramid).suggestions:
        assert with_new_uids(suggestion.command, 5_000).apply(pyramid) != pyramid


def test_what_is_kept_is_what_was_found() -> None:
    result = looked(damaged())

    kept = json.loads(json.dumps(analysis_to_json(result)))

    assert result.suggestions
    assert analysis_from_json(kept) == result


def test_a_later_reference_is_fitted_in() -> None:
    kinds = {suggestion.kind for suggestion in looked(damaged()).suggestions}

    assert Kind.FIT in kinds


def test_the_order_of_ideas_makes_no_difference_to_what_is_suggested() -> None:
    pyramid = damaged()
    turned = replace(pyramid, scus=pyramid.scus[::-1])

    keys = {suggestion.key for suggestion in looked(pyramid).suggestions}

    assert keys == {suggestion.key for suggestion in looked(turned).suggestions}


def test_of_too_many_clauses_whole_sentences_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(analysing, "_MOST_CLAUSES", 3)

    result = looked(Pyramid(REFERENCES, ())).suggestions

    sentences = {
        text.content[start:end].rstrip()
        for text in REFERENCES
        for start, end in pairwise([*sentence_starts(text.content), len(text.content)])
    }
    quotes = {
        quote.words
        for suggestion in result
        if suggestion.kind is Kind.NEW
        for quote in suggestion.quotes
    }
    assert quotes
    assert quotes <= sentences


def test_the_weakest_ideas_come_first_and_single_ones_last() -> None:
    attractions = [attraction.attraction for attraction in looked(BUILT).quality.attractions]

    known = [attraction for attraction in attractions if attraction is not None]
    assert attractions == [*sorted(known), *[None] * (len(attractions) - len(known))]
