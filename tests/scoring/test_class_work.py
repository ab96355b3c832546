"""Whose work of a class can be compared, and what it tells."""

import pytest
from pytest_django import DjangoAssertNumQueries

from grading.models import Assignment, Membership, Score
from grading.scoring.results import class_work, counted_scores, credited_ideas
from tests.class_scene import Member, alike, hand_in, publish, pyramid_of


@pytest.fixture
def bare(assignment: Assignment) -> Assignment:
    Membership.objects.filter(role="student").delete()
    return assignment


def test_of_two_signatures_as_usual_the_later_counts(bare: Assignment) -> None:
    version = publish(bare, pyramid_of(4, 1))
    hand_in(bare, version, alike(2, (1,)))
    later = hand_in(bare, version, alike(2, (1,), name="Later"))
    Score.objects.filter(submission__in=later).update(signature="later")

    work = class_work(bare)
    assert [result.student.name for result in work.counted] == ["Later 0", "Later 1"]
    assert len(work.outdated) == 2


def test_the_score_with_all_corrections_is_read(bare: Assignment) -> None:
    version = publish(bare, pyramid_of(4, 1))
    first, second = hand_in(bare, version, [Member("Zoe", (1,)), Member("Omar", ())])
    row = Score.objects.get(submission=second)
    corrected = Score.objects.get(submission=first).document
    row.pk, row.revision, row.corrections, row.document = None, 1, 1, corrected
    row.save()

    ideas = credited_ideas(class_work(bare).counted)
    assert ideas == {first.pk: frozenset({1}), second.pk: frozenset({1})}


def test_a_text_without_matches_tells_nothing(bare: Assignment) -> None:
    [empty] = hand_in(bare, publish(bare, pyramid_of(4)), [Member("Zoe", ())])

    assert credited_ideas(class_work(bare).counted) == {empty.pk: frozenset()}
    assert credited_ideas([]) == {}


def test_sections_in_order_and_those_without_one_last(bare: Assignment) -> None:
    version = publish(bare, pyramid_of(4))
    hand_in(bare, version, [Member("A", (), "b"), Member("B", (), ""), Member("C", (), "A")])

    work = class_work(bare)
    assert work.sections == ["A", "b", ""]
    assert [result.student.name for result in work.of_section("b").counted] == ["A"]


def test_the_scores_that_count_are_read_in_one_query_as_well(
    bare: Assignment, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Without work by another signature, held work, and work of an earlier version."""
    assert counted_scores(bare) == {}
    earlier = publish(bare, pyramid_of(4))
    hand_in(bare, earlier, alike(1, (1,), name="Earlier"))
    version = publish(bare, pyramid_of(4, 1))
    hand_in(bare, version, [Member("Zoe", (1,)), Member("Omar", ()), Member("Ana", (1,))])
    held, *_ = hand_in(bare, version, alike(1, (1,), name="Held"))
    other = hand_in(bare, version, alike(2, (1,), name="Other"))
    Score.objects.filter(submission=held).update(held=True)
    Score.objects.filter(submission__in=other).update(signature="other")
    Membership.objects.filter(user__name="Ana").delete()

    with django_assert_num_queries(1):
        scores = counted_scores(bare)

    expected = {
        result.submission.pk: result.numbers.comprehensive
        for result in class_work(bare).counted
        if result.submission is not None and result.numbers is not None
    }
    assert scores == expected
    assert len(scores) == 2
