"""New files for platforms."""

import csv
import io
from dataclasses import replace
from decimal import Decimal

import pytest

from grading.pyramid.formats.lms.filling import Grade
from grading.pyramid.formats.lms.fresh import canvas_file, moodle_file
from grading.pyramid.formats.lms.reading import read_grade_file
from tests.pyramid.formats.lms.people import ADA, BO, GRADES, TEN


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode())))


def test_canvas_gets_who_has_a_grade_and_who_is_excused_and_nobody_else() -> None:
    fresh = canvas_file("Essay 1", TEN, GRADES, {1: "Sec A"})

    assert rows(fresh.data) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Essay 1"],
        ["    Points Possible", "", "", "", "", "10"],
        ["Ada Okoro", "901", "S0007", "aokoro", "Sec A", "8.5"],
        ["Bo Li", "902", "S0008", "bli", "", "10"],
        ["Chloé Nkemelu", "903", "S0009", "cnkemelu", "", "7.25"],
        ["Dov Perez", "904", "S0010", "dperez", "", "EX"],
    ]
    assert fresh.students == 4
    assert fresh.left_out == (("Eve Stone", "not submitted"),)
    assert len(read_grade_file(fresh.data).people) == 4


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("My Final Score", "“Final Score”"),
        ("The Override Grade of kings", "“Override Grade”"),
        ("Essay (12)", "s id and would put the grades there. Choose another title."),
        ("final exam", ""),
    ],
)
def test_titles_that_canvas_does_not_take_are_warned_about(title: str, said: str) -> None:
    warnings = canvas_file(title, TEN, GRADES, {}).warnings

    assert [said in warning for warning in warnings] == ([True] if said else [])


def test_names_and_titles_are_disarmed_and_ids_are_never_altered() -> None:
    spy = replace(ADA, name="=1+1", number='=HYPERLINK("x")', login="-a.b@c", lms_id="007")

    fresh = canvas_file("@title", TEN, [Grade(spy, TEN)], {1: "+A"})

    assert rows(fresh.data)[0][-1] == "'@title"
    assert rows(fresh.data)[2] == ["'=1+1", "007", "", "-a.b@c", "'+A", "10"]
    assert "SIS User ID of =1+1" in fresh.warnings[0]


def test_who_has_no_id_at_all_is_left_out_and_named() -> None:
    nobody = replace(BO, lms_id="", number="", login="")

    fresh = canvas_file("T", TEN, [Grade(nobody, TEN)], {})

    assert fresh.students == 0
    assert fresh.left_out == (("Bo Li", "no ID or SIS User ID or SIS Login ID in the roster"),)


def test_moodle_gets_the_ids_that_every_row_has() -> None:
    grades = [Grade(ADA, TEN), Grade(replace(BO, number=""), Decimal("0.5"))]

    fresh = moodle_file("Essay 1", [*grades, *GRADES[3:]])

    assert rows(fresh.data) == [
        ["Full name", "Username", "Email address", "Essay 1"],
        ["Ada Okoro", "aokoro", "ada@example.edu", "10"],
        ["Bo Li", "bli", "bo@example.edu", "0.5"],
    ]
    assert [who for who, _ in fresh.left_out] == ["Dov Perez", "Eve Stone"]
    assert fresh.next_step.endswith("identify users by “Username” or “Email address”.")


def test_moodle_never_gets_a_row_with_an_empty_key() -> None:
    bare = replace(BO, number="", login="", email="")

    fresh = moodle_file("T", [Grade(replace(ADA, login=""), TEN), Grade(bare, TEN)])

    assert rows(fresh.data)[1:] == [["Ada Okoro", "S0007", "10"]]
    assert fresh.left_out == (("Bo Li", "no ID number in the roster"),)
