"""The class in figures: what counts, what is said where little or nothing does, and for whom."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import Assignment, Membership, Score, StoredPyramid, Submission, User
from tests.class_scene import Member, alike, hand_in, join, publish, pyramid_of
from tests.conftest import Cast

ClientOf = Callable[[User | None], Client]
PAGES = ("class_figures", "class_ideas", "class_missed", "class_help", "class_sections")


@pytest.fixture
def bare(assignment: Assignment) -> Assignment:
    """Without the two students of the cast, so that the class is who was made for the test."""
    Membership.objects.filter(role="student").delete()
    return assignment


@pytest.fixture
def version(bare: Assignment) -> StoredPyramid:
    return publish(bare, pyramid_of(4, 3, 2, 1))


@pytest.fixture
def see(cast: Cast, bare: Assignment, client_of: ClientOf) -> Callable[..., str]:
    """A page as the TA sees it."""
    client = client_of(cast.ta)

    def seen(name: str, *args: object, **query: str) -> str:
        response = client.get(reverse(name, args=[bare.pk, *args]), query)
        assert response.status_code == 200
        # Without the tokens of forms: 64 random letters now and then spell a name.
        return " ".join(re.sub(r"\b\w{64}\b", "", response.text).split())

    return seen


@pytest.mark.parametrize("name", [*PAGES, "class_new_ideas", "class_opinions"])
def test_each_page_says_what_is_missing_before_there_are_figures(
    bare: Assignment, see: Callable[..., str], name: str
) -> None:
    assert "No pyramid is published yet" in see(name)
    version = publish(bare, pyramid_of(4, 1))
    assert "No students yet" in see(name)
    [user] = join(bare, [Member("Zoe", ())])
    assert "Nobody has submitted yet" in see(name)
    hand_in(bare, version, [Member("Zoe", (1,))], [user])
    Score.objects.all().delete()
    assert "Nothing is scored with version 1 yet" in see(name)


def test_the_first_page_tells_spreads_and_leads_on(
    bare: Assignment, version: StoredPyramid, see: Callable[..., str]
) -> None:
    hand_in(bare, version, [*alike(6, (1, 2, 3, 4)), *alike(6, (4,), name="Weak")])

    page = see("class_figures")

    assert "12 summaries of 12 students, scored with" in page
    assert "Comprehensive: the number of students in each tenth" in page
    assert "missed by 6 of 12" in page
    assert "6 of 12 students:" in page
    assert "These are only" not in page


def test_one_student_and_the_same_score_for_all(
    bare: Assignment, version: StoredPyramid, see: Callable[..., str]
) -> None:
    hand_in(bare, version, alike(1, (1,)))
    assert "This is one summary" in see("class_figures")
    hand_in(bare, version, alike(3, (1,)))
    page = see("class_figures")
    assert "These are only 4 summaries" in page
    assert "Everybody has the same score" in page


def test_only_scores_by_the_newest_version_in_the_usual_way_count(
    bare: Assignment, version: StoredPyramid, see: Callable[..., str]
) -> None:
    hand_in(bare, version, alike(2, (1, 2)))
    [waiting] = hand_in(bare, version, alike(1, (1,), name="Waiting"))
    Score.objects.filter(submission=waiting).delete()
    newer = publish(bare, pyramid_of(4, 3, 2, 2))
    hand_in(bare, newer, alike(3, (1, 2)))
    [other] = hand_in(bare, newer, alike(1, (1,), name="Other"))
    Score.objects.filter(submission=other).update(signature="by another method")

    page = see("class_ideas")

    assert "3 summaries of 7 students" in page
    assert "3 summaries are not included" in page
    assert "1 summary has no score yet and is not counted" in page
    assert "All 4 ideas" in page
    assert "3: 100" in page


@pytest.mark.parametrize("name", [*PAGES, "class_new_ideas"])
def test_queries_do_not_grow_with_the_class(
    bare: Assignment, version: StoredPyramid, see: Callable[..., str], name: str
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            see(name)
        return len(captured)

    hand_in(bare, version, [*alike(3, (1,), "A"), *alike(3, (), "B")])
    queries()
    few = queries()
    hand_in(bare, version, [*alike(20, (1, 2), "A"), *alike(20, (), "C"), *alike(9, (4,))])

    assert queries() == few
    assert few <= 14


def test_a_section_is_chosen_and_kept_on_the_way(
    bare: Assignment, version: StoredPyramid, see: Callable[..., str]
) -> None:
    hand_in(bare, version, [*alike(3, (1,), "A & B"), *alike(2, (2,), "")])

    page = see("class_ideas", section="in:A & B")
    assert "3 summaries of 3 students" in page
    assert "<strong>Section <bdi>A &amp; B</bdi></strong> only." in page
    assert "/class/missed/?section=in%3AA+%26+B" in page
    assert "/class/ideas.csv?section=in%3AA+%26+B" in page
    assert "?sort=share&amp;section=in%3AA+%26+B#table" in page

    assert "2 summaries of 2 students" in see("class_ideas", section="without")
    gone = see("class_ideas", section="in:C")
    assert "This section no longer exists." in gone
    assert "5 summaries of 5 students" in gone


def test_without_sections_it_says_where_they_come_from(
    bare: Assignment, version: StoredPyramid, see: Callable[..., str]
) -> None:
    hand_in(bare, version, alike(2, (1,)))

    assert "No sections yet" in see("class_sections")
    assert 'name="section"' not in see("class_figures")


def test_sections_beside_each_other(
    bare: Assignment, version: StoredPyramid, see: Callable[..., str]
) -> None:
    hand_in(bare, version, [*alike(12, (1, 2), "Monday"), *alike(12, (1,), "Tuesday")])
    join(bare, alike(2, (), "Empty"))

    page = see("class_sections")

    assert page.count('class="class-box"') == 2
    assert '<td class="numeric" data-label="Mean">\u2013</td>' in page
    assert "Monday: 100" in page
    assert "Tuesday: 0" in page
    assert "Matter 2" in page
    assert "?section=in%3AMonday" in page


def test_names_labels_and_sections_are_data(bare: Assignment, see: Callable[..., str]) -> None:
    pyramid = pyramid_of(4)
    labelled = replace(pyramid, scus=(replace(pyramid.scus[0], label="<i>Matter</i>"),))
    version = publish(bare, labelled)
    hand_in(bare, version, [Member("<b>Zoe</b>", (), "<u>A</u>")])

    for name in PAGES:
        page = see(name)
        assert "<b>Zoe" not in page
        assert "<i>Matter" not in page
        assert "<u>A" not in page


def test_where_names_are_hidden_none_is_told(
    bare: Assignment, version: StoredPyramid, see: Callable[..., str]
) -> None:
    hand_in(bare, version, [Member("Zoe Brand", (), idle=3), Member("Omar Haddad", (1, 2, 3, 4))])
    join(bare, [Member("Absent Person", ())])
    Assignment.objects.update(names_hidden=True)

    for page in [*map(see, PAGES), see("class_idea", 1)]:
        assert "Zoe" not in page
        assert "Omar" not in page
        assert "Absent" not in page
    assert "Student " in see("class_help")


def test_students_who_left_are_gone_from_the_figures(
    bare: Assignment, version: StoredPyramid, see: Callable[..., str]
) -> None:
    first, _ = hand_in(bare, version, alike(2, (1,)))
    Membership.objects.filter(user=first.student).delete()

    assert Submission.objects.count() == 2
    assert "1 summary of 1 student, scored" in see("class_figures")
