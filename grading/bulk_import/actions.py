"""Work in bulk: sent in, read by a worker, shown as a plan, taken in exactly as it was shown."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from grading.jobs.claims import Claim, job_start
from grading.models import (
    Assignment,
    ImportUpload,
    Job,
    Role,
    Submission,
    SubmissionEvent,
    User,
    WorkImport,
)
from grading.models.summaries import count_words
from grading.pyramid.copying import copied_share
from grading.pyramid.errors import InputError
from grading.pyramid.formats.bulk_files import (
    Upload,
    files_from_json,
    files_to_json,
    read_uploads,
)
from grading.pyramid.formats.bulk_people import Person
from grading.pyramid.formats.bulk_plan import (
    HandedIn,
    Plan,
    PlanRow,
    PlanRules,
    RowState,
    plan_work,
)
from grading.pyramid.formats.summary_file import SummaryText
from grading.scoring.scores import submissions_start_scoring
from grading.web.file_reader import AT_ONCE, read_file_apart

STATES = WorkImport.State


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """What a grader said of an upload; ``given`` is whose a file is, by its number."""

    given: Mapping[int, int]
    handed_in_at: datetime | None = None
    ticks: Mapping[int, bool] | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    attempts: int
    job: Job | None


@transaction.atomic
def import_start(
    *, assignment: Assignment, uploads: Sequence[Upload], name: str, author: User
) -> WorkImport:
    """Keep what was sent until a worker has read it."""
    job = job_start(kind=Job.Kind.READ_IMPORT, assignment=assignment, requested_by=author)
    started = WorkImport.objects.create(
        assignment=assignment, author=author, name=name[:300], reading=job
    )
    for upload in uploads:  # one by one: together they may be as large as a request
        ImportUpload.objects.create(work_import=started, name=upload.name[-400:], data=upload.data)
    return started


def imports_read(job: Job, claim: Claim) -> None:
    """Read all uploads that wait for this job; one that cannot be read keeps no other from it."""
    done: list[WorkImport] = []
    for waiting in job.imports_to_read.filter(state=STATES.READING).order_by("pk"):
        uploads = [Upload(row.name, bytes(row.data)) for row in waiting.uploads.all()]
        _read(waiting, uploads, claim)
        done.append(waiting)
    with transaction.atomic():
        claim.finish()
        for read in done:
            still = WorkImport.objects.filter(pk=read.pk, state=STATES.READING)
            still.update(state=read.state, document=read.document, error=read.error)
        ImportUpload.objects.filter(work_import__in=done).delete()


def import_plan(*, work_import: WorkImport) -> Plan:
    """What taking it in would do now, in a number of queries that does not grow."""
    assignment = work_import.assignment
    choices = import_choices(work_import=work_import)
    rules = PlanRules(
        handed_in_at=choices.handed_in_at or default_handed_in_at(work_import),
        zone=ZoneInfo(assignment.course.time_zone),
        due_at=assignment.due_at,
        min_words=assignment.min_words,
        max_words=assignment.max_words,
        max_finals=assignment.max_attempts,
    )
    files = files_from_json(work_import.document["files"])
    people = _people(assignment)
    return plan_work(files, people, _handed_in(assignment), choices.given, rules)


def import_choices(*, work_import: WorkImport) -> ImportChoices:
    said: dict[str, Any] = work_import.choices
    at, ticks = said.get("handed_in_at"), said.get("ticks")
    return ImportChoices(
        given={int(number): person for number, person in said.get("given", {}).items()},
        handed_in_at=datetime.fromisoformat(at) if at else None,
        ticks=None if ticks is None else {int(number): tick for number, tick in ticks.items()},
    )


def default_handed_in_at(work_import: WorkImport) -> datetime:
    """In time, where nothing else is known: the due date if that has passed."""
    due = work_import.assignment.due_at
    return min(due, work_import.created_at) if due else work_import.created_at


def import_choose(*, work_import: WorkImport, choices: ImportChoices) -> None:
    """Keep what a grader said, so that the next plan follows it."""
    said: dict[str, Any] = {"given": {str(one): person for one, person in choices.given.items()}}
    if choices.handed_in_at is not None:
        said["handed_in_at"] = choices.handed_in_at.isoformat()
    if choices.ticks is not None:
        said["ticks"] = {str(number): tick for number, tick in choices.ticks.items()}
    WorkImport.objects.filter(pk=work_import.pk, state=STATES.READY).update(choices=said)


@transaction.atomic
def import_take_in(
    *, work_import: WorkImport, stamp: str, taken: Collection[int], author: User
) -> Imported | None:
    """Make attempts of these files; None, and nothing is made, where the plan has changed.

    One job scores them all.
    """
    assignment = Assignment.objects.select_for_update().get(pk=work_import.assignment_id)
    locked = WorkImport.objects.select_for_update().get(pk=work_import.pk)
    if locked.state != STATES.READY:
        return None
    locked.assignment = assignment
    plan = import_plan(work_import=locked)
    if plan.stamp != stamp:
        return None
    rows = [row for row in plan.of(RowState.NEW) if row.file.number in taken]
    by_student = {row.person: row for row in rows if row.person is not None}
    if len(by_student) < len(rows):
        raise InputError("Two files of one student are ticked. Leave one of them out.")
    made = _make_attempts(assignment, by_student, author)
    locked.scoring = (
        submissions_start_scoring(assignment=assignment, requested_by=author) if made else None
    )
    _end(locked, STATES.APPLIED, author, attempts=len(made))
    return Imported(len(made), locked.scoring)


@transaction.atomic
def import_discard(*, work_import: WorkImport, author: User) -> bool:
    """Throw the texts away; False where it is taken in or discarded already."""
    locked = WorkImport.objects.select_for_update().get(pk=work_import.pk)
    if locked.state in {STATES.APPLIED, STATES.DISCARDED}:
        return False
    _end(locked, STATES.DISCARDED, author)
    return True


def imports_forget() -> int:
    """Discard what nobody has taken in for two weeks."""
    left_lying = list(WorkImport.objects.left_lying())
    for left in left_lying:
        with transaction.atomic():
            _end(left, STATES.DISCARDED, None)
    return len(left_lying)


def _read(waiting: WorkImport, uploads: Sequence[Upload], claim: Claim) -> None:
    """In place: what was read of it, or why nothing was."""
    owners = count(1)  # each file has another, so that several are read at once

    def tell(done: int, total: int) -> None:
        claim.progress("Reading the files", done, total)

    def read_apart(data: bytes, ending: str) -> SummaryText:
        return read_file_apart(data, ending, owner=-next(owners))  # no user has such a number

    try:
        read = read_uploads(uploads, read_apart, tell, at_once=AT_ONCE)
    except InputError as error:
        waiting.state, waiting.error = STATES.FAILED, str(error)
        return
    waiting.state = STATES.READY
    waiting.document = {
        "files": files_to_json(read.files),
        "platform": read.platform,
        "left_out": read.left_out,
    }


def _people(assignment: Assignment) -> list[Person]:
    memberships = assignment.course.memberships.filter(role=Role.STUDENT).select_related("user")
    return [
        Person(
            key=one.user_id,
            name=one.user.name,
            logins=(one.user.username, one.lms_login),
            email=one.user.email,
            student_number=one.student_number,
            lms_id=one.lms_id,
        )
        for one in memberships.order_by("pk")
    ]


def _handed_in(assignment: Assignment) -> dict[int, list[HandedIn]]:
    rows = assignment.submissions.order_by("pk").values_list(
        "student", "attempt", "text", "is_final"
    )
    found: dict[int, list[HandedIn]] = {}
    for student, attempt, text, is_final in rows:
        found.setdefault(student, []).append(HandedIn(attempt, text, is_final))
    return found


def _make_attempts(
    assignment: Assignment, rows: Mapping[int, PlanRow], author: User
) -> list[Submission]:
    """What students are typing stays as it is, and results that are held back stay so."""
    visibilities = Submission.Visibility
    held = Submission.objects.held_students(assignment)
    made = Submission.objects.bulk_create(
        Submission(
            assignment=assignment,
            student_id=student,
            attempt=row.attempt,
            text=row.file.text,
            words=count_words(row.file.text),
            submitted_at=row.submitted_at or timezone.now(),
            late=row.late,
            visibility=visibilities.HELD if student in held else visibilities.RULE,
            copied=copied_share(row.file.text, assignment.source_text),
        )
        for student, row in rows.items()
    )
    SubmissionEvent.objects.bulk_create(
        SubmissionEvent(submission=one, kind=SubmissionEvent.Kind.IMPORTED, author=author)
        for one in made
    )
    return made


def _end(
    work_import: WorkImport, state: WorkImport.State, author: User | None, *, attempts: int = 0
) -> None:
    """Neither texts nor uploads are kept any longer."""
    platform = work_import.document.get("platform", "")
    work_import.uploads.all().delete()
    work_import.state, work_import.attempts = state, attempts
    work_import.document, work_import.choices = {"platform": platform}, {}
    work_import.ended_by, work_import.ended_at = author, timezone.now()
    work_import.save()
