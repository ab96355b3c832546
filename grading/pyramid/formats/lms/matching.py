"""Who of our students a row of the file is about: by id, then by login, then by e-mail.

A name alone decides nothing: it makes a candidate, which a person may confirm.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from grading.pyramid.formats.lms.grade_file import Person


@dataclass(frozen=True, slots=True)
class Student:
    """One of ours; ``key`` is our number. ``own_login`` is for people without one in the LMS."""

    key: int
    name: str
    lms_id: str = ""
    number: str = ""
    login: str = ""
    email: str = ""
    own_login: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    person: Person
    student: Student
    by: str  # in words: what they were matched by

    @property
    def is_named_alike(self) -> bool:
        """Further names on one side are no other name: “Ada Okoro” is “Okoro Mba, Ada”."""
        row, ours = (set(_name_words(person.name)) for person in (self.person, self.student))
        fewer = row & ours in (row, ours) and len(row & ours) > 1
        return not row or row == ours or fewer

    @property
    def other_ids(self) -> tuple[str, ...]:
        """Where the file and the roster have ids for them that are not the same."""
        row, ours = self.person, self.student
        ids = (
            ("number in the LMS", _id(row.lms_id), _id(ours.lms_id)),
            ("student number", _id(row.number), _id(ours.number)),
        )
        return tuple(
            f"{words} {in_file} in the file, {here} here"
            for words, in_file, here in ids
            if in_file and here and in_file != here
        )

    @property
    def is_odd(self) -> bool:
        return bool(self.other_ids) or not self.is_named_alike


@dataclass(frozen=True, slots=True)
class Matching:
    """``named`` are rows whose only likeness to a student is the name."""

    pairs: tuple[Pair, ...]
    named: tuple[Pair, ...]
    conflicts: tuple[str, ...]
    rows_left: tuple[Person, ...]
    students_left: tuple[Student, ...]


T = TypeVar("T")
BY_NAME = "name, confirmed manually"
Known = Mapping[str, Sequence[Student]]


@dataclass(frozen=True, slots=True)
class _Key:
    """One way to know somebody; ``of_row`` and ``of_student`` are compared."""

    words: str
    of_row: Callable[[Person], str]
    of_student: Callable[[Student], str]


def _lower(text: str) -> str:
    """Logins and addresses in one case; Brightspace puts # before them."""
    return unicodedata.normalize("NFC", text).strip().removeprefix("#").casefold()


def _id(text: str) -> str:
    """Ids as they are, with their zeros; Brightspace puts # before them."""
    return text.strip().removeprefix("#")


def _email(row: Person) -> str:
    """Many platforms take the address as login."""
    return _lower(row.email or (row.login if "@" in row.login else ""))


_KEYS = (
    _Key("number in the LMS", lambda row: _id(row.lms_id), lambda student: _id(student.lms_id)),
    _Key("student number", lambda row: _id(row.number), lambda student: _id(student.number)),
    _Key(
        "login",
        lambda row: _lower(row.login),
        lambda student: _lower(student.login or student.own_login),
    ),
    _Key("e-mail", _email, lambda student: _lower(student.email)),
)


def match(
    people: Sequence[Person],
    students: Sequence[Student],
    confirmed: frozenset[tuple[int, int]] = frozenset(),
) -> Matching:
    """``confirmed``: lines of the file, with keys of students that have only the name alike."""
    known = [(key, _known(key, students)) for key in _KEYS]
    matched, conflicts, settled = [], [], set()
    for person in people:
        answer = _find(person, known)
        if isinstance(answer, str):
            conflicts.append(answer)
            settled.add(person.row)
        elif answer is not None:
            matched.append(answer)
    pairs, doubled = _only_once(matched)
    settled |= {pair.person.row for pair in matched}
    taken = {pair.student.key for pair in matched}
    rows_left = [person for person in people if person.row not in settled]
    students_left = [student for student in students if student.key not in taken]
    named = _named(rows_left, students_left)
    by_hand = [pair for pair in named if (pair.person.line, pair.student.key) in confirmed]
    lines = {pair.person.line for pair in named}
    keys = {pair.student.key for pair in named}
    return Matching(
        tuple(sorted([*pairs, *by_hand], key=lambda pair: pair.person.row)),
        tuple(named),
        (*conflicts, *doubled),
        tuple(person for person in rows_left if person.line not in lines),
        tuple(student for student in students_left if student.key not in keys),
    )


def _known(key: _Key, students: Iterable[Student]) -> Known:
    known: dict[str, list[Student]] = defaultdict(list)
    for student in students:
        if value := key.of_student(student):
            known[value].append(student)
    return known


def _find(person: Person, known: Iterable[tuple[_Key, Known]]) -> Pair | str | None:
    """The student; or, in words, why it is not clear who it is; or nobody."""
    first: Pair | None = None
    for key, students in known:
        value = key.of_row(person)
        fitting = students.get(value, ()) if value else ()
        if len(fitting) > 1:
            if first is not None and first.student in fitting:
                continue
            names = " and ".join(student.name for student in fitting)
            return (
                f"Line {person.line} ({person.name}): {names} have the same {key.words}, {value}."
            )
        if fitting and first is None:
            first = Pair(person, fitting[0], key.words)
        elif fitting and first is not None and fitting[0].key != first.student.key:
            return (
                f"Line {person.line} ({person.name}): by the {first.by} this is "
                f"{first.student.name}, by the {key.words} it is {fitting[0].name}."
            )
    return first


def _only_once(candidates: Sequence[Pair]) -> tuple[list[Pair], list[str]]:
    rows: dict[int, list[Pair]] = defaultdict(list)
    for pair in candidates:
        rows[pair.student.key].append(pair)
    single = [pairs[0] for pairs in rows.values() if len(pairs) == 1]
    doubled = [
        f"{pairs[0].student.name} is in {len(pairs)} lines of the file: "
        f"{', '.join(str(pair.person.line) for pair in pairs)}."
        for pairs in rows.values()
        if len(pairs) > 1
    ]
    return single, doubled


def _named(rows: Iterable[Person], students: Iterable[Student]) -> list[Pair]:
    """Rows and students of whom each has the name of exactly one other."""
    ours = _by_name(students, lambda student: student.name)
    theirs = _by_name(rows, lambda row: row.name)
    return [
        Pair(same[0], ours[name][0], BY_NAME)
        for name, same in theirs.items()
        if len(same) == 1 and len(ours.get(name, ())) == 1
    ]


def _by_name(
    named_rows: Iterable[T], name_of: Callable[[T], str]
) -> dict[tuple[str, ...], list[T]]:
    named: dict[tuple[str, ...], list[T]] = defaultdict(list)
    for named_row in named_rows:
        if words := _name_words(name_of(named_row)):
            named[words].append(named_row)
    return named


def _name_words(name: str) -> tuple[str, ...]:
    """In any order, without accents, case and marks: “Okoro, Ada” is “Ada Okoro”."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = (character for character in plain if not unicodedata.combining(character))
    return tuple(sorted("".join(letter if letter.isalnum() else " " for letter in letters).split()))
