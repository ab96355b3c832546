"""What a student types is kept until it is submitted; what replaces it is kept beside it."""

from typing import Any

from django.db import models, transaction
from django.utils import timezone

from grading.models import Assignment, Submission, User, Writing
from grading.models.summaries import count_words
from grading.pyramid.copying import copied_share
from grading.pyramid.errors import InputError
from grading.scoring.allowances import Written, allowance_of, written_of
from grading.scoring.flags import flags_start
from grading.scoring.scores import submissions_start_scoring

HELD_BACK, BY_RULE = Submission.Visibility.HELD_BACK, Submission.Visibility.RULE


class ConflictChoice(models.TextChoices):
    """Which text to continue with where another window saved a different one."""

    KEEP = "keep", "Keep this text"
    TAKE = "take", "Use the other text"


@transaction.atomic
def submission_submit(
    *, assignment: Assignment, student: User, text: str, is_final: bool = True
) -> Submission:
    """Store a summary as the student's next attempt, and start scoring if there is a pyramid.

    What the student was typing is deleted: it has been submitted. The same text sent twice (by two
    windows, say) is one attempt. Raises ``InputError`` where no such attempt is allowed any more.
    Results that are held back stay so with a new attempt.
    """
    locked = Assignment.objects.select_for_update().get(pk=assignment.pk)
    latest = Submission.objects.attempts_of(assignment, student).first()
    if latest and (latest.text, latest.is_final) == (text, is_final):
        return latest
    allowance = allowance_of(locked, student)
    if not allowance.of_kind(is_final=is_final):
        raise InputError(allowance.reason or "You have used all your drafts. Submit the final.")
    submission = Submission.objects.create(
        assignment=assignment,
        student=student,
        attempt=latest.attempt + 1 if latest else 1,
        text=text,
        words=count_words(text),
        late=locked.terms_of(student.pk).is_overdue,
        is_final=is_final,
        visibility=HELD_BACK if latest and latest.visibility == HELD_BACK else BY_RULE,
        copied=copied_share(text, locked.source_text),
    )
    Writing.objects.filter(assignment=assignment, student=student).delete()
    job = submissions_start_scoring(
        assignment=assignment, requested_by=student, submission=submission
    )
    if job is None:  # a worker that scores finds flags as well
        flags_start(assignment=assignment, requested_by=student)
    return submission


def writing_save(
    *,
    assignment: Assignment,
    student: User,
    text: str,
    revision: int | None,
    choice: ConflictChoice | None = None,
) -> bool:
    """Save what was typed on top of a revision (None: of any).

    Returns False, and changes nothing, where that revision is no longer the newest; the student
    must then send a choice. The text that is not chosen is kept as the replaced one.
    """
    current = written_of(assignment, student)
    if text == current.text:
        return True
    if revision is not None and revision != current.revision:
        return False
    kept, replaced = text, current.replaced
    if choice == ConflictChoice.KEEP:
        replaced = current.text
    elif choice == ConflictChoice.TAKE:
        kept, replaced = current.text, text
    if _write(assignment, student, current, text=kept, replaced=replaced):
        return True
    # A page that is closed sends its text twice, and both requests may arrive at the same moment.
    return written_of(assignment, student).text == text


def writing_replace(*, assignment: Assignment, student: User, text: str) -> bool:
    """Replace what was typed by the text of a file, and keep it beside that.

    It stays kept when another file follows: files can be read again. Returns False where another
    window saved at the same moment.
    """
    current = written_of(assignment, student)
    if text == current.text:
        return True
    replaced = current.text if current.text and current.is_typed else current.replaced
    return _write(assignment, student, current, text=text, replaced=replaced, is_typed=False)


def writing_bring_back(*, assignment: Assignment, student: User) -> bool:
    """Exchange the text and the one that it replaced; False where it replaced none."""
    current = written_of(assignment, student)
    if not current.replaced:
        return False
    return _write(assignment, student, current, text=current.replaced, replaced=current.text)


def _write(assignment: Assignment, student: User, current: Written, **changes: Any) -> bool:
    """Write the next revision unless another window was faster: only one of several succeeds."""
    fields = {
        "is_typed": True,
        **changes,
        "revision": current.revision + 1,
        "saved_at": timezone.now(),
    }
    if current.saved_at is not None:
        rows = Writing.objects.filter(assignment=assignment, student=student)
        return rows.filter(revision=current.revision).update(**fields) == 1
    with transaction.atomic():
        # submission_submit takes this lock too: a save that was under way while the student
        # submitted must not bring the text back as unsubmitted.
        Assignment.objects.select_for_update().get(pk=assignment.pk)
        if written_of(assignment, student) != current:
            return False
        Writing.objects.create(assignment=assignment, student=student, **fields)
    return True
