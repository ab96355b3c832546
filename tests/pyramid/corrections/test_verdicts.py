"""Which of many words hold, and what is left out of a text."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.corrections import (
    Correction,
    Verdict,
    correct_evidence,
    correct_report,
    corrections_in_force,
    excluded_but_counted,
)
from grading.pyramid.structures import Repeat, Segment, Span, Spans, shared_length, spans_without
from tests.pyramid.corrections.test_evidence import (
    FIRST,
    FOUND,
    PYRAMID,
    REPORT,
    SECOND,
    told_correction,
)


def left_out(*spans: Span) -> Correction:
    return Correction(None, Verdict.EXCLUDED, spans)


def counted(*spans: Span) -> Correction:
    return Correction(None, Verdict.COUNTED, spans)


def test_a_part_that_is_left_out_counts_no_more_nor_what_it_tells() -> None:
    report = correct_report(REPORT, PYRAMID, [left_out(*FIRST.spans)])

    assert (REPORT.raw, REPORT.statements) == (1.8, 2)
    assert (report.raw, report.statements) == (0, 1)
    assert report.evidence.segments == (SECOND,)


def test_a_part_is_left_out_by_most_of_its_words() -> None:
    most, few = left_out(Span(0, 8), Span(16, 20)), left_out(Span(0, 7))

    assert correct_evidence(FOUND, PYRAMID, [most]).segments == (SECOND,)
    assert correct_evidence(FOUND, PYRAMID, [few]) == FOUND


def test_a_part_that_counts_again_is_as_it_was() -> None:
    assert correct_evidence(FOUND, PYRAMID, [left_out(Span(0, 30)), counted(Span(0, 30))]) == FOUND
    partly = correct_evidence(FOUND, PYRAMID, [left_out(Span(0, 30)), counted(Span(15, 30))])
    assert partly.segments == (SECOND,)


def test_what_was_told_there_goes_and_comes_back_with_the_words() -> None:
    by_hand = told_correction(2, Span(15, 30))
    out, back = left_out(Span(15, 30)), counted(Span(15, 30))

    assert [m.scu_uid for m in correct_evidence(FOUND, PYRAMID, [by_hand, out]).matches] == [1]
    again = correct_evidence(FOUND, PYRAMID, [by_hand, out, back])
    assert again == correct_evidence(FOUND, PYRAMID, [by_hand])


def test_what_is_told_later_in_words_that_are_left_out_counts() -> None:
    report = correct_report(
        REPORT, PYRAMID, [left_out(Span(15, 30)), told_correction(2, Span(16, 30))]
    )

    assert report.evidence.matches[-1].segment == Segment((Span(16, 30),))
    assert (report.raw, report.statements) == (2.8, 2)


def test_the_programs_match_comes_back_where_the_words_given_to_it_are_left_out() -> None:
    moved = told_correction(1, Span(15, 30))

    result = correct_evidence(FOUND, PYRAMID, [moved, left_out(Span(15, 30))])

    assert result.matches == FOUND.matches


def test_what_is_said_again_is_left_out_as_well() -> None:
    again = replace(FOUND, repeats=(Repeat(SECOND, 1),))

    assert correct_evidence(again, PYRAMID, [left_out(*SECOND.spans)]).repeats == ()


def test_back_to_what_the_program_says() -> None:
    words = [Correction(1, Verdict.REMOVED), Correction(1, Verdict.AS_FOUND)]

    assert correct_evidence(FOUND, PYRAMID, words) == FOUND
    assert corrections_in_force(words).count == 0
    assert corrections_in_force(words[:1]).count == 1


@pytest.mark.parametrize(
    ("span", "in_vain"),
    [(Span(0, 14), ()), (Span(20, 24), (Span(20, 24),)), (Span(40, 50), ()), (Span(8, 30), ())],
    ids=str,
)
def test_words_that_count_all_the_same_are_told(span: Span, in_vain: Spans) -> None:
    assert excluded_but_counted(FOUND, [left_out(span)]) == in_vain


SPANS = st.tuples(st.integers(0, 40), st.integers(1, 20)).map(lambda t: (Span(t[0], sum(t)),))
WORDS = st.one_of(
    st.builds(
        Correction,
        st.sampled_from([1, 2]),
        st.sampled_from([Verdict.MATCHED, Verdict.CONFIRMED, Verdict.REMOVED, Verdict.AS_FOUND]),
        SPANS,
    ),
    st.builds(Correction, st.none(), st.sampled_from([Verdict.EXCLUDED, Verdict.COUNTED]), SPANS),
)


@given(st.lists(WORDS, max_size=12))
def test_whatever_people_say_the_evidence_is_sound(words: list[Correction]) -> None:
    report = correct_report(REPORT, PYRAMID, words)

    evidence = report.evidence
    assert {match.segment for match in evidence.matches} <= set(evidence.segments)
    assert len({match.scu_uid for match in evidence.matches}) == len(evidence.matches)
    assert len(set(evidence.segments)) == len(evidence.segments)
    assert 0 <= report.comprehensive <= 1
    final = corrections_in_force(words)
    assert final.count or evidence == FOUND
    assert {m.scu_uid for m in evidence.matches if m.by_hand} == {
        uid for uid, first in final.by_idea.items() if first.verdict.is_match
    }


@given(SPANS, SPANS)
def test_words_without_others_share_nothing_with_them(first: Spans, second: Spans) -> None:
    rest = spans_without(first, second)

    assert not shared_length(rest, second)
    lengths = [sum(span.end - span.start for span in spans) for spans in (first, rest)]
    assert lengths[0] == lengths[1] + shared_length(first, second)
