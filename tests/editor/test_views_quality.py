"""The quality of a pyramid at a glance."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.editor.actions import analysis_start
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
    html = page(client_of(cast.instructor), draft)

    assert "This draft has not been analysed yet." in html
    assert 'name="progress" value="quality"' in html
    assert "Ideas by weight" not in html


def test_figures_are_told_in_words_a_picture_and_tables(
    draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    look(draft, cast)

    html = page(client_of(cast.ta), draft)

    assert "Three references" in html
    assert html.count('class="quality-bar') == 3
    assert "Expected at most" in html
    assert "How much of each reference belongs to an idea" in html
    assert "Without one of the references (scores of 3 reference texts" in html
    assert "Least consistent ideas" in html
    for text in REFERENCES:
        assert f"<bdi>{text.name}</bdi>" in html


def test_after_an_edit_the_figures_are_of_the_state_that_was_looked_at(
    draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    look(draft, cast)
    weakest = next(scu for scu in draft.document["scus"] if len(scu["contributors"]) > 1)
    Editor(draft, cast.instructor).edit(DeleteScu(weakest["uid"]))

    html = page(client_of(cast.instructor), draft)

    assert "This does not include the latest changes." in html
    assert weakest["label"] in html


def test_a_pyramid_of_a_list_has_no_references_to_tell_of(
    assignment: Assignment, cast: Cast, client_of: ClientOf, engine: Engine
) -> None:
    scus = (Scu(1, "Heat <kills>", (), given_weight=5), Scu(2, "Trees", (), given_weight=2))
    draft = begun(assignment, Pyramid((), scus))
    look(draft, cast)

    html = page(client_of(cast.instructor), draft)

    assert "This pyramid was not built from references." in html
    assert "so there is nothing to compare" in html
    assert re.findall(r"quality-bar quality-band-(\d)", html) == ["5", "2", "1"]
    assert "xpected" not in html
