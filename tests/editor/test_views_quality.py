"""The quality of a pyramid at a glance."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.editor.actions_analyses import analysis_start
from grading.jobs.runner import job_run
from grading.models import Assignment, Draft, User
from grading.pyramid.editing.commands import DeleteScu
from grading.pyramid.pipeline import Engine, build_pyramid
from grading.pyramid.structures import Pyramid, Scu
from tests.conftest import REFERENCES, Cast
from tests.drafts.drafting import Editor, begun

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def draft(assignment: Assignment, engine: Engine) -> Draft:
    return begun(assignment, build_pyramid(REFERENCES, engine))


def look(draft: Draft, cast: Cast) -> None:
    job = analysis_start(draft=draft, requested_by=cast.instructor)
    assert job_run(job_pk=job.pk)


def page(client: Client, draft: Draft) -> str:
    return client.get(reverse("draft_quality", args=[draft.pk])).content.decode()


def test_before_anybody_has_looked_the_page_starts_that(
    draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    told = page(client_of(cast.instructor), draft)

    assert "Nobody has looked at this draft yet." in told
    assert 'name="progress" value="quality"' in told
    assert "Ideas by weight" not in told


def test_figures_are_told_in_words_a_picture_and_tables(
    draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    look(draft, cast)

    told = page(client_of(cast.ta), draft)

    assert "Three references" in told
    assert told.count('class="quality-bar') == 3
    assert "Expected at most" in told
    assert "How much of each reference belongs to an idea" in told
    assert "If one reference were left out (scores of 3 reference texts" in told
    assert "Ideas that hang together least" in told
    for text in REFERENCES:
        assert f"<bdi>{text.name}</bdi>" in told


def test_after_an_edit_the_figures_are_of_the_state_that_was_looked_at(
    draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    look(draft, cast)
    weakest = next(scu for scu in draft.document["scus"] if len(scu["contributors"]) > 1)
    Editor(draft, cast.instructor).edit(DeleteScu(weakest["uid"]))

    told = page(client_of(cast.instructor), draft)

    assert "This is from before the latest changes." in told
    assert weakest["label"] in told


def test_a_pyramid_of_a_list_has_no_references_to_tell_of(
    assignment: Assignment, cast: Cast, client_of: ClientOf, engine: Engine
) -> None:
    scus = (Scu(1, "Heat <kills>", (), given_weight=5), Scu(2, "Trees", (), given_weight=2))
    draft = begun(assignment, Pyramid((), scus))
    look(draft, cast)

    told = page(client_of(cast.instructor), draft)

    assert "This pyramid was not made of references." in told
    assert "so there is nothing to compare" in told
    assert re.findall(r"quality-bar quality-band-(\d)", told) == ["5", "2", "1"]
    assert "xpected" not in told
