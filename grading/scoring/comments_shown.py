"""Comments as their student reads them, beside the places that they are about.

Notes for graders are not asked for here. Of an idea that the text lacks, no more is shown than the
student sees of such ideas.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from grading.models import Comment, Missed, Score, Sight, Submission
from grading.pyramid.formats.pyramid_json import spans_from_json
from grading.pyramid.structures import Spans
from grading.scoring.conversion import report_from_row, submission_to_text
from grading.scoring.corrections import Carrier


@dataclass(frozen=True, slots=True)
class ShownComment:
    """``uid`` is the idea that it is about, where the text has it; ``label`` as far as shown."""

    comment: Comment
    number: int
    spans: Spans
    words: str
    uid: int | None
    label: str

    @property
    def start(self) -> int:
        return self.spans[0].start

    @property
    def lit(self) -> str:
        """Its words, for the script that underlines them."""
        return " ".join(f"{span.start}-{span.end}" for span in self.spans)


def comments_shown(
    submission: Submission, score: Score | None, sight: Sight
) -> tuple[ShownComment, ...]:
    """Comments in the order in which they were written; none while the result is unreleased."""
    if not sight.shown:
        return ()
    rows = submission.comments.to_the_student().select_related("author", "pyramid")
    return shown_of(submission, score, sight, rows)


def shown_of(
    submission: Submission, score: Score | None, sight: Sight, rows: Iterable[Comment]
) -> tuple[ShownComment, ...]:
    """The same of rows that are known."""
    comments = list(rows)
    text = submission_to_text(submission)
    about = _Ideas(score if any(row.scu_uid is not None for row in comments) else None, sight)
    return tuple(
        ShownComment(row, number, spans, text.quoted(spans), *about.idea(row))
        for number, row in enumerate(comments, start=1)
        for spans in (spans_from_json(row.spans) if row.spans else (),)
    )


class _Ideas:
    """What may be shown of ideas that comments are about."""

    def __init__(self, score: Score | None, sight: Sight) -> None:
        self._carrier = Carrier.to_version(score.pyramid) if score else None
        matches = report_from_row(score).evidence.credited if score else ()
        self._found = {match.scu_uid for match in matches}
        self._sight = sight

    def idea(self, row: Comment) -> tuple[int | None, str]:
        uid = self._carrier.uid_of(row) if self._carrier else None
        if uid is None or self._carrier is None:
            return None, ""
        if uid in self._found or self._sight.missed >= Missed.LABELS:
            return uid if uid in self._found else None, self._carrier.label(uid)
        return None, ""
