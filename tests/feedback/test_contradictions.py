"""Sentences that may contradict the experts: for students, on the desk, in queue and gradebook."""

import csv
import io
import re
import zipfile
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, Missed, Submission, User
from grading.scoring.results import newest_scores
from tests.conftest import Cast
from tests.feedback_scene import keep
from tests.judgement_scene import EXPERTS_SAY, REMARK, contradicting
from tests.pages import flat

ClientOf = Callable[[User | None], Client]
FORGOTTEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")[^"]+|(?<="X-CSRFToken": ")[^"]+')
ESCAPED = REMARK.replace("'", "&#x27;")


@pytest.fixture
def submission(cast: Cast, assignment: Assignment) -> Submission:
    return keep(contradicting(), assignment, cast.student)


def page(client: Client, submission: Submission, name: str = "submission") -> str:
    return client.get(reverse(name, args=[submission.pk]), {"ideas": "all"}).text


def own_work(client: Client) -> str:
    """All of the file with a student's work."""
    answer = client.get(reverse("own_data_file"))
    with zipfile.ZipFile(io.BytesIO(b"".join(answer))) as archive:
        return "".join(archive.read(name).decode() for name in archive.namelist())


def press(client: Client, submission: Submission, what: str) -> None:
    desk = client.get(reverse("marking", args=[submission.pk]))
    step = {"do": what, "stamp": desk.context["desk"].stamp}
    answer = client.post(reverse("marking_step", args=[submission.pk]), step)
    assert answer.status_code in {200, 302}


@pytest.mark.parametrize(
    ("level", "tells"),  # the idea, and the experts' words
    [
        (Missed.NOTHING, (False, False)),
        (Missed.COUNTS, (False, False)),
        (Missed.HINTS, (False, False)),
        (Missed.LABELS, (True, False)),
        (Missed.SENTENCES, (True, True)),
    ],
)
def test_students_are_told_as_much_of_the_experts_as_of_missed_ideas(
    cast: Cast, submission: Submission, client_of: ClientOf, level: Missed, tells: tuple[bool, bool]
) -> None:
    tells_idea, tells_words = tells
    Assignment.objects.update(missed_before=level)
    label = contradicting().pyramid.scus[0].label

    seen = page(client_of(cast.student), submission)

    assert "may contradict the experts] </span></a>" in seen
    assert "It earns nothing until" in seen
    assert (label in seen) is tells_idea
    assert (EXPERTS_SAY in seen) is tells_words
    assert (ESCAPED in seen) is tells_words
    assert EXPERTS_SAY not in client_of(cast.student).get(reverse("own_data")).text
    work = own_work(client_of(cast.student))
    assert "may_contradict_the_experts" in work
    assert (label in work) is tells_idea
    assert (EXPERTS_SAY in work) is (REMARK in work) is tells_words


@pytest.mark.parametrize("level", [Missed.NOTHING, Missed.COUNTS, Missed.LABELS])
def test_no_byte_depends_on_what_the_experts_say(
    cast: Cast,
    assignment: Assignment,
    submission: Submission,
    client_of: ClientOf,
    level: Missed,
) -> None:
    Assignment.objects.update(missed_before=level)
    client = client_of(cast.student)
    before = FORGOTTEN.sub("", page(client, submission))

    score = submission.scores.get()
    score.document["matches"][0] |= {"contradicts": "Other words.", "remarks": ["Another."]}
    score.save()
    if level < Missed.LABELS:
        version = score.pyramid
        version.document["scus"][0]["label"] = "Quite another idea"
        version.save()

    assert FORGOTTEN.sub("", page(client, submission)) == before


def test_it_is_no_idea_that_the_text_has(
    cast: Cast, assignment: Assignment, submission: Submission, client_of: ClientOf
) -> None:
    Assignment.objects.update(missed_before=Missed.COUNTS)
    seen = page(client_of(cast.student), submission)

    assert "4 of 35 ideas matched" in seen
    assert "31 ideas not found in your text" in seen
    assert "may contradict the experts earns nothing until a grader decides." in seen


def test_the_desk_shows_both_sentences_and_a_grader_decides(
    cast: Cast, submission: Submission, client_of: ClientOf
) -> None:
    ta = client_of(cast.ta)
    desk = page(ta, submission, "marking")
    before = newest_scores([submission])[submission.pk]
    assert "Needs review (1)" in desk
    assert 'badge-doubtful">Contradicts the experts' in desk
    assert EXPERTS_SAY in desk
    assert before.contradicted == 1

    press(ta, submission, "confirm 1")
    confirmed = newest_scores([submission])[submission.pk]
    assert (confirmed.contradicted, confirmed.raw) == (0, before.raw + 1)

    press(ta, submission, "remove 1")
    removed = newest_scores([submission])[submission.pk]
    assert (removed.contradicted, removed.raw) == (0, before.raw)


def test_the_queue_flags_and_filters(
    cast: Cast, assignment: Assignment, submission: Submission, client_of: ClientOf
) -> None:
    ta, address = client_of(cast.ta), reverse("queue", args=[assignment.pk])
    seen = ta.get(address, {"flag": "contradicts"}).text

    assert "1 sentence may contradict the experts and earns nothing until a grader decides." in seen
    assert cast.student.name in seen
    press(ta, submission, "remove 1")
    assert cast.student.name not in ta.get(address, {"flag": "contradicts"}).text


def test_the_gradebook_has_a_column(
    cast: Cast, assignment: Assignment, submission: Submission, client_of: ClientOf
) -> None:
    ta = client_of(cast.ta)
    page = flat(ta.get(reverse("gradebook", args=[assignment.pk])).text)
    assert 'data-label="Contradicts the experts">1' in page

    scope = {"kind": "csv", "scope": "all"}
    address = reverse("gradebook_fresh", args=[assignment.pk])
    stamp = ta.get(address, scope).context["prepared"].stamp
    answer = ta.post(address, {**scope, "stamp": stamp}, follow=True)
    content = answer.content.decode("utf-8-sig")
    if answer["Content-Type"].startswith("text/csv"):
        row = next(csv.DictReader(io.StringIO(content)))
        assert (row["contradicted"], row["held"]) == ("1", "no")
