"""The five places of an assignment: their order, who sees which pages, and where one is."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, Membership, User
from tests.conftest import Cast
from tests.pages import flat

ClientOf = Callable[[User | None], Client]

_LINK = re.compile(r'<li><a href="([^"]+)"(?: aria-current="(page|true)")?> ([^<]+) </a></li>')
PLACES = ["Set-up", "Pyramid", "Submissions", "Insights", "Grades"]


def links_of(
    client: Client, name: str, assignment: Assignment, label: str, query: str = ""
) -> list[tuple[str, str, str]]:
    """Address, aria-current and title of each link of a navigation."""
    page = flat(client.get(reverse(name, args=[assignment.pk]) + query).text)
    nav = page.partition(f'aria-label="{label}"')[2].partition("</nav>")[0]
    return _LINK.findall(nav)


def titles_of(client: Client, name: str, assignment: Assignment, label: str) -> list[str]:
    return [title for _, _, title in links_of(client, name, assignment, label)]


def test_the_five_places_are_on_every_page_of_graders(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    for person in (cast.instructor, cast.ta):
        assert titles_of(client_of(person), "queue", assignment, "Assignment") == PLACES


def test_students_have_a_header_of_their_own(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    page = client_of(cast.student).get(reverse("assignment", args=[assignment.pk])).text

    assert f"<h1>{assignment.title}</h1>" in page
    assert 'class="places"' not in page
    assert 'class="place-pages"' not in page


@pytest.mark.parametrize(
    ("name", "place", "here"),
    [
        ("assignment", "Set-up", ("page", "Overview")),
        ("references", "Set-up", ("page", "References")),
        ("assignment_edit", "Set-up", ("page", "Settings")),
        ("queue", "Submissions", ("page", "Queue")),
        ("submission_import", "Submissions", ("page", "Import")),
        ("annotations", "Submissions", ("true", "Queue")),
        ("second_look_figures", "Submissions", ("true", "Second looks")),
        ("class_figures", "Insights", ("page", "Scores")),
        ("class_missed", "Insights", ("page", "Teach again")),
        ("calibration_learning", "Insights", ("true", "Calibration")),
        ("grade_rule", "Grades", ("page", "Grade rule")),
        ("gradebook_export", "Grades", ("page", "Export")),
        ("score_changes", "Grades", ("true", "Gradebook")),
        ("release", "Grades", ("page", "Release")),
    ],
)
def test_one_place_and_one_of_its_pages_say_where_one_is(
    name: str,
    place: str,
    here: tuple[str, str],
    cast: Cast,
    assignment: Assignment,
    client_of: ClientOf,
) -> None:
    client = client_of(cast.instructor)

    places = links_of(client, name, assignment, "Assignment")
    pages = links_of(client, name, assignment, place)

    assert [(current, title) for _, current, title in places if current] == [("true", place)]
    assert [(current, title) for _, current, title in pages if current] == [here]
    assert next(address for address, _, title in places if title == place) == pages[0][0]


@pytest.mark.parametrize(("name", "current"), [("pyramid", "page"), ("versions_compare", "true")])
def test_a_place_of_one_page_has_no_second_row(
    name: str, current: str, cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)

    places = links_of(client, name, assignment, "Assignment")

    assert [(now, title) for _, now, title in places if now] == [(current, "Pyramid")]
    assert links_of(client, name, assignment, "Pyramid") == []


def test_no_link_leads_to_a_page_that_is_refused(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    assistant = client_of(cast.ta)

    assert titles_of(assistant, "assignment", assignment, "Set-up") == [
        "Overview",
        "References",
        "Extensions",
    ]
    assert "Export" in titles_of(assistant, "gradebook", assignment, "Grades")
    assert "Import" in titles_of(assistant, "queue", assignment, "Submissions")

    Assignment.objects.update(names_hidden=True, archived_at=assignment.created_at)
    assert "Export" not in titles_of(assistant, "gradebook", assignment, "Grades")
    assert "Import" not in titles_of(assistant, "queue", assignment, "Submissions")


def test_pages_of_the_class_keep_the_section(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    Membership.objects.filter(user=cast.student).update(section="B")

    pages = links_of(client_of(cast.ta), "class_figures", assignment, "Insights", "?section=in%3AB")
    queries = {title: "section" in address for address, _, title in pages}

    assert queries.pop("Calibration") is False
    assert all(queries.values()), queries
