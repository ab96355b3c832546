"""Rosters: headings in many spellings, platforms' own files, and ids that nobody alters."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats.roster_csv import Roster, RosterLine, read_roster

CANVAS = '''\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Essay 1 (4410),Final Score
,,,,,Manual Posting,
    Points Possible,,,,,10.00,(read only)
"Okoro, Ada",901,0007,aokoro,Sec A and Sec B,8.50,EX
"=""van Dyk, Ben""",902,S0008,ben@example.edu,Sec A,,
"Student, Test",999,,3f9c,Sec A,,
'''
MOODLE = """"First name","Last name","ID number",Institution,"Email address",Groups,Roles
Ada,"van Dyk",0007,,ada@example.edu,"Red team",Student
Tom,Teacher,0001,,tom@example.edu,,"Non-editing teacher"
"""
BLACKBOARD = """"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Essay [Total Pts: 9] |1"
"Okoro"\t"Ada"\t"aokoro"\t"0007"\t"8.00"
"""
BRIGHTSPACE = """OrgDefinedId,Username,Last Name,First Name,Email,A Text Grade,End-of-Line Indicator
#0007,#aokoro,Okoro,Ada,ada@example.edu,85,#
#0008,#bdyk,van Dyk,Ben,,85,#
"""
SAKAI = '"Student ID","Name","# Student Number","E [9]"\n"aokoro","Okoro, Ada","0007","8"\n'
CHI = "the e-mail address “chi@example.edu” is in"


def read(text: str, encoding: str = "utf-8") -> Roster:
    return read_roster(text.encode(encoding))


def lines(text: str, encoding: str = "utf-8") -> list[RosterLine]:
    return list(read(text, encoding).lines)


def test_canvas() -> None:
    roster = read(CANVAS)

    assert list(roster.lines) == [
        RosterLine(4, "Ada Okoro", "", "aokoro", "0007", "901", "Sec A and Sec B"),
        RosterLine(5, "Ben van Dyk", "ben@example.edu", "ben@example.edu", "S0008", "902", "Sec A"),
    ]
    assert roster.skipped == 3
    assert roster.problems == ()


def test_moodle_blackboard_brightspace_sakai() -> None:
    assert lines(MOODLE) == [
        RosterLine(2, "Ada van Dyk", "ada@example.edu", "", "0007", "", "Red team")
    ]
    assert lines(BLACKBOARD, "utf-16") == [RosterLine(2, "Ada Okoro", "", "aokoro", "0007")]
    assert lines(BRIGHTSPACE)[0] == RosterLine(2, "Ada Okoro", "ada@example.edu", "aokoro", "0007")
    assert lines(SAKAI) == [RosterLine(2, "Ada Okoro", "", "aokoro", "0007")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_encodings_and_delimiters(encoding: str, delimiter: str) -> None:
    text = delimiter.join(["Full Name", "E-Mail", "Student No."]) + "\r\n"
    text += delimiter.join(["Zoë Müller", "zoe@example.edu", "00012"]) + "\r\n"

    assert lines(text, encoding) == [RosterLine(2, "Zoë Müller", "zoe@example.edu", "", "00012")]


def test_headings_in_other_languages_and_excels_first_line() -> None:
    text = "sep=;\nVorname;Nachname;Matrikelnummer;Gruppe\nAda;Okoro;007;A\n"

    assert lines(text) == [RosterLine(3, "Ada Okoro", "", "", "007", "", "A")]


def test_problems_are_named_by_line() -> None:
    roster = read(
        "Name,Email,Student number\nAda,ada@,1\n,x@example.edu,2\nBen,ben@example.edu,1.2E+11\n"
        "Chi,chi@example.edu,5\nChi Two,CHI@example.edu,6\nDee,dee@example.edu,7\n"
        "Dee,dee@example.edu,7\n"
    )

    assert [(problem.line, problem.text) for problem in roster.problems] == [
        (2, "“ada@” is not an e-mail address"),
        (3, "there is no name"),
        (4, "“1.2E+11” is a number that a spreadsheet has rounded: the id is lost"),
        (5, f"{CHI} line 6 too; none of these lines is used"),
        (6, f"{CHI} line 5 too; none of these lines is used"),
        (8, "repeats line 7, which is taken"),
    ]
    assert [line.name for line in roster.lines] == ["Dee"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a,b\n1,2\n", "No column names the people. The first row must have headings, such as"),
        (b'Name,Email\n"Ada,x\n', "Line 2: a quotation mark"),
        (b"PK\x03\x04", "Excel"),
        (b"", "empty"),
    ],
)
def test_what_is_no_roster_is_refused_in_words(data: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_roster(data)


IDS = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=20
)


@settings(max_examples=60)
@given(
    ids=st.lists(IDS, min_size=1, max_size=5, unique_by=str.casefold),
    delimiter=st.sampled_from(",;\t"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    ends=st.sampled_from(["\n", "\r\n"]),
)
def test_ids_are_never_altered(
    ids: list[str], delimiter: str, encoding: str, quoting: int, ends: str
) -> None:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=ends)  # type: ignore[arg-type]
    writer.writerow(["Name", "Student number", "Section"])
    writer.writerows([f"Person {number}", first, "A"] for number, first in enumerate(ids))

    roster = read_roster(out.getvalue().encode(encoding))

    kept = {line.line - 2: line.student_number for line in roster.lines}
    wrong = {problem.line - 2 for problem in roster.problems}
    marked = all(student_id.startswith("#") for student_id in ids)
    for number, first in enumerate(ids):
        is_shielded = first.startswith('="') and first.endswith('"')
        if number not in wrong and not marked and not is_shielded:
            assert kept[number] == first


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"Name,Login,{'x' * 200_000}\nAda,ao\n", "first row is too long"),
        (f"Name,Login{',x' * 100_000}\nAda,ao\n", "first row is too long"),
        (f"Name,Login\nAda,{'x' * 200_000}\n", "Line 2: a cell has more than"),
        (f'Name,Login\nAda,"{"x," * 100_000}\n', "Line 2: a cell has more than"),
    ],
)
def test_cells_that_are_too_long_are_told_in_words(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read(text)
