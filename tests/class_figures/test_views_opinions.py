"""The class by several methods: correlations, and two methods text by text."""

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import Assignment, Membership, Submission, User
from grading.pyramid.figures import MINUS
from tests.conftest import Cast
from tests.opinion_scene import class_with_scores, give_opinions
from tests.queue_scene import Work, handed_in

ClientOf = Callable[[User | None], Client]
See = Callable[..., str]
SCORES = [0.2] * 4 + [0.8] * 4
SWAPPED = [40.0, 10.0, 10.0, 10.0, 40.0, 40.0, 40.0, 10.0]


@pytest.fixture
def see(cast: Cast, assignment: Assignment, client_of: ClientOf) -> See:
    client = client_of(cast.ta)
    Membership.objects.filter(role="student").delete()

    def seen(**query: str) -> str:
        response = client.get(reverse("class_opinions", args=[assignment.pk]), query)
        assert response.status_code == 200
        return " ".join(response.text.split())

    return seen


@pytest.fixture
def submissions(see: See, assignment: Assignment) -> list[Submission]:
    return class_with_scores(assignment, SCORES)


def test_without_a_method_the_page_says_so(
    see: See,
    cast: Cast,
    assignment: Assignment,
    submissions: list[Submission],
    client_of: ClientOf,
) -> None:
    choosing = f'href="{reverse("second_opinions", args=[assignment.pk])}"'

    assert "No method gives a second opinion" in see()
    assert choosing not in see()
    page = client_of(cast.instructor).get(reverse("class_opinions", args=[assignment.pk]))
    assert choosing in page.text


def test_every_two_methods_are_correlated_with_interval_and_count(
    see: See, assignment: Assignment, submissions: list[Submission]
) -> None:
    give_opinions(assignment, submissions, {"rouge-1": SCORES, "peak": SWAPPED})

    matrix = see().split("class-matrix")[1].split("</table>")[0]

    cells = re.findall(
        r'<td class="numeric">([^<]*) <span[^>]*>\(([^)]*)\)</span>.*?n (\d+)', matrix
    )
    # Six of eight texts are on the same side: (6 - 2) / 8. tanh(.5493 ± .8765).
    assert cells == [
        ("1.00", "1.00 to 1.00", "8"),
        ("0.50", f"{MINUS}0.32 to 0.89", "8"),
        ("0.50", f"{MINUS}0.32 to 0.89", "8"),
    ]


def test_with_few_texts_the_page_says_that_intervals_are_wide(
    see: See, assignment: Assignment, submissions: list[Submission]
) -> None:
    give_opinions(assignment, submissions, {"peak": SWAPPED})
    assert "With 8 texts the intervals are wide." in see()

    handed_in(assignment, *(Work(f"N{number}") for number in range(50)))
    assert "the intervals are wide" not in see()


def test_any_two_methods_are_drawn_and_listed(
    see: See, assignment: Assignment, submissions: list[Submission]
) -> None:
    give_opinions(assignment, submissions, {"rouge-1": SCORES, "peak": SWAPPED})

    page = see(x="rouge-1", y="peak")

    assert "ROUGE-1 across, PEAK up" in page
    picture = page.split('aria-labelledby="pair-picture"')[1].split("</svg>")[0]
    assert picture.count("<circle") == 6
    assert picture.count("<rect") == 2  # where they disagree
    rows = page.split('aria-labelledby="pair-picture"')[1].split("<tbody>")[1].split("<tr>")[1:]
    assert len(rows) == 8
    assert "Student 0" in rows[0]
    assert "+2.0" in rows[0]
    assert "Disagree" in rows[0]
    assert f"{MINUS}2.0" in rows[1]
    assert "Disagree" not in rows[2]
    assert reverse("submission_opinions", args=[submissions[0].pk]) in rows[0]


@pytest.mark.parametrize("query", [{}, {"x": "rouge-9", "y": "peak"}, {"y": "rouge-2"}])
def test_the_main_method_and_the_first_are_shown_unless_others_make_sense(
    see: See, assignment: Assignment, submissions: list[Submission], query: dict[str, str]
) -> None:
    give_opinions(assignment, submissions, {"rouge-1": SCORES, "peak": SWAPPED})

    assert "Main method across, ROUGE-1 up" in see(**query)


def test_a_section_is_compared_by_itself(see: See, assignment: Assignment) -> None:
    works = [Work(f"A{n}", score, section="A") for n, score in enumerate(SCORES)]
    submissions = handed_in(assignment, *works, Work("Bea", 0.3, section="B"))
    give_opinions(assignment, submissions, {"peak": [*SWAPPED, 99.0]})

    assert "n 9" in see()
    page = see(section="in:A")
    assert "n 8" in page
    assert "Bea" not in page
    assert 'name="section" value="in:A"' in page


def test_before_anything_is_calculated_there_is_no_picture(
    see: See, assignment: Assignment, submissions: list[Submission]
) -> None:
    give_opinions(assignment, [], {"peak": []})

    page = see()

    assert "No text is scored by both methods yet." in page
    assert "n 0" in page


def test_queries_do_not_grow_with_the_class(
    see: See, assignment: Assignment, submissions: list[Submission]
) -> None:
    give_opinions(assignment, submissions, {"peak": SWAPPED})

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            see()
        return len(queries)

    before = asked()
    handed_in(assignment, *(Work(f"N{number}") for number in range(40)))
    assert asked() <= before
