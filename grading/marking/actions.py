"""What graders do on the marking desk: steps that correct matches, files of annotations, comments.

A step is only ever added: an undo is a step too. Steps of one submission are taken one after the
other, under a lock of its row. A step is refused where the score or the last step is another one
than the grader looked at.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from grading.marking.queries import Desk, find_desk
from grading.models import (
    Comment,
    MarkingStep,
    MatchCorrection,
    Review,
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
from grading.scoring.corrections import score_correct, score_numbers

MOST_NAMED = 3  # ideas or words, in the title of a step


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
    *, desk: Desk, corrections: Sequence[Correction], did: MarkingStep.Did, author: User
) -> TakenStep:
    """Add a step with its corrections, and score again.

    Call it in the transaction that locked the submission before the desk was read; so the others.
    """
    submission, version = desk.score.submission, desk.score.pyramid
    about = step_title(desk, submission, corrections)
    step = MarkingStep.objects.create(submission=submission, did=did, about=about, author=author)
    rows = MatchCorrection.objects.bulk_create(
        MatchCorrection(
            submission=submission,
            pyramid=version,
            scu=correction.scu,
            verdict=correction.verdict,
            spans=spans_to_json(correction.spans),
            step=step,
            author=author,
        )
        for correction in corrections
    )
    return _score_step(desk.with_step(step, rows), step, step, author)


def step_undo(*, desk: Desk, author: User) -> TakenStep:
    """Undo the last step that holds, whoever took it."""
    return _reverse_step(desk, desk.steps.history.undo, MarkingStep.Did.UNDID, author)


def step_redo(*, desk: Desk, author: User) -> TakenStep:
    """Undo the last undo."""
    return _reverse_step(desk, desk.steps.history.redo, MarkingStep.Did.REDID, author)


def _reverse_step(desk: Desk, undoes: int | None, did: MarkingStep.Did, author: User) -> TakenStep:
    if undoes is None:
        what = "undo" if did == MarkingStep.Did.UNDID else "do again"
        raise InputError(f"There is nothing to {what}.")
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
    """Score with the corrections that hold now, and log the step; ``root`` is what it is about."""
    before = desk.score
    after = score_correct(
        machine=desk.machine_score, carrier=desk.carrier, rows=desk.holding_rows, newest=before
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
        if correction.scu is None:
            titles.append(text.quoted(correction.spans))
        elif correction.scu in labels:
            titles.append(labels[correction.scu])
        else:
            raise InputError("This idea is not in the pyramid that scored the text.")
    more = f" and {len(titles) - MOST_NAMED} more" if len(titles) > MOST_NAMED else ""
    return f"{'; '.join(titles[:MOST_NAMED])}{more}"


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
    taken: list[Submission] = []
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
        (stale if desk is None else taken).append(submission)
    return taken, stale


# --- comments to students, and notes for graders: what they said before stays in the log ---


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
        scu=uid,
        author=author,
    )
    _log_comment(comment, "wrote", author)
    return comment


@transaction.atomic
def comment_change(*, comment: Comment, text: str, author: User) -> None:
    locked = Comment.objects.select_for_update().get(pk=comment.pk)
    if locked.text == text:
        return
    before, locked.text, locked.edited_at = locked.text, text, timezone.now()
    locked.save(update_fields=["text", "edited_at"])
    _log_comment(locked, "changed", author, text_before=before)


@transaction.atomic
def comment_delete(*, comment: Comment, author: User) -> None:
    """Hide it. Its text is kept, so that it can be restored."""
    there = Comment.objects.filter(pk=comment.pk, deleted_at=None)
    if there.update(deleted_at=timezone.now()):
        _log_comment(comment, "deleted", author, text_before=comment.text)


@transaction.atomic
def comment_restore(*, comment: Comment, author: User) -> None:
    deleted = Comment.objects.filter(pk=comment.pk, deleted_at__isnull=False)
    if deleted.update(deleted_at=None):
        _log_comment(comment, "brought back", author)


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
