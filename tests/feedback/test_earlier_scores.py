"""Scores that an earlier version wrote, without what came later, are shown on every page."""

from collections.abc import Callable

import pytest
from django.test import Client

from grading.models import Assignment, Score, User
from grading.pyramid.pipeline import Engine
from tests.conftest import Cast
from tests.scenes import make_scene
from tests.url_table import ROWS

ClientOf = Callable[[User | None], Client]
REPORT_KEYS = ("format", "signature", "raw", "quality", "coverage", "comprehensive", "trace")
MATCH_KEYS = ("segment", "scu", "similarity", "alternatives")


def as_earlier(score: Score) -> None:
    """With only what the first version wrote: whole points, no probabilities."""
    document = score.document
    matches = [{key: match[key] for key in MATCH_KEYS} for match in document["matches"]]
    score.document = {key: document[key] for key in REPORT_KEYS} | {
        "segments": document["segments"],
        "matches": matches,
        "raw": round(document["raw"]),
        "signature": "classroom-1",
    }
    score.raw, score.signature = round(score.raw), "classroom-1"
    score.save()


@pytest.mark.parametrize("who", ["instructor", "ta", "student"])
@pytest.mark.parametrize("is_held", [False, True])  # before a reason was kept
def test_every_page_opens(
    cast: Cast,
    assignment: Assignment,
    engine: Engine,
    client_of: ClientOf,
    who: str,
    is_held: bool,
) -> None:
    scene = make_scene(cast, assignment)
    for score in Score.objects.all():
        as_earlier(score)
    Score.objects.update(held=is_held, held_for="")
    client = client_of(scene.user(who))

    answers = {
        row.name: client.get(scene.url(row), row.data) for row in ROWS if row.method == "get"
    }

    assert {name for name, answer in answers.items() if answer.status_code >= 500} == set()
    assert answers["submission"].status_code == 200
