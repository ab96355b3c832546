"""What a reader makes of a file comes back from its process as it was, or not at all."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from grading.pyramid.formats.annotation_files import read_annotation_files
from grading.pyramid.formats.bulk_files import read_work_table
from grading.pyramid.formats.ducview import write_annotation, write_pyramid
from grading.pyramid.formats.file_import import read_file
from grading.pyramid.formats.lms.cells import Cell
from grading.pyramid.formats.lms.reading import read_grade_file
from grading.pyramid.formats.roster_csv import read_roster
from grading.pyramid.formats.typed_json import from_json, to_json
from grading.pyramid.structures import Span, Text
from tests.pyramid.formats import test_roster_csv
from tests.pyramid.formats.pyramids import EXAMPLE
from tests.pyramid.formats.test_annotation_file import EXPECTED

GOLDEN = Path(__file__).parent / "lms" / "golden"
WORK = b'Login,Text\naokoro,"Dark roofs store the heat, and trees cool the streets."\n'
SHEET = b'Identifier,"Full name","Email address",Grade\n"Participant 12",Ada,ada@example.edu,\n'
CANVAS = (GOLDEN / "canvas" / "input.csv").read_bytes()


@pytest.mark.parametrize(
    ("reader", "arguments"),
    [
        (read_roster, (test_roster_csv.CANVAS.encode(),)),
        (read_grade_file, (CANVAS,)),
        (read_grade_file, (b"\xff\xfe" + CANVAS.decode("utf-8-sig").encode("utf-16-le"),)),
        (read_file, (write_pyramid(EXAMPLE).encode(), EXAMPLE.references)),
        (read_annotation_files, (write_annotation(EXPECTED).encode(), "ada.pan")),
        (read_annotation_files, (b"<x", "ada.pan")),
        (read_work_table, (WORK, "x.csv", False)),
        (read_work_table, (SHEET, "x.csv", True)),
    ],
)
def test_what_a_reader_makes_comes_back(
    reader: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    value = reader(*arguments)

    document = json.loads(to_json(value))

    assert from_json(document, get_type_hints(reader)["return"]) == value


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ([1, 2, 3], Span),
        ([1, "2"], Span),
        ({"start": 1, "end": 2}, Span),
        ([1, True], Span),
        (["Ada", None], Text),
        ([0, 3, "7.5", 1], Cell),
        ([["Ada", "x"], 3], tuple[Text, ...]),
        ("words", tuple[str, ...]),
        (["words"], tuple[str, str]),
        ("x", int | None),
    ],
)
def test_anything_else_is_refused(document: object, kind: object) -> None:
    with pytest.raises(ValueError, match="This is no"):
        from_json(document, kind)
