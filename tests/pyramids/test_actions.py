"""Building drafts with settings, and publishing: frozen as it was looked at, numbered, scored."""

import uuid
from dataclasses import asdict, replace

import pytest

from grading.drafts.log import Sender, draft_create, draft_discard, draft_edit
from grading.jobs.runner import job_run
from grading.models import Assignment, Dismissal, Draft, Job, StoredPyramid
from grading.pyramid.editing.commands import SetLabel
from grading.pyramid.formats.pyramid_json import content_hash
from grading.pyramid.pipeline import Engine
from grading.pyramid.registry import BUILDERS, BuildSettings, settings_of
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing
from grading.pyramids.actions import (
    Publication,
    PublishResult,
    describe_settings,
    draft_from_version,
    draft_publish,
    is_built_with,
    pyramid_start_build,
)
from grading.pyramids.queries import publication_warnings
from grading.scoring.conversion import (
    pyramid_fields,
    pyramid_from_draft,
    pyramid_from_row,
    reference_to_text,
)
from grading.scoring.effects import unscorable_reason
from grading.submissions.actions import submission_submit
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
    assert draft.origin_note == describe_settings(settings, settings_of(engine.method))
    assert "usual" not in draft.origin_note
    assert "percentile 70" in draft.origin_note
    assert "β 1.5" in draft.origin_note
    assert pyramid_from_draft(draft).signature != engine.signature


def test_a_draft_of_the_usual_settings_says_no_more_than_that(
    cast: Cast, assignment: Assignment, engine: Engine
) -> None:
    draft = build(cast, assignment).draft

    assert draft is not None
    assert draft.origin_note == "usual settings"


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


@pytest.fixture
def pyramid(assignment: Assignment) -> Pyramid:
    """Of the assignment's references: two ideas, the lighter one first."""
    texts = tuple(reference_to_text(reference) for reference in assignment.references.all())
    first = tuple(Contributor(text.name, (Span(0, 6),)) for text in texts)
    return Pyramid(texts, (Scu(1, "Towns", first[:1]), Scu(2, "Cities", first)))


@pytest.fixture
def draft(cast: Cast, assignment: Assignment, pyramid: Pyramid) -> Draft:
    return draft_create(
        assignment=assignment,
        pyramid=pyramid,
        origin=Draft.Origin.BUILT,
        author=cast.instructor,
    )


def publish(draft: Draft, cast: Cast, *, revision: int = 0, again: bool = False) -> Publication:
    return draft_publish(
        draft=draft,
        revision=revision,
        note="First try",
        author=cast.instructor,
        even_if_same=again,
    )


def rename(draft: Draft, cast: Cast, uid: int, label: str) -> None:
    draft.refresh_from_db()
    sender = Sender(cast.ta, draft.revision, uuid.uuid4())
    assert draft_edit(draft=draft, command=SetLabel(uid, label), sender=sender).edit


def test_a_version_is_frozen_hashed_and_ordered(
    cast: Cast, assignment: Assignment, draft: Draft
) -> None:
    version = publish(draft, cast).version

    assert version is not None
    frozen = pyramid_from_row(version)
    assert [scu.uid for scu in frozen.scus] == [2, 1]
    assert version.content_hash == content_hash(frozen)
    assert (version.number, version.note) == (1, "First try")
    assert version.created_by == cast.instructor
    draft.refresh_from_db()
    assert (draft.state, draft.published_as) == (Draft.State.PUBLISHED, version)


def test_what_must_count_stands_first_and_what_is_set_aside_last(
    cast: Cast, assignment: Assignment, pyramid: Pyramid
) -> None:
    towns, cities = pyramid.scus
    scus = (
        replace(towns, uid=3, standing=Standing.ASIDE, given_weight=9),
        cities,
        replace(towns, standing=Standing.MUST),
    )
    draft = draft_create(
        assignment=assignment,
        pyramid=replace(pyramid, scus=scus),
        origin=Draft.Origin.FILE,
        author=cast.instructor,
    )

    version = publish(draft, cast).version

    assert version is not None
    assert [scu.uid for scu in pyramid_from_row(version).scus] == [2, 1, 3]


def test_publishing_has_the_class_scored(cast: Cast, assignment: Assignment, draft: Draft) -> None:
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    scoring = Job.objects.filter(kind=Job.Kind.SCORE_SUBMISSIONS)
    assert not scoring.exists()

    publish(draft, cast)

    assert scoring.get().submission is None


def test_what_nobody_has_seen_is_not_published(cast: Cast, draft: Draft) -> None:
    rename(draft, cast, 1, "Villages")

    assert publish(draft, cast).result is PublishResult.STALE
    assert not StoredPyramid.objects.exists()
    assert publish(draft, cast, revision=1).result is PublishResult.DONE


def test_a_draft_is_published_once(cast: Cast, draft: Draft) -> None:
    publish(draft, cast)

    again = publish(draft, cast, again=True)

    assert again.result is PublishResult.REFUSED
    assert "published already" in again.message
    assert StoredPyramid.objects.count() == 1


def test_a_draft_that_was_set_aside_is_not_published(cast: Cast, draft: Draft) -> None:
    draft_discard(draft=draft)

    assert "discarded already" in publish(draft, cast).message


def test_a_pyramid_that_scores_nobody_is_refused(
    cast: Cast, assignment: Assignment, pyramid: Pyramid
) -> None:
    nothing = replace(
        pyramid, scus=tuple(replace(scu, standing=Standing.ASIDE) for scu in pyramid.scus)
    )
    draft = draft_create(
        assignment=assignment, pyramid=nothing, origin=Draft.Origin.EMPTY, author=cast.instructor
    )

    done = publish(draft, cast)

    assert done.result is PublishResult.REFUSED
    assert done.message == unscorable_reason(nothing)
    assert not unscorable_reason(pyramid)


def test_the_same_once_more_only_on_purpose(cast: Cast, draft: Draft) -> None:
    version = publish(draft, cast).version
    assert version is not None
    same = draft_from_version(version=version, author=cast.instructor)

    html = publish(same, cast)
    assert (html.result, html.version) == (PublishResult.SAME, version)

    assert publish(same, cast, again=True).result is PublishResult.DONE
    assert list(StoredPyramid.objects.values_list("number", flat=True)) == [2, 1]


def test_a_draft_from_a_version_keeps_numbers_and_dismissals(cast: Cast, draft: Draft) -> None:
    Dismissal.objects.create(draft=draft, key="merge-1-2", author=cast.instructor)
    version = publish(draft, cast).version
    assert version is not None

    begun = draft_from_version(version=version, author=cast.instructor)

    assert pyramid_from_draft(begun) == pyramid_from_row(version)
    assert (begun.origin, begun.based_on) == (Draft.Origin.VERSION, version)
    assert begun.origin_note == "version 1"
    assert list(begun.dismissals.values_list("key", flat=True)) == ["merge-1-2"]


def test_a_double_click_begins_one_draft(cast: Cast, draft: Draft) -> None:
    version = publish(draft, cast).version
    assert version is not None
    first = draft_from_version(version=version, author=cast.instructor)

    assert draft_from_version(version=version, author=cast.instructor) == first
    rename(first, cast, 1, "Villages")
    assert draft_from_version(version=version, author=cast.instructor) != first


def test_editing_a_draft_of_a_version_changes_no_version(cast: Cast, draft: Draft) -> None:
    version = publish(draft, cast).version
    assert version is not None
    before = version.document
    begun = draft_from_version(version=version, author=cast.instructor)

    rename(begun, cast, 1, "Villages")

    version.refresh_from_db()
    assert version.document == before
    assert publish(begun, cast, revision=1).result is PublishResult.DONE


def test_a_version_without_a_draft_can_be_edited(
    cast: Cast, assignment: Assignment, pyramid: Pyramid
) -> None:
    """As the first databases have them."""
    version = StoredPyramid.objects.create(
        assignment=assignment, number=1, **pyramid_fields(pyramid)
    )

    begun = draft_from_version(version=version, author=cast.instructor)

    assert pyramid_from_draft(begun) == pyramid
    assert begun.next_uid == 3


def test_what_might_have_been_overlooked(assignment: Assignment, pyramid: Pyramid) -> None:
    assert publication_warnings(pyramid, assignment) == []

    towns, cities = pyramid.scus
    doubtful = (
        replace(towns, uid=3),
        replace(towns, uid=4, label="Trees", contributors=(), given_weight=2),
        replace(towns, uid=5, label="Roofs", contributors=()),
        replace(towns, uid=6, label="Uncle", standing=Standing.ASIDE),
        replace(towns, uid=7, label="Nil", given_weight=0),
    )
    assignment.references.latest("pk").delete()

    text = "\n".join(
        publication_warnings(replace(pyramid, scus=(towns, cities, *doubtful)), assignment)
    )

    assert "1 idea (“Roofs”) has no expert's words and no weight" in text
    assert "1 idea (“Nil”) has the weight 0, set manually" in text
    assert "1 idea (“Trees”) has no expert's words, so texts are compared" in text
    assert "1 idea is set aside and not scored: “Uncle”." in text
    assert "2 ideas have the same label: “Towns”." in text
    assert "The references of the assignment have changed" in text


def test_a_pyramid_from_a_list_does_not_age_with_the_references(assignment: Assignment) -> None:
    listed = Pyramid((), (Scu(1, "Trees cool streets", (), given_weight=2),))

    assert not any("references" in item for item in publication_warnings(listed, assignment))


def test_what_must_count_and_weighs_nothing_is_not_said_to_be_looked_for(
    assignment: Assignment,
) -> None:
    """There is no reference, and no other idea, that could give it a weight."""
    alone = Pyramid((), (Scu(1, "Trees cool streets", (), standing=Standing.MUST),))

    assert publication_warnings(alone, assignment) == [
        "1 idea (“Trees cool streets”) has no expert's words and no weight: not scored.",
    ]


def test_a_long_label_is_quoted_in_short(assignment: Assignment) -> None:
    label = "Trees " + "coolstreets" * 40
    listed = Pyramid(
        (), tuple(Scu(uid, label, (), given_weight=1 if uid > 1 else None) for uid in (1, 2, 3))
    )

    text = publication_warnings(listed, assignment)

    assert any("have the same label" in item for item in text)
    assert any("no weight" in item for item in text)
    assert all("“Trees…”" in item and len(item) < 200 for item in text)
