"""What a student types is kept until it is handed in; what takes its place keeps it beside."""

from typing import Any

from django.db import models, transaction
from django.utils import timezone

from grading.models import Assignment, User, Writing
from grading.scoring.written import Written, written_of


class Choice(models.TextChoices):
    """Which of two texts goes on, where another window saved one in the meantime."""

    KEEP = "keep", "Keep this one"
    TAKE = "take", "Take the other text"


def writing_save(
    *,
    assignment: Assignment,
    student: User,
    text: str,
    revision: int | None,
    choice: Choice | None = None,
) -> bool:
    """Keep what was typed on a revision (None: on any); False where that is no longer the newest.

    Nothing is then changed, and the student is asked for a choice. The text that is not chosen is
    kept as what was replaced.
    """
    now = written_of(assignment, student)
    if text == now.text:
        return True
    if revision is not None and revision != now.revision:
        return False
    kept, beside = text, now.replaced
    if choice is not None:
        kept, beside = (text, now.text) if choice == Choice.KEEP else (now.text, text)
    if _put(assignment, student, now, text=kept, replaced=beside):
        return True
    # A page that is left sends its last words twice, and both may arrive at the same moment.
    return written_of(assignment, student).text == text


def writing_replace(*, assignment: Assignment, student: User, text: str) -> bool:
    """Put the text of a file in the place of what was typed, which is kept beside it.

    One file after the other: what was typed stays kept, files can be read again. False where
    another window saved at the same moment.
    """
    now = written_of(assignment, student)
    if text == now.text:
        return True
    replaced = now.text if now.text and now.is_typed else now.replaced
    return _put(assignment, student, now, text=text, replaced=replaced, is_typed=False)


def writing_bring_back(*, assignment: Assignment, student: User) -> bool:
    """What was typed and what took its place change places; False where there is nothing to."""
    now = written_of(assignment, student)
    if not now.replaced:
        return False
    return _put(assignment, student, now, text=now.replaced, replaced=now.text)


def _put(assignment: Assignment, student: User, seen: Written, **changed: Any) -> bool:
    """Only where nobody wrote since; of any number of windows at once, one gets True."""
    fields = {
        "is_typed": True,
        **changed,
        "revision": seen.revision + 1,
        "saved_at": timezone.now(),
    }
    own = Writing.objects.filter(assignment=assignment, student=student)
    if seen.saved_at is not None:
        return own.filter(revision=seen.revision).update(**fields) == 1
    with transaction.atomic():
        # Handing in holds this lock too: what was on its way then does not come back after it.
        Assignment.objects.select_for_update().get(pk=assignment.pk)
        if written_of(assignment, student) != seen:
            return False
        Writing.objects.create(assignment=assignment, student=student, **fields)
    return True
