"""The generic gradebook CSV."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.formats.gradebook import GradebookRow, disarm, gradebook_csv


def row(name: str = "Zoë") -> GradebookRow:
    return GradebookRow(name=name, login="zoe", email="zoe@example.org", state="scored", raw=0)


def test_a_zero_is_written_and_a_missing_number_is_not() -> None:
    (told,) = csv.DictReader(io.StringIO(gradebook_csv([row()]).removeprefix("\ufeff")))

    assert told["raw"] == "0"
    assert told["quality"] == ""


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0")))
def test_any_text_survives_apart_from_its_armour(name: str) -> None:
    text = gradebook_csv([row(name)]).removeprefix("\ufeff")
    (told,) = csv.DictReader(io.StringIO(text, newline=""))

    assert told["name"] in {name, f"'{name}"}
    assert not told["name"].lstrip().startswith(("=", "+", "-", "@"))
    assert not told["name"].startswith("\t")
    assert disarm("Anna-Lena") == "Anna-Lena"


@pytest.mark.parametrize(
    "text", ["=1+1", " =1+1", "\uff1dcmd|calc", "\t=1", "\n1", "@a", "+1", "-1"]
)
def test_what_a_spreadsheet_would_run_is_disarmed(text: str) -> None:
    assert disarm(text) == f"'{text}"
