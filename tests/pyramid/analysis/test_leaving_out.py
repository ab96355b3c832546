"""What would change if a reference were left out."""

from dataclasses import replace

from grading.pyramid.analysis.quality import leave_out
from grading.pyramid.pipeline import build_pyramid, read_summaries
from grading.pyramid.structures import Pyramid, Standing, Text
from tests.conftest import REFERENCES, SUMMARY
from tests.fakes import fake_engine

ENGINE = fake_engine()
READ = read_summaries(REFERENCES, ENGINE)
PYRAMID = build_pyramid(REFERENCES, ENGINE)
STUDENTS = read_summaries([Text("zoe-1", SUMMARY), Text("omar-1", "Trees cool streets.")], ENGINE)


def test_each_reference_is_left_out_once() -> None:
    result = leave_out(PYRAMID, READ, STUDENTS, ENGINE)

    assert [reference.reference for reference in result.references] == ["Ada", "Ben", "Chi"]
    assert (result.texts, result.of_students) == (2, True)
    assert all(
        reference.change is not None and 0 <= reference.change <= 1
        for reference in result.references
    )
    assert result.change is not None


def test_ideas_that_only_one_tells_are_lost_and_shared_ones_are_lighter() -> None:
    result = leave_out(PYRAMID, READ, STUDENTS, ENGINE)

    for reference in result.references:
        scus = [scu for scu in PYRAMID.scus if scu.contributor(reference.reference)]
        assert reference.lost == sum(1 for scu in scus if scu.weight == 1)
        assert reference.lighter == len(scus) - reference.lost


def test_without_students_the_references_are_scored_each_without_itself() -> None:
    result = leave_out(PYRAMID, READ, [], ENGINE)

    assert (result.texts, result.of_students) == (3, False)
    assert all(reference.change is not None for reference in result.references)


def test_the_order_of_students_makes_no_difference() -> None:
    many = [
        *STUDENTS,
        *read_summaries([Text(f"s{n}", f"{SUMMARY} Again {n}.") for n in range(40)], ENGINE),
    ]

    result = leave_out(PYRAMID, READ, many, ENGINE)

    assert result == leave_out(PYRAMID, READ, many[::-1], ENGINE)
    assert result.texts == 30


def test_of_one_reference_nothing_is_left_out() -> None:
    pyramid = build_pyramid(REFERENCES[:1], ENGINE)

    result = leave_out(pyramid, READ[:1], STUDENTS, ENGINE)

    assert result.references == ()
    assert result.change is None


def test_a_pyramid_without_ideas_has_no_scores_to_change() -> None:
    result = leave_out(Pyramid(REFERENCES, ()), READ, STUDENTS, ENGINE)

    assert [reference.change for reference in result.references] == [None, None, None]


def test_a_pyramid_in_which_nothing_counts_has_no_scores_to_change() -> None:
    aside = replace(
        PYRAMID, scus=tuple(replace(scu, standing=Standing.ASIDE) for scu in PYRAMID.scus)
    )

    result = leave_out(aside, READ, STUDENTS, ENGINE)

    assert (result.change, result.texts) == (None, 0)
