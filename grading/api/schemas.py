"""What the API takes and gives. The names are those of the pages and docs/glossary.md."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, TypeVar

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field

from grading.access.hidden_names import KEY_LENGTH
from grading.models.assignments import MOST_ATTEMPTS
from grading.models.summaries import MOST_REFERENCES
from grading.web.texts_in_forms import LONGEST_TEXT

T = TypeVar("T")

MOST_SUBMISSIONS = 500  # in one request
LARGEST_ID = 10**18 - 1
LARGEST_NUMBER = 10**9
LONGEST_LINE = 300


def storable(text: str) -> str:
    """No database keeps this character."""
    if "\x00" in text:
        raise ValueError("This is not plain text.")
    return text


def _of_our_time(moment: datetime) -> datetime:
    """Far off, no calendar goes from one time zone to another."""
    if not 1990 <= moment.year <= 2200:
        raise ValueError(f"Check the year {moment.year}.")
    return moment


Moment = Annotated[datetime, AfterValidator(_of_our_time)]
Line = Annotated[str, Field(max_length=LONGEST_LINE), AfterValidator(storable)]
Words = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), AfterValidator(storable)]
StudentKey = Annotated[str, Field(pattern=f"^[0-9a-f]{{{KEY_LENGTH}}}$")]
Span = Annotated[
    list[Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]], Field(min_length=2, max_length=2)
]


LongText = Annotated[str, Field(max_length=10 * LONGEST_TEXT), AfterValidator(storable)]
Level = Annotated[
    int, Field(ge=0, le=4, description="Of missing ideas: nothing, counts, hints, labels, quotes.")
]


class In(Schema):
    """What is sent: a name that nobody knows is a mistake."""

    model_config = ConfigDict(extra="forbid")


class Page(Schema, Generic[T]):
    """``next`` is the cursor of the page after this one, or null on the last."""

    items: list[T]
    next: str | None


# --- courses, people, assignments ---


class TokenOut(Schema):
    name: str
    user: str
    course: int
    scope: Literal["read", "write"]
    expires_at: datetime


class CourseOut(Schema):
    id: int
    name: str
    term: str
    time_zone: str
    role: str
    archived: bool


class MemberOut(Schema):
    id: int
    name: str
    login: str
    role: str
    section: str
    student_number: str


class StudentOut(Schema):
    """``key`` is the student's in this assignment. Where names are hidden, ``name`` is not one."""

    key: str
    name: str
    student_number: str
    section: str


class AssignmentIn(In):
    title: Annotated[Line, Field(min_length=1)]
    source_text: LongText = ""


class SettingsIn(In):
    """What is left out stays as it is. Times without a zone are in the course's."""

    title: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(storable)] = ""
    instructions: LongText = ""
    source_title: Line = ""
    source_text: LongText = ""
    min_words: Annotated[int, Field(ge=0, le=5_000)] = 0
    max_words: Annotated[int, Field(ge=1, le=5_000)] = 1
    due_at: Moment | None = None
    accepts_late: bool = True
    max_attempts: Annotated[int, Field(ge=1, le=MOST_ATTEMPTS)] | None = None
    max_drafts: Annotated[int, Field(ge=0, le=20)] = 0
    copying: Literal["allow", "warn", "block"] = "warn"
    copying_percent: Annotated[int, Field(ge=10, le=100)] = 50
    release: Literal["at_once", "after_due", "by_hand"] = "by_hand"
    missed_before: Level = 1
    missed_after: Level = 3
    second_looks: bool = True
    mails_results: bool = True
    mails_reminder: bool = True


class StateIn(In):
    state: Literal["draft", "open", "closed"]


class NamesIn(In):
    hidden: bool


class AssignmentRowOut(Schema):
    id: int
    course: int
    title: str
    state: str
    due_at: datetime | None
    archived: bool
    created_at: datetime


class AssignmentOut(Schema):
    id: int
    course: int
    title: str
    state: str
    instructions: str
    source_title: str
    source_text: str
    min_words: int
    max_words: int
    due_at: datetime | None
    accepts_late: bool
    max_attempts: int | None
    max_drafts: int
    copying: str
    copying_percent: int
    release: str
    missed_before: int
    missed_after: int
    second_looks: bool
    mails_results: bool
    mails_reminder: bool
    names_hidden: bool
    archived: bool
    created_at: datetime


# --- references, pyramids, work in the background ---


class ReferenceIn(In):
    name: Annotated[str, Field(max_length=90), AfterValidator(storable)] = ""
    text: Words


class ReferencesIn(In):
    references: Annotated[list[ReferenceIn], Field(min_length=1, max_length=MOST_REFERENCES)]


class ReferenceOut(Schema):
    id: int
    name: str
    words: int
    text: str


class BuildIn(In):
    """Without settings a pyramid is built as the site does it."""

    builder: Literal["mutual", "edua-g", "edua-c-shaped", "edua-c"] | None = None
    edge_percentile: Annotated[float, Field(ge=0, le=100)] | None = None
    beta: Annotated[float, Field(ge=0, le=10)] | None = None


class JobOut(Schema):
    id: int
    kind: str
    state: Literal["queued", "running", "done", "failed"]
    progress: str
    done: int
    total: int
    error: str
    assignment: int
    submission: int | None
    draft: int | None
    created_at: datetime
    finished_at: datetime | None


class DraftOut(Schema):
    id: int
    number: int
    state: str
    origin: str
    revision: int
    version: int | None
    created_at: datetime
    edited_at: datetime


class PublishIn(In):
    note: Annotated[str, Field(max_length=500), AfterValidator(storable)] = ""
    even_if_same: bool = False
    even_if_doubtful: bool = False


class VersionOut(Schema):
    id: int
    number: int
    content_hash: str
    method: str
    note: str
    created_at: datetime


class PyramidOut(Schema):
    """``pyramid`` is the same document as the JSON file of the pages (docs/formats.md)."""

    id: int
    number: int
    pyramid: dict[str, Any]
    numbers: dict[int, int]  # by the id of each idea, the number that all pages show


# --- submissions and results ---


class NewSubmissionIn(In):
    """Whose it is: one of the four. Where names are hidden, only ``student`` can say it."""

    student: StudentKey | None = None
    login: Line | None = None
    student_number: Line | None = None
    email: Line | None = None
    text: Words
    submitted_at: Moment | None = None


class NewSubmissionsIn(In):
    submissions: Annotated[list[NewSubmissionIn], Field(min_length=1, max_length=MOST_SUBMISSIONS)]


class NewSubmissionOut(Schema):
    student: str
    state: Literal["imported", "same"]
    attempt: int
    submission: int
    remarks: list[str]


class NewSubmissionsOut(Schema):
    submissions: list[NewSubmissionOut]
    job: int | None


class FlagOut(Schema):
    kind: str
    reason: str


class ScoresOut(Schema):
    quality: float
    coverage: float
    comprehensive: float


class GraderOut(Schema):
    """``key`` is the grader's in this assignment."""

    key: str
    name: str


class SubmissionRowOut(Schema):
    """``scores`` is null while there is no score, and where the text is held."""

    id: int
    student: StudentOut
    attempt: int
    is_final: bool
    counts: bool
    submitted_at: datetime
    late: bool
    words: int
    state: str
    scores: ScoresOut | None
    confidence: float | None
    corrections: int
    flags: list[FlagOut]
    claimed_by: GraderOut | None


class SubmissionOut(Schema):
    id: int
    assignment: int
    student: str
    name: str
    attempt: int
    is_final: bool
    submitted_at: datetime
    late: bool
    words: int
    copied_share: float | None
    text: str
    released: bool


class IdeaOut(Schema):
    """``id`` is what corrections call the idea; ``number`` is what all pages show."""

    id: int
    number: int
    label: str
    weight: int


class MatchOut(Schema):
    idea: IdeaOut
    spans: list[Span]
    words: str
    probability: float | None
    confidence: str | None
    set_manually: bool
    contradicts: str
    held: bool
    credit: float


class PlaceOut(Schema):
    spans: list[Span]
    words: str


class RepeatOut(PlaceOut):
    idea: int


class ResultOut(Schema):
    """``stamp`` is what a correction sends as If-Match. Spans count characters of the text."""

    submission: int
    version: int
    method: str
    revision: int
    corrected: bool
    held: bool
    held_reason: str
    points: float | None
    scores: ScoresOut | None
    statements: int
    matches: list[MatchOut]
    repeated: list[RepeatOut]
    not_matched: list[PlaceOut]
    missing: list[IdeaOut]
    calculation: list[str]
    remarks: list[str]
    stamp: str


class CorrectionIn(In):
    """``idea`` is an id. ``spans`` are the words that it is about, by characters of the text."""

    action: Literal[
        "confirm", "remove", "add", "exchange", "revert", "exclude", "count", "count_held",
        "exclude_held", "undo", "redo",
    ]  # fmt: skip
    idea: Annotated[int, Field(ge=0, le=LARGEST_NUMBER)] | None = None
    other_idea: Annotated[int, Field(ge=0, le=LARGEST_NUMBER)] | None = None
    spans: Annotated[list[Span], Field(max_length=20)] = []


class StepOut(Schema):
    id: int
    did: str
    about: str
    undoes: int | None
    author: str | None
    created_at: datetime


class CorrectionsOut(Schema):
    stamp: str
    steps: list[StepOut]


class CorrectedOut(Schema):
    step: StepOut
    stamp: str
    held: bool
    before: ScoresOut | None
    after: ScoresOut | None


class SecondLookOut(Schema):
    """``idea`` is one of ``version``; null where words alone are meant."""

    id: int
    submission: int
    state: str
    reason: str
    version: int | None
    idea: int | None
    spans: list[Span]
    disputes_match: bool
    created_at: datetime
    answer: str
    answered_at: datetime | None


# --- release, grades, exports ---


class ReleaseIn(In):
    """``students`` are keys of the assignment; needed where ``who`` is “chosen”."""

    what: Literal["shown", "held", "rule"]
    who: Literal["chosen", "all", "waiting"] = "chosen"
    students: Annotated[list[StudentKey], Field(max_length=10_000)] = []


class ReleaseOut(Schema):
    attempts: int
    students: int


class GradeOut(Schema):
    """``points`` is null where there is no grade, which is never a zero."""

    student: StudentOut
    state: Literal["graded", "excused", "held", "ungraded"]
    points: Decimal | None
    possible: Decimal
    band: str
    passed: bool | None
    set_manually: bool
    reason: str
    submission: int | None
    days_late: int
    calculation: list[str]


class GradeIn(In):
    kind: Literal["points", "excused", "rule"]
    points: Annotated[Decimal, Field(ge=0, le=100_000, allow_inf_nan=False)] | None = None
    reason: Words


class ExportIn(In):
    kind: Literal["canvas", "moodle", "csv"] = "csv"
    scope: Literal["all", "released"] = "all"
    title: Annotated[str, Field(max_length=200), AfterValidator(storable)] = ""


class FilledIn(In):
    """``column`` is the heading of the column to fill, where the file does not make it clear."""

    scope: Literal["all", "released"] = "all"
    column: Line = ""
    comments: bool = False


class ExportOut(Schema):
    id: int
    kind: str
    scope: str
    file_name: str
    sha256: str
    students: int
    left_out: int
    created_at: datetime


# --- webhooks ---


class WebhookIn(In):
    url: Annotated[str, Field(min_length=1, max_length=500), AfterValidator(storable)]
    scored: bool = True
    released: bool = True
    second_looks: bool = True


class WebhookOut(Schema):
    id: int
    url: str
    scored: bool
    released: bool
    second_looks: bool
    is_active: bool
    created_at: datetime


class NewWebhookOut(WebhookOut):
    """The secret is shown only now."""

    secret: str


class DeliveryOut(Schema):
    id: int
    kind: str
    state: str
    tries: int
    problem: str
    submission: int
    created_at: datetime
    sent_at: datetime | None


class Problem(Schema):
    """An error. ``detail`` is a sentence to read; ``errors`` name the fields that are wrong."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[dict[str, str]] = []
