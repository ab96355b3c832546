"""Looking at a draft: from the button to what a worker keeps, and taking what is suggested."""

import uuid
from collections.abc import Sequence

import pytest

from grading.drafts.log import Result, Sender, draft_edit
from grading.editor.actions import (
    analysis_start,
    suggestion_accept,
    suggestion_dismiss,
    suggestion_restore,
)
from grading.editor.queries import (
    StoredAnalysis,
    Suggestions,
    analysis_job,
    draft_suggestions,
    latest_analysis,
)
from grading.jobs.runner import job_run
from grading.models import Assignment, Draft, Finding, Job, Submission
from grading.pyramid.analysis.suggestions import Kind, Suggestion
from grading.pyramid.editing import Command
from grading.pyramid.editing.commands import DeleteScu, SplitScu
from grading.pyramid.pipeline import Engine, build_pyramid
from grading.pyramid.structures import Pyramid, SegmentedText
from grading.scoring import readings
from grading.scoring.readings import readings_get
from grading.submissions.actions import submission_submit
from tests.conftest import REFERENCES, SUMMARY, Cast
from tests.drafts.drafting import begun

NEW = "Paint lets walls reflect sunlight."


@pytest.fixture
def pyramid(engine: Engine) -> Pyramid:
    """As it was built, with one idea torn apart."""
    built = build_pyramid(REFERENCES, engine)
    scu = next(scu for scu in built.scus[::-1] if len(scu.contributors) > 1)
    return SplitScu(scu.uid, 900, (scu.contributors[0].reference,)).apply(built)


@pytest.fixture
def draft(assignment: Assignment, pyramid: Pyramid) -> Draft:
    return begun(assignment, pyramid)


def look(draft: Draft, cast: Cast) -> StoredAnalysis:
    job = analysis_start(draft=draft, requested_by=cast.instructor)
    assert job_run(job_pk=job.pk)
    job.refresh_from_db()
    assert job.is_done, job.error
    draft.refresh_from_db()
    result = latest_analysis(draft=draft)
    assert result is not None
    return result


def listed(draft: Draft) -> Suggestions:
    draft.refresh_from_db()
    return draft_suggestions(draft=draft, stored=latest_analysis(draft=draft))


def merge_in(suggestions: Sequence[Suggestion]) -> Suggestion:
    return next(suggestion for suggestion in suggestions if suggestion.kind is Kind.MERGE)


def edit(draft: Draft, cast: Cast, command: Command) -> None:
    draft.refresh_from_db()
    sender = Sender(cast.instructor, draft.revision, uuid.uuid4())
    assert draft_edit(draft=draft, command=command, sender=sender).result is Result.DONE


def test_a_worker_finds_what_could_be_better(draft: Draft, cast: Cast) -> None:
    assert latest_analysis(draft=draft) is None

    result = look(draft, cast)

    assert result.is_current
    assert 900 in merge_in(listed(draft).open).scus
    assert analysis_job(draft=draft) is None


def test_while_a_worker_looks_the_job_is_told(draft: Draft, cast: Cast) -> None:
    job = analysis_start(draft=draft, requested_by=cast.instructor)

    assert analysis_job(draft=draft) == job
    assert analysis_start(draft=draft, requested_by=cast.ta) == job
    assert Job.objects.latest_to_show(draft.assignment) is None


def test_two_drafts_are_looked_at_by_themselves(draft: Draft, cast: Cast, pyramid: Pyramid) -> None:
    other = begun(draft.assignment, pyramid)

    first = analysis_start(draft=draft, requested_by=cast.instructor)

    assert analysis_start(draft=other, requested_by=cast.instructor) != first


def test_after_an_edit_or_a_submission_there_is_more_to_see(draft: Draft, cast: Cast) -> None:
    look(draft, cast)
    submission_submit(assignment=draft.assignment, student=cast.student, text=SUMMARY)
    handed_in = latest_analysis(draft=draft)
    assert handed_in is not None
    assert not handed_in.is_current

    assert look(draft, cast).is_current
    edit(draft, cast, DeleteScu(900))
    draft.refresh_from_db()
    edited = latest_analysis(draft=draft)
    assert edited is not None
    assert not edited.is_current


def test_what_was_found_of_a_later_state_stays(draft: Draft, cast: Cast) -> None:
    look(draft, cast)
    Finding.objects.update(revision=7)

    job = analysis_start(draft=draft, requested_by=cast.instructor)
    assert job_run(job_pk=job.pk)

    assert Finding.objects.get().revision == 7


def test_what_another_program_found_is_not_read(draft: Draft, cast: Cast) -> None:
    look(draft, cast)
    Finding.objects.update(document={"format": 99})

    assert latest_analysis(draft=draft) is None


def test_taking_a_suggestion_makes_its_edit(draft: Draft, cast: Cast) -> None:
    look(draft, cast)
    chosen = merge_in(listed(draft).open)
    sender = Sender(cast.instructor, 0, uuid.uuid4())

    outcome = suggestion_accept(draft=draft, key=chosen.key, sender=sender)

    assert outcome.result is Result.DONE
    assert outcome.edit is not None
    assert outcome.edit.words.startswith("merged")
    assert chosen.key not in {suggestion.key for suggestion in listed(draft).open}


def test_taking_it_once_more_after_a_lost_answer_is_done_already(draft: Draft, cast: Cast) -> None:
    look(draft, cast)
    chosen = merge_in(listed(draft).open)
    sender = Sender(cast.instructor, 0, uuid.uuid4())
    suggestion_accept(draft=draft, key=chosen.key, sender=sender)
    draft.refresh_from_db()

    again = suggestion_accept(draft=draft, key=chosen.key, sender=sender)

    assert again.result is Result.DONE
    assert draft.edits.count() == 1


def test_a_suggestion_that_does_not_fit_any_more_is_refused(draft: Draft, cast: Cast) -> None:
    look(draft, cast)
    chosen = merge_in(listed(draft).open)
    edit(draft, cast, DeleteScu(900))
    draft.refresh_from_db()
    sender = Sender(cast.instructor, draft.revision, uuid.uuid4())

    outcome = suggestion_accept(draft=draft, key=chosen.key, sender=sender)

    assert outcome.result is Result.REFUSED
    assert outcome.message == "This suggestion no longer fits the draft."


def test_a_suggestion_about_an_older_state_is_stale(draft: Draft, cast: Cast) -> None:
    look(draft, cast)
    chosen = merge_in(listed(draft).open)
    other = next(scu["uid"] for scu in draft.document["scus"] if scu["uid"] not in chosen.scus)
    edit(draft, cast, DeleteScu(other))
    sender = Sender(cast.instructor, 0, uuid.uuid4())
    draft.refresh_from_db()

    assert suggestion_accept(draft=draft, key=chosen.key, sender=sender).result is Result.STALE


def test_dismissed_stays_dismissed_until_it_is_brought_back(draft: Draft, cast: Cast) -> None:
    look(draft, cast)
    chosen = merge_in(listed(draft).open)

    for _ in range(2):
        suggestion_dismiss(draft=draft, key=chosen.key, author=cast.instructor)
    look(draft, cast)
    assert chosen not in listed(draft).open
    assert listed(draft).dismissed == (chosen,)

    suggestion_restore(draft=draft, key=chosen.key)
    assert chosen in listed(draft).open
    assert listed(draft).dismissed == ()


def test_what_students_say_gets_the_next_number(
    assignment: Assignment, cast: Cast, engine: Engine
) -> None:
    draft = begun(assignment, build_pyramid(REFERENCES, engine))
    for number in range(4):
        student = type(cast.student).objects.create_user(f"s{number}", name=f"S {number}")
        submission_submit(assignment=draft.assignment, student=student, text=NEW)
    look(draft, cast)
    (taught,) = [
        suggestion for suggestion in listed(draft).open if suggestion.kind is Kind.STUDENTS
    ]
    sender = Sender(cast.instructor, 0, uuid.uuid4())

    outcome = suggestion_accept(draft=draft, key=taught.key, sender=sender)

    assert outcome.after.scus[-1].uid == draft.next_uid
    assert outcome.after.scus[-1].given_weight == 1
    assert taught.key not in {suggestion.key for suggestion in listed(draft).open}


def test_a_text_that_cannot_be_read_keeps_nothing_away(
    draft: Draft, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poisoned(*, submissions: Sequence[Submission], engine: Engine) -> list[SegmentedText]:
        if any("poison" in item.text for item in submissions):
            raise ValueError("poison")
        return readings_get(submissions=submissions, engine=engine)

    monkeypatch.setattr(readings, "readings_get", poisoned)
    submission_submit(assignment=draft.assignment, student=cast.student, text="A poison text.")
    submission_submit(assignment=draft.assignment, student=cast.other_student, text=SUMMARY)

    result = look(draft, cast)

    assert result.analysis.quality.leaving_out.texts == 1
