"""Second looks: asked for once, answered once, and what counts by them is in the score."""

from dataclasses import replace

import pytest

from grading.models import Missed, Score, SecondLook, SubmissionEvent, User
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import pyramid_to_json, report_to_json
from grading.pyramid.structures import Evidence, Match, Span
from grading.pyramids.actions import draft_from_version
from grading.pyramids.queries import correction_warnings
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.corrections import match_correct
from grading.scoring.second_looks import ideas_by_second_look
from grading.second_looks.actions import (
    MOST_ASKED,
    MOST_OPEN,
    Subject,
    second_look_answer,
    second_look_ask,
    second_look_prospect,
    second_look_stamp,
    second_look_withdraw,
)
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.drafts.test_drafts_at_once import at_once
from tests.scoring.test_corrections import missed, newest, publish, scored, work

__all__ = ["scored"]

UNCLE = (Span(SUMMARY.index("My uncle"), len(SUMMARY)),)
STATE = SecondLook.State


def ask(score: Score, reason: str = "It says so.") -> SecondLook:
    return second_look_ask(score=score, subject=Subject(UNCLE), reason=reason)


def told_correction(score: Score, scu: int | None = None) -> Correction:
    return Correction(missed(score) if scu is None else scu, Verdict.MATCHED, UNCLE)


def answer(
    look: SecondLook, author: User, correction: Correction | None, stamp: str = "", text: str = "No"
) -> bool:
    stamp = stamp or second_look_stamp(look, newest(look.submission))
    return second_look_answer(
        second_look=look, correction=correction, text=text, author=author, stamp=stamp
    )


def events(*kinds: SubmissionEvent.Kind) -> list[SubmissionEvent]:
    return list(SubmissionEvent.objects.filter(kind__in=kinds).order_by("pk"))


def test_a_request_is_kept_with_what_the_student_saw(cast: Cast, scored: Score) -> None:
    subject = Subject(UNCLE, missed(scored), "trees, water", Missed.HINTS)

    look = second_look_ask(score=scored, subject=subject, reason="Leaves are green too.")

    assert (look.state, look.pyramid, look.scu_uid) == (STATE.OPEN, scored.pyramid, missed(scored))
    assert (look.shown_as, look.spans) == ("trees, water", [[UNCLE[0].start, UNCLE[0].end]])
    event = SubmissionEvent.objects.get()
    assert (event.kind, event.author) == (SubmissionEvent.Kind.ASKED, cast.student)
    assert event.document == {"second_look": look.pk, "level": Missed.HINTS}


def test_a_request_sent_twice_is_one(scored: Score) -> None:
    assert ask(scored) == ask(scored)
    assert ask(scored, "Another reason.") != ask(scored)
    assert SecondLook.objects.count() == 2


def test_so_many_wait_and_no_more(cast: Cast, scored: Score) -> None:
    looks = [ask(scored, f"Reason {number}") for number in range(MOST_OPEN)]
    with pytest.raises(InputError, match="waiting for an answer"):
        ask(scored, "One more")

    second_look_withdraw(second_look=looks[0], author=cast.student)

    assert ask(scored, "One more").is_open


def test_nobody_asks_without_end(cast: Cast, scored: Score) -> None:
    for number in range(MOST_ASKED):
        look = ask(scored, f"Reason {number}")
        second_look_withdraw(second_look=look, author=cast.student)

    with pytest.raises(InputError, match="asked 30 times"):
        ask(scored, "One more")


def test_of_two_requests_for_one_idea_the_second_answer_is_shown_the_first(
    cast: Cast, scored: Score
) -> None:
    first, two = ask(scored, "One"), ask(scored, "Two")
    seen = second_look_stamp(two, scored)
    assert answer(first, cast.ta, told_correction(scored))

    assert not answer(two, cast.instructor, told_correction(scored), seen)

    two.refresh_from_db()
    assert two.is_open


def test_only_what_waits_can_be_withdrawn(cast: Cast, scored: Score) -> None:
    first, second = ask(scored), ask(scored, "Another")
    answer(second, cast.ta, None)

    assert second_look_withdraw(second_look=first, author=cast.student)
    assert not second_look_withdraw(second_look=first, author=cast.student)
    assert not second_look_withdraw(second_look=second, author=cast.student)
    assert len(events(SubmissionEvent.Kind.WITHDRAWN)) == 1
    assert not answer(first, cast.ta, told_correction(scored))


def test_what_counts_is_in_the_score_and_in_the_log(cast: Cast, scored: Score) -> None:
    look = ask(scored)

    assert answer(look, cast.ta, told_correction(scored), text="")

    after = newest(scored.submission)
    look.refresh_from_db()
    assert (look.state, look.answered_by, after.revision) == (STATE.ACCEPTED, cast.ta, 1)
    assert ideas_by_second_look(after) == {look.pk: missed(scored)}
    document = events(SubmissionEvent.Kind.ANSWERED)[0].document
    assert document["before"]["coverage"] == scored.coverage < document["after"]["coverage"]
    assert events(SubmissionEvent.Kind.CORRECTED)[0].document["second_look"] == look.pk


def test_what_does_not_count_changes_no_score(cast: Cast, scored: Score) -> None:
    look = ask(scored)

    assert answer(look, cast.ta, None, text="A bicycle is no tree.")

    look.refresh_from_db()
    assert (look.state, look.answer) == (STATE.DECLINED, "A bicycle is no tree.")
    assert Score.objects.count() == 1


def test_an_answer_can_be_changed_and_the_score_follows(cast: Cast, scored: Score) -> None:
    look = ask(scored)
    answer(look, cast.ta, told_correction(scored))
    look.refresh_from_db()
    assert newest(scored.submission).is_corrected

    assert answer(look, cast.instructor, None, text="After all, no.")

    now = newest(scored.submission)
    assert now.comprehensive == scored.comprehensive
    assert not now.is_corrected
    assert events(SubmissionEvent.Kind.ANSWERED)[1].document["again"]
    assert ideas_by_second_look(now) == {}


def test_what_the_program_finds_by_itself_is_not_taken_away_with_an_answer(
    cast: Cast, scored: Score
) -> None:
    """A newer version finds what an answer had counted; then the answer is changed."""
    look, uid = ask(scored), missed(scored)
    answer(look, cast.ta, told_correction(scored))
    publish(draft_from_version(version=scored.pyramid, author=cast.instructor), cast)
    work()
    machine = Score.objects.get(pyramid__number=2, revision=0)
    evidence = report_from_row(machine).evidence
    by_itself = Match(evidence.segments[-1], uid, 0.9)
    report = replace(
        report_from_row(machine),
        evidence=Evidence(evidence.segments, (*evidence.matches, by_itself)),
    )
    Score.objects.filter(pk=machine.pk).update(document=report_to_json(report))
    look.refresh_from_db()
    prospect = second_look_prospect(second_look=look, score=newest(scored.submission))

    assert answer(look, cast.ta, None)

    now = newest(scored.submission)
    matches = {match.scu_uid: match for match in report_from_row(now).evidence.matches}
    assert not matches[uid].by_hand
    assert now.comprehensive == prospect.report.comprehensive


def test_an_answer_that_is_changed_while_its_idea_is_gone_stays_changed(
    cast: Cast, scored: Score
) -> None:
    look, uid, first = ask(scored), missed(scored), scored.pyramid
    answer(look, cast.ta, told_correction(scored))
    draft, pyramid = (
        draft_from_version(version=first, author=cast.instructor),
        pyramid_from_row(first),
    )
    without = tuple(scu for scu in pyramid.scus if scu.uid != uid)
    draft.document = pyramid_to_json(replace(pyramid, scus=without))
    draft.save()
    second = pyramid_from_row(publish(draft, cast))
    work()
    look.refresh_from_db()
    assert correction_warnings(draft, second)
    assert answer(look, cast.ta, None)
    assert not correction_warnings(draft, second)

    publish(draft_from_version(version=first, author=cast.instructor), cast)
    work()

    now = newest(scored.submission)
    assert now.pyramid.number == 3
    assert uid not in {match.scu_uid for match in report_from_row(now).evidence.matches}


def test_another_idea_takes_the_place_of_the_first(cast: Cast, scored: Score) -> None:
    look = ask(scored)
    first = missed(scored)
    answer(look, cast.ta, told_correction(scored))
    second = missed(newest(scored.submission))
    look.refresh_from_db()

    assert answer(look, cast.ta, told_correction(scored, second))

    by_hand = {
        match.scu_uid
        for match in report_from_row(newest(scored.submission)).evidence.matches
        if match.by_hand
    }
    assert (first != second, by_hand) == (True, {second})


def test_the_same_answer_with_other_words_corrects_nothing_again(cast: Cast, scored: Score) -> None:
    look = ask(scored)
    answer(look, cast.ta, told_correction(scored))
    look.refresh_from_db()

    assert answer(look, cast.ta, told_correction(scored), text="Well seen.")

    assert Score.objects.count() == 2
    assert len(events(SubmissionEvent.Kind.CORRECTED)) == 1


def test_who_answers_second_changes_nothing(cast: Cast, scored: Score) -> None:
    look = ask(scored)
    seen = second_look_stamp(look, scored)
    assert answer(look, cast.ta, None, seen, "No.")

    assert not answer(look, cast.instructor, told_correction(scored), seen)

    look.refresh_from_db()
    assert (look.state, look.answered_by) == (STATE.DECLINED, cast.ta)
    assert Score.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_answers_at_once_one_is_kept(cast: Cast, scored: Score) -> None:
    for number in range(4):
        look = ask(scored, f"Reason {number}")
        stamp = second_look_stamp(look, newest(look.submission))
        done = at_once(
            lambda look=look, stamp=stamp: answer(look, cast.ta, None, stamp),  # type: ignore[misc]
            lambda look=look, stamp=stamp: answer(look, cast.instructor, None, stamp),  # type: ignore[misc]
        )
        assert sorted(done) == [False, True]
    assert len(events(SubmissionEvent.Kind.ANSWERED)) == 4


@pytest.mark.django_db(transaction=True)
def test_the_same_request_twice_at_once_is_one(scored: Score) -> None:
    first, second = at_once(lambda: ask(scored), lambda: ask(scored))

    assert first == second
    assert SecondLook.objects.count() == 1


def test_what_was_looked_at_before_a_new_version_is_no_answer(cast: Cast, scored: Score) -> None:
    look = ask(scored)
    seen = second_look_stamp(look, scored)
    publish(draft_from_version(version=scored.pyramid, author=cast.instructor), cast)
    work()

    assert not answer(look, cast.ta, told_correction(scored), seen)
    assert answer(look, cast.ta, told_correction(scored))
    assert newest(scored.submission).pyramid.number == 2


def test_a_prospect_is_what_then_comes_true(cast: Cast, scored: Score) -> None:
    others = Correction(report_from_row(scored).evidence.matches[0].scu_uid, Verdict.REMOVED)
    now = match_correct(score=scored, correction=others, author=cast.ta)
    look = ask(now)
    prospect = second_look_prospect(second_look=look, score=now)
    foretold = prospect.with_match(missed(scored), UNCLE)
    assert prospect.report.comprehensive == now.comprehensive

    answer(look, cast.ta, told_correction(scored))

    assert newest(scored.submission).comprehensive == foretold.comprehensive


def test_a_prospect_of_an_answered_request_is_without_the_answer(cast: Cast, scored: Score) -> None:
    look = ask(scored)
    answer(look, cast.ta, told_correction(scored))
    look.refresh_from_db()

    prospect = second_look_prospect(second_look=look, score=newest(scored.submission))

    assert prospect.report.comprehensive == scored.comprehensive
    assert prospect.chosen == told_correction(scored)


def test_a_prospect_knows_the_idea_of_an_earlier_version(cast: Cast, scored: Score) -> None:
    subject = Subject(scu_uid=missed(scored), shown_as="trees", level=Missed.HINTS)
    look = second_look_ask(score=scored, subject=subject, reason="It is there.")
    publish(draft_from_version(version=scored.pyramid, author=cast.instructor), cast)
    work()

    score = newest(scored.submission)
    prospect = second_look_prospect(second_look=look, score=score)

    assert prospect.scu_uid == missed(scored)
    assert prospect.scu_uid in {scu.uid for scu in pyramid_from_row(score.pyramid).scus}


def test_requests_of_one_attempt_are_not_those_of_the_next(cast: Cast, scored: Score) -> None:
    ask(scored)
    again = submission_submit(
        assignment=scored.pyramid.assignment, student=cast.student, text=f"{SUMMARY} More."
    )

    assert not again.second_looks.exists()
