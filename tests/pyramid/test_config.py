"""Options: which words count, what a signature tells, which values are refused."""

from dataclasses import fields, replace
from typing import Any

import pytest

from grading.pyramid.config import Config
from grading.pyramid.errors import InputError
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.structures import Points


@pytest.mark.parametrize(
    ("words", "counted"),
    [
        ("", False),
        ("ice melts", False),
        ("ice \u2013 melts !", False),
        ("don't stop", False),
        ("well-known facts", False),
        ("ice melts fast", True),
        ("at 0 degrees", True),
        ("l\u2019eau bout vite", True),
        ("das Eis schmilzt", True),
    ],
)
def test_counts_segments_of_three_words_or_more(words: str, counted: bool) -> None:
    assert Config().counts(words) is counted


def test_signature_is_stable() -> None:
    # Written down once: a change of options or of CORE_VERSION must change it, nothing else may.
    assert Config().signature("wtmf-1", "parser-2") == Config().signature("parser-2", "wtmf-1")
    assert Config().signature().startswith("pyreval-7-")


def test_signature_tells_every_option_and_resource() -> None:
    other_values: dict[str, Any] = {
        "method": "other",
        "min_words": 1,
        "max_segmentations": 3,
        "edge_percentile": 70.0,
        "edges_per_segment": 2.0,
        "ideas_only": True,
        "whole_labels": True,
        "beta": 3.0,
        "alpha_extra": 50,
        "match_threshold": 0.4,
        "candidates_per_segment": 1,
        "match_probability": 0.4,
        "possible_from": 0.2,
        "contrast": 0.0,
        "number_agreement": 0.0,
        "checks_truth": False,
        "checks_order": False,
        "points": Points.MATCHED,
        "learnt_curve": LearntCurve(cut=0.4),
    }
    assert set(other_values) == {field.name for field in fields(Config)}
    others = [replace(Config(), **{name: value}) for name, value in other_values.items()]
    signatures = {config.signature("a") for config in [Config(), *others]}
    assert len(signatures) == len(others) + 1
    assert Config().signature("b") not in signatures


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("min_words", 0),
        ("max_segmentations", 0),
        ("edge_percentile", 101.0),
        ("edge_percentile", -1.0),
        ("edges_per_segment", -1.0),
        ("beta", -0.5),
        ("alpha_extra", -1),
        ("match_threshold", 1.5),
        ("candidates_per_segment", 0),
        ("match_probability", 0.0),
        ("match_probability", 1.0),
    ],
)
def test_refuses_options_that_make_no_sense(option: str, value: float) -> None:
    options: dict[str, Any] = {option: value}
    with pytest.raises(InputError, match=rf"option {option} .* not {value}"):
        Config(**options)


@pytest.mark.parametrize("option", ["edges_per_segment", "match_threshold"])
def test_options_that_may_be_left_to_the_method(option: str) -> None:
    nothing: dict[str, Any] = {option: None}
    least: dict[str, Any] = {option: 0.0}
    assert Config(**nothing).signature() != Config(**least).signature()
