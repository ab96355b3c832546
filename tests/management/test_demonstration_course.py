"""The demonstration course is loaded once, and what people changed since is left alone."""

from collections import Counter

import pytest

from grading.jobs.runner import job_run
from grading.management.demonstration_course import FOLDER, demonstration_load
from grading.models import Course, Job, Missed, Score, SecondOpinion, Submission, User
from grading.pyramid.pipeline import Engine, build_pyramid, make_engine, score_summaries
from grading.pyramid.structures import Text
from grading.scoring.results import class_results

pytestmark = pytest.mark.django_db


def test_loading_twice_changes_nothing() -> None:
    course = demonstration_load(password="one-password")
    User.objects.filter(username="amara.okafor").update(username="amara")

    assert demonstration_load(password="another") == course
    assert Course.objects.count() == 1
    assert Submission.objects.count() == 15
    assert Job.objects.filter(kind=Job.Kind.BUILD_PYRAMID).count() == 1
    assert User.objects.get(username="ta").check_password("one-password")


def test_its_worker_builds_and_scores_everything(engine: Engine) -> None:
    course = demonstration_load(password="one-password")
    while job := Job.objects.filter(state=Job.State.QUEUED).last():
        assert job_run(job_pk=job.pk)

    results = class_results(course.assignments.get())
    # The tests' parser knows no grammar, so a rule sees denials where there are none. With the real
    # one no text is held: test_the_real_models_hold_no_text.
    assert {result.state.partition(":")[0] for result in results} <= {"scored", "held"}
    assert Score.objects.count() == 15
    opinions = Counter(SecondOpinion.objects.values_list("method", flat=True))
    assert opinions == {"be-hm": 15, "rouge-su4": 15}
    assert all(result.submission and result.submission.is_final for result in results)
    names = [result.student.name for result in results]
    assert names.index("Łukasz Żak") < names.index("Mateo Ibáñez")


def test_one_student_has_an_earlier_draft_with_fewer_words(engine: Engine) -> None:
    course = demonstration_load(password="one-password")

    draft, final = Submission.objects.filter(student__username="student1").order_by("attempt")

    assert (draft.is_final, final.is_final) == (False, True)
    assert draft.words < final.words
    assignment = course.assignments.get()
    assert (assignment.max_drafts, Submission(assignment=assignment).student_sight.missed) == (
        2,
        Missed.COUNTS,
    )
    assert assignment.missed_after == Missed.LABELS


@pytest.mark.models
def test_the_real_models_hold_no_text() -> None:
    texts = {
        folder: [Text(path.stem, path.read_text("utf-8")) for path in sorted(files.glob("*.txt"))]
        for folder in ("references", "students")
        for files in [FOLDER / folder]
    }
    engine = make_engine("classroom")
    pyramid = build_pyramid(texts["references"], engine)

    reports = score_summaries(pyramid, texts["students"], engine)

    assert [report.evidence.held for report in reports] == [()] * len(texts["students"])
