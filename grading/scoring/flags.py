"""Flags: why a grader should look at a text. A worker finds them, never a request."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from grading.jobs.claims import Claim, job_start
from grading.models import Assignment, Job, Score, Submission, SubmissionFlags, User
from grading.pyramid.copying import copied_share
from grading.pyramid.flags.likeness import like_another
from grading.pyramid.flags.text_flags import (
    Flag,
    FlagKind,
    Near,
    TextFlags,
    flags_from_json,
    flags_to_json,
)
from grading.pyramid.flags.word_flags import WordFlagFinder
from grading.scoring.class_indexes import class_index
from grading.scoring.conversion import report_from_row

_FLAGS_LOCK = 0x7369676E  # any number that nothing else in the database locks


def flags_start(*, assignment: Assignment, requested_by: User | None) -> Job:
    """Ask a worker to look at every submission."""
    return job_start(kind=Job.Kind.FIND_FLAGS, assignment=assignment, requested_by=requested_by)


def flags_find(job: Job, claim: Claim) -> None:
    claim.progress("Looking at the texts", 0, 0)
    # The source may have been added or changed after the texts came.
    changed = []
    for submission in job.assignment.submissions.only("assignment", "text", "copied"):
        copied = copied_share(submission.text, job.assignment.source_text)
        if copied != submission.copied:
            submission.copied = copied
            changed.append(submission)
    Submission.objects.bulk_update(changed, ["copied"], batch_size=500)
    flags_refresh(assignment=job.assignment)
    claim.finish()


def flags_refresh(*, assignment: Assignment, recheck: Collection[int] | None = None) -> None:
    """Find texts that share words, and check the words of each submission in ``recheck``.

    None checks the words of all. Submissions that were never checked always are.
    """
    with class_index(assignment.pk) as index:
        near = index.catch_up()
        flags = _word_flags(assignment, recheck)
        with transaction.atomic():
            _one_at_a_time(assignment)
            near |= index.catch_up()  # what came, or was saved by others, while we waited
            near |= {pk: index.nearest(pk) for pk in flags.keys() - near.keys()}
            _keep(flags, near)


def _word_flags(
    assignment: Assignment, recheck: Collection[int] | None
) -> Mapping[int, tuple[Flag, ...]]:
    """What the words of a text show, whatever the others have written."""
    submissions = assignment.submissions.order_by("pk")
    if recheck is not None:
        submissions = submissions.filter(Q(pk__in=recheck) | Q(found_flags=None))
    read = assignment.source_text, assignment.instructions
    finder = WordFlagFinder([*read, *assignment.references.values_list("text", flat=True)])
    return {
        pk: tuple(finder.find(text, partial(_matched_share, pk)))
        for pk, text in submissions.values_list("pk", "text")
    }


def _matched_share(submission_pk: int) -> float | None:
    """The share of a text's statements that match an idea, by its current score."""
    score = Score.objects.filter(submission=submission_pk).oldest_first().last()
    return report_from_row(score).evidence.matched_share if score else None


def _one_at_a_time(assignment: Assignment) -> None:
    """Look and save with nobody in between; SQLite's transactions wait for each other anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            lock = [_FLAGS_LOCK, assignment.pk % 2**31]
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", lock)


def _keep(flags: Mapping[int, Sequence[Flag]], near: Mapping[int, tuple[Near, ...]]) -> None:
    """Store the flags that changed; submissions that were deleted since get none.

    A submission that came a moment ago and has no flags yet is left to its own job.
    """
    rows = SubmissionFlags.objects.filter(submission__in=near)
    known = {
        pk: flags_from_json(document) for pk, document in rows.values_list("submission", "document")
    }
    text_flags: dict[int, TextFlags] = {}
    for pk in near.keys() & (known.keys() | flags.keys()):
        own = flags[pk] if pk in flags else known[pk].flags
        others = [flag for flag in own if flag.kind != FlagKind.LIKE_ANOTHER]
        text_flags[pk] = TextFlags((*others, *like_another(near[pk])), near[pk])
    changed = {pk for pk, of_text in text_flags.items() if of_text != known.get(pk)}
    submissions = Submission.objects.select_for_update().filter(pk__in=changed).order_by("pk")
    SubmissionFlags.objects.bulk_create(
        [
            SubmissionFlags(
                submission_id=pk, document=flags_to_json(text_flags[pk]), found_at=timezone.now()
            )
            for pk in submissions.values_list("pk", flat=True)
        ],
        update_conflicts=True,
        unique_fields=["submission"],
        update_fields=["document", "found_at"],
    )
