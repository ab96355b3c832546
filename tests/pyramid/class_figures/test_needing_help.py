"""Who needs help, and why."""

from dataclasses import replace

from grading.pyramid.class_figures import Ground, Limits, Reason, limits_of, needing_help
from tests.pyramid.class_figures.made import text

LIMITS = Limits(0.3, 0.3, 60)


def reasons(*grounds: Ground) -> list[Reason]:
    return [ground.reason for ground in grounds]


def test_limits_are_half_of_the_median_but_a_quarter_at_least() -> None:
    strong = [text(key, score=0.8, words=150) for key in range(5)]
    weak = [text(key, score=0.2, words=150) for key in range(5)]

    assert limits_of(strong, min_words=100) == Limits(0.4, 0.4, 100)
    assert limits_of(strong, min_words=0) == Limits(0.4, 0.4, 75)
    assert limits_of(weak, min_words=100) == Limits(0.25, 0.25, 100)
    assert limits_of(strong[:4], min_words=100) == Limits(0.25, 0.25, 100)


def test_each_reason_with_its_numbers() -> None:
    low = replace(text(1, score=0.2), quality=0.29, coverage=0.31)
    (student,) = needing_help([low, text(2)], LIMITS, {})

    assert student.text is low
    assert student.grounds == (Ground(Reason.QUALITY, 0.29, 0.3),)
    (two,) = needing_help([text(3, words=59)], LIMITS, {})
    assert two.grounds == (Ground(Reason.SHORT, 59, 60),)


def test_nothing_found_says_it_all() -> None:
    (student,) = needing_help([text(1, score=0.0, words=20)], LIMITS, {})
    assert reasons(*student.grounds) == [Reason.NOTHING, Reason.SHORT]


def test_falling_by_a_tenth_as_readers_see_it() -> None:
    now = [text(1, score=0.5), text(2, score=0.5), text(3, score=0.5)]
    result = needing_help(now, LIMITS, {1: 0.6, 2: 0.594, 3: 0.4})

    assert [(student.text.key, student.grounds) for student in result] == [
        (1, (Ground(Reason.FALLING, 0.5, 0.6),))
    ]


def test_the_most_serious_come_first() -> None:
    result = needing_help(
        [text(1, score=0.28), text(2, score=0.1), text(3, score=0.1, words=9), text(4, score=0.0)],
        LIMITS,
        {},
    )
    assert [student.text.key for student in result] == [4, 3, 2, 1]


def test_who_does_well_needs_none() -> None:
    assert needing_help([text(1, score=0.9)], LIMITS, {}) == []
