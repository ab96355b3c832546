"""The same wording in other submissions: where a grader's decision may apply as well. Read-only.

Only what no person has judged is found: no idea that a grader or a second look decided, no text
that is reviewed or that another grader has claimed, and nothing that the grader wrote.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from grading.marking.queries import Desk
from grading.models import MarkingStep, Review, Score, Submission, User
from grading.models.reviews import numbers_of
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.editing.wording import shortened
from grading.pyramid.same_wording import (
    SHORTEST_STEM,
    Wording,
    find_wording,
    is_nearly,
    may_contain,
    wording_of,
)
from grading.pyramid.structures import Match, Spans, Text, shared_length
from grading.scoring.conversion import report_from_row, submission_to_text
from grading.scoring.corrections import corrections_of

MOST_FOUND = 1_000
_EXCERPT = 60  # characters on either side of the words


@dataclass(frozen=True, slots=True)
class SameWording:
    """A submission in which the decision may apply, and the corrections that would apply it.

    ``before``, ``words`` and ``after`` are an excerpt. ``is_equal``: word for word.
    """

    submission: Submission
    score: Score
    corrections: tuple[Correction, ...]
    before: str
    words: str
    after: str
    is_equal: bool


class Decision:
    """One step on a desk, as something that may be done in other submissions too."""

    def __init__(self, desk: Desk, step: MarkingStep) -> None:
        self.desk, self.step = desk, step
        self.version = desk.score.pyramid
        rows = [row for row in desk.rows if row.step_id == step.pk]
        of_this_version = [row for row in rows if row.pyramid_id == self.version.pk]
        self.corrections = tuple(desk.carrier.carried(of_this_version))

    @cached_property
    def wording(self) -> Wording:
        """The words that were decided on; empty where the step cannot be repeated elsewhere."""
        is_in_force = self.step.pk in self.desk.steps.history.in_force
        if not is_in_force or not self.step.is_repeatable:
            return ()
        text = submission_to_text(self.desk.score.submission)
        if chosen := [
            correction.spans for correction in self.corrections if correction.verdict.is_match
        ]:
            return wording_of(text.words_at(chosen[0]))
        # Only a removal names no words: they are those of the program's match.
        evidence = self.desk.machine.evidence
        uids = {correction.scu_uid for correction in self.corrections}
        matches = (*evidence.matches, *evidence.possible)
        spans = next((match.spans for match in matches if match.scu_uid in uids), ())
        return wording_of(text.words_at(spans))

    def elsewhere(self, grader: User, only: Collection[int] | None = None) -> list[SameWording]:
        """The same wording in submissions that count, in at most seven queries; ``only`` in some
        of them.
        """
        if not self.wording:
            return []
        submission = self.desk.score.submission
        rows = submission.assignment.submissions.latest_attempts().select_related("student")
        rows = rows.exclude(pk=submission.pk).exclude(student=grader).order_by("pk")
        if only is not None:
            rows = rows.filter(pk__in=list(only))
        probe = max(self.wording, key=len)[:SHORTEST_STEM]  # spares most texts a closer look
        others = [
            row
            for row in rows
            if (not probe.isascii() or probe in row.text.casefold())
            and may_contain(wording_of(row.text), self.wording)
        ]
        for other in others:
            other.assignment = submission.assignment  # saves a query for each
        scores = self._scores(others)
        # The ideas that a person has decided.
        uid_of = self.desk.carrier.uid_of
        corrections = corrections_of(others)
        judged = {pk: {uid_of(row) for row in rows} for pk, rows in corrections.items()}
        same_wordings = []
        for other in _unreviewed(others, scores, grader):
            score = scores[other.pk]
            same = self._same_in(other, score, judged.get(other.pk, ()))
            if same is not None:
                same_wordings.append(same)
        return same_wordings[:MOST_FOUND]

    def _scores(self, submissions: Sequence[Submission]) -> dict[int, Score]:
        """The newest scores, where they are of the same version."""
        rows = Score.objects.filter(submission__in=[row.pk for row in submissions])
        light = rows.select_related("pyramid").defer("pyramid__document").oldest_first()
        newest = {score.submission_id: score for score in light}
        same = {pk: row for pk, row in newest.items() if row.pyramid_id == self.version.pk}
        for score in same.values():
            score.pyramid = self.version  # this object is parsed already
        return same

    def _same_in(
        self, submission: Submission, score: Score, judged: Collection[int | None]
    ) -> SameWording | None:
        """The same words in this submission, if the program alone has judged them so far."""
        if any(correction.scu_uid in judged for correction in self.corrections):
            return None
        text = submission_to_text(submission)
        evidence = report_from_row(score).evidence
        matches = {
            match.scu_uid: match
            for match in (*evidence.possible, *evidence.matches)
            if not match.by_hand and not match.held
        }
        spans = self._matched_spans(text, matches)
        if not spans and all(
            correction.verdict is Verdict.MATCHED for correction in self.corrections
        ):
            wording_spans = find_wording(text.content, self.wording)
            spans = (wording_spans,) if wording_spans else ()
        if not spans or shared_length(spans, evidence.held):
            return None
        corrections = [
            self._correction_for(correction, spans, matches) for correction in self.corrections
        ]
        if None in corrections:
            return None  # other words have the idea there
        start, end = spans[0].start, spans[-1].end
        return SameWording(
            submission=submission,
            score=score,
            corrections=tuple(filter(None, corrections)),
            before=_tail(text.content[:start]),
            words=text.quoted(spans),
            after=shortened(" ".join(text.content[end:].split()), _EXCERPT + 1),
            is_equal=wording_of(text.words_at(spans)) == self.wording,
        )

    def _matched_spans(self, text: Text, matches: dict[int, Match]) -> Spans:
        """The words of the program's match of an idea that was decided, if they are the same."""
        for correction in self.corrections:
            match = matches.get(correction.scu_uid or 0)
            if match and is_nearly(wording_of(text.words_at(match.spans)), self.wording):
                return match.spans
        return ()

    def _correction_for(
        self, decided: Correction, spans: Spans, matches: dict[int, Match]
    ) -> Correction | None:
        """The decision for the words of the other submission; None where it does not fit them."""
        match = matches.get(decided.scu_uid or 0)
        if match is None:
            is_new = decided.verdict is Verdict.MATCHED
            return Correction(decided.scu_uid, Verdict.MATCHED, spans) if is_new else None
        if match.spans != spans:
            return None
        if decided.verdict is Verdict.REMOVED:
            return Correction(decided.scu_uid, Verdict.REMOVED)
        return Correction(decided.scu_uid, Verdict.CONFIRMED, spans)


def copies_in_force(step: MarkingStep) -> list[MarkingStep]:
    """The copies of a step that are not undone, with their submissions; two queries."""
    copies = list(step.copies.select_related("submission__assignment__course").order_by("pk"))
    submissions = {copy.submission_id: copy.submission for copy in copies}
    corrections = corrections_of(submissions.values()).values()
    in_force = {row.step_id for rows in corrections for row in rows}
    return [copy for copy in copies if copy.pk in in_force]


def _unreviewed(
    submissions: Sequence[Submission], scores: dict[int, Score], grader: User
) -> Iterator[Submission]:
    """Submissions with a score that are neither reviewed nor claimed by another grader."""
    if not submissions:
        return
    reviews = Review.objects.of_students(
        submissions[0].assignment, [submission.student_id for submission in submissions]
    ).select_related("claimed_by")
    by_student = {review.student_id: review for review in reviews}
    for submission in submissions:
        score, review = scores.get(submission.pk), by_student.get(submission.student_id)
        if score is None:
            continue
        score.submission = submission
        if review and review.is_claimed_by_another(grader):
            continue
        if review and review.is_up_to_date(submission, numbers_of(score)):
            continue
        yield submission


def _tail(words: str) -> str:
    folded = " ".join(words.split())
    if not folded:
        return ""  # and no space before the first word of a text
    return f"…{folded[-_EXCERPT:]} " if len(folded) > _EXCERPT else f"{folded} "
