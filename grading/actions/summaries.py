"""References come in, students hand summaries in."""

from collections.abc import Sequence

from django.db import transaction

from grading.actions.scores import submissions_start_scoring
from grading.actions.signs import signs_start
from grading.models import Assignment, Reference, Submission, User, Writing
from grading.models.allowances import allowance_of
from grading.models.summaries import count_words
from grading.pyramid.copying import copied_share
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Text


@transaction.atomic
def references_add(*, assignment: Assignment, texts: Sequence[Text]) -> list[Reference]:
    """Add reference summaries; a name that is taken, or empty, gets a number."""
    Assignment.objects.select_for_update().get(pk=assignment.pk)  # one choice of names at a time
    taken = set(assignment.references.values_list("name", flat=True))
    added = []
    for text in texts:
        name = _free_name(text.name, taken)
        taken.add(name)
        added.append(_reference_add(assignment, Text(name, text.content)))
    return added


def _reference_add(assignment: Assignment, text: Text) -> Reference:
    return Reference.objects.create(
        assignment=assignment,
        name=text.name,
        text=text.content,
        words=count_words(text.content),
    )


def reference_change(*, reference: Reference, name: str, text: str) -> Reference:
    """Put another text or name in the place of a reference."""
    reference.name, reference.text, reference.words = name, text, count_words(text)
    reference.save(update_fields=["name", "text", "words"])
    return reference


def _free_name(wanted: str, taken: set[str]) -> str:
    wanted = wanted.strip()[:90]
    if wanted and wanted not in taken:
        return wanted
    number = 2 if wanted else len(taken) + 1
    stem = wanted or "Reference"
    while f"{stem} {number}" in taken:
        number += 1
    return f"{stem} {number}"


@transaction.atomic
def submission_submit(
    *, assignment: Assignment, student: User, text: str, is_final: bool = True
) -> Submission:
    """Keep a summary as the student's next attempt, and have it scored where there is a pyramid.

    What the student was typing is then handed in, and no longer kept beside it. Two windows may ask
    at once: the same text sent twice is one attempt, and InputError says where the rules allow no
    such attempt (any more).
    """
    locked = Assignment.objects.select_for_update().get(pk=assignment.pk)
    latest = Submission.objects.attempts_of(assignment, student).first()
    if latest and (latest.text, latest.is_final) == (text, is_final):
        return latest
    allowance = allowance_of(locked, student)
    if not allowance.of_kind(is_final=is_final):
        raise InputError(allowance.reason or "You have used all your drafts. Hand in the final.")
    submission = Submission.objects.create(
        assignment=assignment,
        student=student,
        attempt=latest.attempt + 1 if latest else 1,
        text=text,
        words=count_words(text),
        late=locked.is_overdue,
        is_final=is_final,
        copied=copied_share(text, locked.source_text),
    )
    Writing.objects.filter(assignment=assignment, student=student).delete()
    job = submissions_start_scoring(
        assignment=assignment, requested_by=student, submission=submission
    )
    if job is None:  # with a score the worker looks for signs as well
        signs_start(assignment=assignment, requested_by=student)
    return submission
