"""Who needs help, with the reason and the way to the text."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, Membership, User
from tests.class_scene import Member, alike, hand_in, join, publish, pyramid_of
from tests.conftest import Cast

ClientOf = Callable[[User | None], Client]
ALL = (1, 2, 3, 4)


@pytest.fixture
def bare(assignment: Assignment) -> Assignment:
    Membership.objects.filter(role="student").delete()
    Assignment.objects.update(min_words=12)
    return assignment


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


def see(client: Client, assignment: Assignment, **query: str) -> str:
    text = client.get(reverse("class_help", args=[assignment.pk]), query).text
    return " ".join(text.split())


def test_reasons_numbers_and_links(bare: Assignment, ta: Client) -> None:
    version = publish(bare, pyramid_of(4, 3, 2, 1))
    nothing, _, low, *_ = hand_in(
        bare,
        version,
        [
            Member("Nina Nothing", (), idle=4),
            Member("Sho Short", (1, 2), idle=0),
            Member("Lola Low", (4,), idle=5),
            *alike(8, ALL),
        ],
    )
    join(bare, [Member("Abel Absent", ())])

    page = see(ta, bare)

    assert "3 of 11 students may need help." in page
    table, absent = page.split("<tbody>")[1].split("No submission: 1")
    assert table.index("Nina") < table.index("Lola") < table.index("Sho")
    assert reverse("submission", args=[nothing.pk]) in table
    assert reverse("submission", args=[low.pk]) in table
    assert "No idea was matched." in table
    assert "10 words: short is below 12." in table
    assert "Coverage 0.11 (low is below 0.50)." in table
    assert "Abel Absent" in absent
    assert 'class="class-dot is-flagged"' in page


def test_who_falls_from_attempt_to_attempt(bare: Assignment, ta: Client) -> None:
    version = publish(bare, pyramid_of(4, 3, 2, 1))
    user, other = join(bare, alike(2, ()))
    members = [Member("", ALL), Member("", (1, 2))]
    hand_in(bare, version, members, [user, other])
    hand_in(bare, version, [Member("", (1, 2), idle=2), Member("", ALL)], [user, other])

    page = see(ta, bare)

    assert "1 of 2 students may need help." in page
    assert "since the previous attempt." in page


def test_an_attempt_before_that_an_earlier_version_scored_is_not_compared(
    bare: Assignment, ta: Client
) -> None:
    old = publish(bare, pyramid_of(4, 3, 2, 1))
    users = join(bare, alike(1, ()))
    hand_in(bare, old, [Member("", ALL)], users)
    hand_in(bare, publish(bare, pyramid_of(4, 4, 4, 4)), [Member("", (1, 2), idle=2)], users)

    assert "since the previous attempt." not in see(ta, bare)


def test_nobody_stands_out(bare: Assignment, ta: Client) -> None:
    hand_in(bare, publish(bare, pyramid_of(4, 3, 2, 1)), alike(6, ALL))

    page = see(ta, bare)
    assert "Nobody stands out." in page
    assert "No submission" not in page


def test_many_are_listed_on_pages(bare: Assignment, ta: Client) -> None:
    version = publish(bare, pyramid_of(4, 3, 2, 1))
    hand_in(bare, version, alike(60, (), "A"))

    assert see(ta, bare, section="in:A").count("No idea was matched.") == 50
    assert "?section=in%3AA&amp;page=2" in see(ta, bare, section="in:A")
    assert see(ta, bare, page="2").count("No idea was matched.") == 10
