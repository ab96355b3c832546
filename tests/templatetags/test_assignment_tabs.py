"""Tabs of an assignment: their order, who sees which, and where one is."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, User
from tests.conftest import Cast
from tests.pages import flat

ClientOf = Callable[[User | None], Client]

_TAB = re.compile(r'<li><a href="[^"]+"(?: aria-current="(page|true)")?>([^<]+)</a></li>')


def tabs_of(client: Client, name: str, assignment: Assignment) -> list[tuple[str, str]]:
    page = flat(client.get(reverse(name, args=[assignment.pk])).text)
    nav = page.partition('aria-label="Assignment"')[2].partition("</nav>")[0]
    return _TAB.findall(nav)


def test_tabs_stand_in_the_order_of_the_work(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    instructors = [title for _, title in tabs_of(client_of(cast.instructor), "queue", assignment)]
    assistants = [title for _, title in tabs_of(client_of(cast.ta), "queue", assignment)]

    assert instructors == [
        "Overview", "References", "Pyramid", "Submissions", "Class", "Gradebook", "Release",
        "Second looks", "Calibration", "Settings",
    ]  # fmt: skip
    assert assistants == instructors[:-1]


@pytest.mark.parametrize(
    ("name", "here"),
    [
        ("assignment", ("page", "Overview")),
        ("queue", ("page", "Submissions")),
        ("submission_import", ("true", "Submissions")),
        ("annotations", ("true", "Submissions")),
        ("class_missed", ("true", "Class")),
        ("grade_rule", ("true", "Gradebook")),
        ("gradebook_export", ("true", "Gradebook")),
        ("second_look_figures", ("true", "Second looks")),
        ("calibration_learning", ("true", "Calibration")),
        ("versions_compare", ("true", "Pyramid")),
        ("assignment_edit", ("page", "Settings")),
    ],
)
def test_one_tab_says_where_one_is(
    name: str,
    here: tuple[str, str],
    cast: Cast,
    assignment: Assignment,
    client_of: ClientOf,
) -> None:
    tabs = tabs_of(client_of(cast.instructor), name, assignment)

    assert [tab for tab in tabs if tab[0]] == [here]
