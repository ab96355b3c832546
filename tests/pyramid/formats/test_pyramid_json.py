"""Pyramids and reports as JSON."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import (
    content_hash,
    pyramid_from_json,
    pyramid_to_json,
    report_from_json,
    report_to_json,
)
from grading.pyramid.structures import (
    Candidate,
    Evidence,
    Match,
    Pyramid,
    Repeat,
    ScoreReport,
    Scu,
    Segment,
    Span,
)
from tests.pyramid.formats.pyramids import EXAMPLE, pyramids

SEGMENT = Segment((Span(0, 4), Span(6, 9)))
GOLDEN = "f38d6bf85a403d84ea173c1547f11dc25331b00dc148628aa375ecc475e50732"
REPORT = ScoreReport(
    Evidence((SEGMENT,), (Match(SEGMENT, 7, 0.1 + 0.2, (Candidate(3, 0.25),)),)),
    raw=2,
    quality=2 / 3,
    coverage=0.5,
    comprehensive=4 / 7,
    trace=("one", "zwölf"),
    signature="pyreval-1-abc",
)


@settings(max_examples=40)
@given(pyramids(), st.text())
def test_a_pyramid_is_read_back_equal(pyramid: Pyramid, signature: str) -> None:
    pyramid = replace(pyramid, signature=signature)
    assert pyramid_from_json(json.loads(json.dumps(pyramid_to_json(pyramid)))) == pyramid


def test_a_report_is_read_back_equal() -> None:
    assert report_from_json(json.loads(json.dumps(report_to_json(REPORT)))) == REPORT


FULL = replace(
    REPORT,
    evidence=replace(
        REPORT.evidence,
        matches=(
            replace(REPORT.evidence.matches[0], probability=0.75, remarks=("Says 3, not 4.",)),
            Match(SEGMENT, 3, 0.5, probability=0.0, same_statement=True),
        ),
    ),
    remarks=("This text seems to be in Spanish.",),
)


def test_probabilities_and_remarks_are_read_back() -> None:
    assert report_from_json(json.loads(json.dumps(report_to_json(FULL)))) == FULL
    noted = replace(EXAMPLE, notes=("Proven.", "zwölf"))
    assert pyramid_from_json(json.loads(json.dumps(pyramid_to_json(noted)))) == noted


def test_what_is_said_again_is_read_back_and_absent_where_there_is_nothing() -> None:
    other = Segment((Span(10, 12),))
    evidence = replace(REPORT.evidence, segments=(SEGMENT, other), repeats=(Repeat(other, 7),))
    report = replace(REPORT, evidence=evidence)
    written = report_to_json(report)

    assert report_from_json(json.loads(json.dumps(written))) == report
    assert written["repeats"] == [{"segment": [[10, 12]], "scu": 7}]
    assert "repeats" not in report_to_json(REPORT)


def test_what_the_previous_version_wrote_is_still_read_and_written() -> None:
    # It knew neither notes nor remarks nor probabilities; its documents are in databases.
    report = report_to_json(FULL)
    matches: Any = report["matches"]
    report = {key: value for key, value in report.items() if key != "remarks"}
    report["matches"] = [
        {key: match[key] for key in ("segment", "scu", "similarity", "alternatives")}
        for match in matches
    ]
    read = report_from_json(report)
    assert read.remarks == ()
    assert [match.probability for match in read.evidence.matches] == [None, None]
    assert [match.remarks for match in read.evidence.matches] == [(), ()]
    assert report_to_json(read) == report
    assert set(pyramid_to_json(EXAMPLE)) == {"format", "signature", "references", "scus"}
    assert pyramid_from_json(pyramid_to_json(replace(EXAMPLE, notes=("x",)))).notes == ("x",)
    assert pyramid_from_json(pyramid_to_json(EXAMPLE)).notes == ()


def test_a_content_unit_without_contributors_survives_for_drafts_may_have_one() -> None:
    draft = replace(EXAMPLE, scus=(*EXAMPLE.scus, Scu(9, "new", ())))
    assert pyramid_from_json(pyramid_to_json(draft)) == draft


def test_the_hash_is_of_the_content_and_stays_what_it_is() -> None:
    assert content_hash(replace(EXAMPLE, signature="other")) == content_hash(EXAMPLE)
    assert content_hash(replace(EXAMPLE, scus=EXAMPLE.scus[:1])) != content_hash(EXAMPLE)
    assert content_hash(replace(EXAMPLE, notes=("Built in haste.",))) == content_hash(EXAMPLE)
    assert content_hash(EXAMPLE) == GOLDEN


Change = Callable[[Any], object]


def _first(value: Any) -> Any:
    """The contributor of the lightest content unit."""
    return value["scus"][1]["contributors"][0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p.update(format=2), "pyramid: its format is 2, and only format 1"),
        (lambda p: p.update(format=True), "pyramid.format: this is not a whole number"),
        (lambda p: p.pop("scus"), "pyramid: “scus” is missing"),
        (lambda p: p.update(notes="one"), "pyramid.notes: this is not a list"),
        (lambda p: p.update(notes=[1]), r"pyramid.notes\[0\]: this is not text"),
        (lambda p: p.update(scus={}), "pyramid.scus: this is not a list"),
        (lambda p: p["scus"].append(5), r"pyramid.scus\[2\]: this is not an object"),
        (lambda p: p["scus"][1].update(label=None), r"scus\[1\].label: this is not text"),
        (lambda p: p["scus"][1].update(uid=7), "scus: two content units have the same uid"),
        (lambda p: p["references"][1].update(name="anna"), "two references have the same name"),
        (
            lambda p: _first(p).update(reference="zoe"),
            "there is no such reference",
        ),
        (
            lambda p: p["scus"][0]["contributors"][1].update(reference="anna"),
            "a reference contributes twice",
        ),
        (lambda p: _first(p).update(spans=[]), "there is no span"),
        (lambda p: _first(p).update(spans=[[1]]), "a start and an end"),
        (lambda p: _first(p).update(spans=[[-1, 2]]), "out of order"),
        (lambda p: _first(p).update(spans=[[2, 2]]), "out of order"),
        (lambda p: _first(p).update(spans=[[5, 9], [1, 3]]), "out of order"),
        (
            lambda p: _first(p).update(spans=[[1, 900]]),
            "behind its reference",
        ),
    ],
)
def test_a_malformed_pyramid_is_refused_with_the_place(change: Change, message: str) -> None:
    value = copy.deepcopy(pyramid_to_json(EXAMPLE))
    change(value)
    with pytest.raises(InputError, match=message):
        pyramid_from_json(value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.update(format="1"), "report.format: this is not a whole number"),
        (lambda r: r.update(raw="1.5"), "report.raw: this is not a number"),
        (lambda r: r.update(quality="1"), "report.quality: this is not a number"),
        (lambda r: r.update(coverage=float("nan")), "report.coverage: this is not a finite number"),
        (lambda r: r.update(trace="one"), "report.trace: this is not a list"),
        (lambda r: r.update(remarks=None), "report.remarks: this is not a list"),
        (lambda r: r["matches"][0].update(probability=None), "probability: this is not a number"),
        (lambda r: r["matches"][0].update(probability=1e308), "probability: a probability is a"),
        (lambda r: r["matches"][0].update(probability=-0.1), "probability: a probability is a"),
        (lambda r: r["matches"][0].update(contradicts=True), "contradicts: this is not text"),
        (lambda r: r.update(raw=10**400), "report.raw: this is not a finite number"),
        (lambda r: r.update(held=[[3, 2]]), "report.held: the spans are empty, overlap or are"),
        (lambda r: r.update(held_reason=["It"]), "report.held_reason: this is not text"),
        (lambda r: r.update(possible={}), "report.possible: this is not a list"),
        (lambda r: r["matches"][0].update(remarks=[None]), r"remarks\[0\]: this is not text"),
        (lambda r: r["matches"][0].pop("scu"), r"report.matches\[0\]: “scu” is missing"),
        (lambda r: r["matches"][0].update(similarity=True), "similarity: this is not a number"),
    ],
)
def test_a_malformed_report_is_refused_with_the_place(change: Change, message: str) -> None:
    value = copy.deepcopy(report_to_json(REPORT))
    change(value)
    with pytest.raises(InputError, match=message):
        report_from_json(value)


@pytest.mark.parametrize("value", [None, [], "{}", 1])
def test_what_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="this is not an object"):
        pyramid_from_json(value)
