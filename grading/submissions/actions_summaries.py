"""References come in, students hand summaries in."""

import json
from collections.abc import Sequence
from hashlib import sha256

from django.db import transaction

from grading.models import Assignment, Reference, Submission, User, Writing
from grading.models.summaries import count_words
from grading.pyramid.copying import copied_share
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Text
from grading.scoring.allowances import allowance_of
from grading.scoring.flags import signs_start
from grading.scoring.scores import submissions_start_scoring

MOST_REFERENCES = 12
HELD = Submission.Visibility.HELD


def references_problem(*, assignment: Assignment, texts: Sequence[Text]) -> str:
    """Say why these texts cannot be added as references; "" where they can.

    The same text twice would double the weight of each of its ideas.
    """
    references = list(assignment.references.all())
    names = {reference.text: reference.name for reference in references}
    for text in texts:
        if text.content in names:
            return (
                f"“{text.name or 'The pasted text'}” is the same text as "
                f"“{names[text.content]}”. Each reference must be somebody else's."
            )
        names[text.content] = text.name or "the pasted text"
    if len(references) + len(texts) > MOST_REFERENCES:
        return (
            f"An assignment takes at most {MOST_REFERENCES} references; there are "
            f"{len(references)} already and these are {len(texts)} more."
        )
    return ""


@transaction.atomic
def references_add(*, assignment: Assignment, texts: Sequence[Text]) -> list[Reference]:
    """Add reference summaries; a name that is taken, or empty, gets a number.

    The limit is checked under the lock: two people, or two clicks, may add at the same time.
    """
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    if problem := references_problem(assignment=assignment, texts=texts):
        raise InputError(problem)
    taken = set(assignment.references.values_list("name", flat=True))
    added = []
    for text in texts:
        name = _free_name(text.name, taken)
        taken.add(name)
        added.append(
            Reference.objects.create(
                assignment=assignment,
                name=name,
                text=text.content,
                words=count_words(text.content),
            )
        )
    return added


def reference_stamp(reference: Reference) -> str:
    """Stands for what the reference holds: another name or text gives another stamp."""
    return sha256(json.dumps([reference.name, reference.text]).encode()).hexdigest()


@transaction.atomic
def reference_change(*, reference: Reference, name: str, text: str, stamp: str) -> Reference | None:
    """Change the name and the text of a reference.

    Returns None, and changes nothing, where the reference is no longer as its author saw it
    (``stamp``). Raises ``InputError`` where another reference has the name by now.
    """
    Assignment.objects.select_for_update().get(pk=reference.assignment_id)
    references = Reference.objects.filter(assignment=reference.assignment_id)
    current = references.filter(pk=reference.pk).first()
    if current is None or reference_stamp(current) != stamp:
        return None
    if references.exclude(pk=reference.pk).filter(name=name).exists():
        raise InputError(f"Another reference is named “{name}” already.")
    current.name, current.text, current.words = name, text, count_words(text)
    current.save(update_fields=["name", "text", "words"])
    return current


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
    such attempt (any more). Results that are held back stay so with a new attempt.
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
        visibility=HELD if latest and latest.visibility == HELD else Submission.Visibility.RULE,
        copied=copied_share(text, locked.source_text),
    )
    Writing.objects.filter(assignment=assignment, student=student).delete()
    job = submissions_start_scoring(
        assignment=assignment, requested_by=student, submission=submission
    )
    if job is None:  # with a score the worker looks for signs as well
        signs_start(assignment=assignment, requested_by=student)
    return submission
