"""What a roster would change in a course: calculated, shown, and done only as it was shown.

People are known by a verified e-mail address, by an earlier roster, and by login.
A name alone is a question to whoever uploads the file, never an answer; so is an address, a number
or a login that leads to somebody of quite another name.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grading.pyramid.formats.roster_csv import (
    Roster,
    RosterLine,
    RosterProblem,
    spellings_of,
    words_of,
)
from grading.pyramid.stamps import stamp_of

STUDENT: Final = "student"
_NOBODY: Final = "nobody"
_REFUSED: Final = "refused"
_LOGIN: Final = re.compile(r"[\w.+-]{1,150}")  # one with an @ could pass for an address
_ABOUT_MEMBERS: Final = (
    ("section", "section"),
    ("student_number", "student_number"),
    ("lms_id", "lms_id"),
    ("lms_login", "login"),
    ("roster_email", "email"),
)


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody who has an account: in the course (with a role) or elsewhere (without).

    ``email`` is verified, or belongs to an account that nobody but its owner can open.
    """

    pk: int
    name: str
    email: str
    login: str
    role: str = ""
    section: str = ""
    student_number: str = ""
    lms_id: str = ""
    lms_login: str = ""
    roster_email: str = ""
    is_ours: bool = False  # made by a roster of this course, and nobody has ever logged in with it


@dataclass(frozen=True, slots=True)
class FieldChange:
    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class NewPerson:
    """An account will be made, with this login."""

    line: RosterLine
    login: str


@dataclass(frozen=True, slots=True)
class JoiningPerson:
    """Has an account already, and comes into the course."""

    line: RosterLine
    known: Known


@dataclass(frozen=True, slots=True)
class ChangedPerson:
    line: RosterLine
    known: Known
    changes: tuple[FieldChange, ...]
    kept: tuple[FieldChange, ...] = ()  # what the file says otherwise, and the person's own account


@dataclass(frozen=True, slots=True)
class Question:
    """Is the person of this line the one of this account? ``why`` it is asked."""

    line: RosterLine
    known: Known
    why: str
    login: str  # of the account that is made if not


@dataclass(frozen=True, slots=True)
class RosterDiff:
    new: tuple[NewPerson, ...]
    joining: tuple[JoiningPerson, ...]
    changed: tuple[ChangedPerson, ...]
    same: tuple[Known, ...]
    gone: tuple[Known, ...]
    questions: tuple[Question, ...]
    problems: tuple[RosterProblem, ...]
    remarks: tuple[str, ...]

    @property
    def changes_anything(self) -> bool:
        return bool(self.new or self.joining or self.changed or self.gone or self.questions)

    @property
    def stamp(self) -> str:
        """Two differences that do the same have the same."""
        return stamp_of(self)


def diff_roster(
    roster: Roster, members: Sequence[Known], others: Sequence[Known], taken: frozenset[str]
) -> RosterDiff:
    """``others`` are not in the course, and have accounts under e-mail addresses of the file.

    Or, with ``is_ours``, were in it, and have a login of the file that its rosters made.

    ``taken`` are logins and addresses, in small letters, that no new account can have.
    """
    return _Differ(members, others, set(taken)).diff(roster)


def logins_for(line: RosterLine) -> tuple[str, ...]:
    """What a new account could be called, the best first; the last is nobody else's."""
    seal = hashlib.sha256(repr(line).encode()).hexdigest()[:6]
    stem = "".join(words_of(line.name))[:40] or "student"
    wanted = (line.login, line.email.partition("@")[0], line.student_number)
    return (*(login for login in wanted if _LOGIN.fullmatch(login)), f"{stem}-{seal}")


def changes_to(line: RosterLine, known: Known) -> ChangedPerson:
    """Field by field; an empty cell changes nothing."""
    changes = [
        FieldChange(field, getattr(known, field), getattr(line, column))
        for field, column in _ABOUT_MEMBERS
    ]
    own = [FieldChange("name", known.name, line.name)]
    if known.is_ours:
        changes, own = [*own, *changes], []
    changed = [change for change in changes if _changes(change, known)]
    return ChangedPerson(
        line, known, tuple(changed), tuple(change for change in own if _changes(change, known))
    )


def _changes(change: FieldChange, known: Known) -> bool:
    if change.field == "roster_email":
        after = change.after.casefold()
        return after not in {"", change.before.casefold(), known.email.casefold()}
    return bool(change.after) and change.after != change.before


class _Differ:
    def __init__(self, members: Sequence[Known], others: Sequence[Known], taken: set[str]) -> None:
        self._members = members
        self._others = {known.email.casefold(): known for known in others if known.email}
        # Our own rosters made these logins, for people who are out of the course now.
        self._former = {known.login.casefold(): known for known in others if known.is_ours}
        self._taken = taken
        self._by_email = _index(members, lambda known: (known.email, known.roster_email))
        self._by_login = _index(members, lambda known: (*_own_login(known), known.lms_login))
        self._by_number = _index(members, lambda known: (known.student_number,))
        self._by_lms_id = _index(members, lambda known: (known.lms_id,))
        self._new: list[NewPerson] = []
        self._joining: list[JoiningPerson] = []
        self._changed: list[ChangedPerson] = []
        self._same: list[Known] = []
        self._questions: list[Question] = []
        self._problems: list[RosterProblem] = []

    def diff(self, roster: Roster) -> RosterDiff:
        people = {line: self._found(line) for line in roster.lines}
        self._refuse_shared(people)
        met = {known.pk for known in people.values() if isinstance(known, Known)}
        free = [known for known in self._members if known.pk not in met]
        named = _index(free, lambda known: spellings_of(known.name))
        for line, known in people.items():
            if isinstance(known, Known):
                self._known(line, known)
            elif known == _NOBODY:
                self._unknown(line, _namesakes(line, named))
        questions = tuple(self._asked_once())
        present = met | {question.known.pk for question in questions}
        return RosterDiff(
            tuple(self._new),
            tuple(self._joining),
            tuple(self._changed),
            tuple(self._same),
            tuple(
                member
                for member in self._members
                if member.role == STUDENT and member.pk not in present
            ),
            questions,
            tuple(sorted((*roster.problems, *self._problems), key=lambda problem: problem.line)),
            (*roster.remarks, *_namesake_messages(self._new)),
        )

    def _known(self, line: RosterLine, known: Known) -> None:
        if why := _doubt(line, known):
            self._questions.append(Question(line, known, why, self._login_for(line)))
        elif not known.role:
            self._joining.append(JoiningPerson(line, known))
        elif known.role == STUDENT and (change := changes_to(line, known)).changes:
            self._changed.append(change)
        else:
            self._same.append(known)

    def _unknown(self, line: RosterLine, namesakes: Sequence[Known]) -> None:
        if len(namesakes) > 1:
            names = ", ".join(f"{known.name} ({known.login})" for known in namesakes)
            self._refuse(line, f"{len(namesakes)} people here have this name: {names}")
        elif namesakes:
            why = "only the name is the same"
            self._questions.append(Question(line, namesakes[0], why, self._login_for(line)))
        elif line.is_identified:
            self._new.append(NewPerson(line, self._login_for(line)))
        else:
            self._refuse(line, "there is not an e-mail address, login or number to know them by")

    def _found(self, line: RosterLine) -> "Known | str":
        """Who the ids of a line lead to: somebody, nobody, or more than one (refused)."""
        email = line.email.casefold()
        elsewhere = [self._others[email]] if email in self._others else []
        login = line.login.casefold()
        former = [self._former[login]] if login in self._former else []
        hits = {
            "e-mail address": self._by_email.get(email, elsewhere),
            "login": self._by_login.get(login, former),
            "student number": self._by_number.get(line.student_number.casefold(), []),
            "number in the LMS": self._by_lms_id.get(line.lms_id.casefold(), []),
        }
        people = {known.pk: known for known in (person for hit in hits.values() for person in hit)}
        if len(people) > 1:
            names = " and ".join(
                f"the {field} of {known.name}" for field, hit in hits.items() for known in hit
            )
            self._refuse(line, f"it has {names}, who are different people here")
            return _REFUSED
        return next(iter(people.values()), _NOBODY)

    def _refuse_shared(self, people: "dict[RosterLine, Known | str]") -> None:
        """Two lines that lead to one person: none of them is taken."""
        lines: dict[int, list[RosterLine]] = {}
        for line, known in people.items():
            if isinstance(known, Known):
                lines.setdefault(known.pk, []).append(line)
        for group in lines.values():
            for line in group if len(group) > 1 else ():
                known = people[line]
                name = known.name if isinstance(known, Known) else ""
                others = ", ".join(str(other.line) for other in group if other is not line)
                self._refuse(line, f"line {others} leads to the same person, {name}")
                people[line] = _REFUSED

    def _asked_once(self) -> Iterable[Question]:
        """Two lines with the name of one member: nobody could say yes to both."""
        lines: dict[int, list[int]] = {}
        for question in self._questions:
            lines.setdefault(question.known.pk, []).append(question.line.line)
        for question in self._questions:
            numbers = lines[question.known.pk]
            if len(numbers) == 1:
                yield question
            else:
                line_numbers = ", ".join(
                    str(number) for number in numbers if number != question.line.line
                )
                self._refuse(
                    question.line, f"line {line_numbers} has the name of {question.known.name} too"
                )

    def _login_for(self, line: RosterLine) -> str:
        """The first that is free; it is then no longer."""
        choices = logins_for(line)
        login = next(
            (choice for choice in choices if choice.lower() not in self._taken), choices[-1]
        )
        self._taken.add(login.lower())
        return login

    def _refuse(self, line: RosterLine, text: str) -> None:
        self._problems.append(RosterProblem(line.line, text))


def _index(
    people: Iterable[Known], keys: Callable[[Known], Iterable[str]]
) -> Mapping[str, list[Known]]:
    index: dict[str, list[Known]] = {}
    for known in people:
        for key in {key.casefold() for key in keys(known) if key}:
            index.setdefault(key, []).append(known)
    return index


def _namesakes(line: RosterLine, named: Mapping[str, list[Known]]) -> list[Known]:
    people = {known.pk: known for key in spellings_of(line.name) for known in named.get(key, [])}
    return list(people.values())


def _own_login(known: Known) -> tuple[str, ...]:
    """A login that looks like an address is not the address of whoever chose it."""
    return () if "@" in known.login else (known.login,)


def _doubt(line: RosterLine, known: Known) -> str:
    """Why what leads to somebody may have led to the wrong one."""
    email = line.email.casefold()
    if set(words_of(line.name)) & set(words_of(known.name)):
        return ""
    is_in_roster = email == known.roster_email.casefold()
    if email and (is_in_roster or (known.is_ours and email == known.email.casefold())):
        return ""  # the roster itself made the account, or somebody has answered
    shared = "e-mail address" if email and email == known.email.casefold() else "login or number"
    return f"the {shared} is the same, and the name is different"


def _namesake_messages(new: Sequence[NewPerson]) -> Iterable[str]:
    lines: dict[str, list[int]] = {}
    names: dict[str, str] = {}
    for person in new:
        key = min(spellings_of(person.line.name), default="")
        lines.setdefault(key, []).append(person.line.line)
        names.setdefault(key, person.line.name)
    for key, numbers in lines.items():
        if len(numbers) > 1:
            line_numbers = " and ".join(map(str, numbers))
            yield f"{len(numbers)} new people are called {names[key]}: lines {line_numbers}."
