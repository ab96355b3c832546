"""A second opinion is written with all that a page needs, and read back."""

import json

from grading.pyramid.content import ContentMatch, ContentModel, ContentScore, Element
from grading.pyramid.formats.opinion_json import (
    FoundUnit,
    Opinion,
    opinion_from_json,
    opinion_to_json,
)
from grading.pyramid.structures import Span

MODEL = ContentModel(
    "be-hm",
    {},
    (),
    (Element(1, "cool | air", 3), Element(2, "roofs | dark", 1), Element(3, "x", 5)),
)
SCORE = ContentScore(
    units=7,
    raw=4,
    matches=(
        ContentMatch(2, (Span(0, 4), Span(9, 14)), 1.0),
        ContentMatch(1, (Span(20, 28),), 3.0),
    ),
    explanation=("Of 7 units in the summary 2 match: 4 points.",),
    remarks=("It is short.",),
)


def test_what_is_written_is_read_back_with_what_earns_most_first() -> None:
    document = json.loads(json.dumps(opinion_to_json(MODEL, SCORE)))

    assert opinion_from_json(document) == Opinion(
        units=7,
        heaviest=5,
        found=(
            FoundUnit("cool | air", 3, 3.0, (Span(20, 28),)),
            FoundUnit("roofs | dark", 1, 1.0, (Span(0, 4), Span(9, 14))),
        ),
        explanation=SCORE.explanation,
        remarks=SCORE.remarks,
    )
