"""Import a course from a file: check all of it without writing, then write it all at once.

The file is not to be trusted. Each row is checked field by field, each key leads to a
row of the same file, people get no rights but their place in the new course, and nothing that was
there before is changed. Whatever does not fit is an InputError with the part, the line and the
field, and nothing is written.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, BinaryIO, cast

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction
from django.db.models import Field, Model
from django.db.models.functions import Lower
from django.utils import timezone

from grading.housekeeping.course_tables import PEOPLE, TABLES, Table
from grading.housekeeping.field_values import FieldValueError, name_in_files, value_from_file
from grading.jobs.claims import Claim, course_job_start
from grading.models import (
    Assignment,
    AuditKind,
    Course,
    CourseFile,
    Job,
    Membership,
    Role,
    RosterAccount,
    User,
    record,
)
from grading.pyramid.errors import InputError
from grading.pyramid.formats.course_archive import CheckedCourse, Row, table_file
from grading.scoring.second_opinions import opinions_start
from grading.web.file_reader import course_read_apart

ROWS_TOGETHER = 200
LOOKED_UP_TOGETHER = 500
KNOWN_TABLES = [PEOPLE.name, *(table.name for table in TABLES)]
MEMBERS = next(table for table in TABLES if table.model is Membership)


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What the instructor decided on seeing what is in the file."""

    name: str
    term: str
    joins_accounts: bool  # are people who have an account here let into the course with it?


@dataclass(frozen=True, slots=True)
class CoursePreview:
    """What a file holds, before anything of it is written."""

    name: str
    term: str
    product_version: str
    written_at: str
    rows: list[tuple[str, int]]
    people: "People"


@transaction.atomic
def import_keep(*, content: BinaryIO, name: str, owner: User) -> CourseFile:
    """Keep a file, in place of one of the same person that was never imported."""
    content.seek(0)
    CourseFile.objects.filter(kind=CourseFile.Kind.IMPORT, owner=owner, jobs=None).delete()
    file = CourseFile.objects.create(
        kind=CourseFile.Kind.IMPORT,
        owner=owner,
        name=name[-200:],
        expires_at=timezone.now() + timedelta(days=settings.COURSE_FILE_DAYS),
    )
    file.fill(content)
    return file


def course_preview(content: BinaryIO, owner: User) -> CoursePreview:
    """What is in the file, and who of its people has an account here."""
    about_people = [PEOPLE.name, MEMBERS.name]
    with course_read_apart(
        content, known=KNOWN_TABLES, tables=about_people, owner=owner.pk
    ) as reader:
        manifest = reader.manifest
        rows = [(name.replace("_", " "), count) for name, count in manifest.rows.items() if count]
        return CoursePreview(
            name=str(manifest.course.get("name", ""))[:200],
            term=str(manifest.course.get("term", ""))[:60],
            product_version=manifest.product_version,
            written_at=manifest.written_at,
            rows=[row for row in rows if row[0] not in {PEOPLE.name, "course"}],
            people=_read_people(reader, owner),
        )


@transaction.atomic
def import_start(*, file: CourseFile, options: ImportOptions, requested_by: User) -> Job:
    """Ask a worker to import the file; a second call returns the same job."""
    CourseFile.objects.select_for_update().get(pk=file.pk)
    if running := file.jobs.first():
        return running
    job = course_job_start(kind=Job.Kind.IMPORT_COURSE, file=file, requested_by=requested_by)
    job.options = {
        "name": options.name,
        "term": options.term,
        "joins_accounts": options.joins_accounts,
    }
    job.save(update_fields=["options"])
    return job


def course_import(job: Job, claim: Claim) -> None:
    """Do the job: make a course of its file."""
    if job.file is None or job.requested_by is None or not job.file.is_there:
        raise InputError("The file no longer exists. Choose it again.")
    claim.progress("Checking the file", 0, 0)
    nobody = -job.requested_by.pk  # meanwhile the person can read other files
    with (
        job.file.opened() as content,
        course_read_apart(content, known=KNOWN_TABLES, tables=KNOWN_TABLES, owner=nobody) as reader,
    ):
        # Read every row as it will be written, and write none.
        total = sum(reader.manifest.rows.values())
        done = 0
        for table in TABLES:
            for place, row in reader.rows(table.name):
                _checked(table, row, _Place(table, place))
                done += 1
                if done % ROWS_TOGETHER == 0:
                    claim.progress("Checking the file", done, total)
        claim.progress("Writing the course", 0, 0)
        try:
            with transaction.atomic():
                claim.finish()
                course = _write(reader, job)
                CourseFile.objects.filter(pk=job.file.pk).update(course=course, size=0)
                job.file.parts.all().delete()
                Job.objects.filter(pk=job.pk).update(course=course)
                record(
                    AuditKind.COURSE_IMPORTED,
                    "Imported the course from a file.",
                    course=course,
                    actor=job.requested_by,
                )
        except (IntegrityError, DataError):
            raise InputError(
                "Two rows of the file conflict, or a number in it is too large. Nothing was "
                "imported."
            ) from None


@dataclass(frozen=True, slots=True)
class _Place:
    table: Table
    line: int

    def error(self, sentence: str) -> InputError:
        return InputError(f"{table_file(self.table.name)}, line {self.line}: {sentence}")


def _checked(table: Table, row: Row, place: _Place) -> Any:
    """The row as an instance, without its keys."""
    names = {"id", *map(name_in_files, table.copied_fields), *table.keys.split()}
    if unknown := sorted(set(row) - names):
        raise place.error(f"“{unknown[0][:60]}” is not a known field.")
    # A field with a value of its own may be missing: the file may be older than the field.
    values = {
        field.attname: _value(field, row, place)
        for field in table.copied_fields
        if name_in_files(field) in row or not (field.has_default() or field.null or field.blank)
    }
    instance = table.model(**values)
    if table.check is not None:
        try:
            table.check(instance)
        except InputError as error:
            raise place.error(str(error)) from None
    return instance


def _value(field: "Field[Any, Any]", row: Row, place: _Place) -> Any:
    name = name_in_files(field)
    if name not in row:
        raise place.error(f"“{name}” is missing.")
    try:
        return value_from_file(field, row[name])
    except (FieldValueError, ValidationError) as error:
        reason = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
        raise place.error(f"“{name}”: {reason}") from None


# --- people ---


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the file; ``account`` is theirs here, where they have one."""

    number: int  # in the file
    fields: dict[str, Any]
    account: User | None
    role: str = ""  # in the course, in words; empty for those who left it, or only worked at it
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
    """Everybody in the file, in its order."""

    all: list[Person]

    @property
    def known(self) -> list[Person]:
        """People of the file who have an account here, without the reader."""
        return [person for person in self.all if person.account and not person.is_reader]

    @property
    def new(self) -> list[Person]:
        return [person for person in self.all if person.account is None]

    @property
    def teachers(self) -> list[Person]:
        """People who taught the course, without the reader."""
        teaches = Role.INSTRUCTOR.label
        return [person for person in self.all if person.role == teaches and not person.is_reader]


def _read_people(reader: CheckedCourse, owner: User) -> People:
    """Read everybody and look up their accounts here; ``owner`` imports the file.

    An account is somebody's by its verified e-mail address; by login only where the file has no
    address, as logins of two servers are often of two people.
    """
    rows = _people_fields(reader)
    emails = [fields["email"].lower() for fields in rows.values() if fields["email"]]
    logins = [fields["username"].lower() for fields in rows.values()]
    by_email, by_login = _users_by("email", emails), _users_by("username", logins)

    def account_of(fields: dict[str, Any]) -> User | None:
        if email := fields["email"].lower():
            return by_email.get(email)
        login = fields["username"].lower()
        return None if "@" in login else by_login.get(login)

    labels: dict[object, str] = {role.value: str(role.label) for role in Role}
    roles = {
        row["user"]: labels.get(str(row.get("role")), "")
        for _, row in reader.rows(MEMBERS.name)
        if isinstance(row.get("user"), int) and row["user"] in rows
    }
    people = []
    taken: set[int] = set()  # an account is one person's, whatever the file says
    for number, fields in rows.items():
        account = account_of(fields)
        if account is not None and account.pk in taken:
            account = None
        taken |= {account.pk} if account else set()
        is_reader = account == owner
        people.append(Person(number, fields, account, roles.get(number, ""), is_reader))
    return People(people)


def _people_fields(reader: CheckedCourse) -> dict[int, dict[str, Any]]:
    """The checked fields of everybody, by their number in the file."""
    people: dict[int, dict[str, Any]] = {}
    known: set[tuple[str, str]] = set()
    for line, row in reader.rows(PEOPLE.name):
        place = _Place(PEOPLE, line)
        number = row.get("id")
        if not isinstance(number, int) or isinstance(number, bool):
            raise place.error("its “id” is missing.")
        if len(people) >= settings.COURSE_FILE_PEOPLE:
            raise InputError(
                f"The course has more than {settings.COURSE_FILE_PEOPLE:,} people. Ask your "
                "administrator to raise the limit COURSE_FILE_PEOPLE."
            )
        if unknown := sorted(set(row) - {"id", *PEOPLE.copied.split()}):
            raise place.error(f"“{unknown[0][:60]}” is not a known field.")
        fields = {
            field.name: _value(field, {field.name: field.get_default()} | row, place)
            for field in PEOPLE.copied_fields
        }
        if not fields["username"]:
            raise place.error("“username”: a value is required.")
        keys = {(name, fields[name].casefold()) for name in ("username", "email") if fields[name]}
        twice = sorted(name for name, _ in keys & known)
        if number in people or twice:
            name = "id" if number in people else twice[-1]
            raise InputError(f"{table_file(PEOPLE.name)}: two people have the same “{name}”.")
        known |= keys
        people[number] = fields
    return people


def _users_by(field_name: str, values: list[str]) -> dict[str, User]:
    """Users by the field in small letters."""
    users: dict[str, User] = {}
    rows = User.objects.annotate(key=Lower(field_name))
    for start in range(0, len(values), LOOKED_UP_TOGETHER):
        for user in rows.filter(key__in=values[start : start + LOOKED_UP_TOGETHER]):
            users[str(getattr(user, field_name)).lower()] = user
    return users


def _accounts_of(people: People, *, joins_accounts: bool) -> dict[int, User]:
    """An account for everybody, by their number; call it in the transaction of the import.

    New people claim their account by a link that is mailed to the address in the file. No file
    gives anybody a right, a password or a verified address.
    """
    users: dict[int, User] = {}
    new: list[Person] = []
    for person in people.all:
        if person.account is not None and (joins_accounts or person.is_reader):
            users[person.number] = person.account
        else:
            new.append(person)
    logins = {person.number: person.login.partition("@")[0] or "student" for person in new}
    taken = set(_users_by("username", [login.lower() for login in logins.values()]))
    for person in new:
        login, suffix = logins[person.number], 1
        while login.lower() in taken:
            suffix += 1
            login = f"{logins[person.number][:140]}-{suffix}"
            if User.objects.filter(username__iexact=login).exists():
                taken.add(login.lower())
        taken.add(login.lower())
        users[person.number] = User.objects.create(
            username=login,
            name=person.name,
            time_zone=person.fields["time_zone"],
            password=make_password(None),
        )
        RosterAccount.objects.create(
            user=users[person.number],
            # Kept apart from the account that they have here, they get no address.
            email="" if person.account is not None else person.email,
        )
    return users


# --- writing ---


@dataclass(slots=True)
class _Writer:
    """Writes one table after the other; ``ids`` are the new ids by those in the file."""

    reader: CheckedCourse
    ids: dict[Any, dict[int, int]] = field(default_factory=dict)

    def write(self, table: Table) -> None:
        known = self.ids.setdefault(table.model, {})
        itself = any(key.related_model is table.model for key in table.key_fields)
        waiting: list[tuple[int, Model]] = []
        for number, instance in self.rows(table):
            waiting.append((number, instance))
            if itself or len(waiting) == ROWS_TOGETHER:
                self._flush(table, waiting, known)
        self._flush(table, waiting, known)

    def rows(self, table: Table) -> Iterator[tuple[int, Any]]:
        """Each with the id that it has in the file, which comes once only."""
        numbers: set[int] = set()
        for line, row in self.reader.rows(table.name):
            place = _Place(table, line)
            instance = _checked(table, row, place)
            number = row.get("id")
            if not isinstance(number, int) or isinstance(number, bool) or number in numbers:
                raise place.error("its “id” is missing, or another row has it.")
            numbers.add(number)
            for key in table.key_fields:
                setattr(instance, key.attname, self._new_id(key, row, place))
            for name, inside in table.ids.items():
                setattr(instance, name, self._with_ids(getattr(instance, name), inside))
            yield number, instance

    def _new_id(self, key: Any, row: Row, place: _Place) -> int | None:
        old_id = row.get(key.name)
        if old_id is None and key.null:
            return None
        ids = self.ids.get(key.related_model, {})
        new_id = ids.get(old_id) if isinstance(old_id, int) else None
        if new_id is None:
            raise place.error(f"“{key.name}” refers to nothing in this file.")
        return new_id

    def _with_ids(self, document: Any, inside: Mapping[str, type[Model]]) -> Any:
        if not isinstance(document, dict):
            return document
        new_ids = {
            key: self.ids[model].get(document[key]) if isinstance(document[key], int) else None
            for key, model in inside.items()
            if key in document
        }
        return document | new_ids

    def _flush(self, table: Table, waiting: list[tuple[int, Model]], known: dict[int, int]) -> None:
        rows = table.model._base_manager.bulk_create([instance for _, instance in waiting])
        known |= {number: row.pk for (number, _), row in zip(waiting, rows, strict=True)}
        waiting.clear()


def _write(reader: CheckedCourse, job: Job) -> Course:
    """Write all of the file, for the user who asked for it."""
    importer = job.requested_by
    assert importer is not None  # noqa: S101  (course_import has looked)
    people = _read_people(reader, importer)
    users = _accounts_of(people, joins_accounts=bool(job.options.get("joins_accounts")))
    writer = _Writer(reader, {User: {number: user.pk for number, user in users.items()}})
    course = _course(writer, job)
    for table in TABLES:
        if table.model is Membership:
            # Make the importer the instructor, and others who taught it assistants at first.
            members = [member for _, member in writer.rows(table)]
            for member in members:
                if member.user_id == importer.pk:
                    member.role = Role.INSTRUCTOR
                elif member.role == Role.INSTRUCTOR:
                    member.role = Role.TA
            if importer.pk not in {member.user_id for member in members}:
                course_pk = next(iter(writer.ids[Course].values()))
                members.append(Membership(course_id=course_pk, user=importer, role=Role.INSTRUCTOR))
            Membership.objects.bulk_create(members, batch_size=ROWS_TOGETHER)
        elif table.model is not Course:
            writer.write(table)
    for assignment in Assignment.objects.filter(course=course):
        opinions_start(assignment=assignment, requested_by=importer)
    return course


def _course(writer: _Writer, job: Job) -> Course:
    table = next(table for table in TABLES if table.model is Course)
    rows = list(writer.rows(table))
    if len(rows) != 1:
        raise InputError(f"{table_file(table.name)}: there must be one course.")
    number, course = cast(tuple[int, Course], rows[0])
    course.name = str(job.options.get("name") or course.name)
    course.term = str(job.options.get("term", course.term))
    course.save()
    writer.ids[Course] = {number: course.pk}
    return course
