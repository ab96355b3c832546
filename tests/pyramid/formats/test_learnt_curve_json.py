"""Learnt curves and what they are worth, to JSON and back; what is damaged is refused."""

import json

import pytest

from grading.pyramid.agreement import LabelledText, advise_curve
from grading.pyramid.errors import InputError
from grading.pyramid.formats.findings_json import advice_from_json, advice_to_json
from grading.pyramid.formats.learnt_curve_json import (
    curve_from_json,
    curve_to_json,
    read_curve,
    write_curve,
)
from grading.pyramid.learning import Label
from grading.pyramid.learnt_curve import LearntCurve

CURVE = LearntCurve(1.25, -0.5, ((2, 0.125), (7, -1.0)), 0.4)


def test_a_curve_comes_back_as_it_was() -> None:
    for curve in (CURVE, LearntCurve()):
        assert curve_from_json(json.loads(json.dumps(curve_to_json(curve)))) == curve


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", 9, "only format 1 can be read"),
        ("slope", None, "curve.slope: this is not a number"),
        ("ideas", {}, "curve.ideas: this is not a list"),
        ("ideas", [{"uid": 1}], r"curve.ideas\[0\]: “shift” is missing"),
        ("ideas", [{"uid": "1", "shift": 0}], r"curve.ideas\[0\].uid: this is not a whole number"),
        ("cut", True, "curve.cut: this is not a number"),
    ],
)
def test_a_damaged_curve_is_refused(key: str, value: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        curve_from_json(curve_to_json(CURVE) | {key: value})


@pytest.mark.parametrize(
    "content", [b"", b"[" * 200_000, b'{"signature": ' + b"9" * 5000 + b"}", b"[]", b"\xff"]
)
def test_a_file_that_is_no_curve_is_refused(content: bytes) -> None:
    with pytest.raises(InputError):
        read_curve(content, signature="classroom-2-0", pyramid="abc")


def test_a_file_says_what_it_was_learnt_with() -> None:
    content = write_curve(CURVE, signature="classroom-2-0", pyramid="abc", texts=9).encode()

    assert read_curve(content, signature="classroom-2-0", pyramid="abc") == CURVE
    with pytest.raises(InputError, match="learnt with classroom-2-0, and pyreval-2-0 scores"):
        read_curve(content, signature="pyreval-2-0", pyramid="abc")
    with pytest.raises(InputError, match="another pyramid"):
        read_curve(content, signature="classroom-2-0", pyramid="def")
    with pytest.raises(InputError, match="not UTF-8"):
        read_curve(b'{"cut": "\xff\xfe"}', signature="", pyramid="")


@pytest.mark.parametrize("texts", [0, 3, 8])
def test_advice_comes_back_as_it_was(texts: int) -> None:
    marked = [
        LabelledText(tuple(Label(idea, 0.1 * idea, idea > 3, text) for idea in range(1, 9)))
        for text in range(texts)
    ]
    advice = advise_curve(marked, LearntCurve())

    assert advice_from_json(json.loads(json.dumps(advice_to_json(advice)))) == advice
