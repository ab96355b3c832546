"""What people correct holds against what the program found."""

from dataclasses import replace

import pytest

from grading.pyramid.corrections import (
    Correction,
    Verdict,
    correct_evidence,
    correct_report,
    correction_count,
    report_by_person,
)
from grading.pyramid.scores import score
from grading.pyramid.structures import (
    Contributor,
    Evidence,
    Match,
    Pyramid,
    Repeat,
    Scu,
    Segment,
    Span,
    Standing,
    Text,
)

PYRAMID = Pyramid(
    (Text("Ada", "Ice melts. Water boils."), Text("Ben", "Ice melts.")),
    (
        Scu(
            1,
            "Ice melts.",
            (Contributor("Ada", (Span(0, 10),)), Contributor("Ben", (Span(0, 10),))),
        ),
        Scu(2, "Water boils.", (Contributor("Ada", (Span(11, 23),)),)),
    ),
)
FIRST, SECOND = Segment((Span(0, 14),)), Segment((Span(15, 30),))
FOUND = Evidence((FIRST, SECOND), (Match(FIRST, 1, 0.8, (), 0.9),))
REPORT = replace(score(PYRAMID, FOUND, "made by"), remarks=("It is short.",))


def told_correction(scu: int, *spans: Span) -> Correction:
    return Correction(scu, Verdict.MATCHED, spans)


def test_a_match_by_hand_counts_with_the_segment_that_has_most_of_its_words() -> None:
    report = correct_report(REPORT, PYRAMID, [told_correction(2, Span(12, 28))])

    assert (REPORT.raw, REPORT.statements) == (1.8, 2)
    assert (report.raw, report.statements) == (2.8, 2)
    added = report.evidence.matches[1]
    assert (added.segment, added.spans, added.by_hand) == (SECOND, (Span(12, 28),), True)
    assert (report.signature, report.remarks) == ("made by", ("It is short.",))


def test_words_of_no_segment_are_a_segment_of_their_own() -> None:
    report = correct_report(REPORT, PYRAMID, [told_correction(2, Span(40, 52))])

    assert report.statements == 3
    assert report.evidence.segments[-1] == Segment((Span(40, 52),))
    assert report.evidence.matches[-1].marked == ()


def test_a_match_that_is_none_is_gone_and_its_segment_counts_on() -> None:
    report = correct_report(REPORT, PYRAMID, [Correction(1, Verdict.REMOVED)])

    assert (report.raw, report.statements, report.evidence.matches) == (0, 2, ())


def test_a_match_that_is_confirmed_keeps_what_the_program_thought() -> None:
    evidence = correct_evidence(FOUND, PYRAMID, [told_correction(1, Span(0, 14))])

    assert evidence.matches == (replace(FOUND.matches[0], by_hand=True),)


def test_a_match_can_be_put_on_other_words() -> None:
    evidence = correct_evidence(FOUND, PYRAMID, [told_correction(1, Span(16, 30))])

    assert [(match.segment, match.spans) for match in evidence.matches] == [
        (SECOND, (Span(16, 30),))
    ]


def test_the_last_word_holds() -> None:
    words = [told_correction(2, Span(15, 30)), Correction(2, Verdict.REMOVED)]

    assert correct_evidence(FOUND, PYRAMID, words) == FOUND
    assert len(correct_evidence(FOUND, PYRAMID, words[::-1]).matches) == 2


@pytest.mark.parametrize("uid", [2, 99])
def test_an_idea_that_does_not_count_changes_nothing(uid: int) -> None:
    aside = replace(PYRAMID.scus[1], standing=Standing.ASIDE)
    pyramid = replace(PYRAMID, scus=(PYRAMID.scus[0], aside))

    assert correct_report(REPORT, pyramid, [told_correction(uid, Span(15, 30))]).evidence == FOUND


# --- what is said again ---

AGAIN = replace(FOUND, repeats=(Repeat(SECOND, 1),))


def test_what_is_said_again_stays_as_long_as_the_idea_counts_elsewhere() -> None:
    elsewhere = correct_evidence(AGAIN, PYRAMID, [told_correction(2, Span(40, 52))])

    assert elsewhere.repeats == AGAIN.repeats
    assert correct_evidence(AGAIN, PYRAMID, []).repeats == AGAIN.repeats
    assert (
        correct_evidence(AGAIN, PYRAMID, [told_correction(1, Span(0, 14))]).repeats == AGAIN.repeats
    )


@pytest.mark.parametrize(
    "correction",
    [
        Correction(1, Verdict.REMOVED),  # the idea counts no more
        told_correction(2, Span(15, 30)),  # the words tell something of their own
        told_correction(1, Span(15, 30)),  # the idea counts here, and not where it did
    ],
    ids=str,
)
def test_what_is_said_again_goes_with_what_it_repeats(correction: Correction) -> None:
    assert correct_evidence(AGAIN, PYRAMID, [correction]).repeats == ()


def test_what_is_said_again_earns_nothing() -> None:
    assert score(PYRAMID, AGAIN, "made by") == replace(
        score(PYRAMID, FOUND, "made by"), evidence=AGAIN
    )


# --- what waits for a person ---

AGAINST = replace(FOUND.matches[0], contradicts="Ice melts.", remarks=("Ice never melts.",))
DENIED = replace(FOUND, matches=(AGAINST,))
HELD = replace(FOUND, matches=(replace(FOUND.matches[0], held=True),), held=FIRST.spans)


def confirmed(scu: int, *spans: Span) -> Correction:
    return Correction(scu, Verdict.CONFIRMED, spans)


@pytest.mark.parametrize("evidence", [DENIED, HELD], ids=["contradicts", "held"])
def test_a_match_that_waits_counts_whole_once_it_is_confirmed(evidence: Evidence) -> None:
    before = score(PYRAMID, evidence, "")
    after = correct_report(before, PYRAMID, [confirmed(1, *FIRST.spans)])

    assert (before.raw, after.raw) == (0, 2)
    assert after.evidence.contradicting == ()
    removed = correct_report(before, PYRAMID, [Correction(1, Verdict.REMOVED)])
    assert (removed.raw, removed.evidence.matches) == (0, ())


def test_words_that_are_held_are_released_by_counting_them() -> None:
    counted = Correction(None, Verdict.COUNTED, FIRST.spans)
    evidence = correct_evidence(HELD, PYRAMID, [counted])

    assert evidence == FOUND
    assert correction_count(HELD, [counted]) == 1
    assert correction_count(FOUND, [counted]) == 0  # nothing of it was held
    out = Correction(None, Verdict.EXCLUDED, FIRST.spans)
    assert correct_evidence(HELD, PYRAMID, [counted, out]).matches == ()
    assert correct_evidence(HELD, PYRAMID, [out]) == Evidence((SECOND,), ())


def test_what_was_only_possible_counts_whole_once_a_person_has_found_it() -> None:
    possible = Match(SECOND, 2, 0.5, (), 0.32)
    evidence = replace(FOUND, possible=(possible,))
    corrected = correct_evidence(evidence, PYRAMID, [confirmed(2, *SECOND.spans)])

    assert corrected.matches == (FOUND.matches[0], replace(possible, by_hand=True))
    assert corrected.possible == ()
    assert score(PYRAMID, corrected, "").raw == 1.8 + 1


def test_what_is_possible_or_held_is_decided_by_the_person_who_looked() -> None:
    possible = (Match(SECOND, 2, 0.5, (), 0.32),)
    evidence = replace(HELD, possible=possible)
    report = report_by_person(score(PYRAMID, evidence, ""), PYRAMID, {1: ()})

    assert (report.raw, report.evidence.possible, report.evidence.held) == (2, (), ())


# --- a person's own report ---


def test_an_idea_that_both_find_stays_in_its_place_and_earns_its_whole_weight() -> None:
    report = report_by_person(REPORT, PYRAMID, {1: (Span(2, 5),)})

    assert (report.raw, report.statements) == (2, 2)  # the whole weight: a person is sure
    assert report.evidence.matches == (replace(FOUND.matches[0], by_hand=True),)


def test_what_only_a_person_found_stands_where_nothing_else_is_told() -> None:
    report = report_by_person(REPORT, PYRAMID, {1: (), 2: ()})

    assert (report.raw, report.statements) == (3, 2)
    assert [match.segment for match in report.evidence.matches] == [FIRST, SECOND]


def test_what_only_the_program_found_is_not_there_and_its_part_is_free() -> None:
    report = report_by_person(REPORT, PYRAMID, {2: ()})

    assert (report.raw, report.statements) == (1, 2)
    assert [(match.scu_uid, match.segment) for match in report.evidence.matches] == [(2, FIRST)]


def test_words_that_were_named_are_where_it_stands() -> None:
    report = report_by_person(REPORT, PYRAMID, {2: (Span(20, 29),)})

    assert report.evidence.matches[0].segment == SECOND


def test_more_ideas_than_parts_count_as_parts_of_their_own() -> None:
    nothing = score(PYRAMID, Evidence((FIRST,), ()), "made by")

    report = report_by_person(nothing, PYRAMID, {1: (), 2: ()})

    assert (report.raw, report.statements) == (3, 2)


def test_who_finds_nothing_scores_nothing_over_the_same_parts() -> None:
    report = report_by_person(REPORT, PYRAMID, {})

    assert (report.raw, report.statements, report.comprehensive) == (0, 2, 0)
