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
    found = leave_out(PYRAMID, READ, STUDENTS, ENGINE)

    assert [one.reference for one in found.references] == ["Ada", "Ben", "Chi"]
    assert (found.texts, found.of_students) == (2, True)
    assert all(one.change is not None and 0 <= one.change <= 1 for one in found.references)
    assert found.change is not None


def test_ideas_that_only_one_tells_are_lost_and_shared_ones_are_lighter() -> None:
    found = leave_out(PYRAMID, READ, STUDENTS, ENGINE)

    for one in found.references:
        told = [scu for scu in PYRAMID.scus if scu.contributor(one.reference)]
        assert one.lost == sum(1 for scu in told if scu.weight == 1)
        assert one.lighter == len(told) - one.lost


def test_without_students_the_references_are_scored_each_without_itself() -> None:
    found = leave_out(PYRAMID, READ, [], ENGINE)

    assert (found.texts, found.of_students) == (3, False)
    assert all(one.change is not None for one in found.references)


def test_the_order_of_students_makes_no_difference() -> None:
    many = [
        *STUDENTS,
        *read_summaries([Text(f"s{n}", f"{SUMMARY} Again {n}.") for n in range(40)], ENGINE),
    ]

    found = leave_out(PYRAMID, READ, many, ENGINE)

    assert found == leave_out(PYRAMID, READ, many[::-1], ENGINE)
    assert found.texts == 30


def test_of_one_reference_nothing_is_left_out() -> None:
    one = build_pyramid(REFERENCES[:1], ENGINE)

    found = leave_out(one, READ[:1], STUDENTS, ENGINE)

    assert found.references == ()
    assert found.change is None


def test_a_pyramid_without_ideas_has_no_scores_to_change() -> None:
    found = leave_out(Pyramid(REFERENCES, ()), READ, STUDENTS, ENGINE)

    assert [one.change for one in found.references] == [None, None, None]


def test_a_pyramid_in_which_nothing_counts_has_no_scores_to_change() -> None:
    aside = replace(
        PYRAMID, scus=tuple(replace(scu, standing=Standing.ASIDE) for scu in PYRAMID.scus)
    )

    found = leave_out(aside, READ, STUDENTS, ENGINE)

    assert (found.change, found.texts) == (None, 0)
