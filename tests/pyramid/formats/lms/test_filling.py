"""What is filled in, and what stays."""

import html
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.formats.lms.filling import Choices, Grade, fill, guess_column, html_comment
from grading.pyramid.formats.lms.reading import read_grade_file
from tests.pyramid.formats.lms.people import ADA, GRADES, TEN, filled

CANVAS = (
    b"Student,ID,SIS Login ID,Section,Essay (1),Essay 1 (2),Essay two (3)\n"
    b"    Points Possible,,,,5,10,10\n"
    b"Ada,901,aokoro,A,,,\nDov,904,dperez,A,,7,\nEve,905,estone,A,,8,\n"
)
MOODLE = (
    b'Username,"Full name","Quiz: One (Real)","Essay (Real)",Last downloaded from this course\n'
    b"aokoro,x,-,-,1795000000\ndperez,y,1.00,-,1795000000\n"
)


def test_old_and_new_are_told_and_who_has_no_grade_keeps_the_cell() -> None:
    filling = filled(CANVAS)

    assert [(change.old, change.new) for change in filling.new] == [("", "8.5")]
    assert [(change.old, change.new) for change in filling.others] == [("7", "EX")]
    assert [(kept.why, kept.value) for kept in filling.kept] == [("not submitted", "8")]
    assert b"Eve,905,estone,A,,8,\n" in filling.data
    assert [student.name for student in filling.matching.students_left] == [
        "Bo Li",
        "Chloé Nkemelu",
    ]


@pytest.mark.parametrize("word", ["EX", "ex", " EX ", "Excused"])
def test_a_cell_that_excuses_a_graded_student_is_left_alone(word: str) -> None:
    data = CANVAS.replace(b"aokoro,A,,,", f"aokoro,A,,{word},".encode())

    filling = filled(data)

    (change,) = filling.excused
    assert (change.old, change.new, change.is_ticked) == (word, "8.5", False)
    assert (filling.new, filling.unticked, filling.students_in_file) == ([], [change], 1)
    assert filling.data == data.replace(b"A,,7,", b"A,,EX,")

    overruled = filled(data, ticks={change.place: True})
    assert (overruled.unticked, overruled.students_in_file) == ([], 2)
    assert b"aokoro,A,,8.5," in overruled.data


@pytest.mark.parametrize("word", ["EX", "ex", "excused"])
def test_an_excused_student_whom_the_file_excuses_stays_as_written(word: str) -> None:
    data = CANVAS.replace(b"A,,7,", f"A,,{word},".encode())

    (change,) = filled(data).same

    assert change.old == word
    assert f"A,,{word},".encode() in filled(data).data


def test_only_ticked_cells_change_and_every_other_byte_stays() -> None:
    everything = filled(CANVAS)
    (ada,), (dov,) = everything.new, everything.others

    without_dov = filled(CANVAS, ticks={dov.place: False})

    assert without_dov.data == CANVAS.replace(b"aokoro,A,,,", b"aokoro,A,,8.5,")
    assert [(change.pair.person.line, change.old) for change in without_dov.unticked] == [(4, "7")]
    assert (without_dov.students_in_file, everything.students_in_file) == (1, 2)
    assert filled(CANVAS, ticks={ada.place: False, dov.place: False}).data == CANVAS


def test_the_stamp_is_of_what_is_offered_whatever_is_ticked() -> None:
    (change,) = filled(CANVAS).others

    assert filled(CANVAS, ticks={change.place: False}).stamp == filled(CANVAS).stamp
    assert filled(CANVAS.replace(b"A,,7,", b"A,,6,")).stamp != filled(CANVAS).stamp


def test_a_grade_that_is_not_ticked_is_not_above_the_points() -> None:
    file = read_grade_file(CANVAS)
    grades, choices = [Grade(ADA, Decimal(11))], Choices(5, TEN)
    (change,) = fill(file, file.columns[1], grades, choices).above

    unticked = replace(choices, ticks={change.place: False})

    assert not fill(file, file.columns[1], grades, unticked).above


def test_the_column_is_guessed_by_title_then_by_points() -> None:
    file = read_grade_file(CANVAS)

    assert guess_column(file, "Essay 1", TEN) == (file.columns[1], True)
    assert guess_column(file, "essay", Decimal(5)) == (file.columns[0], True)
    assert guess_column(file, "Why cities are hotter", TEN)[1] is False
    assert file.column(99) is None


def test_other_points_are_refused_until_scaling_is_chosen() -> None:
    file = read_grade_file(CANVAS)
    choices = Choices(column=4, points=TEN)

    refused = fill(file, file.columns[0], GRADES, choices)
    assert refused.refusal == "“Essay” is out of 5 points, and the grades here are out of 10."
    assert (refused.data, refused.changes) == (CANVAS, ())

    scaled = fill(file, file.columns[0], GRADES, replace(choices, scale=True))
    assert b"Ada,901,aokoro,A,4.25,,\n" in scaled.data


def test_where_the_file_is_silent_a_person_says_the_points() -> None:
    silent = filled(MOODLE, "Essay")
    assert (silent.column.points, silent.refusal) == (None, "")
    assert b"aokoro,x,-,8.50,1" in silent.data.replace(b"8.5,", b"8.50,")

    assert filled(MOODLE, "Essay", out_of=Decimal(100)).refusal
    assert b"aokoro,x,-,85,1" in filled(MOODLE, "Essay", out_of=Decimal(100), scale=True).data


def test_an_excused_student_of_a_platform_without_a_word_for_it_is_listed() -> None:
    (kept,) = filled(MOODLE, "Essay").kept

    assert "excused" in kept.why


@pytest.mark.parametrize(("old", "changes"), [("8.50", False), ("8,5", False), ("8.503", True)])
def test_what_stands_there_already_stays_as_it_is_written(old: str, changes: bool) -> None:
    data = f"Student,ID,SIS Login ID,Section,Essay 1 (2)\nAda,901,a,A,{old}\n".replace(
        "8,5\n", '"8,5"\n'
    ).encode()

    assert (filled(data).data != data) is changes


def test_a_cell_that_says_the_student_has_not_got_it_stays() -> None:
    data = CANVAS.replace(b"aokoro,A,,,", b"aokoro,A,,N/A,")

    filling = filled(data)

    assert not filling.new
    assert "“N/A” is in the cell" in filling.kept[0].why


def test_a_comment_that_the_encoding_cannot_hold_is_told() -> None:
    head = "Identifier,Full name,Email address,Grade,Last modified (grade),Feedback comments\n"
    data = f"{head}Participant 1,Zoé,ada@example.edu,,-,\n".encode("cp1252")

    filling = filled(data, comments={ADA.key: "Größe: 😀"})

    assert [kept.why.split()[-1] for kept in filling.kept] == ["hold"]
    assert "😀" not in filling.data.decode("cp1252")


def test_grades_above_the_points_of_the_column_are_told() -> None:
    file = read_grade_file(CANVAS)

    filling = fill(file, file.columns[1], [Grade(ADA, Decimal(11))], Choices(5, TEN))

    assert [change.new for change in filling.above] == ["11"]
    assert not filled(CANVAS).above


def test_no_grade_is_never_a_zero_and_a_zero_is_one() -> None:
    file = read_grade_file(CANVAS)
    zero = [Grade(ADA, Decimal(0))]

    (change,) = fill(file, file.columns[1], zero, Choices(5, TEN)).changes

    assert (change.new, filled(CANVAS).data.count(b",0")) == ("0", 0)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Good.\r\nMore\n", "<p>Good.<br>More</p>"),
        ("<b>&", "<p>&lt;b&gt;&amp;</p>"),
        ('"so" - no', "<p>&quot;so&quot; &#45; no</p>"),
        ("a;==1", "<p>a;&#61;&#61;1</p>"),
        ("a; = -1", "<p>a; &#61; &#45;1</p>"),
        ("R&D - well-made", "<p>R&amp;D - well-made</p>"),
    ],
)
def test_comments_show_what_was_written_and_run_nowhere(text: str, written: str) -> None:
    assert html_comment(text) == written


@given(st.text(alphabet="=+-@;\"'&< \na"))
def test_no_comment_runs_where_a_line_is_cut_at_semicolons(text: str) -> None:
    written = html_comment(text)

    shown = html.unescape(written.removeprefix("<p>").removesuffix("</p>").replace("<br>", "\n"))
    assert shown == text.strip()
    assert not any(
        part.lstrip(' "').startswith(("=", "+", "-", "@")) for part in written.split(";")
    )
