"""A build makes a draft with the settings that were asked for; only on demand it scores."""

from dataclasses import asdict

import pytest

from grading.jobs.runner import job_run
from grading.models import Assignment, Draft, Job, StoredPyramid
from grading.pyramid.pipeline import Engine
from grading.pyramid.registry import BUILDERS, BuildSettings, settings_of
from grading.pyramids.actions import is_built_with, pyramid_start_build, settings_in_words
from grading.scoring.conversion import pyramid_from_draft
from grading.submissions.actions_summaries import submission_submit
from tests.conftest import SUMMARY, Cast

PAPERS = BuildSettings(builder="edua-g", edge_percentile=83.0, beta=2.5)


def build(cast: Cast, assignment: Assignment, settings: BuildSettings | None = None) -> Job:
    job = pyramid_start_build(
        assignment=assignment, requested_by=cast.instructor, settings=settings
    )
    assert job_run(job_pk=job.pk)
    job.refresh_from_db()
    return job


def test_a_build_makes_a_draft_and_scores_nobody(
    cast: Cast, assignment: Assignment, engine: Engine
) -> None:
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)

    job = build(cast, assignment)

    draft = Draft.objects.get()
    assert job.draft == draft
    assert (draft.origin, draft.created_by) == (Draft.Origin.BUILT, cast.instructor)
    assert pyramid_from_draft(draft).signature == engine.signature
    assert not StoredPyramid.objects.exists()
    assert not Job.objects.filter(kind=Job.Kind.SCORE_SUBMISSIONS).exists()


def test_a_build_that_publishes_scores_the_class(
    cast: Cast, assignment: Assignment, engine: Engine
) -> None:
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    job = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)

    assert job_run(job_pk=job.pk)

    assert Draft.objects.get().state == Draft.State.PUBLISHED
    assert Draft.objects.get().published_as == StoredPyramid.objects.get()
    assert Job.objects.filter(kind=Job.Kind.SCORE_SUBMISSIONS).exists()


def test_a_second_build_leaves_the_first_draft_alone(
    cast: Cast, assignment: Assignment, engine: Engine
) -> None:
    first = build(cast, assignment).draft
    assert first is not None
    before = first.document

    second = build(cast, assignment, PAPERS).draft

    first.refresh_from_db()
    assert second is not None
    assert (first.number, second.number) == (1, 2)
    assert first.document == before
    assert first.is_open


@pytest.mark.parametrize("builder", BUILDERS)
def test_the_draft_says_how_it_was_built(
    cast: Cast, assignment: Assignment, engine: Engine, builder: str
) -> None:
    settings = BuildSettings(builder=builder, edge_percentile=70.0, beta=1.5)

    draft = build(cast, assignment, settings).draft

    assert draft is not None
    assert draft.origin_note == settings_in_words(settings, settings_of(engine.method))
    assert "usual" not in draft.origin_note
    assert "percentile 70" in draft.origin_note
    assert "β 1.5" in draft.origin_note
    assert pyramid_from_draft(draft).signature != engine.signature


def test_a_draft_of_the_usual_settings_says_that_first(
    cast: Cast, assignment: Assignment, engine: Engine
) -> None:
    draft = build(cast, assignment).draft

    assert draft is not None
    assert draft.origin_note.startswith("usual settings; ")


def test_while_one_is_being_built_that_one_is_meant(cast: Cast, assignment: Assignment) -> None:
    first = pyramid_start_build(assignment=assignment, requested_by=cast.instructor)

    second = pyramid_start_build(
        assignment=assignment, requested_by=cast.instructor, settings=PAPERS
    )

    assert second == first
    assert not is_built_with(second, PAPERS)
    assert second.options == {}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"builder": "edua-x"}, "There is no builder “edua-x”"),
        ({"edge_percentile": 830}, "between 0 and 100"),
        ({"edge_percentile": "many"}, "damaged"),
        ({"beta": -1}, "at least 0"),
        ({"beta": None}, "damaged"),
    ],
)
def test_nonsense_fails_in_words(
    cast: Cast, assignment: Assignment, engine: Engine, changed: dict[str, object], said: str
) -> None:
    job = pyramid_start_build(assignment=assignment, requested_by=cast.instructor)
    Job.objects.update(options={**asdict(PAPERS), **changed})

    assert job_run(job_pk=job.pk)

    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert said in job.error
    assert not Draft.objects.exists()
