"""Comments as their student reads them: with the result, beside the place, and no notes."""

import io
import json
import zipfile
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.marking.actions import comment_write
from grading.models import Assignment, Missed, Score, User
from grading.pyramid.structures import Span, Spans
from tests.conftest import SUMMARY, Cast
from tests.marking.test_views import matched
from tests.scoring.test_corrections import missed, scored

__all__ = ["scored"]

ClientOf = Callable[[User | None], Client]
BICYCLE = (Span(SUMMARY.index("My uncle"), len(SUMMARY)),)


@pytest.fixture
def student(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.student)


def write(
    cast: Cast, score: Score, text: str, spans: Spans = (), *, uid: int | None = None
) -> None:
    comment_write(
        submission=score.submission,
        text=text,
        is_private=False,
        spans=spans,
        idea=None if uid is None else (score.pyramid, uid),
        author=cast.ta,
    )


def result(client: Client, score: Score) -> str:
    address = reverse("submission", args=[score.submission_id])
    return client.get(address, {"ideas": "all"}).content.decode()


def test_a_comment_stands_beside_its_words(cast: Cast, student: Client, scored: Score) -> None:
    write(cast, scored, "Is this\nin the source?", BICYCLE)

    page = result(student, scored)

    assert "Is this\nin the source?" in page
    assert f'<a href="#words-{BICYCLE[0].start}">“My uncle has a green' in page
    assert f'id="words-{BICYCLE[0].start}"' in page
    assert 'href="#comment-1"' in page


def test_a_comment_on_an_idea_stands_at_its_card(
    cast: Cast, student: Client, scored: Score
) -> None:
    write(cast, scored, "Nicely said.", uid=matched(scored))

    page = result(student, scored)

    assert 'Comment: <a href="#comment-1">“Nicely said.”</a>' in page
    assert "On the idea “" in page


@pytest.mark.parametrize(("level", "is_named"), [(Missed.HINTS, False), (Missed.LABELS, True)])
def test_an_idea_that_the_text_lacks_is_named_where_such_ideas_are(
    cast: Cast,
    student: Client,
    scored: Score,
    assignment: Assignment,
    level: Missed,
    *,
    is_named: bool,
) -> None:
    Assignment.objects.update(missed_before=level)
    write(cast, scored, "You lack something.", uid=missed(scored))

    page = result(student, scored)

    assert "You lack something." in page
    assert ("On the idea “" in page) == is_named


def test_comments_wait_for_the_result(cast: Cast, student: Client, scored: Score) -> None:
    write(cast, scored, "Well put.")
    Assignment.objects.update(release=Assignment.Release.BY_HAND)

    assert "Well put." not in result(student, scored)


def test_comments_are_ones_own_data_and_notes_are_not(
    cast: Cast, student: Client, scored: Score
) -> None:
    write(cast, scored, "Well put.", BICYCLE)
    comment_write(
        submission=scored.submission, text="Ask about the uncle.", is_private=True, author=cast.ta
    )

    answer = student.get(reverse("own_data_file"))

    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        document = json.loads(archive.read("my-work.json"))
    (attempt,) = document["assignments"][0]["attempts"]
    (comment,) = attempt["comments"]
    assert (comment["text"], comment["by"]) == ("Well put.", "Tomasz Okoye")
    assert comment["words"].startswith("My uncle")
    assert "Ask about" not in json.dumps(document)
