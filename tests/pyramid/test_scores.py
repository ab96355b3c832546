"""The four scores: the paper's worked example, limits, and rules that always hold."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.scores import best_sum, harmonic_mean, ideas_of_a_reference, score
from grading.pyramid.structures import (
    Contributor,
    Evidence,
    Match,
    Points,
    Pyramid,
    Scu,
    Segment,
    Span,
    Standing,
    Text,
)


def pyramid_of(references: int, weights: list[int]) -> Pyramid:
    texts = tuple(Text(f"R{i}", "words") for i in range(references))
    span = (Span(0, 5),)
    scus = (
        Scu(uid, "words", tuple(Contributor(f"R{i}", span) for i in range(weight)))
        for uid, weight in enumerate(weights, start=1)
    )
    return Pyramid(texts, tuple(scus))


def evidence_of(segments: int, *uids: int) -> Evidence:
    """The first segments tell these units, one each."""
    places = tuple(Segment((Span(i, i + 1),)) for i in range(segments))
    matches = tuple(Match(places[i], uid, 0.9) for i, uid in enumerate(uids))
    return Evidence(places, matches)


# Section 4.6: five references with 15 units on average, of which the best 15 sum to 53. So the
# weights sum to 75 = 3 x 5 + 5 x 4 + 4 x 3 + 3 x 2 + 22 x 1, and 15 + 20 + 12 + 6 = 53.
PAPER = pyramid_of(5, [5] * 3 + [4] * 5 + [3] * 4 + [2] * 3 + [1] * 22)


def test_the_example_of_the_paper() -> None:
    # "two of weight 5, one of weight 4, one of weight 2, and one that does not match"
    report = score(PAPER, evidence_of(5, 1, 2, 4, 13), "signed")
    assert report.raw == 16
    assert report.quality == pytest.approx(16 / (3 * 5 + 2 * 4))
    assert round(report.coverage, 2) == 0.30  # 16 / 53
    # 2 x 16/23 x 16/53 / (16/23 + 16/53) = 32 / (23 + 53)
    assert report.comprehensive == pytest.approx(32 / 76)
    assert report.statements == 5
    assert report.signature == "signed"


def test_trace_tells_the_computation() -> None:
    assert score(PAPER, evidence_of(5, 1, 2, 4, 13), "").trace == (
        "5 statements in the text counted.",
        "4 ideas were matched: 5 + 5 + 4 + 2 = 16 points.",
        "The 5 most important ideas would give 23 points.",
        "Quality = 16 / 23 = 0.70.",
        "An expert's summary has 15 ideas on average.",
        "The same number of the most important ideas would give 53 points.",
        "Coverage = 16 / 53 = 0.30.",
        "Comprehensive = both together (their harmonic mean) = 0.42.",
    )


def test_trace_of_one_and_of_none() -> None:
    # Weights 2 1 1 1 1 of two references: 3 units each, at best 2 + 1 + 1 = 4.
    pyramid = pyramid_of(2, [2, 1, 1, 1, 1])
    assert score(pyramid, evidence_of(1, 1), "").trace[:3] == (
        "1 statement in the text counted.",
        "1 idea was matched: 2 points.",
        "The most important idea would give 2 points.",
    )
    nothing = score(pyramid, evidence_of(2), "")
    assert nothing.trace[1] == "No idea was matched."
    assert nothing.trace[-1].endswith("= 0.00.")
    assert (nothing.raw, nothing.quality, nothing.coverage, nothing.comprehensive) == (0, 0, 0, 0)


def test_trace_of_more_parts_than_there_are_ideas() -> None:
    trace = score(pyramid_of(2, [2, 1]), evidence_of(3, 1), "").trace
    assert trace[2] == "All 2 ideas would give 3 points."


# What is said wherever a match earns less than its whole weight.
EARNS = (
    "Each match earns the weight of its idea times its probability. "
    "A match that a person confirms earns the whole weight."
)
CLAUSES = tuple(Segment((Span(place, place + 1),)) for place in range(6))
# Weights 5, 4 and 3: certain, likely, and one that contradicts the experts.
UNSURE = Evidence(
    CLAUSES[:3],
    (
        Match(CLAUSES[0], 1, 0.9, probability=0.9),
        Match(CLAUSES[1], 4, 0.8, probability=0.6),
        Match(CLAUSES[2], 9, 0.8, probability=0.8, contradicts="The opposite."),
    ),
    possible=(Match(CLAUSES[2], 13, 0.4, probability=0.3),),
)


def test_a_match_earns_its_weight_times_its_probability() -> None:
    report = score(PAPER, UNSURE, "")

    assert report.raw == 5 * 0.9 + 4 * 0.6 + 2 * 0.3
    assert report.trace[:5] == (
        "3 statements in the text counted.",
        "2 ideas were matched: 5 \u00d7 0.90 + 4 \u00d7 0.60 = 6.90 points.",
        EARNS,
        "1 idea that is possible but unlikely adds 0.60 points.",
        "1 match that may contradict the experts earns nothing until a grader decides.",
    )
    assert report.trace[6] == "Quality = 7.50 / 15 = 0.50."


def test_a_match_that_a_person_confirms_earns_all() -> None:
    confirmed = tuple(replace(match, by_hand=True) for match in UNSURE.matches)

    assert score(PAPER, replace(UNSURE, matches=confirmed, possible=()), "").raw == 5 + 4 + 3


def test_points_may_be_those_of_the_matches_that_are_shown() -> None:
    report = score(PAPER, UNSURE, "signed", points=Points.MATCHED)

    assert report.raw == 5 + 4  # what contradicts the experts waits for a person all the same
    assert (report.evidence, report.signature) == (UNSURE, "signed")
    assert report.trace[1] == "2 ideas were matched: 5 + 4 = 9 points."


def test_held_words_earn_nothing() -> None:
    held = replace(UNSURE.matches[0], held=True)
    evidence = Evidence(CLAUSES[:2], (held,), held=CLAUSES[0].spans)
    report = score(PAPER, evidence, "")

    assert (report.raw, report.statements) == (0, 2)
    assert report.trace[2] == ("Held words earn nothing until a grader has read them.")


def test_an_empty_summary_says_so() -> None:
    report = score(PAPER, Evidence((), ()), "signed")
    assert (report.raw, report.statements) == (0, 0)
    assert (report.quality, report.coverage, report.comprehensive) == (0, 0, 0)
    assert report.trace == ("No statement in this text is long enough to count: all scores are 0.",)


def test_an_average_that_is_a_fraction_is_interpolated() -> None:
    # Weights 2 1 of two references: 1.5 units each, at best 2 + 0.5 x 1 = 2.5.
    report = score(pyramid_of(2, [2, 1]), evidence_of(1, 1), "")
    assert report.coverage == pytest.approx(2 / 2.5)
    assert report.trace[4:7] == (
        "An expert's summary has 1.50 ideas on average.",
        "The same number of the most important ideas would give 2.50 points.",
        "Coverage = 2 / 2.50 = 0.80.",
    )


def test_coverage_ends_at_one() -> None:
    report = score(pyramid_of(2, [1, 1]), evidence_of(2, 1, 2), "")
    assert report.coverage == 1
    assert report.trace[6] == "Coverage = 2 / 1, which is more than all of it: 1.00."


def test_an_idea_told_twice_counts_once() -> None:
    once, twice = (score(PAPER, evidence_of(2, *uids), "") for uids in ([1], [1, 1]))
    assert once.raw == twice.raw == 5
    assert once.quality == twice.quality == pytest.approx(5 / 10)


def test_a_segment_that_tells_several_units() -> None:
    segment = Segment((Span(0, 5),))
    evidence = Evidence((segment,), tuple(Match(segment, uid, 0.9) for uid in (1, 4)))
    report = score(PAPER, evidence, "")
    assert (report.raw, report.statements) == (9, 2)
    assert report.quality == pytest.approx(9 / 10)  # compared with two units, not with one


def test_an_empty_pyramid_and_unknown_units() -> None:
    report = score(Pyramid((), ()), evidence_of(2), "")
    assert (report.quality, report.coverage, report.comprehensive) == (0, 0, 0)
    assert report.trace[3] == "Quality = 0: there is nothing to compare with."
    assert score(pyramid_of(2, [2]), evidence_of(2, 99), "").raw == 0


@pytest.mark.parametrize(
    ("count", "expected"), [(0, 0), (1, 5), (1.5, 6.5), (2, 8), (2.25, 8.25), (3, 9), (7.5, 9)]
)
def test_best_sum(count: float, expected: float) -> None:
    assert best_sum([5, 3, 1], count) == expected


def test_harmonic_mean() -> None:
    assert harmonic_mean(0, 0) == 0
    assert harmonic_mean(1, 0) == 0
    assert harmonic_mean(0.5, 1) == pytest.approx(2 / 3)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Pyramid, Evidence]:
    references = draw(st.integers(1, 6))
    weights = sorted(draw(st.lists(st.integers(1, references), max_size=12)), reverse=True)
    uids = draw(st.permutations(range(1, len(weights) + 1)))
    matched = uids[: draw(st.integers(0, len(uids)))]
    segments = draw(st.integers(len(matched), len(matched) + 5))
    return pyramid_of(references, weights), evidence_of(segments, *matched)


@given(case=cases())
def test_scores_lie_between_0_and_1(case: tuple[Pyramid, Evidence]) -> None:
    report = score(*case, "")
    assert 0 <= report.quality <= 1
    assert 0 <= report.coverage <= 1
    assert (
        min(report.quality, report.coverage) - 1e-12
        <= report.comprehensive
        <= max(report.quality, report.coverage) + 1e-12
    )
    assert (report.comprehensive > 0) == (report.raw > 0)


@given(case=cases(), data=st.data())
def test_one_more_match_never_lowers_raw_nor_any_score(
    case: tuple[Pyramid, Evidence], data: st.DataObject
) -> None:
    pyramid, evidence = case
    if not evidence.matches:
        return
    gone = data.draw(st.sampled_from(evidence.matches))
    fewer = replace(evidence, matches=tuple(match for match in evidence.matches if match != gone))
    less, more = score(pyramid, fewer, ""), score(pyramid, evidence, "")
    assert less.raw < more.raw
    assert less.quality < more.quality
    assert less.coverage <= more.coverage


# --- weights given by hand, and what people say of an idea ---


def by_hand(*weights: int) -> Pyramid:
    """As out of a rubric: statements that no reference tells."""
    statements = enumerate(weights, start=1)
    return Pyramid((), tuple(Scu(uid, "words", (), given_weight=w) for uid, w in statements))


def test_of_a_list_everything_is_expected() -> None:
    assert ideas_of_a_reference(by_hand(3, 2, 1)) == 3
    report = score(by_hand(3, 2, 1), evidence_of(2, 1, 3), "")
    assert (report.raw, report.quality, report.coverage) == (4, 4 / 5, 4 / 6)
    assert report.trace[4:7] == (
        "The pyramid was made from a list: all 3 ideas are expected.",
        "The same number of the most important ideas would give 6 points.",
        "Coverage = 4 / 6 = 0.67.",
    )


def test_a_statement_beside_references_is_expected_of_everyone() -> None:
    pyramid = pyramid_of(2, [2, 1])  # 1.5 ideas a reference
    both = replace(pyramid, scus=(*pyramid.scus, Scu(3, "rule", (), given_weight=4)))
    assert ideas_of_a_reference(both) == 2.5
    assert score(both, evidence_of(1, 3), "").raw == 4


def test_a_weight_by_hand_takes_the_place_of_the_counted_one() -> None:
    pyramid = pyramid_of(3, [3, 1])
    heavier = replace(pyramid, scus=(pyramid.scus[0], replace(pyramid.scus[1], given_weight=2)))
    assert ideas_of_a_reference(pyramid) == pytest.approx(4 / 3)
    assert ideas_of_a_reference(heavier) == pytest.approx(5 / 3)
    assert score(heavier, evidence_of(1, 2), "").raw == 2
    # More than all references cannot tell it: expected once, however heavy it is.
    heaviest = replace(pyramid, scus=(pyramid.scus[0], replace(pyramid.scus[1], given_weight=50)))
    assert ideas_of_a_reference(heaviest) == 2


def test_what_must_count_weighs_as_much_as_the_heaviest() -> None:
    pyramid = pyramid_of(5, [2, 1])
    pinned = replace(pyramid.scus[1], standing=Standing.MUST)
    counted = replace(pyramid, scus=(pyramid.scus[0], pinned)).counted()
    assert [scu.weight for scu in counted.scus] == [2, 5]
    assert score(counted, evidence_of(1, 2), "").quality == 1
    rubric = by_hand(7, 3, 0)
    must = replace(rubric, scus=tuple(replace(scu, standing=Standing.MUST) for scu in rubric.scus))
    assert [scu.weight for scu in must.counted().scus] == [7, 7, 7]


def test_what_is_set_aside_or_weighs_nothing_is_as_if_it_were_not_there() -> None:
    pyramid = pyramid_of(4, [4, 3, 2])
    aside = replace(pyramid.scus[0], standing=Standing.ASIDE, given_weight=100)
    empty = Scu(9, "nobody says so yet", ())
    edited = replace(pyramid, scus=(aside, *pyramid.scus[1:], empty))
    assert edited.counted() == replace(pyramid, scus=pyramid.scus[1:])
    pinned = replace(pyramid.scus[1], standing=Standing.MUST)
    assert replace(edited, scus=(aside, pinned)).counted().scus[0].weight == 4


def test_a_pyramid_that_nobody_touched_counts_as_it_is() -> None:
    assert PAPER.counted() == PAPER
    assert Pyramid((), ()).counted() == Pyramid((), ())


@given(case=cases(), data=st.data())
def test_scores_of_edited_pyramids_lie_between_0_and_1(
    case: tuple[Pyramid, Evidence], data: st.DataObject
) -> None:
    pyramid, evidence = case
    weights = st.one_of(st.none(), st.integers(0, 100))
    standings = st.sampled_from(Standing)
    edited = replace(
        pyramid,
        scus=tuple(
            replace(scu, given_weight=data.draw(weights), standing=data.draw(standings))
            for scu in pyramid.scus
        ),
    )
    counted = edited.counted()
    uids = {scu.uid for scu in counted.scus}
    evidence = replace(
        evidence, matches=tuple(match for match in evidence.matches if match.scu_uid in uids)
    )
    report = score(counted, evidence, "")
    assert all(scu.weight > 0 for scu in counted.scus)
    assert 0 <= report.quality <= 1
    assert 0 <= report.coverage <= 1
    assert 0 <= ideas_of_a_reference(counted) <= len(counted.scus) + 1e-9
