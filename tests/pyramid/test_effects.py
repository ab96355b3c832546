"""The effect of a pyramid on a class, from reports that are written by hand."""

import pytest

from grading.pyramid.effects import (
    Effect,
    Measure,
    ScoredText,
    Scores,
    TextEffect,
    effect_of,
    pair_ideas,
)
from grading.pyramid.structures import (
    Contributor,
    Evidence,
    Match,
    Pyramid,
    ScoreReport,
    Scu,
    Segment,
    Span,
    Text,
)

CONTENT = "Matter has mass. Ice melts slowly. Heat flows from warm bodies."
REFERENCES = (Text("Ada", CONTENT), Text("Ben", CONTENT + " It does."))
MASS, ICE, HEAT = (Span(0, 16),), (Span(17, 34),), (Span(35, 63),)


def report(score: float, *scus: int) -> ScoredText:
    matches = tuple(Match(Segment((Span(0, 9),)), scu, 0.9) for scu in scus)
    return ScoredText.of(ScoreReport(Evidence((), matches), 3, score, score / 2, score, (), "s"))


def scu(uid: int, label: str, *spans: tuple[Span, ...]) -> Scu:
    names = [text.name for text in REFERENCES]
    contributors = (Contributor(name, first) for name, first in zip(names, spans, strict=False))
    return Scu(uid, label, tuple(contributors))


def pyramid(*scus: Scu) -> Pyramid:
    return Pyramid(REFERENCES, scus)


BEFORE = pyramid(scu(1, "Mass", MASS, MASS), scu(2, "Ice", ICE))
AFTER = pyramid(scu(1, "Mass", MASS, MASS), scu(3, "Heat", HEAT, HEAT))
IDEAS = pair_ideas(BEFORE, AFTER, same_numbers=True)


def effect() -> Effect:
    before = {10: report(0.5, 1, 2), 11: report(0.5, 1), 12: report(0.8), 13: report(0.3)}
    after = {10: report(0.4, 1), 11: report(0.704, 1, 3), 12: report(0.804), 13: report(0.29, 3)}
    return effect_of(before, after, IDEAS)


def test_who_moves_by_how_much_the_largest_first() -> None:
    result = effect()
    assert [(mover.text, mover.move) for mover in result.movers] == [
        (11, 0.2),
        (10, -0.1),
        (13, -0.01),
    ]
    assert (result.ups, result.downs) == (1, 2)


def test_a_move_is_the_difference_of_what_a_reader_sees() -> None:
    result = effect_of(
        {1: report(0.514), 2: report(0.516)}, {1: report(0.516), 2: report(0.524)}, []
    )
    assert {text.text: text.move for text in result.texts} == {1: 0.01, 2: 0.0}


def test_matches_that_come_and_go_by_student_and_by_idea() -> None:
    result = effect()
    labels = [idea.label for idea in result.ideas]
    moved = {
        mover.text: ([labels[i] for i in mover.gained], [labels[i] for i in mover.lost])
        for mover in result.movers
    }
    assert moved == {10: ([], ["Ice"]), 11: (["Heat"], []), 13: (["Heat"], [])}
    assert [
        (
            moved_idea.label,
            moved_idea.uid,
            moved_idea.weight_before,
            moved_idea.weight_after,
            moved_idea.gained,
            moved_idea.lost,
        )
        for moved_idea in result.moved_ideas
    ] == [("Heat", 3, None, 2, 2, 0), ("Ice", None, 1, None, 0, 1)]
    mass = result.ideas[labels.index("Mass")]
    assert (mass.matched_before, mass.matched_after) == (2, 2)


def test_who_has_other_matches_and_the_same_score_is_told_too() -> None:
    result = effect_of({1: report(0.5, 2)}, {1: report(0.5, 3)}, IDEAS)
    assert [mover.text for mover in result.movers] == [1]
    assert (result.ups, result.downs) == (0, 0)


def test_distributions_in_tenths() -> None:
    before, after = effect().before(Measure.COMPREHENSIVE), effect().after(Measure.COMPREHENSIVE)
    assert before is not None
    assert before.counts == (0, 0, 0, 1, 0, 2, 0, 0, 1, 0)
    assert after.counts == (0, 0, 1, 0, 1, 0, 0, 1, 1, 0)
    assert [before.mean, before.median] == pytest.approx([0.525, 0.5])
    assert [after.mean, after.median] == pytest.approx([0.5475, 0.55])
    coverage = effect().after(Measure.COVERAGE)
    assert coverage.mean == pytest.approx((0.2 + 0.35 + 0.4 + 0.14) / 4, abs=0.01)


@pytest.mark.parametrize("hundredths", range(101))
def test_every_score_falls_into_its_tenth(hundredths: int) -> None:
    result = effect_of({}, {1: report(hundredths / 100)}, []).after(Measure.QUALITY)
    assert result.counts.index(1) == min(9, hundredths // 10)


def test_without_a_published_pyramid_there_is_only_an_after() -> None:
    result = effect_of({}, {1: report(0.5, 1)}, pair_ideas(pyramid(), AFTER, same_numbers=False))
    assert result.before(Measure.QUALITY) is None
    assert result.after(Measure.QUALITY).mean == 0.5
    assert not result.movers
    assert not result.moved_ideas


def test_nobody_at_all() -> None:
    result = effect_of({}, {}, [])
    assert result.after(Measure.QUALITY).counts == (0,) * 10
    assert result.before(Measure.QUALITY) is None


def test_those_who_have_gone_are_left_out() -> None:
    left = effect().without([11, 99])
    assert [text.text for text in left.texts] == [10, 12, 13]
    assert left.ups == 0


def test_ideas_of_pyramids_that_were_made_apart_are_paired_by_their_words() -> None:
    again = pyramid(scu(1, "Ice melts", ICE), scu(2, "Mass of matter", MASS, MASS))
    pairs = pair_ideas(BEFORE, again, same_numbers=False)
    assert [(first.uid, other.uid) for first, other in pairs if first and other] == [(2, 1), (1, 2)]
    by_number = pair_ideas(BEFORE, again, same_numbers=True)
    assert [(first.uid, other.uid) for first, other in by_number if first and other] == [
        (1, 1),
        (2, 2),
    ]


def test_the_order_of_texts_makes_no_difference_to_the_order_of_moves() -> None:
    scores = Scores(0.5, 0.5, 0.5)
    moved = Scores(0.7, 0.5, 0.5)
    texts = [TextEffect(number, scores, moved) for number in (3, 1, 2)]
    assert [mover.text for mover in Effect(tuple(texts), ()).movers] == [1, 2, 3]
