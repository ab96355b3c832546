"""Which student a file is from. Ids decide; a name proposes.

The order: the platform's own number, student number, login, e-mail address. What leads to two
people leads to nobody. A name that is quite the same, and one student's only, is a proposal that is
ticked; a name that is like one is a question.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from unicodedata import east_asian_width

from grading.pyramid.formats.bulk_names import NamedFile
from grading.pyramid.formats.csv_table import squash
from grading.pyramid.formats.person_names import is_like, spellings_of, words_of

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
    """How a file was matched; the words stand on the page."""

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
