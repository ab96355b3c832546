"""Steps of the marking desk: each scores anew, is logged, and is undone to the letter."""

import random
from collections.abc import Callable

import pytest

from grading.marking.actions import TakenStep, locked_desk, step_redo, step_take, step_undo
from grading.marking.queries import Desk, desk_of
from grading.models import (
    Assignment,
    MarkingStep,
    MatchCorrection,
    Score,
    SubmissionEvent,
)
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Span
from grading.pyramids.actions import draft_from_version
from grading.scoring.conversion import report_from_row
from grading.scoring.scores import submissions_start_scoring
from grading.second_looks.actions import (
    Subject,
    second_look_answer,
    second_look_ask,
    second_look_stamp,
)
from tests.conftest import SUMMARY, Cast
from tests.scoring.test_corrections import missed, newest, publish, scored, work

__all__ = ["scored"]

DID = MarkingStep.Did
FIRST = (Span(0, SUMMARY.index(" Dark")),)
BICYCLE = (Span(SUMMARY.index("My uncle"), len(SUMMARY)),)


def desk(score: Score) -> Desk:
    return desk_of(score.submission, newest(score.submission))


def take(cast: Cast, score: Score, *corrections: Correction, did: str = DID.ADDED) -> TakenStep:
    return step_take(
        desk=desk(score), corrections=corrections, did=MarkingStep.Did(did), author=cast.ta
    )


def undo(cast: Cast, score: Score) -> TakenStep:
    return step_undo(desk=desk(score), author=cast.ta)


def redo(cast: Cast, score: Score) -> TakenStep:
    return step_redo(desk=desk(score), author=cast.ta)


def added(score: Score) -> Correction:
    return Correction(missed(score), Verdict.MATCHED, BICYCLE)


def left_out() -> Correction:
    return Correction(None, Verdict.EXCLUDED, BICYCLE)


def test_a_step_scores_anew_and_is_logged(cast: Cast, scored: Score) -> None:
    taken = take(cast, scored, added(scored))

    assert taken.after.raw > taken.before.raw
    assert (taken.after.revision, taken.after.corrections) == (1, 1)
    event = SubmissionEvent.objects.get(kind=SubmissionEvent.Kind.CORRECTED)
    assert (event.author, event.document["did"]) == (cast.ta, "added")
    assert event.document["before"]["coverage"] == scored.coverage
    assert event.document["after"]["coverage"] == taken.after.coverage
    assert taken.step.about == event.document["label"]


def test_a_part_is_left_out(cast: Cast, scored: Score) -> None:
    taken = take(cast, scored, left_out(), did=DID.EXCLUDED)

    assert taken.after.statements == scored.statements - 1
    assert taken.after.quality > scored.quality
    assert "My uncle" in taken.step.about
    assert desk_of(scored.submission, taken.after).excluded == BICYCLE


def test_undoing_everything_gives_the_programs_own_report(cast: Cast, scored: Score) -> None:
    match = report_from_row(scored).evidence.matches[0]
    take(cast, scored, added(scored))
    take(cast, scored, Correction(match.scu_uid, Verdict.REMOVED), did=DID.REMOVED)
    middle = take(cast, scored, left_out(), did=DID.EXCLUDED).before

    assert undo(cast, scored).after.document == middle.document
    undo(cast, scored)
    last = undo(cast, scored)

    assert last.after.document == scored.document
    assert (last.after.corrections, last.after.revision) == (0, 6)
    with pytest.raises(InputError, match="nothing to undo"):
        undo(cast, scored)


def test_what_was_undone_is_done_again(cast: Cast, scored: Score) -> None:
    after = take(cast, scored, added(scored)).after
    undo(cast, scored)

    again = redo(cast, scored)

    assert again.after.document == after.document
    assert desk_of(scored.submission, again.after).steps.undo
    assert not desk_of(scored.submission, again.after).steps.redo
    undo(cast, scored)
    assert newest(scored.submission).document == scored.document
    assert MatchCorrection.objects.count() == 1


def test_whoever_goes_on_after_undoing_cannot_redo(cast: Cast, scored: Score) -> None:
    take(cast, scored, added(scored))
    undo(cast, scored)
    take(cast, scored, left_out(), did=DID.EXCLUDED)

    with pytest.raises(InputError, match="nothing to do again"):
        redo(cast, scored)


def test_a_step_that_comes_too_late_does_nothing(cast: Cast, scored: Score) -> None:
    old = desk(scored).stamp
    assert locked_desk(scored.submission, old)
    after = take(cast, scored, added(scored)).desk

    assert locked_desk(scored.submission, old) is None
    assert locked_desk(scored.submission, after.stamp)


def test_the_desk_after_a_step_is_the_desk_that_would_be_read(cast: Cast, scored: Score) -> None:
    ways: tuple[Callable[[], TakenStep], ...] = (
        lambda: take(cast, scored, added(scored)),
        lambda: take(cast, scored, left_out(), did=DID.EXCLUDED),
        lambda: undo(cast, scored),
        lambda: redo(cast, scored),
    )
    for way in ways:
        taken = way()
        read = desk_of(scored.submission, taken.after)
        after = taken.desk
        assert after.stamp == read.stamp
        assert after.corrections == read.corrections
        assert after.decisions == read.decisions
        assert (after.excluded, after.report) == (read.excluded, read.report)
        assert after.steps == read.steps


def test_an_idea_that_is_not_there_is_refused_whole(cast: Cast, scored: Score) -> None:
    with pytest.raises(InputError, match="not in the pyramid"):
        take(cast, scored, added(scored), Correction(999, Verdict.REMOVED))

    assert not MarkingStep.objects.exists()
    assert not MatchCorrection.objects.exists()


def test_an_answer_to_a_second_look_outlasts_what_is_undone(cast: Cast, scored: Score) -> None:
    """The desk says not told, the answer counts it; undoing the desk's step leaves the answer."""
    correction = added(scored)
    take(cast, scored, Correction(correction.scu_uid, Verdict.REMOVED), did=DID.REMOVED)
    look = second_look_ask(score=newest(scored.submission), subject=Subject(BICYCLE), reason="It.")
    score = newest(scored.submission)
    second_look_answer(
        second_look=look,
        correction=correction,
        text="Yes.",
        author=cast.ta,
        stamp=second_look_stamp(look, score),
    )
    counted = newest(scored.submission)

    assert undo(cast, scored).after.document == counted.document

    look.refresh_from_db()
    second_look_answer(
        second_look=look,
        correction=None,
        text="No.",
        author=cast.ta,
        stamp=second_look_stamp(look, newest(scored.submission)),
    )
    assert newest(scored.submission).document == scored.document


def test_steps_are_carried_to_the_next_version(cast: Cast, scored: Score) -> None:
    take(cast, scored, added(scored))
    before = take(cast, scored, left_out(), did=DID.EXCLUDED).after
    publish(draft_from_version(version=scored.pyramid, author=cast.instructor), cast)
    work()

    now = newest(scored.submission)
    assert (now.pyramid.number, now.statements, now.raw) == (2, before.statements, before.raw)
    undo(cast, now)
    undone = undo(cast, now)
    assert (
        undone.after.document == now.submission.scores.get(pyramid=now.pyramid, revision=0).document
    )


def test_words_that_a_version_counts_all_the_same_are_told(cast: Cast, scored: Score) -> None:
    few = (Span(BICYCLE[0].start, BICYCLE[0].start + 8),)

    after = take(cast, scored, Correction(None, Verdict.EXCLUDED, few), did=DID.EXCLUDED).after

    assert desk_of(scored.submission, after).excluded_but_counted == few
    assert after.statements == scored.statements


@pytest.mark.parametrize("seed", range(4))
def test_any_walk_gives_the_same_after_rescoring(
    cast: Cast, scored: Score, assignment: Assignment, engine: Engine, seed: int
) -> None:
    del engine
    chance = random.Random(seed)  # noqa: S311  (a walk that can be walked again)
    match = report_from_row(scored).evidence.matches[0]
    ways = [
        (DID.ADDED, added(scored)),
        (DID.CONFIRMED, Correction(match.scu_uid, Verdict.CONFIRMED, match.spans)),
        (DID.REMOVED, Correction(match.scu_uid, Verdict.REMOVED)),
        (DID.MOVED, Correction(match.scu_uid, Verdict.MATCHED, BICYCLE)),
        (DID.AS_FOUND, Correction(match.scu_uid, Verdict.AS_FOUND)),
        (DID.EXCLUDED, Correction(None, Verdict.EXCLUDED, FIRST)),
        (DID.COUNTED, Correction(None, Verdict.COUNTED, FIRST)),
    ]
    for _ in range(12):
        steps = desk(scored).steps
        if chance.random() < 0.3 and steps.undo:
            undo(cast, scored)
        elif chance.random() < 0.3 and steps.redo:
            redo(cast, scored)
        else:
            did, correction = chance.choice(ways)
            take(cast, scored, correction, did=did)
    walked = newest(scored.submission)

    Score.objects.all().delete()
    submissions_start_scoring(assignment=assignment, requested_by=None)
    work()

    assert newest(scored.submission).document == walked.document
    while desk(scored).steps.undo:
        undo(cast, scored)
    assert newest(scored.submission).document == scored.document
