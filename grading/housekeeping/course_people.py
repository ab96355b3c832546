"""The people of a course in a file: who has an account here, and who is new.

An account is somebody's by e-mail address; by login only where one of the two has no address, as
logins of two servers are often of two people. No file gives anybody a right or a password.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db.models.functions import Lower

from grading.housekeeping.course_tables import PEOPLE, TABLES
from grading.housekeeping.field_values import InFileError, value_in
from grading.models import Membership, Role, User
from grading.pyramid.errors import InputError
from grading.pyramid.formats.course_archive import ArchiveReader, Row, table_file

LOOKED_UP_TOGETHER = 500


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the file; ``account`` is theirs here, where they have one."""

    number: int  # in the file
    fields: dict[str, Any]
    account: User | None
    role: str = ""  # in the course, in words; empty for who has left it, or only worked at it
    is_reader: bool = False

    @property
    def name(self) -> str:
        return str(self.fields.get("name", "")) or self.login

    @property
    def login(self) -> str:
        return str(self.fields.get("username", ""))

    @property
    def email(self) -> str:
        return str(self.fields.get("email", ""))


@dataclass(frozen=True, slots=True)
class People:
    """In the order of the file."""

    all: list[Person] = field(default_factory=list)

    @classmethod
    def read(cls, reader: ArchiveReader, owner: User) -> "People":
        """All of the file, looked up here; ``owner`` is who imports it."""
        rows = [_fields(line, row) for line, row in reader.rows(PEOPLE.name)]
        _check_once(rows)
        roles = _roles(reader)
        accounts = _accounts([told for _, told in rows])
        found = cls()
        taken: set[int] = set()  # one account is one person's, whatever the file says
        for number, told in rows:
            account = accounts.of(told)
            if account is not None and account.pk in taken:
                account = None
            taken |= {account.pk} if account else set()
            role = roles.get(number, "")
            found.all.append(Person(number, told, account, role, is_reader=account == owner))
        return found

    @property
    def known(self) -> list[Person]:
        """Who has an account here, but for the reader."""
        return [one for one in self.all if one.account is not None and not one.is_reader]

    @property
    def new(self) -> list[Person]:
        return [one for one in self.all if one.account is None]

    @property
    def teachers(self) -> list[Person]:
        """Who taught the course besides the reader."""
        teaches = Role.INSTRUCTOR.label
        return [one for one in self.all if one.role == teaches and not one.is_reader]

    def written(self, *, joins_accounts: bool) -> dict[int, User]:
        """By their number an account for each. Call it in the transaction of the import."""
        found: dict[int, User] = {}
        make: list[Person] = []
        for one in self.all:
            if one.account is not None and (joins_accounts or one.is_reader):
                found[one.number] = one.account
            else:
                make.append(one)
        taken = set(_looked_up("username", [one.login.lower() for one in make]))
        # Nobody knows it. Not an unusable one: no mail for choosing another would be sent.
        password = make_password(secrets.token_urlsafe(32))
        for one in make:
            found[one.number] = _made(one, taken, password)
        return found


def _fields(line: int, row: Row) -> tuple[int, dict[str, Any]]:
    place = f"{table_file(PEOPLE.name)}, line {line}"
    number = row.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        raise InputError(f"{place}: its “id” is missing.")
    if unknown := sorted(set(row) - {"id", *PEOPLE.copied.split()}):
        raise InputError(f"{place}: “{unknown[0][:60]}” is not known here.")
    told = {}
    for kept in PEOPLE.copied_fields:
        try:
            told[kept.name] = value_in(kept, row.get(kept.name, kept.get_default()))
        except (InFileError, ValidationError) as error:
            said = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
            raise InputError(f"{place}: “{kept.name}”: {said}") from None
    if not told["username"]:
        raise InputError(f"{place}: “username”: something must stand here.")
    return number, told


def _check_once(rows: Iterable[tuple[int, dict[str, Any]]]) -> None:
    seen: set[tuple[str, object]] = set()
    for number, told in rows:
        keys = [("id", number), ("username", told["username"].casefold())]
        if told["email"]:
            keys.append(("email", told["email"].casefold()))
        for key in keys:
            if key in seen:
                raise InputError(f"{table_file(PEOPLE.name)}: two people have the same “{key[0]}”.")
            seen.add(key)


def _roles(reader: ArchiveReader) -> dict[int, str]:
    members = next(table for table in TABLES if table.model is Membership)
    labels: dict[object, str] = {role.value: str(role.label) for role in Role}
    return {
        row["user"]: labels.get(str(row.get("role")), "")
        for _, row in reader.rows(members.name)
        if isinstance(row.get("user"), int)
    }


@dataclass(frozen=True, slots=True)
class _Accounts:
    by_email: dict[str, User]
    by_login: dict[str, User]

    def of(self, told: dict[str, Any]) -> User | None:
        if told["email"] and (found := self.by_email.get(told["email"].lower())):
            return found
        if told["email"] and (found := self.by_login.get(told["email"].lower())):
            return found  # who logs in with this address
        found = self.by_login.get(told["username"].lower())
        both = found is not None and found.email and told["email"]
        return None if both else found


def _accounts(people: list[dict[str, Any]]) -> _Accounts:
    emails = [told["email"].lower() for told in people if told["email"]]
    logins = [told["username"].lower() for told in people]
    return _Accounts(_looked_up("email", emails), _looked_up("username", logins + emails))


def _looked_up(name: str, wanted: list[str]) -> dict[str, User]:
    found: dict[str, User] = {}
    rows = User.objects.annotate(key=Lower(name))
    for start in range(0, len(wanted), LOOKED_UP_TOGETHER):
        for user in rows.filter(key__in=wanted[start : start + LOOKED_UP_TOGETHER]):
            found[str(getattr(user, name)).lower()] = user
    return found


def _made(one: Person, taken: set[str], password: str) -> User:
    """A new account; its owner chooses a password by mail.

    Where somebody is to be kept apart from the account that they have here, it has no address.
    """
    login, number = one.login, 1
    while login.lower() in taken:
        number += 1
        login = f"{one.login[:140]}-{number}"
        if User.objects.filter(username__iexact=login).exists():
            taken.add(login.lower())
    taken.add(login.lower())
    return User.objects.create(
        username=login,
        email="" if one.account is not None else one.email,
        name=one.name,
        time_zone=one.fields["time_zone"],
        password=password,
    )
