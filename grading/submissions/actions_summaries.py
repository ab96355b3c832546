"""Students submit summaries."""

from django.db import transaction

from grading.models import Assignment, Submission, User, Writing
from grading.models.summaries import count_words
from grading.pyramid.copying import copied_share
from grading.pyramid.errors import InputError
from grading.scoring.allowances import allowance_of
from grading.scoring.flags import signs_start
from grading.scoring.scores import submissions_start_scoring

HELD = Submission.Visibility.HELD


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
