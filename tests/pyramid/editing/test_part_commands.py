"""Ends of parts move by a word, and parts go, while all others stay."""

import pytest

from grading.pyramid.editing.commands import End, MoveEnd, RemovePart
from grading.pyramid.errors import EditError
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text

TEXT = Text("Ada", "Cities are “hotter” than, well, the country.")
#                   0      7   11        20    26    32  36
SPANS = (Span(7, 10), Span(20, 25))  # "are", "than,"


def pyramid_with(*spans: Span) -> Pyramid:
    return Pyramid((TEXT,), (Scu(1, "hot", (Contributor("Ada", spans),)),))


def parts(pyramid: Pyramid) -> list[str]:
    return [
        TEXT.content[span.start : span.end]
        for contributor in pyramid.scu(1).contributors
        for span in contributor.spans
    ]


def test_the_texts_are_as_the_tests_say() -> None:
    assert parts(pyramid_with(*SPANS)) == ["are", "than,"]


@pytest.mark.parametrize(
    ("part", "end", "by", "expected", "words"),
    [
        (0, "start", -1, ["Cities are", "than,"], "longer by a word: “Cities are” of Ada"),
        (0, "end", 1, ["are “hotter", "than,"], "longer by a word: “are “hotter” of Ada"),
        (1, "end", 1, ["are", "than, well"], "longer by a word: “than, well” of Ada"),
        (1, "start", -1, ["are", "hotter” than,"], "longer by a word: “hotter” than,” of Ada"),
    ],
)
def test_an_end_moves_by_one_word(
    part: int, end: End, by: int, expected: list[str], words: str
) -> None:
    before, move = pyramid_with(*SPANS), MoveEnd(1, "Ada", part, end, by)
    assert parts(move.apply(before)) == expected
    assert move.words(before) == f"made a part of “hot” {words}"


def test_a_part_becomes_shorter() -> None:
    before = pyramid_with(Span(1, 18))  # "ities are “hotter": the other end stays
    assert parts(MoveEnd(1, "Ada", 0, "end", -1).apply(before)) == ["ities are"]
    shorter = MoveEnd(1, "Ada", 0, "start", 1)
    assert parts(shorter.apply(before)) == ["are “hotter"]
    assert shorter.words(before) == "made a part of “hot” shorter by a word: “are “hotter” of Ada"


def test_a_cut_word_is_completed_first() -> None:
    assert parts(MoveEnd(1, "Ada", 0, "end", 1).apply(pyramid_with(Span(0, 3)))) == ["Cities"]
    assert parts(MoveEnd(1, "Ada", 0, "start", -1).apply(pyramid_with(Span(3, 6)))) == ["Cities"]


def test_a_part_that_reaches_the_next_one_joins_it_and_no_other() -> None:
    touching = (Span(0, 3), Span(3, 6), Span(7, 10), Span(12, 18))
    after = MoveEnd(1, "Ada", 2, "end", 1).apply(pyramid_with(*touching))
    assert parts(after) == ["Cit", "ies", "are “hotter"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (MoveEnd(1, "Ada", 0, "start", -1), "This is the first word of the reference."),
        (MoveEnd(1, "Ada", 1, "end", 1), "This is the last word of the reference."),
        (MoveEnd(1, "Ada", 0, "end", -1), "This part has only one word. Remove the part instead."),
        (MoveEnd(1, "Ada", 0, "start", 1), "This part has only one word. Remove the part instead."),
        (MoveEnd(1, "Ada", 0, "end", 2), "The start or the end of a part moves by one word"),
        (MoveEnd(1, "Ada", 2, "end", 1), "This part of the words of Ada no longer exists."),
        (MoveEnd(1, "Ada", -1, "end", 1), "This part of the words of Ada no longer exists."),
        (MoveEnd(1, "Ben", 0, "end", 1), "“Ben” does not contribute to “hot” any more."),
        (RemovePart(1, "Ada", 2), "This part of the words of Ada no longer exists."),
        (RemovePart(2, "Ada", 0), "Idea 2 no longer exists."),
    ],
)
def test_limits(command: MoveEnd | RemovePart, message: str) -> None:
    with pytest.raises(EditError, match=message):
        command.apply(pyramid_with(Span(0, 6), Span(36, 43)))


def test_a_part_is_removed_and_with_the_last_all() -> None:
    before = pyramid_with(*SPANS)
    first = RemovePart(1, "Ada", 0)
    assert parts(first.apply(before)) == ["than,"]
    assert first.words(before) == "took “are” of Ada out of “hot”"
    assert first.apply(first.apply(before)).scus == ()
