"""The effect of a draft on the class, from the button to what a worker keeps."""

import uuid
from collections.abc import Sequence

import pytest

from grading.drafts.log import Sender, draft_create, draft_edit
from grading.jobs.runner import job_run
from grading.models import Assignment, Draft, Finding, Job, Score, StoredPyramid
from grading.pyramid import pipeline
from grading.pyramid.editing.commands import DeleteScu
from grading.pyramid.effects import Measure
from grading.pyramid.pipeline import Engine, read_summaries
from grading.pyramid.structures import Pyramid, SegmentedText, Text
from grading.pyramids.actions import draft_from_version, pyramid_start_build
from grading.scoring.effects import ClassEffect, effect_start, latest_effect
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast

POISON = "poison"


@pytest.fixture
def version(cast: Cast, assignment: Assignment, engine: Engine) -> StoredPyramid:
    """Published, with two students scored."""
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    submission_submit(
        assignment=assignment, student=cast.other_student, text="Trees cool the streets."
    )
    build = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    assert job_run(job_pk=build.pk)
    for job in Job.objects.unfinished():
        assert job_run(job_pk=job.pk)
    return StoredPyramid.objects.get()


@pytest.fixture
def draft(cast: Cast, version: StoredPyramid) -> Draft:
    return draft_from_version(version=version, author=cast.instructor)


def foretell(cast: Cast, draft: Draft) -> ClassEffect:
    job = effect_start(draft=draft, requested_by=cast.instructor)
    assert job_run(job_pk=job.pk)
    job.refresh_from_db()
    assert job.is_done, job.error
    result = latest_effect(draft=draft)
    assert result is not None
    return result[1]


def delete_idea(cast: Cast, draft: Draft, label: str) -> None:
    draft.refresh_from_db()
    uid = next(scu["uid"] for scu in draft.document["scus"] if label in scu["label"])
    sent = Sender(cast.instructor, draft.revision, uuid.uuid4())
    draft_edit(draft=draft, command=DeleteScu(uid), sender=sent)
    draft.refresh_from_db()


def test_an_unchanged_draft_moves_nobody(cast: Cast, draft: Draft) -> None:
    result = foretell(cast, draft)
    assert len(result.effect.texts) == 2
    assert not result.effect.movers
    assert result.version == draft.based_on_id
    assert not result.not_scored


def test_an_edit_is_told_of_those_whom_it_moves(cast: Cast, draft: Draft) -> None:
    delete_idea(cast, draft, "Dark roofs")
    result = foretell(cast, draft)
    row = Finding.objects.get()
    assert (row.kind, row.revision) == (Finding.Kind.EFFECT, 1)
    zoe = Score.objects.get(submission__student=cast.student)
    mover = next(item for item in result.effect.movers if item.text == zoe.submission_id)
    assert mover.before is not None
    assert mover.before.comprehensive == round(zoe.comprehensive, 2)
    [lost] = [result.effect.ideas[place] for place in mover.lost]
    assert "Dark roofs" in lost.label
    assert (lost.weight_after, lost.matched_before, lost.matched_after, lost.lost) == (
        None,
        1,
        0,
        1,
    )


def test_who_has_no_score_yet_is_scored_with_both(cast: Cast, draft: Draft) -> None:
    before = foretell(cast, draft)
    Score.objects.all().delete()
    assert foretell(cast, draft) == before
    assert not Score.objects.exists()


def test_only_the_latest_attempt_counts(cast: Cast, draft: Draft, assignment: Assignment) -> None:
    last = submission_submit(assignment=assignment, student=cast.student, text=f"{SUMMARY} So.")
    result = foretell(cast, draft)
    assert last.pk in result.submissions
    assert len(result.effect.texts) == 2


def test_before_anything_is_published_there_is_only_an_after(
    cast: Cast, draft: Draft, assignment: Assignment
) -> None:
    draft.document = draft.first
    StoredPyramid.objects.all().delete()
    result = foretell(cast, draft)
    assert result.version is None
    assert result.effect.before(Measure.COMPREHENSIVE) is None
    assert result.effect.after(Measure.COMPREHENSIVE).mean > 0


def test_the_effect_of_what_cannot_be_published_is_refused_in_words(
    cast: Cast, version: StoredPyramid, assignment: Assignment
) -> None:
    draft = draft_create(
        assignment=assignment,
        pyramid=Pyramid((), ()),
        origin=Draft.Origin.EMPTY,
        author=cast.instructor,
    )
    job = effect_start(draft=draft, requested_by=cast.instructor)
    assert job_run(job_pk=job.pk)
    job.refresh_from_db()
    assert job.is_failed
    assert job.error.startswith("No idea in this draft counts. Give an idea a quote or a weight.")


def test_a_text_that_cannot_be_read_is_left_out(
    cast: Cast, draft: Draft, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = submission_submit(assignment=assignment, student=cast.student, text=f"{POISON} {SUMMARY}")

    def breaking(texts: Sequence[Text], engine: Engine) -> list[SegmentedText]:
        if any(POISON in text.content for text in texts):
            raise MemoryError
        return read_summaries(texts, engine)

    monkeypatch.setattr(pipeline, "read_summaries", breaking)
    result = foretell(cast, draft)
    assert result.not_scored == {bad.pk}
    assert len(result.effect.texts) == 1


def test_what_was_found_of_a_later_state_is_not_replaced(cast: Cast, draft: Draft) -> None:
    foretell(cast, draft)
    Finding.objects.update(revision=7)
    foretell(cast, draft)
    assert Finding.objects.get().revision == 7


def test_what_another_form_of_the_product_kept_is_not_read(cast: Cast, draft: Draft) -> None:
    foretell(cast, draft)
    Finding.objects.update(document={"format": 0})
    assert latest_effect(draft=draft) is None
