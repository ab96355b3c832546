"""The roster of a course: who is in it, from a CSV or from a learning platform's own export.

Columns are known by their headings, in common spellings and some languages. Ids are text: what
stands in the file is kept letter for letter, leading zeros too; only what platforms put around ids
to keep spreadsheets off them is taken away (Canvas's ``="007"``, Brightspace's ``#007``).
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.csv_table import Row, Table, read_table, squash

# Names of people as files write them: “Okoro, Ada”, “ada okoro”, “okoroada”.

_SUFFIXES: Final = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md"})


def first_name_first(name: str) -> str:
    """With the first name first and one kind of space: “Okoro, Ada” is “Ada Okoro”."""
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    last, comma, first = plain.partition(",")
    if not comma or "," in first or not first.strip() or not last.strip():
        return plain.strip(", ")
    return plain if squash(first) in _SUFFIXES else f"{first.strip()} {last.strip()}"


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, each without case, accents and marks."""
    parts = name.replace(",", " ").replace("_", " ").split()
    return tuple(word for word in map(squash, parts) if word)


def spellings_of(name: str) -> frozenset[str]:
    """All its words squashed together, from whichever of them one begins: last or first name."""
    words = words_of(name)
    return frozenset("".join(words[turn:] + words[:turn]) for turn in range(len(words)))


def is_like(first: str, other: str) -> bool:
    """Do all words of the shorter name, two at least, occur in the longer one?"""
    shorter, longer = sorted((set(words_of(first)), set(words_of(other))), key=len)
    return len(shorter) > 1 and shorter <= longer


LONGEST: Final = {
    "name": 200, "email": 254, "login": 254, "student_number": 100, "lms_id": 100, "section": 200,
}  # fmt: skip

_HEADINGS: Final[Mapping[str, str]] = {
    heading: column
    for column, headings in {
        "name": "name fullname student students studentname displayname participant learner "
        "vollstandigername nomcomplet nombrecompleto nomecompleto teilnehmerin",
        "first": "firstname givenname forename first vorname nombre prenom givennames firstnames",
        "last": "lastname surname familyname last nachname apellido apellidos nomdefamille "
        "sobrenome cognome",
        "email": "email emailaddress mail mailaddress emailadresse correo correoelectronico "
        "direccionemail adressedecourriel courriel studentemail universityemail indirizzoemail",
        "login": "login loginid username user userid sisloginid netid eid account accountname "
        "benutzername anmeldename nomdutilisateur nombredeusuario uniqueid uid studentlogin",
        "student_number": "studentnumber studentno studentnr studentid sisuserid sisid "
        "sisstudentid idnumber orgdefinedid matriculationnumber matrikelnummer matrnr "
        "registrationnumber enrolmentnumber enrollmentnumber universityid rollnumber id "
        "idnummer numerodeid numerodidentification numerodematricula",
        "lms_id": "lmsid canvasid canvasuserid moodleid blackboardid brightspaceid",
        "section": "section sections sectionname sectionnames group groups groupname class "
        "gruppe gruppen grupo grupos groupe groupes tutorial seminar",
        "role": "role roles rolle rollen rol ruolo ruoli",
    }.items()
    for heading in headings.split()
}
_TEACHING: Final = re.compile(
    r"teach|instructor|assistant|\bta\b|tutor|designer|manager|observer|lehr|profes|enseign|docent",
    re.IGNORECASE,
)
_LEARNING: Final = re.compile(
    r"student|learner|studier|estudiant|etudiant|élève|aluno", re.IGNORECASE
)
_TEST_STUDENT: Final = frozenset({"studenttest", "teststudent"})
_KEPT_FROM_EXCEL: Final = re.compile(r'="(.*)"', re.DOTALL)
_ROUNDED: Final = re.compile(r"\d(?:[.,]\d+)?E\+\d+", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"[^@\s,;<>\"()]+@[^@\s,;<>\"()]+\.[^@\s,;<>\"().]+")
_CONTROL: Final = re.compile("[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class RosterLine:
    """One person; what the file does not say is empty."""

    line: int
    name: str = ""
    email: str = ""
    login: str = ""
    student_number: str = ""
    lms_id: str = ""
    section: str = ""

    @property
    def is_identified(self) -> bool:
        """Is there anything but a name to know them by?"""
        return bool(self.email or self.login or self.student_number or self.lms_id)


@dataclass(frozen=True, slots=True)
class RosterProblem:
    """A line that cannot be used, and why."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Roster:
    """``columns`` is what was read: the heading of the file, and what it is taken for."""

    lines: tuple[RosterLine, ...]
    problems: tuple[RosterProblem, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    ignored: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    skipped: int = 0  # test student, points possible, and their like


def read_roster(data: bytes) -> Roster:
    """Everybody in the file; InputError where it is no table, or has no column with people."""
    table = read_table(data)
    columns = columns_of(table.heading)
    if not {"name", "first", "last", "email", "login", "student_number"} & set(columns):
        raise InputError(
            "No column names the people. The first row must have headings, such as “Name”, "
            "“E-mail” or “Login”. It has: "
            f"{', '.join(cell or '(empty)' for cell in table.heading[:8])}."
        )
    reader = _Reader(columns, _marked_columns(table, columns))
    for row in table.rows:
        reader.read(row)
    lines, problems = _once(reader.lines, reader.problems)
    field_of = {column: field for field, column in columns.items()}
    return Roster(
        lines=tuple(lines),
        problems=tuple(sorted(problems, key=lambda problem: problem.line)),
        columns=tuple(
            (heading, field_of[index])
            for index, heading in enumerate(table.heading)
            if index in field_of
        ),
        ignored=tuple(
            heading
            for index, heading in enumerate(table.heading)
            if heading and index not in field_of
        ),
        remarks=tuple(filter(None, (table.remark,))),
        skipped=reader.skipped,
    )


def columns_of(heading: Sequence[str]) -> dict[str, int]:
    """What is known of people by the heading, each with its first column."""
    cells = [squash(cell) for cell in heading]
    columns: dict[str, int] = {}
    for index, cell in enumerate(cells):
        columns.setdefault(_HEADINGS.get(cell, ""), index)
    columns.pop("", None)
    if "id" in cells and {"sisloginid", "sisuserid"} & set(cells):  # Canvas
        columns["lms_id"] = cells.index("id")
        columns.pop("student_number", None)
        if "sisuserid" in cells:
            columns["student_number"] = cells.index("sisuserid")
    elif cells[:2] in (["studentid", "name"], ["studentid", "studentname"]) and _is_sakai(heading):
        columns["login"] = 0
        columns.pop("student_number", None)
        if "studentnumber" in cells:
            columns["student_number"] = cells.index("studentnumber")
    return columns


def _is_sakai(heading: Sequence[str]) -> bool:
    return any(cell.startswith(("# ", "* ")) or cell.endswith("]") for cell in heading)


def _marked_columns(table: Table, columns: Mapping[str, int]) -> frozenset[int]:
    """Columns in which each id has a # in front that is none of it (Brightspace)."""
    marked = set()
    for field in ("student_number", "login"):
        if field in columns:
            cells = [row.cell(columns[field]) for row in table.rows]
            filled = [cell for cell in cells if cell]
            if filled and all(cell.startswith("#") for cell in filled):
                marked.add(columns[field])
    return frozenset(marked)


class _Reader:
    """Rows become lines, problems, or nothing."""

    def __init__(self, columns: Mapping[str, int], marked: frozenset[int]) -> None:
        self._columns = columns
        self._marked = marked
        self.lines: list[RosterLine] = []
        self.problems: list[RosterProblem] = []
        self.skipped = 0

    def read(self, row: Row) -> None:
        role = self._cell(row, "role")
        if _is_no_person(row) or (_TEACHING.search(role) and not _LEARNING.search(role)):
            self.skipped += 1
            return
        line = self._line(row)
        if wrong := "; ".join(_wrong_with(line)):
            self.problems.append(RosterProblem(row.line, wrong))
        else:
            self.lines.append(line)

    def _line(self, row: Row) -> RosterLine:
        parts = (self._cell(row, "first"), self._cell(row, "last"))
        name = " ".join(filter(None, parts)) or first_name_first(self._cell(row, "name"))
        login, email = self._cell(row, "login"), self._cell(row, "email")
        if not email and _ADDRESS.fullmatch(login):
            email = login
        return RosterLine(
            line=row.line,
            name=" ".join(name.split()),
            email=email,
            login=login,
            student_number=self._cell(row, "student_number"),
            lms_id=self._cell(row, "lms_id"),
            section=self._cell(row, "section"),
        )

    def _cell(self, row: Row, field: str) -> str:
        if field not in self._columns:
            return ""
        cell = row.cell(self._columns[field])
        kept = _KEPT_FROM_EXCEL.fullmatch(cell)
        cell = kept[1].replace('""', '"') if kept else cell
        return cell[1:] if self._columns[field] in self._marked else cell


def _is_no_person(row: Row) -> bool:
    """Canvas's row of points, of posting policies, and its test student."""
    cells = [cell for cell in row.cells if cell]
    first = row.cell(0)
    is_posting = all(cell.startswith(("Manual Posting", "Muted")) for cell in cells)
    is_test = squash(first) in _TEST_STUDENT and "," in first
    return "Points Possible" in first or is_posting or is_test


def _wrong_with(line: RosterLine) -> Iterable[str]:
    if not any(character.isalpha() for character in line.name):
        yield "there is no name"
    if line.email and not _ADDRESS.fullmatch(line.email):
        yield f"“{line.email}” is not an e-mail address"
    for field, most in LONGEST.items():
        value = getattr(line, field)
        if len(value) > most:
            yield f"the {field.replace('_', ' ')} has more than {most} characters"
        if _CONTROL.search(value):
            yield f"the {field.replace('_', ' ')} has invisible characters"
    for number in (line.student_number, line.lms_id):
        if _ROUNDED.fullmatch(number):
            yield f"“{number}” is a number that a spreadsheet has rounded: the id is lost"


def _once(
    lines: Sequence[RosterLine], problems: Sequence[RosterProblem]
) -> tuple[list[RosterLine], list[RosterProblem]]:
    """Lines that say of two people what is one person's alone are problems, both of them."""
    kept, wrong = dict.fromkeys(lines), list(problems)
    for field, field_name in (
        ("email", "e-mail address"),
        ("login", "login"),
        ("student_number", "student number"),
        ("lms_id", "number in the LMS"),
    ):
        same: dict[str, list[RosterLine]] = {}
        for line in lines:
            if value := getattr(line, field):
                same.setdefault(value.casefold(), []).append(line)
        for value, group in same.items():
            if len(group) > 1:
                wrong += _duplicates(group, field_name, value)
                for line in group[1:] if _all_alike(group) else group:
                    kept.pop(line, None)
    first_of_each = {problem.line: problem for problem in reversed(wrong)}
    return list(kept), list(first_of_each.values())


def _all_alike(group: Sequence[RosterLine]) -> bool:
    names = [field.name for field in fields(RosterLine) if field.name != "line"]
    return len({tuple(getattr(line, name) for name in names) for line in group}) == 1


def _duplicates(group: Sequence[RosterLine], field: str, value: str) -> Iterable[RosterProblem]:
    first, numbers = group[0], [line.line for line in group]
    if _all_alike(group):
        for line in group[1:]:
            yield RosterProblem(line.line, f"repeats line {first.line}, which is taken")
        return
    for line in group:
        others = ", ".join(str(number) for number in numbers if number != line.line)
        yield RosterProblem(
            line.line,
            f"the {field} “{value}” is in line {others} too; none of these lines is used",
        )
