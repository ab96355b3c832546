"""Files and pages to print of drafts and versions."""

from collections.abc import Callable

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from grading.drafts.log import draft_create
from grading.models import Assignment, Draft, StoredPyramid, User
from grading.pyramid.formats.ducview import read_pyramid
from grading.pyramid.formats.pyramid_json import read_pyramid_json
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing
from grading.scoring.conversion import pyramid_fields
from tests.conftest import REFERENCES, Cast

WORDED = Scu(1, "Heat & <sun>", (Contributor("Ada", (Span(0, 6),), "so so"),), "see below")
PYRAMID = Pyramid(
    REFERENCES,
    (
        Scu(2, "Of a rubric", (), given_weight=3, standing=Standing.MUST),
        WORDED,
        Scu(3, "Beside the point", (), standing=Standing.ASIDE),
        Scu(4, "Trees", (Contributor("Ben", (Span(0, 5),)),), given_weight=2),
    ),
)


@pytest.fixture
def draft(assignment: Assignment) -> Draft:
    return draft_create(
        assignment=assignment, pyramid=PYRAMID, origin=Draft.Origin.FILE, author=None
    )


@pytest.fixture
def version(assignment: Assignment) -> StoredPyramid:
    fields = pyramid_fields(PYRAMID)
    return StoredPyramid.objects.create(assignment=assignment, number=2, note="Mended", **fields)


@pytest.fixture
def client(cast: Cast, client_of: Callable[[User | None], Client]) -> Client:
    return client_of(cast.ta)


@pytest.mark.parametrize(
    ("kind", "content_type", "start"),
    [
        ("pyr", "application/xml; charset=utf-8", "<?xml"),
        ("tsv", "text/plain; charset=utf-8", "SCU\t2\t3\tOf a rubric\n"),
        ("json", "application/json; charset=utf-8", "{"),
        ("csv", "text/csv; charset=utf-8", "\ufeffweight,idea,label"),
    ],
)
def test_a_draft_is_taken_away_as_a_file(
    client: Client, draft: Draft, kind: str, content_type: str, start: str
) -> None:
    response = client.get(reverse("draft_file", args=[draft.pk, kind]))

    assert response.content.decode().startswith(start)
    assert response.headers["Content-Type"] == content_type
    assert response.headers["Content-Disposition"] == (
        f'attachment; filename="pyramid-why-cities-are-hotter-draft-1.{kind}"'
    )


def test_a_version_is_taken_away_whole(client: Client, version: StoredPyramid) -> None:
    response = client.get(reverse("version_file", args=[version.pk, "json"]))

    assert read_pyramid_json(response.content.decode()) == PYRAMID
    assert "hotter-version-2.json" in response.headers["Content-Disposition"]


def test_the_newest_version_has_an_address_of_its_own(
    client: Client, version: StoredPyramid
) -> None:
    response = client.get(reverse("pyramid_file", args=[version.assignment_id]))

    assert read_pyramid(response.content).scus[0] == WORDED
    assert client.get(reverse("pyramid_file", args=[version.assignment_id])).status_code == 200
    version.delete()
    assert client.get(reverse("pyramid_file", args=[version.assignment_id])).status_code == 404


def test_a_title_without_latin_letters_gets_a_name_all_the_same(
    client: Client, draft: Draft
) -> None:
    Assignment.objects.filter(pk=draft.assignment_id).update(title="城市为什么更热")

    response = client.get(reverse("draft_file", args=[draft.pk, "csv"]))

    name = f"pyramid-{draft.assignment_id}-draft-1.csv"
    assert name in response.headers["Content-Disposition"]


def test_a_pyr_file_of_nothing_but_statements_is_refused_in_words(
    client: Client, assignment: Assignment
) -> None:
    draft = draft_create(
        assignment=assignment,
        pyramid=Pyramid(REFERENCES, PYRAMID.scus[:1]),
        origin=Draft.Origin.RUBRIC,
        author=None,
    )

    response = client.get(reverse("draft_file", args=[draft.pk, "pyr"]))

    assert response.status_code == 422
    assert "Use the JSON file" in response.content.decode()


def test_another_kind_of_file_does_not_exist(client: Client, draft: Draft) -> None:
    url = reverse("draft_file", args=[draft.pk, "csv"]).replace(".csv", ".exe")

    assert client.get(url).status_code == 404


def test_the_page_to_print_has_everything(
    client: Client, draft: Draft, version: StoredPyramid
) -> None:
    for url, which in (
        (reverse("draft_print", args=[draft.pk]), "draft 1"),
        (reverse("version_print", args=[version.pk]), "version 2"),
    ):
        text = client.get(url).content.decode()
        for words in (which, "Heat &amp; &lt;sun&gt;", "Cities", "so so", "see below", "Ada"):
            assert words in text
        for words in ("must count", "Beside the point", "Set aside", "weight set manually"):
            assert words in text
    assert "Mended" in text


def test_the_menu_says_what_a_file_would_lose(draft: Draft, version: StoredPyramid) -> None:
    menu = Template('{% include "grading/pyramids/_downloads.html" %}')

    of_draft = menu.render(Context({"draft": draft}))
    of_version = menu.render(Context({"version": version}))

    assert reverse("draft_file", args=[draft.pk, "pyr"]) in of_draft
    assert reverse("draft_print", args=[draft.pk]) in of_draft
    assert reverse("version_file", args=[version.pk, "csv"]) in of_version
    assert reverse("version_print", args=[version.pk]) in of_version
    assert "2 ideas without quotes are left out." in of_draft
