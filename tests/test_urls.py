"""Every URL as every one of the cast. A URL that nobody listed in ``url_table`` fails the suite."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from grading.models import (
    Assignment,
    Draft,
    Job,
    Membership,
    Reference,
    StoredPyramid,
    Submission,
    User,
)
from tests.conftest import SUMMARY
from tests.scenes import Scene
from tests.url_table import ROWS, WHO, Row

WRITTEN = (Assignment, Draft, Job, Membership, Reference, StoredPyramid, Submission)


def _ask(client: Client, scene: Scene, row: Row) -> int:
    ask = client.post if row.method == "post" else client.get
    return int(ask(scene.url(row), row.data).status_code)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{row.method}-{row.about}")
def test_url(row: Row, scene: Scene, client_of: Callable[[User | None], Client]) -> None:
    # Those with the fewest rights first, so that what others do changes nothing for them.
    got = {who: _ask(client_of(scene.user(who)), scene, row) for who in reversed(WHO)}

    assert got == dict(zip(WHO, row.statuses, strict=True))


def test_every_url_is_listed() -> None:
    listed = {row.name for row in ROWS}
    assert set(_names_of(get_resolver("grading.urls"))) == listed


def _names_of(resolver: URLResolver) -> Iterator[str | None]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            if pattern.namespace != "api":  # its operations are in tests/api/api_table.py
                yield from _names_of(pattern)
        elif pattern.name:  # allauth has nameless ones, which lead elsewhere
            yield pattern.name


@pytest.mark.parametrize("row", [row for row in ROWS if row.method == "post"], ids=lambda r: r.name)
def test_a_post_url_refuses_get_or_shows_a_form(
    row: Row, scene: Scene, client_of: Callable[[User | None], Client]
) -> None:
    """Nothing is written by a GET."""
    client = client_of(scene.cast.instructor)

    before = [model.objects.count() for model in WRITTEN]

    status = client.get(scene.url(row)).status_code

    has_a_page = {other.name for other in ROWS if other.method == "get"}
    assert status == 405 or row.name in has_a_page
    assert [model.objects.count() for model in WRITTEN] == before


def test_a_form_without_the_csrf_token_is_refused(scene: Scene) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(scene.cast.student, backend="django.contrib.auth.backends.ModelBackend")

    response = client.post(reverse("submit", kwargs=scene.kwargs["assignment"]), {"text": SUMMARY})

    assert response.status_code == 403


def test_an_address_that_does_not_exist_says_so_in_plain_words(
    scene: Scene, client_of: Callable[[User | None], Client]
) -> None:
    response = client_of(scene.cast.student).get("/no/such/page/")

    assert response.status_code == 404
    assert b"PyrEval Classroom" in response.content
