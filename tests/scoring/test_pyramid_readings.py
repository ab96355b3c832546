"""References and labels are read by one worker, once, whatever happens to what was kept."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest

from grading.housekeeping.deletions import student_delete
from grading.models import Assignment, PyramidReading, Submission
from grading.pyramid import pipeline
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.encoders.words import Words
from grading.pyramid.matchers import text_facts
from grading.pyramid.pipeline import Engine, build_pyramid, make_engine
from grading.pyramid.structures import Pyramid, ScoreReport
from grading.scoring import pyramid_readings
from grading.scoring.pyramid_readings import kept_scorer
from grading.scoring.readings import submissions_report
from grading.submissions.actions import submission_submit
from tests.conftest import REFERENCES, SUMMARY, Cast
from tests.fakes import fake_engine
from tests.scoring.test_readings import Counting

NewProcess = Callable[[], None]


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> NewProcess:
    """Forget what a process remembers."""

    def forget() -> None:
        monkeypatch.setattr(pipeline, "_references", {})
        monkeypatch.setattr(text_facts, "_facts_of_texts", OrderedDict())

    forget()
    return forget


@pytest.fixture
def submission(cast: Cast, assignment: Assignment) -> Submission:
    return submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)


@pytest.fixture
def pyramid() -> Pyramid:
    """With one label that no reference has."""
    built = build_pyramid(REFERENCES, fake_engine())
    return relabelled(built, "Roofs store much heat")


def relabelled(pyramid: Pyramid, label: str) -> Pyramid:
    first, *others = pyramid.scus
    return replace(pyramid, scus=(replace(first, label=label), *others))


def counting() -> tuple[Counting, Engine]:
    parser = Counting()
    return parser, replace(fake_engine(), parser=parser)


def score(
    submission: Submission, pyramid: Pyramid, engine: Engine, *, explained: bool = True
) -> ScoreReport:
    scorer_of_class = kept_scorer(
        assignment_pk=submission.assignment_id, pyramid=pyramid, engine=engine, explained=explained
    )
    with scorer_of_class as scorer:
        [report] = submissions_report(submissions=[submission], scorer=scorer, engine=engine)
    assert report is not None
    return report


def test_a_second_worker_reads_no_reference_and_no_label(
    submission: Submission, pyramid: Pyramid, new_process: NewProcess
) -> None:
    parser, engine = counting()
    first = score(submission, pyramid, engine)
    assert {text.content for text in REFERENCES} <= set(parser.parsed)
    assert "Roofs store much heat" in parser.parsed

    new_process()
    parser, engine = counting()
    assert score(submission, pyramid, engine) == first
    assert parser.parsed == []
    rows = PyramidReading.objects.values_list("pk", "created_at")
    assert len(rows) == len(pipeline.texts_of_pyramid(pyramid))


def test_an_edited_label_is_read_anew_alone(
    submission: Submission, pyramid: Pyramid, new_process: NewProcess
) -> None:
    score(submission, pyramid, fake_engine())
    new_process()
    parser, engine = counting()
    score(submission, relabelled(pyramid, "Dark roofs are warm"), engine)
    assert parser.parsed in ([], ["Dark roofs are warm"])
    assert PyramidReading.objects.count() <= len(pipeline.texts_of_pyramid(pyramid)) + 1


def test_what_is_damaged_is_read_anew(
    submission: Submission,
    pyramid: Pyramid,
    new_process: NewProcess,
    caplog: pytest.LogCaptureFixture,
) -> None:
    first = score(submission, pyramid, fake_engine())
    number = PyramidReading.objects.count()
    for damage in ({"segments": {"format": 1}}, {"facts": b"nonsense"}):
        PyramidReading.objects.update(**damage)
        new_process()
        parser, engine = counting()
        with caplog.at_level(logging.WARNING):
            assert score(submission, pyramid, engine) == first
        assert {text.content for text in REFERENCES} <= set(parser.parsed)
        assert "damaged" in caplog.text
        assert PyramidReading.objects.count() == number
        new_process()
        parser, engine = counting()
        assert score(submission, pyramid, engine) == first
        assert parser.parsed == []


def test_another_judge_reads_anew_and_the_old_readings_go(
    submission: Submission, pyramid: Pyramid, new_process: NewProcess
) -> None:
    score(submission, pyramid, fake_engine())
    new_process()
    parser, engine = counting()
    parser.name = "fake-2"
    score(submission, pyramid, engine)
    assert {text.content for text in REFERENCES} <= set(parser.parsed)
    assert set(PyramidReading.objects.values_list("maker", flat=True)) == {engine.judge}


def test_only_so_many_are_kept_that_the_pyramid_does_not_need(
    submission: Submission,
    pyramid: Pyramid,
    new_process: NewProcess,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pyramid_readings, "MOST_OTHERS", 2)
    engine = fake_engine()
    for number in range(5):
        new_process()
        others = [replace(text, content=f"{text.content} {number}.") for text in REFERENCES]
        score(submission, build_pyramid(others, engine), engine)
    needed = pipeline.texts_of_pyramid(build_pyramid(others, engine))
    assert len(REFERENCES) <= PyramidReading.objects.count() <= len(needed) + 2


def test_a_worker_that_knows_all_asks_the_database_for_nothing(
    submission: Submission,
    pyramid: Pyramid,
    new_process: NewProcess,
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    del new_process
    engine = fake_engine()
    score(submission, pyramid, engine)
    score(submission, pyramid, engine)
    with (
        django_assert_num_queries(0),
        kept_scorer(assignment_pk=submission.assignment_id, pyramid=pyramid, engine=engine),
    ):
        pass


def test_a_method_without_need_of_references_keeps_none(
    submission: Submission, pyramid: Pyramid, new_process: NewProcess
) -> None:
    del new_process
    score(submission, pyramid, fake_engine("pyreval"))
    assert not PyramidReading.objects.exists()


def test_readings_go_with_the_assignment_even_while_a_worker_scores(
    submission: Submission, pyramid: Pyramid, assignment: Assignment, new_process: NewProcess
) -> None:
    score(submission, pyramid, fake_engine())
    assert PyramidReading.objects.exists()
    new_process()
    engine = fake_engine()
    scorer_of_class = kept_scorer(assignment_pk=assignment.pk, pyramid=pyramid, engine=engine)
    with scorer_of_class:
        assignment.delete()
    assert not PyramidReading.objects.exists()


def test_two_workers_may_keep_the_same(
    submission: Submission, pyramid: Pyramid, new_process: NewProcess
) -> None:
    engine = fake_engine()
    pk = submission.assignment_id
    with kept_scorer(assignment_pk=pk, pyramid=pyramid, engine=engine):
        score(submission, pyramid, engine)  # another one keeps all, and is done first
        new_process()
    texts = pipeline.texts_of_pyramid(pyramid)
    assert PyramidReading.objects.count() == len(texts)
    reader = pyramid_readings._PyramidReader(pk, pyramid, engine)
    read = pipeline.read_references(texts, engine)
    reader._save(dict(zip(map(pyramid_readings._digest, texts), read, strict=True)))
    assert PyramidReading.objects.count() == len(texts)


def test_with_any_student_of_the_course_they_are_deleted(
    submission: Submission, pyramid: Pyramid, cast: Cast, new_process: NewProcess
) -> None:
    """A label may have quoted the student, and was edited since."""
    del new_process
    score(submission, pyramid, fake_engine())
    assert PyramidReading.objects.exists()
    course = submission.assignment.course
    student_delete(course=course, student=cast.student, asked_by=cast.instructor)
    assert not PyramidReading.objects.exists()


def test_without_explanation_there_are_the_same_numbers(
    submission: Submission, pyramid: Pyramid
) -> None:
    engine = fake_engine()
    explained = score(submission, pyramid, engine)
    assert explained.trace
    bare = score(submission, pyramid, engine, explained=False)
    assert bare == replace(explained, trace=(), remarks=())


@pytest.mark.models
def test_with_the_real_models_nothing_is_different_to_the_bit(
    submission: Submission, new_process: NewProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (make_engine("classroom", remembered=5) for _ in range(2))
    pyramid = relabelled(build_pyramid(REFERENCES, first), "Roofs store much heat")
    expected = score(submission, pyramid, first)
    new_process()

    def read_again(_: OnnxEncoder, contents: Sequence[str]) -> list[Words]:
        assert not contents, "this was read before"
        return []

    monkeypatch.setattr(OnnxEncoder, "_read", read_again)
    assert score(submission, pyramid, second) == expected
