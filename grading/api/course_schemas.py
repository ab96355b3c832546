"""What the API takes and gives of a course: people, rosters, extensions, imports and deletions."""

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import AfterValidator, Field

from grading.api.schemas import (
    LARGEST_ID,
    LARGEST_NUMBER,
    In,
    Line,
    Moment,
    StudentKey,
    StudentOut,
    storable,
)
from grading.models.assignments import MOST_ATTEMPTS
from grading.roster.forms import LARGEST_ROSTER

Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]
Number = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
FileNumber = Annotated[str, Field(pattern="^[0-9]{1,6}$")]  # names of fields are text in JSON
MOST_LINES = 3_000


# --- the course and its people ---


class CourseIn(In):
    """What is left out stays as it is."""

    name: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(storable)] = ""
    term: Annotated[str, Field(max_length=60), AfterValidator(storable)] = ""
    time_zone: Annotated[str, Field(max_length=60), AfterValidator(storable)] = "UTC"
    sends_mail: bool = True


class ArchivedIn(In):
    archived: bool


class RoleIn(In):
    role: Literal["instructor", "ta", "student"]


class RemovedOut(Schema):
    id: int
    name: str
    login: str


class RosterIn(In):
    """``csv`` is the text of the file that the page takes: a heading and a line for each person."""

    csv: Annotated[str, Field(min_length=1, max_length=LARGEST_ROSTER), AfterValidator(storable)]


class RosterApplyIn(RosterIn):
    """Lines about which there was a question: “same” person, or a “new” one. People to remove."""

    same: Annotated[list[Number], Field(max_length=MOST_LINES)] = []
    new: Annotated[list[Number], Field(max_length=MOST_LINES)] = []
    leaving: Annotated[list[Id], Field(max_length=MOST_LINES)] = []


class RosterPersonOut(Schema):
    """A line of the file. ``member`` is the person's ``id`` in the course, if there is one."""

    line: int | None
    name: str
    login: str
    section: str
    student_number: str
    member: int | None


class RosterChangeOut(Schema):
    field: str
    before: str
    after: str


class RosterChangedOut(RosterPersonOut):
    changes: list[RosterChangeOut]


class RosterQuestionOut(RosterPersonOut):
    why: str
    known_as: str


class RosterProblemOut(Schema):
    line: int
    message: str


class RosterDiffOut(Schema):
    """What the file would change. ``stamp`` is what applying it sends as If-Match."""

    new: list[RosterPersonOut]
    joining: list[RosterPersonOut]
    changed: list[RosterChangedOut]
    gone: list[RosterPersonOut]
    questions: list[RosterQuestionOut]
    problems: list[RosterProblemOut]
    remarks: list[str]
    stamp: str


class RosterAppliedOut(Schema):
    new_accounts: int
    joined: int
    changed: int
    removed: int


# --- extensions ---


class ExtensionIn(In):
    due_at: Moment | None = None
    max_attempts: Annotated[int, Field(ge=1, le=MOST_ATTEMPTS)] | None = None
    reason: Annotated[str, Field(min_length=1, max_length=500), AfterValidator(storable)]


class NewExtensionIn(ExtensionIn):
    """For one student, or for a section."""

    student: StudentKey | None = None
    section: Line | None = None


class ExtensionOut(Schema):
    """``reason`` is null where names are hidden. ``stamp`` is what a change sends as If-Match."""

    id: int
    student: str | None
    section: str | None
    name: str
    due_at: datetime | None
    max_attempts: int | None
    reason: str | None
    has_effect: bool
    changed_at: datetime
    stamp: str


# --- imports of submissions ---


class ImportOut(Schema):
    """Ask for ``job`` until it is done; the import is then “ready”, or “failed” with ``error``."""

    id: int
    assignment: int
    name: str
    state: Literal["reading", "ready", "applied", "discarded", "failed"]
    error: str
    job: int | None
    scoring_job: int | None
    attempts: int
    created_at: datetime


class ImportRowOut(Schema):
    """A file. Where names are hidden, nothing says whose it is."""

    number: int
    path: str
    state: Literal["new", "same", "open", "unreadable"]
    student: StudentOut | None
    others: list[StudentOut]
    known_by: str
    attempt: int
    submitted_at: datetime | None
    late: bool
    words: int
    ticked: bool
    remarks: list[str]
    error: str


class ImportPlanOut(ImportOut):
    """``rows`` are there while the import is “ready”. The ETag is what applying it sends."""

    rows: list[ImportRowOut]


class ImportChoicesIn(In):
    """Whose files are, by their numbers: a student's key, or null to ask again."""

    given: Annotated[dict[FileNumber, StudentKey | None], Field(max_length=2_000)] = {}
    submitted_at: Moment | None = None


class ImportApplyIn(In):
    """``ticked`` are numbers of files; null for those that are ticked in the plan."""

    ticked: Annotated[list[Number], Field(max_length=5_000)] | None = None


# --- copies, exports, deletions ---


class CopyIn(In):
    """``weeks`` moves due dates; null leaves them out."""

    weeks: Annotated[int, Field(ge=-520, le=520)] | None = None
    drafts: bool = False


class CourseJobOut(Schema):
    id: int
    kind: str
    state: Literal["queued", "running", "done", "failed"]
    progress: str
    done: int
    total: int
    error: str
    file: int | None
    created_at: datetime
    finished_at: datetime | None


class CourseFileOut(Schema):
    id: int
    name: str
    size: int
    created_at: datetime
    expires_at: datetime


class ConfirmIn(In):
    """The name of what is to be deleted, as the page asks for it."""

    name: Annotated[str, Field(min_length=1, max_length=400), AfterValidator(storable)]


class DeletionOut(Schema):
    """It can be restored until ``leaves_at``."""

    id: int
    kind: Literal["course", "assignment", "student"]
    state: Literal["waiting", "taken back", "done"]
    subject: str
    counts: dict[str, int]
    leaves_at: datetime
