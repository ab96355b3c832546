"""A database of the first version goes on with the newest: what was scored stays scored."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps.registry import Apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django.plugin import DjangoDbBlocker

from grading.drafts.log import draft_create
from grading.models import Assignment, Draft, Job, Missed, Score, StoredPyramid, Submission, User
from grading.pyramid.formats.pyramid_json import content_hash, pyramid_to_json, report_to_json
from grading.pyramid.structures import Standing
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row, report_from_row

FIRST = [("grading", "0001_initial")]

# Written by the version of 0001; so is the hash.
CONTENTS = {"Ada": "Cities are hotter. Dark roofs store heat.", "Ben": "Towns are warmer."}
PYRAMID: dict[str, Any] = {
    "format": 1,
    "signature": "classroom-1",
    "references": [{"name": name, "content": content} for name, content in CONTENTS.items()],
    "scus": [
        {
            "uid": 1,
            "label": "Cities are hotter",
            "comment": "",
            "contributors": [
                {"reference": "Ada", "spans": [[0, 17]], "comment": ""},
                {"reference": "Ben", "spans": [[0, 16]], "comment": "towns"},
            ],
        },
        {
            "uid": 2,
            "label": "Dark roofs store heat",
            "comment": "check",
            "contributors": [{"reference": "Ada", "spans": [[19, 29], [30, 40]], "comment": ""}],
        },
    ],
    "notes": ["Built of two."],
}
HASH = "7b844208c1688fed5fd0f8e85ac79becfb6af0225dedaa4a0c4504ff32820286"
REPORT: dict[str, Any] = {
    "format": 1,
    "signature": "classroom-1",
    "raw": 2,
    "quality": 1.0,
    "coverage": 0.75,
    "comprehensive": 6 / 7,
    "segments": [[[0, 17]]],
    "matches": [
        {
            "segment": [[0, 17]],
            "scu": 1,
            "similarity": 0.9,
            "alternatives": [{"scu": 2, "similarity": 0.2}],
            "probability": 0.8,
            "remarks": ["To check"],
        }
    ],
    "trace": ["One part."],
}


def _migrate(targets: list[tuple[str, str]]) -> Apps:
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return executor.loader.project_state(targets).apps


def _newest() -> list[tuple[str, str]]:
    loader = MigrationExecutor(connection).loader
    return [node for node in loader.graph.leaf_nodes() if node[0] == "grading"]


@pytest.fixture(scope="module")
def upgraded_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The tables as at first, rows in them, and then all newer migrations: seconds, so only once.

    Migrations cannot run in a transaction that is undone, so the tables are emptied at the end.
    """
    with django_db_blocker.unblock():
        try:
            _fill(_migrate(FIRST))
        finally:
            _migrate(_newest())
        yield
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture
def upgraded(upgraded_rows: None, db: None) -> None:
    """What a test changes in these rows is undone."""


def _fill(apps: Apps) -> None:
    def make(model: str, /, **fields: Any) -> Any:
        return apps.get_model("grading", model).objects.create(**fields)

    teacher = make("User", username="ines", name="Ines Duarte")
    student = make("User", username="zoe", name="Zoë Brânză", email="Zoe@example.org")
    course = make("Course", name="Academic Writing", code="CDEFGH2")
    make("Membership", course=course, user=teacher, role="instructor")
    make("Membership", course=course, user=student, role="student")
    about = make("Assignment", course=course, title="Heat", min_words=1, max_words=9, state="open")
    for name, content in CONTENTS.items():
        make("Reference", assignment=about, name=name, text=content, words=3)
    text = "Cities are hotter."
    submission = make("Submission", assignment=about, student=student, text=text, words=3)
    documents = copy.deepcopy((PYRAMID, REPORT))
    pyramid = make(
        "StoredPyramid",
        assignment=about,
        number=1,
        document=documents[0],
        content_hash=HASH,
        signature="classroom-1",
        created_by=teacher,
    )
    numbers = {key: REPORT[key] for key in ("raw", "quality", "coverage", "comprehensive")}
    make(
        "Score",
        submission=submission,
        pyramid=pyramid,
        signature="classroom-1",
        scus=1,
        document=documents[1],
        **numbers,
    )
    make("Job", kind="build_pyramid", assignment=about, state="done", requested_by=teacher)
    make("Job", kind="score_submissions", assignment=about, submission=submission)
    named = "could not be scored: Zoë Brânză, Omar. All others are. The log says why."
    make("Job", kind="score_submissions", assignment=about, error=f"2 of 9 summaries {named}")
    make("Assignment", course=course, title="Later", state="open", shows_results=False)


def test_pyramids_and_scores_are_what_they_were(upgraded: None) -> None:
    row = StoredPyramid.objects.get()
    pyramid = pyramid_from_row(row)
    assert pyramid_to_json(pyramid) == PYRAMID
    assert content_hash(pyramid) == row.content_hash == HASH
    assert row.note == ""
    assert {(scu.standing, scu.given_weight) for scu in pyramid.scus} == {(Standing.COUNTS, None)}
    assert pyramid.counted() == pyramid

    score = Score.objects.get()
    assert score.pyramid == row == StoredPyramid.objects.newest_of(score.submission.assignment)
    assert report_to_json(report_from_row(score)) == REPORT
    assert (score.raw, score.statements, score.comprehensive) == (2, 1, 6 / 7)
    assert (score.confidence, score.doubtful) == (0.8, 0)


def test_addresses_of_before_are_nobodys_until_they_are_confirmed(upgraded: None) -> None:
    zoe = User.objects.get(username="zoe")

    assert (zoe.verified_email, zoe.pending_email) == ("", "zoe@example.org")


def test_jobs_go_on(upgraded: None) -> None:
    failed, scoring, build = Job.objects.all()
    assert failed.error == "2 of 9 summaries could not be scored; all others are. The log says why."
    assert (scoring.kind, scoring.is_unfinished) == (Job.Kind.SCORE_SUBMISSIONS, True)
    assert (build.is_done, build.draft, build.options) == (True, None, {})


def test_a_draft_can_be_begun_from_an_old_pyramid(upgraded: None) -> None:
    row = StoredPyramid.objects.get()
    draft = draft_create(
        assignment=Assignment.objects.get(title="Heat"),
        pyramid=pyramid_from_row(row),
        origin=Draft.Origin.VERSION,
        author=None,
        based_on=row,
    )
    assert draft.next_uid == 3
    assert pyramid_from_draft(draft) == pyramid_from_row(row)


def test_students_see_what_they_saw_and_no_more(upgraded: None) -> None:
    heat, later = Assignment.objects.get(title="Heat"), Assignment.objects.get(title="Later")
    assert (heat.release, later.release) == (
        Assignment.Release.AT_ONCE,
        Assignment.Release.BY_HAND,
    )
    for assignment in (heat, later):
        assert {assignment.missed_before, assignment.missed_after} == {Missed.COUNTS}
        assert (assignment.max_attempts, assignment.max_drafts) == (None, 0)
        assert assignment.accepts_late
    submission = Submission.objects.get()
    assert (submission.is_final, submission.is_shown, submission.copied) == (True, True, None)
    assert submission in Submission.objects.latest_attempts()
    assert Score.objects.get().revision == 0
