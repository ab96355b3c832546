"""Signs that a grader should look at a text: found by a worker, never while a page is asked for."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from grading.jobs.claims import Claim, job_start
from grading.models import Assignment, Job, Score, Submission, SubmissionSigns, User
from grading.pyramid.copying import copied_share
from grading.pyramid.signs.flags import (
    Flag,
    FlagKind,
    Near,
    Signs,
    signs_from_json,
    signs_to_json,
)
from grading.pyramid.signs.likeness import like_another
from grading.pyramid.signs.word_signs import WordSigns
from grading.scoring.class_indexes import class_index
from grading.scoring.conversion import report_from_row

_SIGNS_LOCK = 0x7369676E  # any number that nothing else in the database locks


def signs_start(*, assignment: Assignment, requested_by: User | None) -> Job:
    """Ask a worker to look at every text that was handed in."""
    return job_start(kind=Job.Kind.FIND_SIGNS, assignment=assignment, requested_by=requested_by)


def signs_find(job: Job, claim: Claim) -> None:
    claim.progress("Looking at the texts", 0, 0)
    # What is copied of the source as it is now: it may have come after the texts.
    changed = []
    for submission in job.assignment.submissions.only("assignment", "text", "copied"):
        copied = copied_share(submission.text, job.assignment.source_text)
        if copied != submission.copied:
            submission.copied = copied
            changed.append(submission)
    Submission.objects.bulk_update(changed, ["copied"], batch_size=500)
    signs_refresh(assignment=job.assignment)
    claim.finish()


def signs_refresh(*, assignment: Assignment, anew: Collection[int] | None = None) -> None:
    """Find texts that share words, and what the words of the texts ``anew`` show.

    Without ``anew`` for all of them as well; what was never looked at always is.
    """
    with class_index(assignment.pk) as index:
        near = index.catch_up()
        flags = _word_flags(assignment, anew)
        with transaction.atomic():
            _one_at_a_time(assignment)
            near |= index.catch_up()  # what came, or was saved by others, while we waited
            near |= {pk: index.nearest(pk) for pk in flags.keys() - near.keys()}
            _keep(flags, near)


def _word_flags(
    assignment: Assignment, anew: Collection[int] | None
) -> Mapping[int, tuple[Flag, ...]]:
    """What the words of a text show, whatever the others have written."""
    submissions = assignment.submissions.order_by("pk")
    if anew is not None:
        submissions = submissions.filter(Q(pk__in=anew) | Q(signs=None))
    read = assignment.source_text, assignment.instructions
    words = WordSigns([*read, *assignment.references.values_list("text", flat=True)])
    return {
        pk: tuple(words.flags(text, partial(_matched_share, pk)))
        for pk, text in submissions.values_list("pk", "text")
    }


def _matched_share(submission_pk: int) -> float | None:
    """How much of a text tells an idea, by the score that holds."""
    score = Score.objects.filter(submission=submission_pk).oldest_first().last()
    return report_from_row(score).evidence.telling if score else None


def _one_at_a_time(assignment: Assignment) -> None:
    """Look and save with nobody in between; SQLite's transactions wait for each other anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            lock = [_SIGNS_LOCK, assignment.pk % 2**31]
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", lock)


def _keep(flags: Mapping[int, Sequence[Flag]], near: Mapping[int, tuple[Near, ...]]) -> None:
    """In the place of what was known; nothing for submissions deleted in the meantime.

    One that came a moment ago and has no flags yet is left to its own job.
    """
    rows = SubmissionSigns.objects.filter(submission__in=near)
    known = {
        pk: signs_from_json(document) for pk, document in rows.values_list("submission", "document")
    }
    signs: dict[int, Signs] = {}
    for pk in near.keys() & (known.keys() | flags.keys()):
        own = flags[pk] if pk in flags else known[pk].flags
        others = [flag for flag in own if flag.kind != FlagKind.LIKE_ANOTHER]
        signs[pk] = Signs((*others, *like_another(near[pk])), near[pk])
    changed = {pk for pk, of_text in signs.items() if of_text != known.get(pk)}
    submissions = Submission.objects.select_for_update().filter(pk__in=changed).order_by("pk")
    SubmissionSigns.objects.bulk_create(
        [
            SubmissionSigns(
                submission_id=pk, document=signs_to_json(signs[pk]), found_at=timezone.now()
            )
            for pk in submissions.values_list("pk", flat=True)
        ],
        update_conflicts=True,
        unique_fields=["submission"],
        update_fields=["document", "found_at"],
    )
