"""Readings: nobody is read twice, whatever happens to what was kept."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest

from grading.models import Assignment, StoredFacts, StoredReading, Submission
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.encoders.words import Words
from grading.pyramid.matchers import judged_text, kept_facts, text_facts
from grading.pyramid.parsing import ParsedText
from grading.pyramid.pipeline import (
    Engine,
    build_pyramid,
    make_engine,
    prepare_scorer,
    read_summaries,
    score_summaries,
)
from grading.pyramid.structures import Text
from grading.scoring import readings
from grading.scoring.conversion import submission_to_text
from grading.scoring.readings import readings_get, submissions_report
from grading.submissions.actions import submission_submit
from tests.conftest import REFERENCES, SUMMARY, Cast
from tests.fakes import FakeParser, fake_engine


class Counting(FakeParser):
    """Tells which texts were parsed."""

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def parse(self, texts: Sequence[Text]) -> list[ParsedText]:
        self.parsed += [text.content for text in texts]
        return super().parse(texts)


@pytest.fixture
def submissions(cast: Cast, assignment: Assignment) -> list[Submission]:
    for number in range(3):
        text = f"{SUMMARY} This is try number {number}."
        submission_submit(assignment=assignment, student=cast.student, text=text)
    return list(Submission.objects.select_related("student").order_by("-pk"))


def counting(parser: Counting) -> Engine:
    return replace(fake_engine(), parser=parser)


def test_what_was_read_once_is_not_read_again(submissions: list[Submission]) -> None:
    first, second = Counting(), Counting()
    read = readings_get(submissions=submissions, engine=counting(first))
    again = readings_get(submissions=submissions[1:], engine=counting(second))

    assert [text.text.content for text in read] == [submission.text for submission in submissions]
    assert first.parsed == [submission.text for submission in submissions]
    assert again == read[1:]
    assert second.parsed == []
    assert StoredReading.objects.count() == 3


def test_only_what_is_missing_is_read(submissions: list[Submission]) -> None:
    engine = counting(parser := Counting())
    readings_get(submissions=submissions[:1], engine=engine)
    readings_get(submissions=submissions, engine=engine)
    assert parser.parsed == [submission.text for submission in submissions]


def test_another_reader_makes_new_readings_and_the_old_ones_go(
    submissions: list[Submission],
) -> None:
    readings_get(submissions=submissions, engine=fake_engine())
    other = Counting()
    other.name = "fake-2"
    readings_get(submissions=submissions, engine=counting(other))
    assert len(other.parsed) == 3
    assert set(StoredReading.objects.values_list("maker", flat=True)) == {counting(other).reader}
    assert StoredReading.objects.count() == 3


@pytest.mark.parametrize("damage", [{"segments": {"format": 1}}, {"segments": "nonsense"}])
def test_what_is_damaged_is_read_anew(
    submissions: list[Submission], damage: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    engine = counting(parser := Counting())
    read = readings_get(submissions=submissions, engine=engine)
    StoredReading.objects.filter(submission=submissions[1]).update(**damage)
    parser.parsed.clear()

    with caplog.at_level(logging.WARNING):
        assert readings_get(submissions=submissions, engine=engine) == read
    assert parser.parsed == [submissions[1].text]
    assert "damaged" in caplog.text
    parser.parsed.clear()
    assert readings_get(submissions=submissions, engine=engine) == read
    assert parser.parsed == []


def test_readings_go_with_the_submission(submissions: list[Submission]) -> None:
    readings_get(submissions=submissions, engine=fake_engine())
    submissions[0].delete()
    assert StoredReading.objects.count() == 2


def fresh_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in another process. It keeps even a single fact: little is asked of texts so short."""
    monkeypatch.setattr(text_facts, "_facts_of_texts", OrderedDict())
    monkeypatch.setattr(kept_facts, "WORTH_KEEPING", 1)


def test_what_was_judged_once_is_not_judged_again(
    submissions: list[Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh_facts(monkeypatch)
    engine = fake_engine()
    scorer = prepare_scorer(build_pyramid(REFERENCES, engine), engine)
    reports = submissions_report(submissions=submissions, scorer=scorer, engine=engine)
    assert StoredFacts.objects.count() == 3
    fresh_facts(monkeypatch)
    with monkeypatch.context() as patched:
        patched.setattr(judged_text, "judge", None)
        again = submissions_report(submissions=submissions, scorer=scorer, engine=engine)
    assert again == reports
    submissions[0].delete()
    assert StoredFacts.objects.count() == 2


@pytest.mark.parametrize(
    "damage", [{"document": b"nonsense"}, {"document": b""}, {"maker": "another judge"}]
)
def test_facts_that_are_damaged_or_of_another_judge_are_found_anew(
    submissions: list[Submission], damage: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh_facts(monkeypatch)
    engine = fake_engine()
    scorer = prepare_scorer(build_pyramid(REFERENCES, engine), engine)
    reports = submissions_report(submissions=submissions, scorer=scorer, engine=engine)
    sound = {row.submission_id: bytes(row.document) for row in StoredFacts.objects.all()}
    StoredFacts.objects.filter(submission=submissions[1]).update(**damage)
    fresh_facts(monkeypatch)
    assert submissions_report(submissions=submissions, scorer=scorer, engine=engine) == reports
    assert {row.submission_id: bytes(row.document) for row in StoredFacts.objects.all()} == sound
    assert set(StoredFacts.objects.values_list("maker", flat=True)) == {engine.judge}


def test_without_news_nothing_is_written(
    submissions: list[Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh_facts(monkeypatch)
    engine = fake_engine()
    scorer = prepare_scorer(build_pyramid(REFERENCES, engine), engine)
    submissions_report(submissions=submissions, scorer=scorer, engine=engine)
    fresh_facts(monkeypatch)
    monkeypatch.setattr(readings, "_keep_facts", None)
    monkeypatch.setattr(readings, "_keep", None)
    assert all(submissions_report(submissions=submissions, scorer=scorer, engine=engine))


def test_the_number_of_queries_does_not_grow_with_the_class(
    submissions: list[Submission],
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    engine = fake_engine()
    readings_get(submissions=submissions, engine=engine)
    with django_assert_num_queries(2):  # readings, and what was found out
        readings_get(submissions=submissions, engine=engine)


@pytest.mark.models
def test_with_the_real_models_nothing_is_different_to_the_bit(
    submissions: list[Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fresh process with what another one kept finds just what that one found."""
    first, second, third = (make_engine("classroom", remembered=5) for _ in range(3))
    pyramid = build_pyramid(REFERENCES, third)
    scored = submissions_report(
        submissions=submissions, scorer=prepare_scorer(pyramid, first), engine=first
    )
    scorer = prepare_scorer(pyramid, second)
    run, students = OnnxEncoder._read, {submission.text for submission in submissions}

    def references_only(model: OnnxEncoder, contents: Sequence[str]) -> list[Words]:
        assert students.isdisjoint(contents), "a student's text was read again"
        return run(model, contents)

    with monkeypatch.context() as patched:
        patched.setattr(OnnxEncoder, "_read", references_only)
        cached = submissions_report(submissions=submissions, scorer=scorer, engine=second)

    texts = [submission_to_text(submission) for submission in submissions]
    assert cached == scored == list(score_summaries(pyramid, texts, third))
    assert readings_get(submissions=submissions, engine=second) == read_summaries(texts, third)


@pytest.mark.models
def test_what_is_found_out_while_scoring_is_kept_too(submissions: list[Submission]) -> None:
    engine = make_engine("classroom", remembered=5)
    long = [replace(text, content=" ".join([text.content] * 4)) for text in REFERENCES]
    readings_get(submissions=submissions, engine=engine)
    sizes = sum(len(row.vectors) for row in StoredReading.objects.all())
    scorer = prepare_scorer(build_pyramid(long, engine), engine)
    for _ in range(2):
        assert all(submissions_report(submissions=submissions, scorer=scorer, engine=engine))
        assert sum(len(row.vectors) for row in StoredReading.objects.all()) > sizes
        assert StoredReading.objects.count() == 3
    made = set(StoredReading.objects.values_list("pk", flat=True))
    assert all(submissions_report(submissions=submissions, scorer=scorer, engine=engine))
    assert set(StoredReading.objects.values_list("pk", flat=True)) == made  # there was no news


@pytest.mark.models
def test_damaged_vectors_are_made_anew(submissions: list[Submission]) -> None:
    engine = make_engine("classroom")
    readings_get(submissions=submissions, engine=engine)
    sound = {row.submission_id: bytes(row.vectors) for row in StoredReading.objects.all()}
    [first, two, three] = submissions
    StoredReading.objects.filter(submission=first).update(vectors=sound[first.pk][:-1] + b"\x00")
    StoredReading.objects.filter(submission=two).update(vectors=sound[three.pk])
    StoredReading.objects.filter(submission=three).update(vectors=b"")

    readings_get(submissions=submissions, engine=make_engine("classroom"))

    assert {row.submission_id: bytes(row.vectors) for row in StoredReading.objects.all()} == sound
