"""Second opinions are calculated by a worker, kept, and renewed when what they rest on changes."""

from collections.abc import Callable

import pytest

from grading.assignments.actions import assignment_change
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    Job,
    SecondOpinion,
    StoredContentModel,
    StoredPyramid,
    Submission,
)
from grading.pyramid.content import ContentModel, ContentScore, ContentScorer
from grading.pyramid.content_pipeline import (
    ContentEngine,
    make_content_engine,
    prepare_content_scorer,
)
from grading.pyramid.editing.commands import SetLabel
from grading.pyramid.formats.opinion_json import opinion_from_json
from grading.pyramid.parsing import ParsedText
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Text
from grading.pyramids.actions import (
    draft_from_version,
    draft_publish,
    pyramid_start_build,
    reference_change,
    reference_delete,
    reference_stamp,
    references_add,
)
from grading.scoring.second_opinions import opinions_job
from grading.second_opinions.actions import opinion_setting_change, outdated_opinions_renew
from grading.submissions.actions import submission_submit
from grading.tasks import renew_scores
from tests.conftest import SUMMARY, Cast
from tests.drafts.drafting import Editor

KIND = Job.Kind.SECOND_OPINIONS
Choose = Callable[..., None]


@pytest.fixture(autouse=True)
def use_engine(engine: Engine) -> None:
    """Words for clauses, no model: what the methods make of them is tested elsewhere."""


@pytest.fixture
def choose(cast: Cast, assignment: Assignment) -> Choose:
    def chosen(*methods: str, run: bool = True) -> None:
        opinion_setting_change(
            assignment=assignment, methods=methods, least_difference=1.5, author=cast.instructor
        )
        if run:
            run_all()

    return chosen


def run_all() -> None:
    while job := Job.objects.filter(state=Job.State.QUEUED).order_by("pk").first():
        assert job_run(job_pk=job.pk)


@pytest.fixture
def submission(cast: Cast, assignment: Assignment) -> Submission:
    """Scored by a published pyramid."""
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    made = submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    run_all()
    assert made.scores.exists()
    return made


def waiting() -> int:
    return Job.objects.filter(kind=KIND, state=Job.State.QUEUED).count()


def signatures() -> dict[str, str]:
    """What made each second opinion, by its method."""
    return dict(SecondOpinion.objects.values_list("method", "signature"))


def test_without_a_setting_no_job_is_started(submission: Submission) -> None:
    assert not Job.objects.filter(kind=KIND).exists()


def test_each_submission_gets_an_opinion_of_each_method(
    submission: Submission, choose: Choose
) -> None:
    choose("rouge-1", "be-heads")

    opinions = {
        second_opinion.method: second_opinion for second_opinion in SecondOpinion.objects.all()
    }
    assert set(opinions) == {"rouge-1", "be-heads"}
    rouge = opinions["rouge-1"]
    assert rouge.submission == submission
    assert 0 < rouge.score < 1
    model = StoredContentModel.objects.get(method="rouge-1")
    assert rouge.signature == model.opinion_signature
    assert rouge.signature.startswith("rouge-1-")
    assert {text["name"] for text in model.document["references"]} == {"Ada", "Ben", "Chi"}


def test_an_opinion_has_all_that_a_page_needs_with_spans_in_the_text(
    submission: Submission, choose: Choose
) -> None:
    choose("rouge-1")

    opinion = opinion_from_json(SecondOpinion.objects.get().document)

    [hotter] = [unit for unit in opinion.found if unit.label == "hotter"]
    assert Text("", SUMMARY).words_at(hotter.spans) == "hotter"
    assert opinion.explanation
    assert opinion.heaviest >= hotter.weight > 0


def test_what_is_submitted_later_is_scored_first_and_gets_its_opinion_in_a_job_of_its_own(
    cast: Cast, assignment: Assignment, submission: Submission, choose: Choose
) -> None:
    choose("rouge-1")
    later = submission_submit(
        assignment=assignment, student=cast.other_student, text=f"{SUMMARY} So."
    )
    assert waiting() == 0

    scoring = Job.objects.get(submission=later)
    assert job_run(job_pk=scoring.pk)
    assert later.scores.exists()
    assert not later.second_opinions.exists()
    assert waiting() == 1

    run_all()
    assert later.second_opinions.count() == 1


def test_a_model_is_built_once_and_no_opinion_is_calculated_twice(
    submission: Submission, choose: Choose
) -> None:
    choose("rouge-1")
    model, opinion = StoredContentModel.objects.get(), SecondOpinion.objects.get()

    choose("rouge-1", "rouge-2")

    assert StoredContentModel.objects.get(method="rouge-1").pk == model.pk
    assert SecondOpinion.objects.get(method="rouge-1").created_at == opinion.created_at


def test_opinions_of_methods_that_are_switched_off_are_deleted(
    submission: Submission, choose: Choose
) -> None:
    choose("rouge-1", "rouge-2")
    choose("rouge-2", run=False)

    assert SecondOpinion.objects.get().method == "rouge-2"
    assert StoredContentModel.objects.get().method == "rouge-2"
    choose()
    assert not SecondOpinion.objects.exists()
    assert not StoredContentModel.objects.exists()


def _add(assignment: Assignment) -> None:
    references_add(assignment=assignment, texts=[Text("Dov", "Bicycles are green every day.")])


def _change(assignment: Assignment) -> None:
    reference = assignment.references.get(name="Ada")
    reference_change(
        reference=reference, name="Ada", text="Green bicycles.", stamp=reference_stamp(reference)
    )


def _delete(assignment: Assignment) -> None:
    reference_delete(reference=assignment.references.get(name="Ada"))


@pytest.mark.parametrize("change", [_add, _change, _delete])
def test_a_change_of_the_references_renews_the_opinions(
    assignment: Assignment,
    submission: Submission,
    choose: Choose,
    change: Callable[[Assignment], None],
) -> None:
    choose("rouge-1")
    before = SecondOpinion.objects.get()

    change(assignment)
    assert waiting() == 1
    run_all()

    after = SecondOpinion.objects.get()
    assert after.signature != before.signature
    assert after.score != before.score
    assert after.signature == StoredContentModel.objects.get().opinion_signature


def test_a_change_of_the_source_renews_those_that_rest_on_it(
    assignment: Assignment, submission: Submission, choose: Choose
) -> None:
    assignment.source_text = "Cities are hotter than the country because dark roofs store heat."
    assignment_change(assignment=assignment, fields=["source_text"])
    choose("edu-alignment", "rouge-1")
    before = signatures()

    assignment.source_text += " Trees cool the streets."
    assignment_change(assignment=assignment, fields=["source_text"])
    run_all()

    after = signatures()
    assert after["rouge-1"] == before["rouge-1"]
    assert after["edu-alignment"] != before["edu-alignment"]


def test_a_new_version_of_the_pyramid_renews_those_that_rest_on_it(
    cast: Cast, submission: Submission, choose: Choose
) -> None:
    choose("ape", "rouge-1")
    before = signatures()
    assert set(before) == {"ape", "rouge-1"}

    draft = draft_from_version(version=StoredPyramid.objects.get(), author=cast.instructor)
    Editor(draft, cast.instructor).edit(SetLabel(1, "Heat."))
    draft.refresh_from_db()
    draft_publish(
        draft=draft, revision=draft.revision, note="", author=cast.ta, even_if_doubtful=True
    )
    run_all()

    after = signatures()
    assert after["rouge-1"] == before["rouge-1"]
    assert after["ape"] != before["ape"]


def test_an_opinion_by_another_version_of_the_method_is_replaced(
    submission: Submission, choose: Choose
) -> None:
    choose("rouge-1")
    StoredContentModel.objects.update(signature="rouge-1-0-old")
    SecondOpinion.objects.update(signature="rouge-1-0-old-0", score=77)

    choose("rouge-1")

    opinion = SecondOpinion.objects.get()
    assert opinion.score < 1
    assert opinion.signature == StoredContentModel.objects.get().opinion_signature


def test_a_worker_that_starts_renews_opinions_by_another_version(
    assignment: Assignment, submission: Submission, choose: Choose
) -> None:
    choose("rouge-1", "be-heads")
    assert outdated_opinions_renew() == []
    SecondOpinion.objects.filter(method="rouge-1").update(signature="rouge-1-0-old-0", score=77)
    StoredContentModel.objects.filter(method="rouge-1").update(signature="rouge-1-0-old")
    kept = SecondOpinion.objects.get(method="be-heads")

    renew_scores()
    assert waiting() == 1
    run_all()

    assert SecondOpinion.objects.get(method="rouge-1").score < 1
    assert SecondOpinion.objects.get(method="be-heads").created_at == kept.created_at
    assert outdated_opinions_renew() == []


def test_opinions_of_what_is_archived_stay_as_they_are(
    assignment: Assignment, submission: Submission, choose: Choose
) -> None:
    choose("rouge-1")
    StoredContentModel.objects.update(signature="rouge-1-0-old")
    Assignment.objects.update(archived_at=assignment.created_at)

    assert outdated_opinions_renew() == []


def test_a_method_without_what_it_needs_says_so_and_keeps_no_other_away(
    assignment: Assignment, submission: Submission, choose: Choose
) -> None:
    choose("edu-alignment", "rouge-1")

    assert SecondOpinion.objects.get().method == "rouge-1"
    job = opinions_job(assignment)
    assert job is not None
    assert job.is_failed
    assert "EDU pyramid, aligned: " in job.error
    assert "needs the source text" in job.error


def test_before_a_pyramid_is_published_methods_that_need_one_wait(
    cast: Cast, assignment: Assignment, choose: Choose
) -> None:
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)

    choose("ape", "rouge-1")

    assert SecondOpinion.objects.get().method == "rouge-1"
    assert opinions_job(assignment) is None


def test_a_text_that_a_method_cannot_take_keeps_no_other_from_its_opinion(
    cast: Cast,
    assignment: Assignment,
    submission: Submission,
    choose: Choose,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bad = submission_submit(assignment=assignment, student=cast.other_student, text="Oh. " * 9)
    run_all()

    def prepare(model: ContentModel, engine: ContentEngine) -> ContentScorer:
        score = prepare_content_scorer(model, engine)

        def scored(text: ParsedText) -> ContentScore:
            if text.text.content == bad.text:
                raise ValueError("This breaks it.")
            return score(text)

        return scored

    monkeypatch.setattr("grading.second_opinions.actions.prepare_content_scorer", prepare)
    choose("rouge-1")

    assert SecondOpinion.objects.get().submission == submission
    job = opinions_job(assignment)
    assert job is not None
    assert job.error == "ROUGE-1: 1 text could not be read."


def test_scoring_goes_first_and_nothing_is_lost(
    cast: Cast,
    assignment: Assignment,
    submission: Submission,
    choose: Choose,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second = submission_submit(assignment=assignment, student=cast.student, text=f"{SUMMARY} So.")
    run_all()
    monkeypatch.setattr("grading.second_opinions.actions.READ_TOGETHER", 1)
    choose("rouge-1", "rouge-2", run=False)
    third = submission_submit(assignment=assignment, student=cast.other_student, text=SUMMARY)
    opinions = Job.objects.get(kind=KIND)

    assert job_run(job_pk=opinions.pk)

    opinions.refresh_from_db()
    assert opinions.is_done
    assert SecondOpinion.objects.count() == 1  # one batch, then the text that waits for its score
    assert waiting() == 1
    run_all()
    assert SecondOpinion.objects.count() == 6
    assert {second.pk, third.pk} <= set(SecondOpinion.objects.values_list("submission", flat=True))


def test_a_job_that_was_taken_away_keeps_nothing(
    submission: Submission, choose: Choose, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose("rouge-1", run=False)
    job = Job.objects.get(kind=KIND)

    def lose(*_: object, **__: object) -> object:
        Job.objects.filter(pk=job.pk).update(claim=None)
        return make_content_engine("rouge-1")

    monkeypatch.setattr("grading.second_opinions.actions._content_engine", lose)
    assert job_run(job_pk=job.pk)

    assert not StoredContentModel.objects.exists()
    assert not SecondOpinion.objects.exists()
