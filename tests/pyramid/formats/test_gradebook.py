"""The generic gradebook CSV."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.formats.gradebook import (
    FORMULA_STARTS,
    GradebookRow,
    disarm,
    gradebook_csv,
    table_csv,
)


def row(name: str = "Zoë") -> GradebookRow:
    return GradebookRow(name=name, login="zoe", email="zoe@example.org", state="scored", raw=0)


def test_a_zero_is_written_and_a_missing_number_is_not() -> None:
    (cells,) = csv.DictReader(io.StringIO(gradebook_csv([row()]).removeprefix("\ufeff")))

    assert cells["raw"] == "0"
    assert cells["quality"] == ""


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0")))
def test_any_text_survives_apart_from_its_armour(name: str) -> None:
    text = gradebook_csv([row(name)]).removeprefix("\ufeff")
    (cells,) = csv.DictReader(io.StringIO(text, newline=""))

    assert cells["name"].replace("'", "") == name.replace("'", "")
    assert not cells["name"].lstrip().startswith(("=", "+", "-", "@"))
    assert not cells["name"].startswith("\t")
    assert disarm("Anna-Lena") == "Anna-Lena"


@given(
    st.lists(st.text(alphabet=" ;=+@\"'\t\r\n,a"), min_size=1, max_size=4),
    st.sampled_from(";\t"),
)
def test_nothing_runs_however_a_spreadsheet_cuts_the_lines(
    names: list[str], delimiter: str
) -> None:
    text = table_csv(["name"] * len(names), [names])

    for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        assert not any(cell.lstrip().startswith(FORMULA_STARTS) for cell in line)


def test_only_what_could_run_is_changed() -> None:
    assert disarm("Ana;=1+1") == "Ana;'=1+1"
    assert disarm("\t=1") == "'\t'=1"
    assert disarm("Ana; née Ruiz\n(A-B)") == "Ana; née Ruiz\n(A-B)"


@pytest.mark.parametrize(
    "text", ["=1+1", " =1+1", "\uff1dcmd|calc", "\t1", "\n1", "@a", "+1", "-1"]
)
def test_what_a_spreadsheet_would_run_is_disarmed(text: str) -> None:
    assert disarm(text) == f"'{text}"
