"""What graders do on the review desk: steps that correct matches, files of annotations, comments.

A step is only ever added: an undo is a step too. Steps of one submission are taken one after the
other, under a lock of its row. A step is refused where the score or the last step is another one
than the grader looked at.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from grading.jobs.claims import Claim, job_start
from grading.marking.queries import Desk, desk_of, find_desk
from grading.marking.same_wording import Decision, copies_in_force
from grading.models import (
    Comment,
    Course,
    Job,
    MarkingStep,
    MatchCorrection,
    Review,
    SavedComment,
    Score,
    StoredPyramid,
    Submission,
    SubmissionEvent,
    User,
)
from grading.pyramid.corrections import Correction
from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import spans_to_json
from grading.pyramid.structures import Spans
from grading.scoring.conversion import submission_to_text
from grading.scoring.corrections import correction_row, score_correct, score_numbers

MOST_NAMED = 3  # ideas or words, in the title of a step
MOST_AT_ONCE = 50  # submissions in one transaction


@dataclass(frozen=True, slots=True)
class TakenStep:
    """A step that was written, the score before it, and the desk after it."""

    step: MarkingStep
    before: Score
    desk: Desk

    @property
    def after(self) -> Score:
        return self.desk.score


# --- steps ---


def locked_desk(submission: Submission, stamp: str) -> Desk | None:
    """The desk under a lock of its submission; None where it is no longer what the grader saw."""
    Submission.objects.select_for_update().get(pk=submission.pk)
    desk = find_desk(submission)
    return desk if desk is not None and desk.stamp == stamp else None


def step_take(
    *,
    desk: Desk,
    corrections: Sequence[Correction],
    did: MarkingStep.Did,
    author: User,
    copy_of: MarkingStep | None = None,
) -> TakenStep:
    """Add a step with its corrections, and score again.

    The caller must have locked the submission's row before it found the desk. Otherwise another
    step may come in between. ``step_undo`` and ``step_redo`` need the lock, too.
    """
    submission, version = desk.score.submission, desk.score.pyramid
    step = MarkingStep.objects.create(
        submission=submission,
        did=did,
        about=step_title(desk, submission, corrections),
        copy_of=copy_of,
        author=author,
    )
    rows = [correction_row(each, submission, version, author) for each in corrections]
    for row in rows:
        row.step = step
    MatchCorrection.objects.bulk_create(rows)
    return _score_step(desk.with_step(step, rows), step, step, author)


def step_undo(*, desk: Desk, author: User) -> TakenStep:
    """Undo the last step in force, whoever took it."""
    return _reverse_step(desk, desk.steps.history.undo, MarkingStep.Did.UNDID, author)


def step_redo(*, desk: Desk, author: User) -> TakenStep:
    """Undo the last undo."""
    return _reverse_step(desk, desk.steps.history.redo, MarkingStep.Did.REDID, author)


def _reverse_step(desk: Desk, undoes: int | None, did: MarkingStep.Did, author: User) -> TakenStep:
    """Add a step that cancels the step ``undoes``. Nothing is deleted, so the history is whole."""
    if undoes is None:
        verb = "undo" if did == MarkingStep.Did.UNDID else "do again"
        raise InputError(f"There is nothing to {verb}.")
    root = desk.steps.root(undoes)
    step = MarkingStep.objects.create(
        submission=desk.score.submission,
        did=did,
        about=root.about,
        undoes_id=undoes,
        author=author,
    )
    return _score_step(desk.with_step(step, ()), step, root, author)


def _score_step(desk: Desk, step: MarkingStep, root: MarkingStep, author: User) -> TakenStep:
    """Score with the corrections in force, and log the step; ``root`` is what it is about."""
    before = desk.score
    after = score_correct(
        machine=desk.machine_score, carrier=desk.carrier, rows=desk.rows_in_force, newest=before
    )
    Review.objects.all().follow_correction(
        step.submission_id, before=before, after=after, author=author
    )
    SubmissionEvent.objects.create(
        submission_id=step.submission_id,
        kind=SubmissionEvent.Kind.CORRECTED,
        author=author,
        document={
            "step": step.pk,
            "did": step.did,
            "root": root.did,
            "label": step.about,
            "before": score_numbers(before),
            "after": score_numbers(after),
        },
    )
    return TakenStep(step, before, desk.scored_by(after))


def step_title(desk: Desk, submission: Submission, corrections: Sequence[Correction]) -> str:
    """What a step is about: the labels of its ideas, or its words. Unknown ideas are refused."""
    text = submission_to_text(submission)
    labels = {scu.uid: " ".join(scu.label.split()) for scu in desk.pyramid.scus}
    titles = []
    for correction in corrections:
        if correction.scu_uid is None:
            titles.append(text.quoted(correction.spans))
        elif correction.scu_uid in labels:
            titles.append(labels[correction.scu_uid])
        else:
            raise InputError("This idea is not in the pyramid that scored the text.")
    more = f" and {len(titles) - MOST_NAMED} more" if len(titles) > MOST_NAMED else ""
    return f"{'; '.join(titles[:MOST_NAMED])}{more}"


# --- one decision for many submissions ---


def step_copy(
    *, submission: Submission, step_pk: int, chosen: Collection[int], author: User
) -> tuple[list[Submission], Job | None]:
    """Take the same step in the chosen submissions that have the same wording, all or none.

    Returns those in which it was taken; or, where there are many, the job that does it.
    """
    if len(chosen) > MOST_AT_ONCE:
        options = {"step": step_pk, "submissions": sorted(chosen)}
        return [], _start_copying(submission, options, author)
    return _copy_to(submission, step_pk, chosen, author), None


def copies_undo(
    *, submission: Submission, step_pk: int, author: User
) -> tuple[int, int, Job | None]:
    """Undo the copies of a step in all other submissions. Returns how many were undone, and how
    many stay since somebody did something after them; or, where there are many, the job.
    """
    copies = copies_in_force(MarkingStep.objects.get(pk=step_pk, submission=submission))
    if len(copies) > MOST_AT_ONCE:
        return 0, 0, _start_copying(submission, {"step": step_pk, "undo": True}, author)
    return *_undo_copies(copies, author), None


def copies_run(job: Job, claim: Claim) -> None:
    """Copy a step, or undo its copies, in batches.

    Between two batches the locks are free, so nobody waits long. A job that is started again goes
    on where it was: where the step was copied already, a person has judged the idea.
    """
    step = MarkingStep.objects.filter(pk=job.options["step"]).select_related("submission").first()
    if step is None or job.requested_by is None:
        raise InputError("The decision no longer exists.")
    if job.options.get("undo"):
        work: Sequence[Any] = copies_in_force(step)
    else:
        work = job.options["submissions"]
    for start in range(0, len(work), MOST_AT_ONCE):
        claim.progress("Submissions", start, len(work))
        batch = work[start : start + MOST_AT_ONCE]
        if job.options.get("undo"):
            _undo_copies(batch, job.requested_by)
        else:
            _copy_to(step.submission, step.pk, batch, job.requested_by)
    claim.finish()


def _start_copying(submission: Submission, options: dict[str, Any], author: User) -> Job:
    return job_start(
        kind=Job.Kind.COPY_STEP,
        assignment=submission.assignment,
        requested_by=author,
        options=options,
    )


@transaction.atomic
def _copy_to(
    submission: Submission, step_pk: int, chosen: Collection[int], author: User
) -> list[Submission]:
    """Take the step in the chosen submissions, and return these.

    The list was made before the locks: submissions that a person has judged since are skipped.
    """
    _lock([submission.pk, *chosen])
    desk = find_desk(submission)
    step = desk.steps.steps.get(step_pk) if desk else None
    if desk is None or step is None:
        return []
    same_wordings = Decision(desk, step).elsewhere(author, only=chosen)
    for same in same_wordings:
        step_take(
            desk=desk_of(same.submission, same.score),
            corrections=same.corrections,
            did=MarkingStep.Did(step.did),
            author=author,
            copy_of=step,
        )
    return [same.submission for same in same_wordings]


@transaction.atomic
def _undo_copies(copies: Sequence[MarkingStep], author: User) -> tuple[int, int]:
    """Undo copies that are still the last step on their desk.

    Returns how many were undone, and how many were not.
    """
    _lock([copy.submission_id for copy in copies])
    undone = 0
    for copy in copies:
        desk = find_desk(copy.submission)
        if desk and desk.steps.undo == copy:
            step_undo(desk=desk, author=author)
            undone += 1
    return undone, len(copies) - undone


def _lock(submissions: Collection[int]) -> None:
    """Lock the submissions, always in the same order: two graders never wait for each other."""
    rows = Submission.objects.select_for_update().filter(pk__in=submissions).order_by("pk")
    list(rows.values_list("pk"))


# --- files of annotations ---


@dataclass(frozen=True, slots=True)
class ProposedStep:
    """The corrections that a file was shown to make; ``stamp`` is what it was compared with."""

    submission: int
    stamp: str
    corrections: tuple[Correction, ...]


def annotations_take(
    *, proposed: Sequence[ProposedStep], submissions: Mapping[int, Submission], author: User
) -> tuple[list[Submission], list[Submission]]:
    """Take each file over as one step: those taken, and those that have changed since they were
    shown, which stay as they are.
    """
    imported: list[Submission] = []
    stale: list[Submission] = []
    for proposal in proposed:
        submission = submissions[proposal.submission]
        with transaction.atomic():
            desk = locked_desk(submission, proposal.stamp)
            if desk is not None:
                step_take(
                    desk=desk,
                    corrections=proposal.corrections,
                    did=MarkingStep.Did.FILE,
                    author=author,
                )
        (stale if desk is None else imported).append(submission)
    return imported, stale


# --- comments to students, and notes for graders: their earlier wording stays in the log ---


@transaction.atomic
def comment_write(
    *,
    submission: Submission,
    text: str,
    is_private: bool,
    author: User,
    spans: Spans = (),
    idea: tuple[StoredPyramid, int] | None = None,
) -> Comment:
    """Write about words, about an idea of a version, or (where both are empty) about the whole."""
    version, uid = idea or (None, None)
    comment = Comment.objects.create(
        submission=submission,
        text=text,
        is_private=is_private,
        spans=spans_to_json(spans),
        pyramid=version,
        scu_uid=uid,
        author=author,
    )
    _log_comment(comment, "wrote", author)
    return comment


@transaction.atomic
def saved_comment_write(
    *, course: Course, key: str, text: str, author: User, saved: SavedComment | None = None
) -> bool:
    """Save a comment for the graders of a course, or change one. False if another has its key."""
    Course.objects.select_for_update().get(pk=course.pk)
    with_key = course.saved_comments.filter(key=key).first()
    if with_key not in {None, saved}:
        return False
    if saved is None:
        SavedComment.objects.create(course=course, key=key, text=text, author=author)
    else:
        SavedComment.objects.filter(pk=saved.pk).update(key=key, text=text)
    return True


@transaction.atomic
def comment_change(*, comment: Comment, text: str, author: User) -> None:
    """Give the comment other words. The words of before stay in the submission's history."""
    locked = Comment.objects.select_for_update().get(pk=comment.pk)
    if locked.text == text:
        return
    before, locked.text, locked.edited_at = locked.text, text, timezone.now()
    locked.save(update_fields=["text", "edited_at"])
    _log_comment(locked, "changed", author, text_before=before)


@transaction.atomic
def comment_delete(*, comment: Comment, author: User) -> None:
    """Hide it. Its text is kept, so that it can be restored."""
    not_deleted = Comment.objects.filter(pk=comment.pk, deleted_at=None)
    if not_deleted.update(deleted_at=timezone.now()):
        _log_comment(comment, "deleted", author, text_before=comment.text)


@transaction.atomic
def comment_restore(*, comment: Comment, author: User) -> None:
    deleted = Comment.objects.filter(pk=comment.pk, deleted_at__isnull=False)
    if deleted.update(deleted_at=None):
        _log_comment(comment, "restored", author)


def _log_comment(comment: Comment, did: str, author: User, *, text_before: str = "") -> None:
    SubmissionEvent.objects.create(
        submission_id=comment.submission_id,
        kind=SubmissionEvent.Kind.COMMENT,
        author=author,
        document={
            "comment": comment.pk,
            "did": did,
            "private": comment.is_private,
            "text": comment.text,
            "text_before": text_before,
        },
    )
