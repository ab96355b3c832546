"""Comments and notes as the marking desk shows them."""

from dataclasses import dataclass

from grading.models import Comment, Submission, User
from grading.pyramid.formats.pyramid_json import spans_from_json
from grading.pyramid.structures import Spans
from grading.scoring.conversion import submission_to_text
from grading.scoring.corrections import Carrier


@dataclass(frozen=True, slots=True)
class DeskComment:
    """``number`` stands in the text behind the words that it is about."""

    comment: Comment
    number: int
    spans: Spans
    words: str
    idea: str  # its number and label
    is_own: bool

    @property
    def is_deleted(self) -> bool:
        return self.comment.deleted_at is not None


def comments_of_desk(
    submission: Submission, reader: User, carrier: Carrier | None
) -> tuple[DeskComment, ...]:
    """Those that are there, numbered, and then what the reader has deleted of their own."""
    text = submission_to_text(submission)
    rows = list(submission.comments.select_related("author", "pyramid"))
    there = [row for row in rows if row.deleted_at is None]
    gone = [row for row in rows if row.deleted_at is not None and row.author_id == reader.pk]
    return tuple(
        DeskComment(
            comment=row,
            number=number,
            spans=spans_of_comment(row),
            words=text.quoted(spans_of_comment(row)),
            idea=_idea(row, carrier),
            is_own=row.author_id == reader.pk,
        )
        for number, row in enumerate([*there, *gone], start=1)
    )


def spans_of_comment(comment: Comment) -> Spans:
    return spans_from_json(comment.spans) if comment.spans else ()


def _idea(comment: Comment, carrier: Carrier | None) -> str:
    if comment.scu is None or carrier is None:
        return ""
    uid = carrier.uid_of(comment)
    return "that this version does not have" if uid is None else f"{uid} {carrier.label(uid)}"
