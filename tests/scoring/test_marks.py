"""What people marked, as labels: blind annotations, reviewed texts, and single corrections."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from grading.calibration.actions import annotation_save, round_draw
from grading.models import Assignment, Score, StoredPyramid
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramids.actions import draft_from_version
from grading.queue.actions import reviews_complete, reviews_reopen
from grading.scoring.conversion import report_from_row
from grading.scoring.marks import MarkCounts, MarkedText, count_marks, marked_texts
from tests.calibration.test_actions import STUDENTS, handed_in
from tests.conftest import Cast
from tests.marking.test_actions import left_out, take, undo
from tests.scoring.test_corrections import missed, newest, publish, scored, work

__all__ = ["handed_in", "scored"]


def marks_of(score: Score, version: StoredPyramid | None = None) -> MarkedText | None:
    assignment = score.submission.assignment
    result = marked_texts(assignment, version or score.pyramid)
    return next((text for text in result if text.submission == score.submission), None)


def matched(score: Score) -> set[int]:
    return {match.scu_uid for match in report_from_row(score).evidence.matches}


def expressed(text: MarkedText | None) -> set[int]:
    assert text is not None
    return {mark.idea for mark in text.marks if mark.is_expressed}


def review(cast: Cast, score: Score) -> None:
    reviews_complete(
        assignment=score.submission.assignment,
        submissions=[score.submission_id],
        user=cast.ta,
    )


def test_nobody_has_marked_anything(scored: Score) -> None:
    assert marks_of(scored) is None
    counts = count_marks(scored.submission.assignment)
    assert counts == MarkCounts(blind=0, reviewed=0, corrections=0, corrected=0, graders=0)
    assert counts.is_empty


def test_of_a_corrected_text_the_rest_counts_half_as_the_program_has_it(
    cast: Cast, scored: Score
) -> None:
    added, removed = missed(scored), min(matched(scored))
    take(cast, scored, Correction(added, Verdict.MATCHED, left_out().spans))
    take(cast, newest(scored.submission), Correction(removed, Verdict.REMOVED))

    text = marks_of(scored)

    assert text is not None
    assert not text.is_whole
    weights = {mark.idea: mark.weight for mark in text.marks}
    assert {idea for idea, weight in weights.items() if weight == 1} == {added, removed}
    assert set(weights.values()) == {1, 0.5}
    assert expressed(text) == (matched(scored) | {added}) - {removed}
    assert count_marks(scored.submission.assignment) == MarkCounts(0, 0, 2, 1, 1)


def test_of_a_reviewed_text_every_idea_counts_as_it_was_left(cast: Cast, scored: Score) -> None:
    added = missed(scored)
    take(cast, scored, Correction(added, Verdict.MATCHED, left_out().spans))
    review(cast, scored)

    text = marks_of(scored)

    assert text is not None
    assert text.is_whole
    assert {mark.weight for mark in text.marks} == {1}
    assert expressed(text) == matched(scored) | {added}
    assert count_marks(scored.submission.assignment) == MarkCounts(0, 1, 1, 1, 1)


def test_what_is_corrected_after_the_review_holds_as_well(cast: Cast, scored: Score) -> None:
    review(cast, scored)
    assert expressed(marks_of(scored)) == matched(scored)
    removed = min(matched(scored))
    take(cast, newest(scored.submission), Correction(removed, Verdict.REMOVED))

    assert expressed(marks_of(scored)) == matched(scored) - {removed}


def test_what_is_undone_or_no_longer_reviewed_teaches_nothing(cast: Cast, scored: Score) -> None:
    take(cast, scored, Correction(missed(scored), Verdict.MATCHED, left_out().spans))
    undo(cast, scored)
    assert marks_of(scored) is None
    review(cast, scored)
    reviews_reopen(
        assignment=scored.submission.assignment,
        submissions=[scored.submission_id],
        user=cast.ta,
    )
    assert marks_of(scored) is None


def test_nothing_is_known_of_ideas_whose_words_were_excluded(cast: Cast, scored: Score) -> None:
    take(cast, scored, left_out())
    review(cast, scored)
    gone = matched(scored) - matched(newest(scored.submission))

    text = marks_of(scored)

    assert text is not None
    assert gone.isdisjoint(mark.idea for mark in text.marks)
    assert expressed(text) == matched(scored) - gone


def test_marks_follow_their_ideas_into_another_version(cast: Cast, scored: Score) -> None:
    added = missed(scored)
    take(cast, scored, Correction(added, Verdict.MATCHED, left_out().spans))
    before = marks_of(scored)
    version = publish(draft_from_version(version=scored.pyramid, author=cast.instructor), cast)
    work()

    after = marks_of(scored, version)

    assert before is not None
    assert after is not None
    assert set(after.marks) == set(before.marks)


def test_blind_annotations_count_whole_and_come_before_corrections(
    cast: Cast, handed_in: Assignment
) -> None:
    sample = round_draw(assignment=handed_in, texts=STUDENTS, author=cast.ta)
    first, second = sample.texts.all()[:2]
    for person in (cast.ta, cast.instructor):
        annotation_save(text=first, annotator=person, ideas={1: ()}, is_done=True)
    annotation_save(text=second, annotator=cast.ta, ideas={2: ()}, is_done=False)
    score = newest(first.submission)
    take(cast, score, Correction(missed(score), Verdict.MATCHED, left_out().spans))

    (text,) = marked_texts(handed_in, score.pyramid)

    assert text.submission == first.submission
    assert text.is_whole
    assert expressed(text) == {1}
    assert {mark.weight for mark in text.marks} == {0.5}  # each of the two people
    assert marked_texts(handed_in, score.pyramid, only_blind=True) == [text]
    assert count_marks(handed_in) == MarkCounts(1, 0, 1, 1, 1)


@pytest.mark.parametrize("reviewed", [1, STUDENTS])
def test_counting_takes_the_same_queries_for_any_class(
    cast: Cast, handed_in: Assignment, reviewed: int
) -> None:
    for submission in handed_in.submissions.order_by("pk")[:reviewed]:
        score = newest(submission)
        take(cast, score, Correction(missed(score), Verdict.MATCHED, left_out().spans))
        review(cast, score)

    with CaptureQueriesContext(connection) as queries:
        counts = count_marks(handed_in)

    assert counts.corrections == reviewed
    assert len(queries) <= 6
