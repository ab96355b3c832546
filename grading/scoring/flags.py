"""Signs that a grader should look at a text: found by a worker, never while a page is asked for."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone

from grading.jobs.claims import Claim, job_start
from grading.models import Assignment, Job, Score, Submission, SubmissionSigns, User
from grading.pyramid.copying import copied_share
from grading.pyramid.signs.flags import (
    Flag,
    FlagKind,
    Signs,
    signs_from_json,
    signs_to_json,
)
from grading.pyramid.signs.likeness import Written, like_another, near_texts
from grading.pyramid.signs.word_signs import WordSigns
from grading.scoring.conversion import report_from_row


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
    submissions = list(assignment.submissions.order_by("pk"))
    rows = SubmissionSigns.objects.filter(submission__assignment=assignment)
    known = {
        pk: signs_from_json(document) for pk, document in rows.values_list("submission", "document")
    }
    read = [assignment.source_text, assignment.instructions]
    near = near_texts(
        [
            Written(submission.pk, submission.student_id, submission.text)
            for submission in submissions
        ],
        read,
    )
    words = WordSigns([*read, *assignment.references.values_list("text", flat=True)])
    signs_by_pk: dict[int, Signs] = {}
    for row in submissions:
        earlier = known.get(row.pk)
        if earlier is None or anew is None or row.pk in anew:
            flags: Sequence[Flag] = tuple(words.flags(row.text, partial(_matched_share, row.pk)))
        else:
            flags = [flag for flag in earlier.flags if flag.kind != FlagKind.LIKE_ANOTHER]
        signs_by_pk[row.pk] = Signs((*flags, *like_another(near[row.pk])), near[row.pk])
    _keep({pk: signs for pk, signs in signs_by_pk.items() if signs != known.get(pk)})


def _matched_share(submission_pk: int) -> float | None:
    """How much of a text tells an idea, by the score that holds."""
    score = Score.objects.filter(submission=submission_pk).oldest_first().last()
    return report_from_row(score).evidence.telling if score else None


@transaction.atomic
def _keep(signs: Mapping[int, Signs]) -> None:
    """In the place of what was known; nothing for submissions deleted in the meantime."""
    submissions = Submission.objects.select_for_update().filter(pk__in=signs).order_by("pk")
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
