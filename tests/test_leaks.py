"""No setting leaks: what a student is not to know changes no byte of what a student can get.

Every address that students can open is asked twice: before and after everything that the setting
hides was changed (other ideas, other words, other numbers of them, other uids). What comes back,
headers and the files in archives included, must be the same, and so must be how often the database
was asked for it: what takes longer tells something too. That graders see the difference proves that
there is one.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.jobs.runner import job_run
from grading.marking.actions import comment_delete, comment_write
from grading.models import (
    Assignment,
    Comment,
    Job,
    ManualGrade,
    MatchCorrection,
    Missed,
    OpinionSetting,
    Score,
    SecondLook,
    SecondOpinion,
    StoredGradeRule,
    StoredPyramid,
    Submission,
    User,
)
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.formats.pyramid_json import pyramid_to_json, report_to_json
from grading.pyramid.grade_rules import Attempt, GradeRule
from grading.pyramid.structures import Match, Pyramid, ScoreReport, Scu, Span, Spans, Text
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.second_looks.actions import (
    Subject,
    second_look_answer,
    second_look_ask,
    second_look_stamp,
)
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY
from tests.grade_scene import keep_rule, say
from tests.query_count import QueryCount
from tests.scenes import Scene
from tests.url_table import GRADERS, ROWS, Row

CANARY = "Xyzzy"  # in everything that must not be seen
SHIFT = 500  # of all uids: none of them may be seen
TIMES = {"Set-Cookie", "Expires", "X-Request-ID"}
FORGOTTEN = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")[^"]+|(?<="X-CSRFToken": ")[^"]+')
Ask = Callable[[User | None], Client]


@dataclass(frozen=True)
class State:
    """Of an assignment and a submission: what a student may know."""

    missed: Missed
    is_past: bool = False
    visibility: Submission.Visibility = Submission.Visibility.RULE
    release: Assignment.Release = Assignment.Release.AT_ONCE
    state: Assignment.State = Assignment.State.OPEN

    def enter(self, assignment: Assignment) -> None:
        """The level of the other time is the most that can be told: it must not be mistaken."""
        sooner, later = timezone.now() - timedelta(days=1), timezone.now() + timedelta(days=1)
        Assignment.objects.filter(pk=assignment.pk).update(
            state=self.state,
            due_at=sooner if self.is_past else later,
            release=self.release,
            missed_before=Missed.SENTENCES if self.is_past else self.missed,
            missed_after=self.missed if self.is_past else Missed.SENTENCES,
        )
        assignment.submissions.update(visibility=self.visibility)


SHOWN = tuple(
    State(level, is_past=is_past, state=state)
    for level in Missed
    for is_past, state in (
        (False, Assignment.State.OPEN),
        (True, Assignment.State.OPEN),
        (True, Assignment.State.CLOSED),
    )
) + tuple(
    State(level, visibility=Submission.Visibility.SHOWN, release=Assignment.Release.BY_HAND)
    for level in Missed
)
UNRELEASED = (
    State(Missed.SENTENCES, release=Assignment.Release.BY_HAND),
    State(Missed.SENTENCES, release=Assignment.Release.AFTER_DUE),
    State(Missed.SENTENCES, visibility=Submission.Visibility.HELD_BACK),
    State(Missed.SENTENCES, state=Assignment.State.CLOSED, release=Assignment.Release.BY_HAND),
)
UNSEEN = State(Missed.SENTENCES, state=Assignment.State.DRAFT)


@pytest.fixture(scope="module")
def shared_scene(shared_scene: Scene) -> Scene:
    """Two attempts; of the first a second look was counted, and one waits; a manual grade."""
    assignment, cast = shared_scene.assignment, shared_scene.cast
    keep_rule(assignment)
    say(assignment, cast.student, "8")
    _count_the_missed(shared_scene)
    _write_comments(shared_scene)
    text = f"{SUMMARY} Trees cool the streets."
    second = submission_submit(assignment=assignment, student=cast.student, text=text)
    assert job_run(job_pk=Job.objects.get(submission=second).pk)
    return shared_scene


@pytest.fixture
def assignment(scene: Scene) -> Assignment:
    return scene.assignment


def _count_the_missed(scene: Scene) -> None:
    """A TA says that the last sentence of the first attempt tells the heaviest missed idea."""
    score = Score.objects.select_related("pyramid").get()
    sentences = _told([score])
    missed = next(scu for scu in pyramid_from_row(score.pyramid).scus if scu.uid not in sentences)
    spans = (Span(SUMMARY.index("My uncle"), len(SUMMARY)),)
    asked = second_look_ask(score=score, subject=Subject(spans), reason="I meant this.")
    second_look_answer(
        second_look=asked,
        author=scene.cast.ta,
        correction=Correction(missed.uid, Verdict.MATCHED, spans),
        text="Well put.",
        stamp=second_look_stamp(asked, score),
    )


def _write_comments(scene: Scene) -> None:
    """To the student on words and on the ideas, told and missed; and what nobody else may read."""
    score = Score.objects.oldest_first().select_related("pyramid", "submission")[0]
    ideas = [scu.uid for scu in pyramid_from_row(score.pyramid).scus]
    for uid in ideas:
        _write(scene, score, "See your source.", (Span(0, 6),), uid)
    _write(scene, score, f"{CANARY} note", (Span(7, 10),), is_private=True)
    deleted = _write(scene, score, f"{CANARY} deleted")
    comment_delete(comment=deleted, author=scene.cast.ta)


def _write(
    scene: Scene,
    score: Score,
    text: str,
    spans: Spans = (),
    uid: int | None = None,
    *,
    is_private: bool = False,
) -> Comment:
    return comment_write(
        submission=score.submission,
        text=text,
        is_private=is_private,
        spans=spans,
        idea=None if uid is None else (score.pyramid, uid),
        author=scene.cast.ta,
    )


# --- another world ---


def change_hidden(level: Missed) -> None:
    """Change all that students are not told at this level; scores and matches stay."""
    row = StoredPyramid.objects.get()
    scores = list(Score.objects.filter(pyramid=row))
    row.document = pyramid_to_json(_other_pyramid(pyramid_from_row(row), _told(scores), level))
    row.save()
    for score in scores:
        score.document = report_to_json(_other_report(report_from_row(score), level))
        score.save()
    MatchCorrection.objects.update(scu_uid=F("scu_uid") + SHIFT)
    SecondLook.objects.update(scu_uid=F("scu_uid") + SHIFT)
    Comment.objects.update(scu_uid=F("scu_uid") + SHIFT)
    unread = Comment.objects.exclude(is_private=False, deleted_at=None)
    unread.update(text=f"{CANARY} {CANARY}", spans=[[0, 30]])


def _told(scores: Iterable[Score]) -> set[int]:
    """The ideas that were found in any of the texts, or are told of as gained and lost."""
    return {match.scu_uid for score in scores for match in report_from_row(score).evidence.matches}


def _other_pyramid(pyramid: Pyramid, uids: set[int], level: Missed) -> Pyramid:
    """Other uids, other experts; of what nobody tells other words, perhaps other numbers."""
    known = [replace(scu, comment=CANARY) for scu in pyramid.scus if scu.uid in uids]
    missed = [_other_scu(pyramid, scu, level) for scu in pyramid.scus if scu.uid not in uids]
    assert missed
    if level == Missed.NOTHING:
        missed = [missed[0], replace(missed[0], uid=90), replace(missed[0], uid=91)]
    scus = sorted([*known, *missed], key=lambda scu: -scu.weight)
    return replace(
        pyramid,
        references=tuple(Text(_renamed(text.name), text.content) for text in pyramid.references),
        scus=tuple(_renumbered(scu) for scu in scus),
        signature=CANARY,
        notes=(CANARY,),
    )


def _renamed(name: str) -> str:
    return f"{name} {CANARY}"


def _renumbered(scu: Scu) -> Scu:
    told_by = tuple(
        replace(contributor, reference=_renamed(contributor.reference))
        for contributor in scu.contributors
    )
    return replace(scu, uid=scu.uid + SHIFT, contributors=told_by)


def _other_scu(pyramid: Pyramid, scu: Scu, level: Missed) -> Scu:
    """Other words where none of them is told; at LABELS other words of the experts."""
    scu = replace(scu, comment=CANARY)
    if level in {Missed.HINTS, Missed.SENTENCES}:
        return scu
    first = {text.name: Span(0, text.content.index(" ")) for text in pyramid.references}
    others = tuple(
        replace(contributor, spans=(first[contributor.reference],))
        for contributor in scu.contributors
    )
    label = scu.label if level == Missed.LABELS else f"{CANARY} {scu.label[::-1]}"
    return replace(scu, label=label, contributors=others)


def _other_report(report: ScoreReport, level: Missed) -> ScoreReport:
    matches = tuple(map(_other_match, report.evidence.matches))
    canary = f"{CANARY} " if level == Missed.NOTHING else ""
    trace = tuple(f"{canary}{line}" for line in report.trace)
    repeats = tuple(
        replace(repeat, scu_uid=repeat.scu_uid + SHIFT) for repeat in report.evidence.repeats
    )
    possible = tuple(map(_other_match, report.evidence.possible))
    evidence = replace(report.evidence, matches=matches, repeats=repeats, possible=possible)
    return replace(report, evidence=evidence, trace=trace, signature=CANARY)


def _other_match(match: Match) -> Match:
    return replace(match, scu_uid=match.scu_uid + SHIFT, alternatives=())


# --- what a student can get ---


def answers(client: Client, scene: Scene, rows: Iterable[Row]) -> dict[str, Any]:
    """Everything that comes back, without the tokens that are new in every answer."""
    answers: dict[str, Any] = {}
    for row in rows:
        address = scene.url(row)
        with connection.execute_wrapper(queries := QueryCount()):
            response = client.get(address, row.data)
        headers = {name: value for name, value in response.headers.items() if name not in TIMES}
        body = _readable(b"".join(response) if response.streaming else response.content)
        answers[f"{row.name} {address}"] = (response.status_code, headers, body, queries.total)
    return answers


def _readable(body: bytes) -> Any:
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            return {name: _readable(archive.read(name)) for name in archive.namelist()}
    return FORGOTTEN.sub(b"", body)


READ = tuple(row for row in ROWS if row.method == "get" and row.about not in {"", "token"})
OWN = tuple(row for row in ROWS if row.name in {"home", "own_data", "own_data_file"})
ABOUT_A_STUDENT = tuple(row for row in READ if row.about in {"submission", "second look", "job"})
OTHERS = ("other_student", "outsider", "anonymous")


def told_to_the_class(scene: Scene, client_of: Ask) -> dict[str, Any]:
    """All that the student can get, and what others are told about the student's work."""
    others = {who: told_to(scene, client_of, who, ABOUT_A_STUDENT) for who in OTHERS}
    return {"student": told_to(scene, client_of, "student", [*READ, *OWN]), **others}


def told_to(scene: Scene, client_of: Ask, who: str, rows: Iterable[Row]) -> dict[str, Any]:
    return answers(client_of(scene.user(who)), scene, rows)


@pytest.mark.parametrize("state", SHOWN, ids=str)
def test_no_byte_depends_on_what_a_level_hides(
    scene: Scene, assignment: Assignment, state: State, client_of: Ask
) -> None:
    state.enter(assignment)
    before = told_to_the_class(scene, client_of)
    graders = told_to(scene, client_of, "ta", ABOUT_A_STUDENT)

    change_hidden(state.missed)

    assert told_to_the_class(scene, client_of) == before
    assert told_to(scene, client_of, "ta", ABOUT_A_STUDENT) != graders


def test_notes_and_what_was_deleted_are_never_read(
    scene: Scene, assignment: Assignment, client_of: Ask
) -> None:
    State(Missed.SENTENCES, is_past=True).enter(assignment)

    assert CANARY not in str(told_to_the_class(scene, client_of))
    desk = Row("marking", GRADERS, about="submission")
    assert f"{CANARY} note" in str(told_to(scene, client_of, "ta", [desk]))


def test_a_hint_is_not_the_label(scene: Scene, assignment: Assignment, client_of: Ask) -> None:
    State(Missed.HINTS).enter(assignment)
    row = StoredPyramid.objects.get()
    pyramid = pyramid_from_row(row)
    sentences = _told(Score.objects.all())
    named = tuple(
        scu if scu.uid in sentences else replace(scu, label=f"{CANARY} {scu.label}")
        for scu in pyramid.scus
    )
    row.document = pyramid_to_json(replace(pyramid, scus=named))
    row.save()

    assert CANARY in str(told_to(scene, client_of, "ta", ABOUT_A_STUDENT))
    assert CANARY not in str(told_to_the_class(scene, client_of))


@pytest.mark.parametrize("state", [*UNRELEASED, UNSEEN], ids=str)
def test_no_byte_depends_on_a_result_that_is_unreleased(
    scene: Scene, assignment: Assignment, state: State, client_of: Ask
) -> None:
    state.enter(assignment)
    before = told_to_the_class(scene, client_of)

    change_hidden(Missed.NOTHING)
    Comment.objects.update(text=CANARY)
    Score.objects.update(quality=0.123, coverage=0.456, comprehensive=0.789)
    ManualGrade.objects.update(points=3, reason=CANARY)
    assert told_to_the_class(scene, client_of) == before
    ManualGrade.objects.all().delete()
    assert told_to_the_class(scene, client_of) == before

    Score.objects.all().delete()
    Job.objects.update(state=Job.State.FAILED, error=CANARY, progress_text=CANARY)
    assert told_to_the_class(scene, client_of) == before


@pytest.mark.parametrize("is_past", [False, True])
def test_no_byte_depends_on_a_grade_where_students_see_none(
    scene: Scene, assignment: Assignment, is_past: bool, client_of: Ask
) -> None:
    State(Missed.SENTENCES, is_past=is_past).enter(assignment)
    keep_rule(assignment, students_see=False)
    before = told_to_the_class(scene, client_of)
    graders = told_to(scene, client_of, "ta", ABOUT_A_STUDENT)

    ManualGrade.objects.update(points=3, reason=CANARY)
    other = GradeRule(points=Decimal(17), attempt=Attempt.BEST, passes_from=Decimal(4))
    keep_rule(assignment, other, students_see=False)
    assert told_to_the_class(scene, client_of) == before
    assert told_to(scene, client_of, "ta", ABOUT_A_STUDENT) != graders

    ManualGrade.objects.all().delete()
    StoredGradeRule.objects.all().delete()
    assert told_to_the_class(scene, client_of) == before


def test_the_best_of_attempts_tells_nothing_of_one_that_is_held_back(
    scene: Scene, assignment: Assignment, client_of: Ask
) -> None:
    State(Missed.SENTENCES).enter(assignment)
    ManualGrade.objects.all().delete()
    keep_rule(assignment, GradeRule(attempt=Attempt.BEST))
    held = assignment.submissions.order_by("attempt")[0]
    Submission.objects.filter(pk=held.pk).update(visibility=Submission.Visibility.HELD_BACK)
    before = told_to_the_class(scene, client_of)

    Score.objects.filter(submission=held).update(comprehensive=0.999)

    assert told_to_the_class(scene, client_of) == before
    assert "99.9 of 100" in str(told_to(scene, client_of, "ta", ABOUT_A_STUDENT))


def test_students_are_told_nothing_of_second_opinions(
    scene: Scene, assignment: Assignment, client_of: Ask
) -> None:
    State(Missed.SENTENCES, is_past=True).enter(assignment)
    before = told_to_the_class(scene, client_of)
    graders = told_to(scene, client_of, "ta", ABOUT_A_STUDENT)

    for opinion in SecondOpinion.objects.all():
        opinion.document["explanation"] = [CANARY]
        opinion.save()
    assert told_to_the_class(scene, client_of) == before
    assert CANARY in str(told_to(scene, client_of, "ta", ABOUT_A_STUDENT))

    Job.objects.filter(kind=Job.Kind.SECOND_OPINIONS).update(
        state=Job.State.FAILED, error=CANARY, requested_by=scene.cast.student
    )
    assert told_to_the_class(scene, client_of) == before

    OpinionSetting.objects.all().delete()
    assert told_to_the_class(scene, client_of) == before
    assert told_to(scene, client_of, "ta", ABOUT_A_STUDENT) != graders


def test_others_are_told_nothing_of_a_grade(
    scene: Scene, assignment: Assignment, client_of: Ask
) -> None:
    State(Missed.SENTENCES).enter(assignment)
    ManualGrade.objects.update(reason=CANARY)
    everything = [*READ, *OWN]

    assert CANARY in str(told_to(scene, client_of, "student", everything))
    for who in OTHERS:
        assert CANARY not in str(told_to(scene, client_of, who, everything))


def test_a_draft_assignment_is_not_there_for_students(
    scene: Scene, assignment: Assignment, client_of: Ask
) -> None:
    UNSEEN.enter(assignment)
    client = client_of(scene.cast.student)

    address = reverse("submission", args=[scene.kwargs["submission"]["pk"]])

    assert client.get(address).status_code == 404
