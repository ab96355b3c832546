"""One idea has one number in a version: the same on every page and in every table."""

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, Missed, StoredPyramid, Submission, User
from grading.pyramid.structures import Pyramid, Span, Standing
from grading.second_looks.actions import Subject, second_look_ask
from tests.conftest import Cast
from tests.feedback_scene import Scored, keep, made

ClientOf = Callable[[User | None], Client]

WEIGHT = re.compile(r'<span class="weight [^>]*>(<span[^>]*>[^<]*</span>)?[^<]*</span>')
TAG = re.compile(r"<[^>]*>")


@pytest.fixture
def scored() -> Scored:
    """Neither the uids nor the places of the ideas are in the order of their weights."""
    scored = made(5)
    return replace(scored, pyramid=replace(scored.pyramid, scus=scored.pyramid.scus[:12]))


@pytest.fixture
def submission(cast: Cast, assignment: Assignment, scored: Scored) -> Submission:
    levels = {"missed_before": Missed.LABELS, "missed_after": Missed.LABELS}
    Assignment.objects.filter(pk=assignment.pk).update(**levels)
    submission = keep(scored, assignment, cast.student)
    StoredPyramid.objects.update(created_by=cast.instructor)
    return submission


def numbers_on(page: str, pyramid: Pyramid) -> dict[str, set[int]]:
    """By label, the numbers before it."""
    words = " ".join(TAG.sub(" ", WEIGHT.sub("", page)).split())
    numbers_by_label: dict[str, set[int]] = {}
    for scu in pyramid.scus:
        numbers = re.findall(rf"(\d+)\.? {re.escape(scu.label)}", words)
        if numbers:
            numbers_by_label[scu.label] = {int(number) for number in numbers}
    return numbers_by_label


def test_ideas_are_numbered_in_reading_order(scored: Scored) -> None:
    pyramid = scored.pyramid
    numbers = pyramid.numbers()

    in_order = sorted(pyramid.scus, key=lambda scu: numbers[scu.uid])

    assert sorted(numbers.values()) == list(range(1, 13))
    weights = [scu.weight for scu in in_order]
    assert weights == sorted(weights, reverse=True)
    assert [scu.uid for scu in in_order] != [scu.uid for scu in pyramid.scus]


def test_what_does_not_count_comes_last_and_moves_no_number(scored: Scored) -> None:
    aside, must, *others = scored.pyramid.scus
    scus = (replace(aside, standing=Standing.ASIDE), replace(must, standing=Standing.MUST), *others)
    pyramid = replace(scored.pyramid, scus=scus)

    numbers = pyramid.numbers()

    assert numbers[aside.uid] == len(scus)
    counted = pyramid.counted().numbers()
    assert counted == {uid: numbers[uid] for uid in counted}


def test_every_page_and_table_has_the_same_numbers(
    cast: Cast,
    assignment: Assignment,
    scored: Scored,
    submission: Submission,
    client_of: ClientOf,
) -> None:
    score = submission.scores.get()
    look = second_look_ask(score=score, subject=Subject((Span(0, 8),)), reason="It says so.")
    numbers = scored.pyramid.numbers()
    expected = {scu.label: {numbers[scu.uid]} for scu in scored.pyramid.scus}
    all_ideas, matched = len(expected), len(scored.report.evidence.credited)
    missed = all_ideas - matched
    this, version, whole = submission.pk, score.pyramid_id, {"ideas": "all"}
    pages: list[tuple[User, str, int, dict[str, str], int]] = [
        (cast.student, "submission", this, whole, all_ideas),
        (cast.ta, "submission", this, whole, all_ideas),
        (cast.ta, "submission_as_student", this, whole, all_ideas),
        (cast.ta, "marking", this, {}, all_ideas),
        (cast.ta, "second_look", look.pk, {}, matched),
        (cast.instructor, "version", version, {}, all_ideas),
        (cast.instructor, "version_print", version, {}, all_ideas),
        (cast.instructor, "class_ideas", assignment.pk, {}, all_ideas),
        (cast.instructor, "class_missed", assignment.pk, {}, missed),
    ]
    for reader, name, pk, query, least in pages:
        page = client_of(reader).get(reverse(name, args=[pk]), query)
        assert page.status_code == 200, name
        shown = numbers_on(page.text, scored.pyramid)
        assert len(shown) >= least, name
        assert shown == {label: expected[label] for label in shown}, name


def test_tables_have_them_too(
    cast: Cast, assignment: Assignment, scored: Scored, submission: Submission, client_of: ClientOf
) -> None:
    numbers = scored.pyramid.numbers()
    expected = {scu.label: numbers[scu.uid] for scu in scored.pyramid.scus}
    version = submission.scores.get().pyramid_id

    def table(name: str, *args: object) -> list[dict[str, str]]:
        content = client_of(cast.instructor).get(reverse(name, args=args)).content
        return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))

    figures = {row["idea"]: int(row["number"]) for row in table("class_ideas_file", assignment.pk)}
    assert figures == expected
    ideas = {row["label"]: int(row["idea"]) for row in table("version_file", version, "csv")}
    assert ideas == expected


@pytest.mark.parametrize("level", [Missed.NOTHING, Missed.COUNTS])
def test_a_number_is_shown_only_where_students_may_know_how_many_ideas_there_are(
    cast: Cast, scored: Scored, submission: Submission, client_of: ClientOf, level: Missed
) -> None:
    Assignment.objects.update(missed_before=level)
    address = reverse("submission", args=[submission.pk])

    page = client_of(cast.student).get(address, {"ideas": "all"}).text

    assert bool(numbers_on(page, scored.pyramid)) is (level != Missed.NOTHING)
