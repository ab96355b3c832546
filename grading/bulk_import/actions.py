"""Import submissions of many students: upload, read by a worker, show, import as it was shown."""

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from itertools import count
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from grading.bulk_import.queries import ImportChoices, import_plan
from grading.jobs.claims import Claim, job_start
from grading.models import (
    Assignment,
    ImportUpload,
    Job,
    Submission,
    SubmissionEvent,
    User,
    WorkImport,
)
from grading.models.summaries import count_words
from grading.pyramid.copying import copied_share
from grading.pyramid.errors import InputError
from grading.pyramid.formats.bulk_files import (
    Apart,
    Upload,
    WorkTable,
    files_to_json,
    read_uploads,
    read_work_table,
)
from grading.pyramid.formats.bulk_plan import RowState
from grading.pyramid.formats.summary_file import SummaryText
from grading.pyramid.formats.work_archive import Unpacked
from grading.scoring.scores import submissions_start_scoring
from grading.web.file_reader import read_apart, read_file_apart, unpacked_apart

STATES = WorkImport.State


@transaction.atomic
def import_start(
    *, assignment: Assignment, uploads: Sequence[Upload], name: str, author: User
) -> WorkImport:
    """Keep what was sent until a worker has read it."""
    job = job_start(kind=Job.Kind.READ_IMPORT, assignment=assignment, requested_by=author)
    work_import = WorkImport.objects.create(
        assignment=assignment, author=author, name=name[:300], reading=job
    )
    for upload in uploads:  # one by one: together they may be as large as a request
        ImportUpload.objects.create(
            work_import=work_import, name=upload.name[-400:], data=upload.data
        )
    return work_import


def imports_read(job: Job, claim: Claim) -> None:
    """Do the job: read all uploads that wait for it. An unreadable one does not stop the others."""
    imports = list(job.imports_to_read.filter(state=STATES.READING).order_by("pk"))
    for work_import in imports:
        _read(work_import, claim)
    with transaction.atomic():
        claim.finish()
        for work_import in imports:
            # It may have been discarded meanwhile.
            unread = WorkImport.objects.filter(pk=work_import.pk, state=STATES.READING)
            unread.update(
                state=work_import.state, document=work_import.document, error=work_import.error
            )
        ImportUpload.objects.filter(work_import__in=imports).delete()


def _read(work_import: WorkImport, claim: Claim) -> None:
    """Fill the row, without saving it, with what the files hold or why they cannot be read."""
    uploads = [Upload(row.name, bytes(row.data)) for row in work_import.uploads.all()]
    owners = count(1)  # each file has another one, so that several are read at once

    def report(done: int, total: int) -> None:
        claim.progress("Reading the files", done, total)

    def read_text(data: bytes, ending: str) -> SummaryText:
        return read_file_apart(data, ending, owner=-next(owners))  # no user has such a number

    def read_table(data: bytes, name: str, has_moodle: bool) -> WorkTable:
        return read_apart(read_work_table, data, name, has_moodle, owner=-next(owners))

    with ExitStack() as unpacked:

        def unpack(data: bytes) -> Unpacked:
            return unpacked.enter_context(unpacked_apart(data, owner=-next(owners)))

        try:
            files = read_uploads(
                uploads,
                Apart(read_text, unpack, read_table),
                report,
                at_once=settings.FILES_READ_AT_ONCE,
            )
        except InputError as error:
            work_import.state, work_import.error = STATES.FAILED, str(error)
            return
    work_import.state = STATES.READY
    work_import.document = {
        "files": files_to_json(files.files),
        "platform": files.platform,
        "left_out": files.left_out,
    }


def import_choose(*, work_import: WorkImport, choices: ImportChoices) -> None:
    """Keep what a grader chose, so that the next plan follows it."""
    given = {str(number): person for number, person in choices.given.items()}
    document: dict[str, Any] = {"given": given}
    if choices.handed_in_at is not None:
        document["handed_in_at"] = choices.handed_in_at.isoformat()
    if choices.ticks is not None:
        document["ticks"] = {str(number): tick for number, tick in choices.ticks.items()}
    WorkImport.objects.filter(pk=work_import.pk, state=STATES.READY).update(choices=document)


@transaction.atomic
def import_apply(
    *, work_import: WorkImport, stamp: str, ticked: Collection[int], author: User
) -> WorkImport | None:
    """Make attempts of the ticked files, and score them all in one job.

    None, and nothing is made, where the plan is no longer the one with this stamp.
    """
    assignment = Assignment.objects.select_for_update().get(pk=work_import.assignment_id)
    locked = WorkImport.objects.select_for_update().get(pk=work_import.pk)
    if locked.state != STATES.READY:
        return None
    locked.assignment = assignment
    plan = import_plan(work_import=locked)
    if plan.stamp != stamp:
        return None
    rows = [row for row in plan.of(RowState.NEW) if row.file.number in ticked]
    by_student = {row.person: row for row in rows if row.person is not None}
    if len(by_student) < len(rows):
        raise InputError("Two files of the same student are ticked. Untick one of them.")
    # What students are typing stays as it is, and results that are held back stay so.
    visibilities = Submission.Visibility
    held_back = Submission.objects.held_back_students(assignment)
    attempts = Submission.objects.bulk_create(
        Submission(
            assignment=assignment,
            student_id=student,
            attempt=row.attempt,
            text=row.file.text,
            words=count_words(row.file.text),
            submitted_at=row.submitted_at or timezone.now(),
            late=row.late,
            visibility=visibilities.HELD_BACK if student in held_back else visibilities.RULE,
            copied=copied_share(row.file.text, assignment.source_text),
        )
        for student, row in by_student.items()
    )
    SubmissionEvent.objects.bulk_create(
        SubmissionEvent(submission=attempt, kind=SubmissionEvent.Kind.IMPORTED, author=author)
        for attempt in attempts
    )
    if attempts:
        locked.scoring = submissions_start_scoring(assignment=assignment, requested_by=author)
    locked.end(STATES.APPLIED, author, attempts=len(attempts))
    return locked


@transaction.atomic
def import_discard(*, work_import: WorkImport, author: User) -> bool:
    """Delete the texts; False where it is imported or discarded already."""
    locked = WorkImport.objects.select_for_update().get(pk=work_import.pk)
    if locked.state in {STATES.APPLIED, STATES.DISCARDED}:
        return False
    locked.end(STATES.DISCARDED, author)
    return True


def imports_forget() -> int:
    """Discard what nobody has imported for two weeks; return how many."""
    old = list(WorkImport.objects.left_lying())
    for work_import in old:
        with transaction.atomic():
            work_import.end(STATES.DISCARDED, None)
    return len(old)
