"""What an upload of work would do: who gets which text as which attempt. Shown first, then done.

Of several files of one student one is ticked: the newest where their times differ, else the
longest. A text that the student has submitted as a final before makes no new attempt.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final
from unicodedata import east_asian_width
from zoneinfo import ZoneInfo

from grading.pyramid.formats.bulk_files import ReadFile
from grading.pyramid.formats.bulk_names import NamedFile
from grading.pyramid.formats.csv_table import squash
from grading.pyramid.formats.roster_csv import is_like, spellings_of, words_of
from grading.pyramid.stamps import stamp_of

# Which student a file is from. Ids decide; a name proposes.
#
# The order: the platform's own number, student number, login, e-mail address. What leads to two
# people leads to nobody. A name that is quite the same, and one student's only, is a proposal that
# is ticked; a name that is like one is a question.

_LEAST_NAME: Final = 4  # letters; fewer in a file's name are no name. Wide ones count double


@dataclass(frozen=True, slots=True)
class Person:
    """A student of the course, as far as files may know them."""

    key: int
    name: str
    logins: tuple[str, ...] = ()
    email: str = ""
    student_number: str = ""
    lms_id: str = ""


class KnownBy(StrEnum):
    """How a file was matched; the page shows the value."""

    LMS_ID = "number in the LMS"
    STUDENT_NUMBER = "student number"
    LOGIN = "login"
    EMAIL = "e-mail address"
    NAME = "name"
    LIKE_NAME = "a name that is like it"
    HAND = "you"
    NOTHING = ""


@dataclass(frozen=True, slots=True)
class Found:
    """One person; several where the file leads to more than one; none."""

    people: tuple[int, ...] = ()
    by: KnownBy = KnownBy.NOTHING

    @property
    def person(self) -> int | None:
        return self.people[0] if len(self.people) == 1 else None


class People:
    """A class, ready to be searched."""

    def __init__(self, people: Sequence[Person]) -> None:
        self._ids: tuple[tuple[KnownBy, Mapping[str, set[int]]], ...] = (
            (
                KnownBy.STUDENT_NUMBER,
                _index((person.student_number, person.key) for person in people),
            ),
            (
                KnownBy.LOGIN,
                _index((login, person.key) for person in people for login in person.logins),
            ),
            (KnownBy.EMAIL, _index((person.email, person.key) for person in people)),
        )
        self._lms_ids = _index((person.lms_id, person.key) for person in people)
        self._words = _index(
            (word, person.key) for person in people for word in words_of(person.name)
        )
        self._by_key = {person.key: person for person in people}
        self._names = _index(
            (spelling, person.key) for person in people for spelling in spellings_of(person.name)
        )

    def find(self, file: NamedFile) -> Found:
        if people := self._lms_ids.get(file.lms_id.casefold()):
            return Found(tuple(sorted(people)), KnownBy.LMS_ID)
        return self._by_ids(file) or self._by_name(file) or self._by_likeness(file) or Found()

    def _by_ids(self, file: NamedFile) -> Found | None:
        """Logins are all looked at, as one of them may be somebody else's; hints one by one."""
        people: set[int] = set()
        by = KnownBy.NOTHING
        for word in file.logins:
            for kind, index in self._ids:
                if hit := index.get(word.casefold()):
                    by = by or kind
                    people |= hit
        if people:
            return Found(tuple(sorted(people)), by)
        for hint in file.hints:
            for kind, index in (*self._ids, (KnownBy.LMS_ID, self._lms_ids)):
                if hit := index.get(hint.casefold()):
                    return Found(tuple(sorted(hit)), kind)
        return None

    def _by_name(self, file: NamedFile) -> Found | None:
        for name in filter(None, (file.name, *file.hints)):
            key = squash(name)
            if _width(key) >= _LEAST_NAME and (hit := self._names.get(key)):
                return Found(tuple(sorted(hit)), KnownBy.NAME)
        return None

    def _by_likeness(self, file: NamedFile) -> Found | None:
        for name in filter(None, (file.name, *file.hints)):
            shared = Counter(key for word in words_of(name) for key in self._words.get(word, ()))
            near = (key for key, count in shared.items() if count > 1)
            if hit := [key for key in near if is_like(name, self._by_key[key].name)]:
                return Found(tuple(sorted(hit)), KnownBy.LIKE_NAME)
        return None


def _width(key: str) -> int:
    """“王小明” is as much of a name as “WangXM”."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in key)


def _index(pairs: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    index: dict[str, set[int]] = {}
    for word, key in pairs:
        if word:
            index.setdefault(word.casefold(), set()).add(key)
    return index


NOBODY: Final = 0  # what a file is given to that is to stay out


class RowState(StrEnum):
    NEW = "new"  # can become an attempt
    SAME = "same"  # is one already
    OPEN = "open"  # nobody, or several, could have written it
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What a student has submitted before."""

    attempt: int
    text: str
    is_final: bool


@dataclass(frozen=True, slots=True)
class PlanRules:
    """``handed_in_at`` holds for files that do not say when; ``zone`` is of those that do.

    ``extended`` has the due date and the number of finals of people with an extension.
    """

    handed_in_at: datetime
    zone: ZoneInfo
    due_at: datetime | None = None
    min_words: int = 0
    max_words: int = 0
    max_finals: int | None = None
    extended: Mapping[int, tuple[datetime | None, int | None]] = field(default_factory=dict)

    def terms_of(self, person: int) -> tuple[datetime | None, int | None]:
        return self.extended.get(person, (self.due_at, self.max_finals))


@dataclass(frozen=True, slots=True)
class PlanRow:
    """``attempt`` is the number that it will have, or has."""

    file: ReadFile
    state: RowState
    person: int | None = None
    people: tuple[int, ...] = ()  # who it could be from
    by: KnownBy = KnownBy.NOTHING
    attempt: int = 0
    submitted_at: datetime | None = None
    late: bool = False
    ticked: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Ticked of itself, and nothing about it to be decided."""
        return self.state == RowState.NEW and self.ticked


@dataclass(frozen=True, slots=True)
class Plan:
    rows: tuple[PlanRow, ...]
    without: tuple[int, ...]  # students without a file

    def of(self, state: RowState) -> list[PlanRow]:
        return [row for row in self.rows if row.state == state]

    @property
    def stamp(self) -> str:
        """The same for plans that do the same, whatever is ticked of them."""
        parts = (
            (
                row.file.number,
                row.state,
                row.person,
                row.people,
                row.attempt,
                row.submitted_at,
                row.late,
                row.file.text,
            )
            for row in self.rows
        )
        return stamp_of(*parts)


def plan_work(
    files: Sequence[ReadFile],
    people: Sequence[Person],
    handed_in: Mapping[int, Sequence[HandedIn]],
    given: Mapping[int, int],
    rules: PlanRules,
) -> Plan:
    """``given`` says by the number of a file whose it is, or NOBODY's: a person's word."""
    index = People(people)
    rows = [_row(file, _found(file, index, given), handed_in, rules) for file in files]
    groups: dict[int, list[PlanRow]] = {}
    for row in rows:
        if row.person is not None and row.state in {RowState.NEW, RowState.SAME}:
            groups.setdefault(row.person, []).append(row)
    best = {person: _best(group) for person, group in groups.items()}
    doubted = {person for person, group in groups.items() if _is_shared_name(group)}
    ticked = [_ticked(row, best, groups, doubted) for row in rows]
    without = tuple(person.key for person in people if person.key not in groups)
    return Plan(tuple(ticked), without)


def _found(file: ReadFile, index: People, given: Mapping[int, int]) -> Found:
    if file.number not in given:
        return index.find(file.named)
    person = given[file.number]
    return Found((person,), KnownBy.HAND) if person != NOBODY else Found()


def _row(
    file: ReadFile, owner: Found, handed_in: Mapping[int, Sequence[HandedIn]], rules: PlanRules
) -> PlanRow:
    if file.error:
        return PlanRow(file, RowState.UNREADABLE, owner.person, owner.people, owner.by)
    if owner.person is None:
        return PlanRow(file, RowState.OPEN, None, owner.people, owner.by)
    before = handed_in.get(owner.person, ())
    due_at, most = rules.terms_of(owner.person)
    submitted_at, late = _when(file, rules, due_at)
    row = PlanRow(
        file=file,
        state=RowState.NEW,
        person=owner.person,
        people=owner.people,
        by=owner.by,
        attempt=1 + max((attempt.attempt for attempt in before), default=0),
        submitted_at=submitted_at,
        late=late,
    )
    same = [attempt.attempt for attempt in before if attempt.is_final and attempt.text == file.text]
    if same:
        return replace(row, state=RowState.SAME, attempt=max(same))
    return replace(row, remarks=_remarks(file, before, rules, most))


def _when(file: ReadFile, rules: PlanRules, due_at: datetime | None) -> tuple[datetime, bool]:
    """When it was submitted, and whether that was late: the platform's word comes first."""
    named = file.named
    at = named.at.replace(tzinfo=rules.zone) if named.at else rules.handed_in_at
    is_after = due_at is not None and at > due_at
    if named.late is not None and named.at is None:
        return at, named.late
    return at, is_after or bool(named.late)


def _remarks(
    file: ReadFile, before: Sequence[HandedIn], rules: PlanRules, most: int | None
) -> tuple[str, ...]:
    remarks = [file.remark] if file.remark else []
    if file.words < rules.min_words:
        remarks.append(f"shorter than the {rules.min_words} words required")
    elif rules.max_words and file.words > rules.max_words:
        remarks.append(f"longer than the {rules.max_words} words that are allowed")
    finals = sum(attempt.is_final for attempt in before)
    if most is not None and finals >= most:
        remarks.append(f"students may submit {most}; this is one more")
    return tuple(remarks)


def _best(group: Sequence[PlanRow]) -> int:
    """The number of the newest file; of several as new the longest."""
    row = max(
        group,
        key=lambda row: (str(row.file.named.at or ""), row.file.words, -row.file.number),
    )
    return row.file.number


def _is_shared_name(group: Sequence[PlanRow]) -> bool:
    """Do two people of one name seem to be in the upload?"""
    return len({row.file.named.participant for row in group if row.by == KnownBy.NAME}) > 1


def _ticked(
    row: PlanRow,
    best: Mapping[int, int],
    groups: Mapping[int, Sequence[PlanRow]],
    doubted: set[int],
) -> PlanRow:
    if row.state != RowState.NEW or row.person is None:
        return row
    remarks = list(row.remarks)
    is_best = best[row.person] == row.file.number
    if len(groups[row.person]) > 1:
        others = "" if is_best else ", not the newest or longest"
        remarks.append(f"one of {len(groups[row.person])} files for this student{others}")
    if row.person in doubted:
        remarks.append("two people of this name are in the upload")
    is_question = row.by == KnownBy.LIKE_NAME or row.person in doubted
    return replace(row, ticked=is_best and not is_question, remarks=tuple(remarks))
