"""What a score report says to a reader, and what it keeps from one."""

from dataclasses import replace

import pytest

from grading.feedback.feedback_text import text_html
from grading.feedback.ideas import ReaderContext
from grading.feedback.page import Feedback, feedback_of
from grading.models import Missed, Sight
from grading.models.sight import FULL_SIGHT
from grading.pyramid.structures import (
    Candidate,
    Contributor,
    Evidence,
    Match,
    Pyramid,
    ScoreReport,
    Scu,
    Segment,
    Span,
    Standing,
    Text,
)
from tests.feedback_scene import Scored, made, said_again

PYRAMID = Pyramid(
    (Text("Ada", "Ice melts. Water boils."),),
    (
        Scu(1, "Ice melts.", (Contributor("Ada", (Span(0, 10),)),)),
        Scu(2, "Water boils.", (Contributor("Ada", (Span(11, 23),)),)),
    ),
)
TEXT = Text("zoe-1", "The ice melts.")
SEGMENT = Segment((Span(0, 14),))


# What a teacher expects, and what weighs more than the experts say.
BY_HAND = Pyramid(
    PYRAMID.references,
    (
        Scu(1, "Ice melts.", PYRAMID.scus[0].contributors, given_weight=4),
        Scu(2, "Trees cool streets.", (), given_weight=2),
    ),
)


def sight_of(missed: Missed) -> Sight:
    return Sight(shown=True, missed=missed)


def feedback_on(
    report: ScoreReport, pyramid: Pyramid = PYRAMID, sight: Sight = FULL_SIGHT, text: Text = TEXT
) -> Feedback:
    return feedback_of(ReaderContext(text, pyramid.counted(), report, sight, (5, 60)))


def report_of(match: Match) -> ScoreReport:
    return ScoreReport(
        Evidence((SEGMENT,), (match,)), 1, 1.0, 1.0, 1.0, ("1 part of the text counted.",), "", ()
    )


@pytest.mark.parametrize(
    ("probability", "other", "doubtful"),
    [
        (0.95, 0.9, False),  # a part of a sentence may tell two ideas: the other is no rival
        (0.69, 0.1, True),
        (None, 0.7, False),
        (None, 0.9, True),  # more similar to another idea: chosen because all in all it counts more
    ],
)
def test_what_is_doubtful(probability: float | None, other: float, *, doubtful: bool) -> None:
    match = Match(SEGMENT, 1, 0.8, (Candidate(2, other),), probability)
    feedback = feedback_on(report_of(match))
    assert feedback.has_doubtful is doubtful
    assert [row.doubtful for row in feedback.matched] == [doubtful]


def test_a_student_is_not_told_that_another_idea_came_close() -> None:
    report = report_of(Match(SEGMENT, 1, 0.8, (Candidate(2, 0.9),)))

    assert [label for label, _ in feedback_on(report).matched[0].near] == ["Water boils."]
    seen = feedback_on(report, sight=sight_of(Missed.SENTENCES))
    assert not seen.has_doubtful
    assert seen.matched[0].near == ()


@pytest.mark.parametrize(
    ("probability", "said"),
    [(0.96, "certain, 96"), (0.8, "likely, 80"), (0.5, "unsure, 50"), (None, "")],
)
def test_how_sure_the_program_is(probability: float | None, said: str) -> None:
    sure = feedback_on(report_of(Match(SEGMENT, 1, 0.8, (), probability))).matched[0].confidence
    assert sure.startswith(said)
    assert bool(sure) is bool(said)


def test_what_speaks_against_a_match_is_told() -> None:
    match = Match(SEGMENT, 1, 0.8, (), 0.6, ("The text says 40 where the experts say 30.",))
    assert feedback_on(report_of(match)).matched[0].remarks == (
        "The text says 40 where the experts say 30.",
    )
    assert feedback_on(report_of(match)).has_remarks
    assert not feedback_on(report_of(replace(match, remarks=()))).has_remarks


def test_the_words_that_made_a_match_are_told_with_their_places() -> None:
    result = feedback_on(report_of(Match(SEGMENT, 1, 0.8))).matched[0]

    assert result.grounds.shared == ("ice", "melts")
    assert result.lit == "4-7 8-13"


def test_weights_that_count_experts_are_told_from_others() -> None:
    match = Match(SEGMENT, 1, 0.8)

    assert feedback_on(report_of(match)).weights[0].label == "in 1 of 1 summaries"
    by_hand = feedback_on(report_of(match), BY_HAND)
    assert [(count.weight, count.band) for count in by_hand.weights] == [(4, 5), (2, 3)]
    assert by_hand.weights[0].label == "weight 4"
    assert by_hand.matched[0].idea.source == "Weight set manually; in 1 of 1 expert summaries."


def test_what_an_expert_has_is_told_as_in_the_computation() -> None:
    scored = made(2)

    totals = feedback_on(scored.report, scored.pyramid, text=scored.text).totals

    assert totals is not None
    assert f"An expert's summary has {totals.of_an_expert:.2f} ideas" in " ".join(
        scored.report.trace
    )


def test_parts_without_an_idea_are_told_from_words_that_did_not_count() -> None:
    text = Text("zoe-1", "The ice melts. My uncle sings. Well, here it is.")
    segments = (SEGMENT, Segment((Span(15, 30),)))
    report = ScoreReport(
        Evidence(segments, (Match(SEGMENT, 1, 0.8),)), 1, 1.0, 1.0, 1.0, (), "", ()
    )

    pieces = feedback_on(report, text=text).pieces

    assert "".join(piece.words for piece in pieces) == text.content
    assert [piece.words for piece in pieces if piece.is_unmatched] == ["My uncle sings."]
    assert [piece.words for piece in pieces if piece.is_uncounted] == ["Well, here it is."]
    assert [piece.start for piece in pieces] == [0, 14, 15, 30, 31]


def test_a_match_in_two_parts_is_in_its_sentence_once() -> None:
    match = Match(Segment((Span(0, 7), Span(8, 14))), 1, 0.8)

    seen = feedback_on(report_of(match))

    assert [len(piece.matched) for piece in seen.pieces] == [1, 0, 1]
    assert [len(piece.ending_matched) for piece in seen.pieces] == [0, 0, 1]
    assert [len(sentence.matched) for sentence in seen.sentences] == [1]
    assert str(text_html(seen.pieces, links="?")).count('href="?sentence=1#s1"') == 1


def test_the_picture_of_the_parts_has_one_shape_for_each_that_counted() -> None:
    scored = made(10)

    seen = feedback_on(scored.report, scored.pyramid, text=scored.text)

    drawn = sum(shape.path.count("M") for shape in seen.statements.shapes)
    assert drawn == scored.report.evidence.counted == 12
    empty = next(shape for shape in seen.statements.shapes if shape.kind == "empty")
    assert empty.path.count("M") == 2


AGAIN = said_again(made(10))


def test_what_is_said_again_names_the_idea_that_counts() -> None:
    seen = feedback_on(AGAIN.report, AGAIN.pyramid, text=AGAIN.text)

    again = [piece for piece in seen.pieces if piece.repeated]
    assert seen.has_repeated
    assert not seen.has_unmatched
    assert {row.idea.uid for piece in again for row in piece.ending_repeated} == {1}
    repeating = [sentence for sentence in seen.sentences if sentence.repeated]
    assert [row.words for row in repeating[0].repeated] == [again[0].words]
    assert [row.idea.idea.uid for sentence in repeating for row in sentence.repeated] == [1, 1]


def test_what_is_said_again_is_hollow_in_the_picture() -> None:
    parts = feedback_on(AGAIN.report, AGAIN.pyramid, text=AGAIN.text).statements

    hollow = next(shape for shape in parts.shapes if shape.kind == "again")
    assert hollow.path.count("M") == 2
    assert "empty" not in {shape.kind for shape in parts.shapes}


@pytest.mark.parametrize(("parts", "together", "bars"), [(60, 1, 60), (61, 2, 31), (400, 7, 58)])
def test_of_a_long_text_neighbours_are_one_bar(parts: int, together: int, bars: int) -> None:
    idle = [Segment((Span(20 + 2 * at, 21 + 2 * at),)) for at in range(parts - 1)]
    evidence = Evidence((SEGMENT, *idle), (Match(SEGMENT, 1, 0.8),))
    report = ScoreReport(evidence, 1, 1.0, 1.0, 1.0, (), "")
    text = Text("zoe-1", f"The ice melts.      {'x ' * parts}")

    picture = feedback_on(report, text=text).statements

    assert picture.together == together
    drawn = {shape.kind: shape.path.count("M") for shape in picture.shapes}
    assert drawn == {"empty": bars - 1, "band-5": 1}


@pytest.mark.parametrize("level", Missed)
def test_that_there_are_more_parts_than_ideas_is_told_who_knows_how_many_there_are(
    level: Missed,
) -> None:
    few = replace(AGAIN.pyramid, scus=AGAIN.pyramid.scus[:10])
    said = "This text has more statements than the experts have ideas"

    quality = feedback_on(AGAIN.report, few, sight_of(level), AGAIN.text).quality

    assert quality.startswith(said) is (level != Missed.NOTHING)
    more = feedback_on(AGAIN.report, AGAIN.pyramid, sight_of(level), AGAIN.text).quality
    assert not more.startswith(said)


def test_more_than_ten_missed_ideas_are_folded_up_the_heaviest_first() -> None:
    scored = made(5)

    missed = feedback_on(scored.report, scored.pyramid, text=scored.text).missed

    assert missed is not None
    assert (missed.count, len(missed.first), len(missed.more)) == (30, 10, 20)
    weights = [idea.weight for idea in (*missed.first, *missed.more)]
    assert weights == sorted(weights, reverse=True)


@pytest.mark.parametrize(
    ("level", "label", "topics", "quote"),
    [
        (Missed.HINTS, False, True, False),
        (Missed.LABELS, True, False, False),
        (Missed.SENTENCES, True, False, True),
    ],
)
def test_what_is_told_of_a_missed_idea(
    level: Missed, *, label: bool, topics: bool, quote: bool
) -> None:
    scored = made(5)
    missed = feedback_on(scored.report, scored.pyramid, sight_of(level), scored.text).missed
    assert missed is not None
    idea = missed.first[0]

    assert (bool(idea.label), bool(idea.topics), bool(idea.quote)) == (label, topics, quote)
    assert idea.quote is None or not idea.quote.name  # not whose words they are


@pytest.mark.parametrize(
    ("label", "quote"),
    [
        ("Ice melts.", "Ice melts away slowly."),
        ("ice melts away slowly", "Ice melts."),
        ("Ice turns to water", "Ice melts away slowly."),
    ],
)
def test_another_expert_is_quoted_where_the_label_is_ones_words(label: str, quote: str) -> None:
    texts = (Text("Ada", "Ice melts."), Text("Ben", "Ice melts away slowly."))
    told_by = tuple(Contributor(text.name, (Span(0, len(text.content)),)) for text in texts)

    assert quoted(Pyramid(texts, (Scu(1, label, told_by),))) == (quote, False)


def test_where_no_expert_says_it_otherwise_the_label_is_told_to_be_ones_words() -> None:
    alone = replace(PYRAMID, scus=(replace(PYRAMID.scus[1], label="Water  boils!"),))

    assert quoted(alone) == ("Water boils.", True)


def quoted(pyramid: Pyramid) -> tuple[str, bool]:
    """What is quoted for its one idea, which is missing."""
    report = ScoreReport(Evidence((SEGMENT,), ()), 0, 0.0, 0.0, 0.0, (), "", ())
    missed = feedback_on(report, pyramid, sight_of(Missed.SENTENCES)).missed
    assert missed is not None
    assert missed.first[0].quote is not None
    return missed.first[0].quote.words, missed.first[0].quotes_its_label


def other_words(scored: Scored) -> Pyramid:
    """The same pyramid with other labels, words and order of numbers where nothing was found."""
    uids = {match.scu_uid for match in scored.report.evidence.matches}
    scus = scored.pyramid.scus
    return replace(
        scored.pyramid,
        scus=tuple(
            scu
            if scu.uid in uids
            else replace(scu, uid=scu.uid + 500, label=f"Hidden {scu.uid}.", comment="Secret.")
            for scu in scus
        ),
    )


def other_totals(scored: Scored) -> Pyramid:
    """Other weights too, heavier than any that was found, and one idea less."""
    changed = other_words(scored)
    uids = {match.scu_uid for match in scored.report.evidence.matches}
    heavier = tuple(
        scu if scu.uid in uids else replace(scu, given_weight=9, standing=Standing.COUNTS)
        for scu in changed.scus[:-1]
    )
    return replace(changed, scus=heavier)


def same_report(scored: Scored) -> ScoreReport:
    """The same scores and matches, with other rivals, as the program would have kept them."""
    evidence = scored.report.evidence
    matches = tuple(
        replace(match, alternatives=(Candidate(match.scu_uid + 700, 0.7),))
        for match in evidence.matches
    )
    return replace(scored.report, evidence=replace(evidence, matches=matches), trace=("Other.",))


def test_at_nothing_what_is_missing_changes_nothing() -> None:
    scored = made(7)
    sight = sight_of(Missed.NOTHING)

    sentence = feedback_on(scored.report, scored.pyramid, sight, scored.text)
    other = feedback_on(same_report(scored), other_totals(scored), sight, scored.text)

    assert sentence == other
    assert sentence.missed is None
    assert sentence.totals is None


def test_at_counts_only_how_many_there_are_changes_anything() -> None:
    scored = made(7)
    report = replace(same_report(scored), trace=scored.report.trace)
    sight = sight_of(Missed.COUNTS)

    sentence = feedback_on(scored.report, scored.pyramid, sight, scored.text)
    other = feedback_on(report, other_words(scored), sight, scored.text)

    assert sentence == other
    assert sentence.missed is not None
    assert (sentence.missed.count, sentence.missed.first) == (30, ())
