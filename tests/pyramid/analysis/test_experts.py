"""What the experts score by the pyramid of the others."""

from dataclasses import replace

import pytest

from grading.pyramid.analysis.quality import expert_scores
from grading.pyramid.pipeline import build_pyramid, score_summary
from grading.pyramid.scores import ExpertScale, scale_of
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing, Text
from tests.fakes import fake_engine

CONTENTS = {
    "Ada": "Dark roofs store the heat. Trees cool the streets.",
    "Ben": "Dark roofs store the heat. Trees cool the streets.",
    "Chi": "Dark roofs store the heat. Bells wake the town.",
}
REFERENCES = tuple(Text(name, content) for name, content in CONTENTS.items())
FIRST, SECOND = (Span(0, 26),), (Span(27, 50),)
PYRAMID = Pyramid(
    REFERENCES,
    (
        Scu(1, "Roofs store heat", tuple(Contributor(name, FIRST) for name in CONTENTS)),
        Scu(2, "Trees cool", tuple(Contributor(name, SECOND) for name in ("Ada", "Ben"))),
        Scu(3, "Bells wake", (Contributor("Chi", (Span(27, 47),)),)),
    ),
)


def test_each_reference_is_scored_by_the_ideas_of_the_others() -> None:
    ada, ben, chi = expert_scores(PYRAMID, fake_engine())

    assert [expert.reference for expert in (ada, ben, chi)] == ["Ada", "Ben", "Chi"]
    assert ada.report.raw == ben.report.raw  # weights 2 and 1 without the reference itself
    rest = Pyramid(
        REFERENCES[:2],
        (
            Scu(1, "Roofs store heat", tuple(Contributor(n, FIRST) for n in ("Ada", "Ben"))),
            PYRAMID.scus[1],
        ),
    )
    assert chi.report == score_summary(rest, REFERENCES[2], fake_engine())


def test_what_nobody_else_says_is_not_expected_of_an_expert() -> None:
    chi = expert_scores(PYRAMID, fake_engine())[2]

    assert {match.scu_uid for match in chi.report.evidence.matches} == {1}


def test_the_order_of_the_references_makes_no_difference() -> None:
    turned = replace(PYRAMID, references=REFERENCES[::-1], scus=PYRAMID.scus[::-1])
    scores = {
        expert_score.reference: expert_score.report.raw
        for expert_score in expert_scores(turned, fake_engine())
    }

    assert scores == {
        expert_score.reference: expert_score.report.raw
        for expert_score in expert_scores(PYRAMID, fake_engine())
    }


def test_built_pyramids_have_a_scale() -> None:
    engine = fake_engine()
    scores = expert_scores(build_pyramid(REFERENCES, engine), engine)

    assert all(0 <= score.report.comprehensive <= 1 for score in scores)


@pytest.mark.parametrize(
    "pyramid",
    [
        Pyramid((), (Scu(1, "A statement", (), given_weight=2),)),
        Pyramid(REFERENCES[:1], (Scu(1, "Roofs", (Contributor("Ada", FIRST),)),)),
        replace(PYRAMID, scus=(replace(PYRAMID.scus[0], standing=Standing.ASIDE),)),
    ],
    ids=["rubric", "one reference", "no idea"],
)
def test_where_experts_cannot_be_compared(pyramid: Pyramid) -> None:
    assert expert_scores(pyramid, fake_engine()) == ()


def test_the_scale() -> None:
    assert scale_of([0.7, 0.86, 0.78]) == ExpertScale(0.78, 0.7, 0.86)
    assert scale_of([0.7]) is scale_of([]) is None
