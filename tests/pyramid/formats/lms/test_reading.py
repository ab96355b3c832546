"""Which platform wrote a file, which columns can be filled, and what is said of others."""

import pytest

from grading.pyramid.errors import InputError
from grading.pyramid.formats.lms.grade_file import GradeFile, Platform
from grading.pyramid.formats.lms.reading import read_grade_file


def read(text: str) -> GradeFile:
    return read_grade_file(text.encode())


def reasons(file: GradeFile) -> dict[str, str]:
    return {column.title: column.why_not for column in file.columns}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "The file is empty"),
        (b"PK\x03\x04...", "Excel.*Upload gradebooks as CSV"),
        (b"just words", "Line 1 is “just words”: no columns"),
        (b"Name;Points\nA;1\n", "Line 1 has 2 columns, cut at semicolons: “Name”, “Points”"),
        (b"a,b,c,d,e,f,g,h\n", "“f” and 2 more. No gradebook that we know"),
        (b'"a,b\n', "Line 1: a quotation mark is never closed"),
        (b'Student,ID,Section,Essay (1)\nA,1,S,"\n', "Line 2: a quotation mark"),
        (
            b"Student,ID,Section,Essay (1)\n" + b"a," * 2_001,
            "Line 2: a gradebook has at most 2,000",
        ),
        (b"Student,ID," + b"a" * 3_000, "Line 1 has 3 columns, cut at commas"),
        (b"Student,ID,SIS Login ID,Essay (1)\n", "Canvas's gradebook, but the column “Section”"),
    ],
)
def test_what_is_no_gradebook_is_described_by_line(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_grade_file(data)


def test_canvas_columns_that_it_would_not_take_are_not_offered() -> None:
    file = read(
        "Student,ID,Section,Notes,Essay (1),Final Grade talk (77),Total,Sum (9)\n"
        "    Points Possible,,,,10,5,(read only),(read only)\n"
        ",,,,Manual Posting,,,\n"
    )

    assert reasons(file) == {
        "Notes": "it has no number of a Canvas assignment",
        "Essay": "",
        "Final Grade talk": "Canvas ignores columns with “Final Grade” in their heading",
        "Total": "Canvas calculates it itself",
        "Sum": "Canvas calculates it itself",
    }
    assert "only after you post them" in file.columns[1].note
    assert file.people == ()


def test_canvas_rows_that_are_no_students_are_left_out_wherever_they_stand() -> None:
    file = read(
        "Student,ID,Section,Essay (1)\nAda,1,A,\n    Points Possible,,,10\n,,,Muted\nBo,2,A\n"
        "\nTest Student,3,A,\n\n"
    )

    assert [person.name for person in file.people] == ["Ada"]
    assert file.columns[0].points == 10
    assert file.remarks == (
        "Line 5 has 3 cells where the first line has 4: it is unchanged.",
        "Line 7 is Canvas's test student: it is unchanged.",
    )


def test_moodle_columns_of_words_percentages_and_totals_are_not_offered() -> None:
    file = read(
        "First name,Surname,Username,Essay (Real),Essay (Percentage),Essay (Letter),"
        "Essay (Feedback),Old essay,Course total (Real)\nA,B,ab,-,80.00 %,A,Good,7.5,1\n"
    )

    assert file.platform is Platform.MOODLE
    assert [column.title for column in file.candidates] == ["Essay", "Old essay"]
    assert file.people[0].name == "A B"


def test_moodle_is_known_in_any_language_and_with_colons() -> None:
    file = read("Nom:Id:Courriel:Essai\nAda:1:ada@example.edu:-:1795000000\n".replace(
        "Essai\n", "Essai:Vu\n"
    ))  # fmt: skip

    assert (file.platform, file.cells.delimiter) == (Platform.MOODLE, ":")
    assert file.people[0].email == "ada@example.edu"
    assert [column.title for column in file.candidates] == ["Essai"]


def test_a_worksheet_with_a_scale_or_without_names_says_so() -> None:
    file = read(
        "Identifier,Grade,Scale,Grade can be changed,Last modified (grade)\nParticipant 1,,x,No,-\n"
    )

    assert file.platform is Platform.WORKSHEET
    assert "words of a scale" in reasons(file)["Grade"]
    assert any("anonymous" in remark for remark in file.remarks)
    assert any("line 2 cannot be changed" in remark for remark in file.remarks)


def test_blackboard_columns_that_it_works_out_or_that_are_words_are_not_offered() -> None:
    file = read(
        "Nachname,Vorname,Benutzername,A [Gesamtpunkte: 10 Score] |1,"
        "B [Total Pts: up to 20 Score] |2,C [Total Pts: 0 Text] |3\nLi,Bo,bli,,,\n"
    )

    assert reasons(file) == {
        "A": "",
        "B": "Blackboard calculates it itself",
        "C": "it is shown as “Text”; let Blackboard show its score",
    }
    assert file.people[0].login == "bli"
    assert file.columns[0].points == 10


def test_brightspace_without_its_last_column_is_remarked() -> None:
    file = read("Username,A Points Grade,B Grade Symbol <x>,C Numerator\nbli,1,,\n")

    assert list(reasons(file).values()) == [
        "",
        "it is a “Grade Symbol”, not points",
        "Brightspace calculates it itself",
    ]
    assert "End-of-Line Indicator" in file.remarks[0]


def test_sakai_files_that_it_would_refuse_are_remarked() -> None:
    file = read("Student ID,Name,A [10],A [10],B\nbli,Lí,1,,\n")

    assert reasons(file)["B"].startswith("its heading has no points")
    assert "More than one column is called “A [10]”" in file.remarks[0]
    assert "no byte order mark" in file.remarks[1]
