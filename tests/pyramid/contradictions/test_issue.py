"""Sentences that were credited although they contradict the experts (issue 13)."""

import pytest

from tests.pyramid.contradictions.judging import Judge

pytestmark = pytest.mark.models

GENES = (
    "Bacteria can pass resistance genes on to other bacteria.",
    "Resistance genes travel from one bacterium to another.",
    "bacteria hand resistance genes to their neighbours",
)
COURSE = (
    "Patients must not stop taking their pills as soon as they feel better.",
    "Whoever takes antibiotics has to finish the course.",
    "patients should complete the treatment even if they feel better",
)
RICH_AND_POOR = (
    "Poor neighbourhoods tend to be hotter than rich ones because they have fewer trees.",
    "The streets of poor districts are hotter than those of the wealthy.",
)
NEW_ANTIBIOTICS = (
    "Few new antibiotics are being developed.",
    "there are hardly any new antibiotics",
    "companies have almost stopped looking for new antibiotics",
)
CLIMATE = (
    "Climate change makes the problem worse.",
    "As the planet warms and heat waves multiply, cities will suffer twice over.",
    "the problem grows with climate change",
)
DARK_ROOFS = (
    "Dark roads and roofs absorb the light of the sun.",
    "Sunlight is absorbed by dark pavements and roofs.",
)


@pytest.mark.parametrize(
    ("experts", "sentence", "kind", "said", "known"),
    [
        (
            GENES,
            "Bacteria cannot pass resistance genes to other bacteria.",
            "denial",
            "cannot pass",
            "pass",
        ),
        (
            COURSE,
            "Patients should stop taking their pills as soon as they feel better",
            "denial",
            "stop",
            "must not stop",
        ),
        (
            RICH_AND_POOR,
            "Rich neighbourhoods tend to be hotter than poor ones",
            "roles",
            "Rich … hotter … poor",
            "Poor … hotter … rich",
        ),
        (
            NEW_ANTIBIOTICS,
            "there are plenty of new antibiotics every year",
            "denial",
            "plenty of new antibiotics",
            "Few new antibiotics",
        ),
        (CLIMATE, "Climate change makes the problem smaller", "opposite", "smaller", "worse"),
    ],
)
def test_is_held(
    judge_text: Judge, experts: tuple[str, ...], sentence: str, kind: str, said: str, known: str
) -> None:
    judgement = judge_text(experts, sentence)
    assert (judgement.kind, judgement.holds, judgement.expert) == (kind, True, 0)
    assert judgement.remark == f'The text says "{said}", the experts say "{known}".'


def test_an_opposite_is_a_remark(judge_text: Judge) -> None:
    judgement = judge_text(DARK_ROOFS, "Dark roads and roofs reflect the light")
    assert (judgement.kind, judgement.holds) == ("opposite", False)
    assert judgement.remark == 'The text says "reflect", the experts say "absorb".'
