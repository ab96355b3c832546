"""Files as each platform writes them, and the same with our grades, byte for byte.

Made by hand from the rules in docs/gradebook.md, which names their sources; ``rules`` says which.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from grading.pyramid.formats.lms.grade_file import Platform
from tests.pyramid.formats.lms.people import filled

FOLDER = Path(__file__).parent / "golden"
CANVAS = "instructure/canvas-lms lib/gradebook_exporter.rb, lib/csv_with_i18n.rb"
MOODLE = "moodle/moodle grade/export/txt/grade_export_txt.php, lib/csvlib.class.php"
WORKSHEET = "moodle/moodle mod/assign/gradingtable.php, dataformat/csv"
BLACKBOARD = "Blackboard help, Work Offline With Grade Data; offline-grades-upload 01.tsv"
BRIGHTSPACE = "Brightspace community 3538 (importing grades); kb.wisc.edu 4330"
SAKAI = "sakaiproject/sakai ExportPanel.java, GradebookCsvWriter.java"


@dataclass(frozen=True)
class Golden:
    name: str
    platform: Platform
    rules: str
    scale: bool = False
    left: tuple[str, ...] = ()  # people of the file who are none of ours
    odd: tuple[str, ...] = ()  # matched by an id, under another name


GOLDEN = (
    Golden("canvas", Platform.CANVAS, CANVAS, left=("Unknown, Una",)),
    Golden("canvas-last-name-first", Platform.CANVAS, CANVAS),
    Golden("canvas-semicolons", Platform.CANVAS, CANVAS, scale=True),
    Golden("moodle", Platform.MOODLE, MOODLE, odd=("Chloé Nkemelu van Dyk",)),
    Golden("moodle-german", Platform.MOODLE, MOODLE),
    Golden("moodle-worksheet", Platform.WORKSHEET, WORKSHEET),
    Golden("blackboard", Platform.BLACKBOARD, BLACKBOARD, scale=True),
    Golden("blackboard-tabs", Platform.BLACKBOARD, BLACKBOARD),
    Golden("blackboard-one-column", Platform.BLACKBOARD, BLACKBOARD),
    Golden("brightspace", Platform.BRIGHTSPACE, BRIGHTSPACE),
    Golden("sakai", Platform.SAKAI, SAKAI),
    Golden("sakai-semicolons", Platform.SAKAI, SAKAI, scale=True),
)
COMMENTS = {1: "Well argued.\nWho says so?", 3: 'Say "why", & where', 4: "  "}


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_the_filled_file_is_the_expected_one_byte_for_byte(golden: Golden) -> None:
    (given,) = (FOLDER / golden.name).glob("input.*")
    (expected,) = (FOLDER / golden.name).glob("expected.*")

    filling = filled(given.read_bytes(), scale=golden.scale, comments=COMMENTS)

    assert filling.data == expected.read_bytes()
    assert filling.file.platform is golden.platform
    assert "Essay 1" in filling.column.title or filling.column.title == "Grade"
    assert tuple(person.name for person in filling.matching.rows_left) == golden.left
    assert tuple(pair.person.name for pair in filling.odd) == golden.odd
    assert (filling.matching.conflicts, filling.matching.named) == ((), ())


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_filling_the_filled_file_changes_nothing(golden: Golden) -> None:
    (expected,) = (FOLDER / golden.name).glob("expected.*")
    data = expected.read_bytes()

    filling = filled(data, scale=golden.scale, comments=COMMENTS)

    assert filling.data == data
    assert not filling.new
    assert not filling.others


def test_every_folder_is_tested() -> None:
    assert {folder.name for folder in FOLDER.iterdir()} == {golden.name for golden in GOLDEN}
