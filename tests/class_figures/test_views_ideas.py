"""Idea by idea, as a page, as a file, and one by one."""

import csv
import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, Membership, Submission, User
from tests.class_scene import Member, alike, hand_in, publish, pyramid_of
from tests.conftest import Cast

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def scored(assignment: Assignment) -> Assignment:
    """Ideas of weight 4, 3, 2, 1: the heaviest told by one, the lightest by all but one."""
    Membership.objects.filter(role="student").delete()
    version = publish(assignment, pyramid_of(4, 3, 2, 1))
    members = [*alike(11, (2, 4), "A"), Member("Zoe", (1, 2, 3), "B")]
    hand_in(assignment, version, members)
    return assignment


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


def see(client: Client, name: str, *args: object, **query: str) -> str:
    return " ".join(client.get(reverse(name, args=args), query).text.split())


def test_what_is_worth_a_look_comes_first_with_what_can_be_done(
    scored: Assignment, ta: Client
) -> None:
    page = see(ta, "class_ideas", scored.pk)

    assert "Important, but few students express it</strong> (1 of 12). Teach it again" in page
    assert "Less important, but nearly everyone expresses it</strong> (11 of 12)." in page
    assert "everyone expresses it" in page
    assert "A student expresses 2.1 ideas on average: 83 % of an expert\u2019s 2.5." in page
    assert page.count('class="class-number"') == 4


@pytest.mark.parametrize(
    ("sort", "order"),
    [("weight", "1234"), ("share", "1342"), ("telling", "4132"), ("nonsense", "1234")],
)
def test_the_table_is_sorted_by_links(
    scored: Assignment, ta: Client, sort: str, order: str
) -> None:
    table = see(ta, "class_ideas", scored.pk, sort=sort).split('id="table"')[1]

    places = sorted(range(1, 5), key=lambda number: table.index(f"{number}. Matter {number}"))
    assert "".join(map(str, places)) == order


def test_the_file_has_every_idea_with_its_figures(scored: Assignment, ta: Client) -> None:
    response = ta.get(reverse("class_ideas_file", args=[scored.pk]), {"section": "in:A"})

    assert response["Content-Disposition"].endswith(f'-{scored.pk}-a.csv"')
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert [(row["idea"], row["weight"], row["told_by"], row["texts"]) for row in rows] == [
        ("Matter 1", "4", "0", "11"),
        ("Matter 2", "3", "11", "11"),
        ("Matter 3", "2", "0", "11"),
        ("Matter 4", "1", "11", "11"),
    ]
    assert rows[0]["share"] == "0.0000"
    assert rows[0]["expected_share"] == "0.8000"  # two ideas each, where an expert has 2.5
    assert rows[0]["correlation"] == ""
    assert rows[0]["remarks"] == "important, but few students express it"


def test_a_label_cannot_be_a_formula(assignment: Assignment, ta: Client) -> None:
    pyramid = pyramid_of(4)
    armed = replace(pyramid, scus=(replace(pyramid.scus[0], label="=1+1"),))
    hand_in(assignment, publish(assignment, armed), alike(1, ()))

    file = ta.get(reverse("class_ideas_file", args=[assignment.pk])).content.decode("utf-8-sig")

    assert "'=1+1" in file


def test_an_idea_with_who_tells_it_in_which_words_and_who_does_not(
    scored: Assignment, ta: Client
) -> None:
    page = see(ta, "class_idea", scored.pk, 1)

    telling, missing = page.split('id="telling-title"')[1].split('id="missing-title"')
    assert "Zoe" in telling
    assert "“" not in telling  # a q element quotes by itself
    assert '<q dir="auto">I write of matter 1.</q>' in telling
    assert missing.count("<bdi>Student") == 11
    assert "Ada on matter 1." in page
    page_two = see(ta, "class_idea", scored.pk, 1, page="2")
    assert "Zoe" in page_two


def test_an_idea_that_is_not_in_the_newest_version_is_not_there(
    scored: Assignment, ta: Client
) -> None:
    assert ta.get(reverse("class_idea", args=[scored.pk, 77])).status_code == 404


def test_what_to_teach_again_is_ordered_by_what_it_costs(scored: Assignment, ta: Client) -> None:
    page = see(ta, "class_missed", scored.pk)

    assert page.index("1. Matter 1") < page.index("3. Matter 3") < page.index("4. Matter 4")
    assert "2. Matter 2" not in page  # nobody missed it
    assert "11 of 12: 92" in page
    assert "3.67 points" in page
    assert "Chi on matter 1." in page


def test_nothing_to_teach_again(assignment: Assignment, ta: Client) -> None:
    Membership.objects.filter(role="student").delete()
    hand_in(assignment, publish(assignment, pyramid_of(4, 1)), alike(3, (1, 2)))

    assert "Nothing to teach again" in see(ta, "class_missed", assignment.pk)
    assert Submission.objects.count() == 3
