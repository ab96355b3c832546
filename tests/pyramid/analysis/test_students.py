"""Ideas that students have and no reference: found, worded, counted."""

from grading.pyramid.analysis.students import taught_by_students
from grading.pyramid.editing.commands import NewScu
from grading.pyramid.pipeline import build_pyramid, read_summaries
from grading.pyramid.structures import Pyramid, SegmentedText, Text
from tests.conftest import REFERENCES
from tests.fakes import fake_engine

ENGINE = fake_engine()
PYRAMID = build_pyramid(REFERENCES, ENGINE)


def students(*texts: str) -> list[SegmentedText]:
    return read_summaries([Text(f"s{n}-1", text) for n, text in enumerate(texts)], ENGINE)


TELL = "Dark roofs store heat. "
NEW = "Paint lets walls reflect sunlight."


def test_what_enough_students_say_is_an_idea() -> None:
    texts = students(TELL + NEW, NEW, TELL + NEW, TELL)

    (result,) = taught_by_students(PYRAMID, texts, ENGINE)

    assert result.command == NewScu(0, "Paint lets walls reflect sunlight.", given_weight=1)
    assert result.reason == "3 of 4 students say something like this, and no idea covers it."


def test_two_students_are_too_few() -> None:
    assert list(taught_by_students(PYRAMID, students(NEW, NEW, TELL), ENGINE)) == []


def test_a_student_who_says_it_twice_counts_once() -> None:
    assert list(taught_by_students(PYRAMID, students(NEW + " " + NEW, NEW, TELL), ENGINE)) == []


def test_what_the_pyramid_holds_is_not_new() -> None:
    assert list(taught_by_students(PYRAMID, students(*[TELL] * 5), ENGINE)) == []


def test_words_about_the_text_are_no_idea() -> None:
    about = "This article describes several interesting causes."

    assert list(taught_by_students(PYRAMID, students(*[about] * 5), ENGINE)) == []


def test_fragments_make_no_label() -> None:
    vague = "It reflects sunlight from painted walls."

    assert list(taught_by_students(PYRAMID, students(*[vague] * 5), ENGINE)) == []


def test_without_students_there_is_nothing_to_say() -> None:
    assert list(taught_by_students(PYRAMID, [], ENGINE)) == []
    assert list(taught_by_students(Pyramid((), ()), students("", "", ""), ENGINE)) == []


def test_the_order_of_students_makes_no_difference() -> None:
    texts = students(TELL + NEW, NEW, "Walls reflect sunlight if painted.", TELL + NEW, TELL)

    result = list(taught_by_students(PYRAMID, texts, ENGINE))

    assert result
    assert result == list(taught_by_students(PYRAMID, texts[::-1], ENGINE))
