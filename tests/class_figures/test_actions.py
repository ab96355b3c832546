"""What a class writes and the pyramid lacks: found by a worker among some, counted among all."""

from collections.abc import Sequence

import pytest

from grading.class_figures import actions as new_ideas
from grading.class_figures.actions import new_ideas_start
from grading.class_figures.queries import new_ideas_job, new_ideas_of
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    ClassFinding,
    Job,
    Membership,
    StoredPyramid,
    Submission,
    User,
)
from grading.pyramid.class_figures import NewIdeas
from grading.pyramid.formats.findings_json import new_ideas_from_json, new_ideas_to_json
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import SegmentedText
from grading.pyramids.actions import pyramid_start_build
from grading.scoring import readings
from grading.scoring.readings import readings_get
from grading.submissions.actions import submission_submit
from tests.conftest import Cast

TELL = "Dark roofs store heat. "
NEW = "Paint lets walls reflect sunlight."


@pytest.fixture
def published(cast: Cast, assignment: Assignment, engine: Engine) -> Assignment:
    build = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    assert job_run(job_pk=build.pk)
    return assignment


def write(assignment: Assignment, *texts: str) -> list[Submission]:
    made = []
    for number, text in enumerate(texts):
        user = User.objects.create_user(f"w{number}", name=f"Writer {number}")
        Membership.objects.create(course=assignment.course, user=user, role="student")
        made.append(submission_submit(assignment=assignment, student=user, text=text))
    return made


def look(cast: Cast, assignment: Assignment) -> NewIdeas:
    job = new_ideas_start(assignment=assignment, requested_by=cast.ta)
    assert job_run(job_pk=job.pk)
    job.refresh_from_db()
    assert job.is_done, job.error
    result = new_ideas_of(assignment)
    assert result is not None
    return result[1]


def test_an_idea_with_who_tells_it_and_where(cast: Cast, published: Assignment) -> None:
    first, *others, last = write(published, TELL + NEW, NEW, TELL + NEW, TELL)

    finding = look(cast, published)

    (idea,) = finding.ideas
    assert idea.label == NEW
    assert set(idea.spans) == {first.pk, *(other.pk for other in others)}
    [span] = idea.spans[first.pk]
    assert first.text[span.start : span.end].rstrip(".") == NEW.rstrip(".")
    assert finding.texts == {first.pk, *(other.pk for other in others), last.pk}
    assert ClassFinding.objects.get().version == StoredPyramid.objects.get()
    assert new_ideas_from_json(new_ideas_to_json(finding)) == finding


def test_of_a_section_only_its_own_are_told(cast: Cast, published: Assignment) -> None:
    first, _, _, last = write(published, TELL + NEW, NEW, TELL + NEW, TELL)
    finding = look(cast, published)

    some = finding.among({first.pk, last.pk})
    assert some.texts == {first.pk, last.pk}
    assert len(some.ideas[0].spans) == 1
    assert some.share(some.ideas[0]) == 0.5
    assert finding.among({last.pk}).ideas == ()


def test_looking_again_takes_the_place_of_what_was_found(cast: Cast, published: Assignment) -> None:
    write(published, TELL + NEW, NEW, TELL + NEW)
    assert look(cast, published).ideas
    Submission.objects.all().delete()

    assert look(cast, published) == NewIdeas(frozenset(), ())
    assert ClassFinding.objects.count() == 1


def test_wordings_come_from_some_and_are_counted_among_all(
    cast: Cast, published: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_ideas, "MOST_STUDENTS", 3)
    write(published, *[NEW] * 8)

    (idea,) = look(cast, published).ideas
    assert len(idea.spans) == 8


def test_a_text_that_cannot_be_read_keeps_nobody_else_away(
    cast: Cast, published: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poisoned(*, submissions: Sequence[Submission], engine: Engine) -> list[SegmentedText]:
        if any("poison" in submission.text for submission in submissions):
            raise ValueError("poison")
        return readings_get(submissions=submissions, engine=engine)

    monkeypatch.setattr(readings, "readings_get", poisoned)
    *_, bad = write(published, NEW, NEW, NEW, "A text of poison.")

    finding = look(cast, published)
    assert len(finding.ideas) == 1
    assert bad.pk not in finding.texts


def test_without_a_pyramid_it_fails_in_words(
    cast: Cast, assignment: Assignment, engine: Engine
) -> None:
    job = new_ideas_start(assignment=assignment, requested_by=cast.ta)
    assert job_run(job_pk=job.pk)

    failed = new_ideas_job(assignment)
    assert failed is not None
    assert "Publish one first." in failed.error
    assert new_ideas_of(assignment) is None


def test_it_is_not_told_as_work_on_the_assignment(cast: Cast, published: Assignment) -> None:
    Job.objects.filter(kind=Job.Kind.SCORE_SUBMISSIONS).delete()  # of the experts
    new_ideas_start(assignment=published, requested_by=cast.ta)
    new_ideas_start(assignment=published, requested_by=cast.ta)

    assert Job.objects.latest_to_show(published) is None
    assert Job.objects.unfinished().filter(kind=Job.Kind.FIND_NEW_IDEAS).count() == 1
