"""Comments to students and notes among graders: what they said before stays in the log."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from grading.models import Comment, StoredPyramid, Submission, SubmissionEvent, User
from grading.pyramid.formats.pyramid_json import spans_to_json
from grading.pyramid.structures import Spans


@dataclass(frozen=True, slots=True)
class Place:
    """What a comment is about: words, an idea of a version, or (neither) the whole."""

    spans: Spans = ()
    pyramid: StoredPyramid | None = None
    scu: int | None = None


@transaction.atomic
def comment_write(
    *, submission: Submission, text: str, is_private: bool, place: Place, author: User
) -> Comment:
    comment = Comment.objects.create(
        submission=submission,
        text=text,
        is_private=is_private,
        spans=spans_to_json(place.spans),
        pyramid=place.pyramid if place.scu is not None else None,
        scu=place.scu,
        author=author,
    )
    _log(comment, "wrote", author, "")
    return comment


@transaction.atomic
def comment_change(*, comment: Comment, text: str, author: User) -> None:
    locked = Comment.objects.select_for_update().get(pk=comment.pk)
    if locked.text == text:
        return
    before, locked.text, locked.edited_at = locked.text, text, timezone.now()
    locked.save(update_fields=["text", "edited_at"])
    _log(locked, "changed", author, before)


@transaction.atomic
def comment_delete(*, comment: Comment, author: User) -> None:
    """Its text stays with it, and can be brought back."""
    if Comment.objects.filter(pk=comment.pk, deleted_at=None).update(deleted_at=timezone.now()):
        _log(comment, "deleted", author, comment.text)


@transaction.atomic
def comment_bring_back(*, comment: Comment, author: User) -> None:
    gone = Comment.objects.filter(pk=comment.pk, deleted_at__isnull=False)
    if gone.update(deleted_at=None):
        _log(comment, "brought back", author, "")


def _log(comment: Comment, did: str, author: User, before: str) -> None:
    SubmissionEvent.objects.create(
        submission_id=comment.submission_id,
        kind=SubmissionEvent.Kind.COMMENT,
        author=author,
        document={
            "comment": comment.pk,
            "did": did,
            "private": comment.is_private,
            "text": comment.text,
            "text_before": before,
        },
    )
