"""Publishing freezes what was looked at; a draft begun from a version leaves the version alone."""

import uuid
from dataclasses import replace

import pytest

from grading.drafts.log import Sender, draft_create, draft_discard, draft_edit
from grading.models import Assignment, Dismissal, Draft, Job, StoredPyramid
from grading.pyramid.editing.commands import SetLabel
from grading.pyramid.formats.pyramid_json import content_hash
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing
from grading.pyramids.actions_versions import (
    Publication,
    PublishResult,
    draft_from_version,
    draft_publish,
    publication_warnings,
    reason_against,
)
from grading.scoring.conversion import (
    pyramid_fields,
    pyramid_from_draft,
    pyramid_from_row,
    reference_to_text,
)
from grading.submissions.actions_summaries import submission_submit
from tests.conftest import SUMMARY, Cast


@pytest.fixture
def pyramid(assignment: Assignment) -> Pyramid:
    """Of the assignment's references: two ideas, the lighter one first."""
    texts = tuple(reference_to_text(one) for one in assignment.references.all())
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
    assert done.message == reason_against(nothing)
    assert not reason_against(pyramid)


def test_the_same_once_more_only_on_purpose(cast: Cast, draft: Draft) -> None:
    version = publish(draft, cast).version
    assert version is not None
    same = draft_from_version(version=version, author=cast.instructor)

    told = publish(same, cast)
    assert (told.result, told.version) == (PublishResult.SAME, version)

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
    assert publication_warnings(pyramid, assignment) == ()

    towns, cities = pyramid.scus
    doubtful = (
        replace(towns, uid=3),
        replace(towns, uid=4, label="Trees", contributors=(), given_weight=2),
        replace(towns, uid=5, label="Roofs", contributors=()),
        replace(towns, uid=6, label="Uncle", standing=Standing.ASIDE),
        replace(towns, uid=7, label="Nil", given_weight=0),
    )
    assignment.references.latest("pk").delete()

    said = "\n".join(
        publication_warnings(replace(pyramid, scus=(towns, cities, *doubtful)), assignment)
    )

    assert "1 idea (“Roofs”) has no words of an expert and no weight" in said
    assert "1 idea (“Nil”) has the weight 0, given by hand" in said
    assert "1 idea (“Trees”) has no words of an expert: texts are compared" in said
    assert "1 idea is set aside, and neither looked for nor counted: “Uncle”." in said
    assert "2 ideas are called the same: “Towns”." in said
    assert "The references of the assignment have changed" in said


def test_a_pyramid_from_a_list_does_not_age_with_the_references(assignment: Assignment) -> None:
    listed = Pyramid((), (Scu(1, "Trees cool streets", (), given_weight=2),))

    assert not any("references" in one for one in publication_warnings(listed, assignment))


def test_what_must_count_and_weighs_nothing_is_not_said_to_be_looked_for(
    assignment: Assignment,
) -> None:
    """There is no reference, and no other idea, that could give it a weight."""
    alone = Pyramid((), (Scu(1, "Trees cool streets", (), standing=Standing.MUST),))

    assert publication_warnings(alone, assignment) == (
        "1 idea (“Trees cool streets”) has no words of an expert and no weight: not looked for.",
    )


def test_a_long_label_is_quoted_in_short(assignment: Assignment) -> None:
    label = "Trees " + "coolstreets" * 40
    listed = Pyramid(
        (), tuple(Scu(uid, label, (), given_weight=1 if uid > 1 else None) for uid in (1, 2, 3))
    )

    said = publication_warnings(listed, assignment)

    assert any("called the same" in one for one in said)
    assert any("no weight" in one for one in said)
    assert all("“Trees…”" in one and len(one) < 200 for one in said)
