"""A text in pieces: what is asked about, and the matches beside it."""

from dataclasses import replace

import pytest

from grading.pyramid.structures import (
    Contributor,
    Evidence,
    Match,
    Pyramid,
    Repeat,
    ScoreReport,
    Scu,
    Segment,
    Span,
    Spans,
    Text,
)
from grading.second_looks.page import match_marks, pieces_of, repeated_ideas

TEXT = "Ice melts. Water boils."
PYRAMID = Pyramid(
    (Text("Ada", TEXT),),
    (
        Scu(1, "Ice melts.", (Contributor("Ada", (Span(0, 10),)),)),
        Scu(2, "Water boils.", (Contributor("Ada", (Span(11, 23),)),)),
    ),
)


def report_of(*matches: Match) -> ScoreReport:
    evidence = Evidence(tuple(match.segment for match in matches), matches)
    return ScoreReport(evidence, 1, 1.0, 1.0, 1.0, (), "")


def test_the_pieces_are_the_text_each_with_its_place() -> None:
    pieces = pieces_of(TEXT, (Span(4, 9),))

    assert [(piece.start, piece.words, piece.is_chosen) for piece in pieces] == [
        (0, "Ice ", False),
        (4, "melts", True),
        (9, ". Water boils.", False),
    ]


def test_chosen_words_begin_and_end_once_though_a_match_ends_among_them() -> None:
    marks = match_marks(PYRAMID, report_of(Match(Segment((Span(0, 10),)), 1, 0.9)))

    pieces = pieces_of(TEXT, (Span(4, 16),), marks)

    edges = [(piece.words, piece.begins, piece.ends) for piece in pieces if piece.is_chosen]
    assert edges == [("melts.", True, False), (" Water", False, True)]
    assert [mark.number for mark in pieces[1].ending] == [1]


def test_found_ideas_are_numbered_by_their_place_with_the_words_that_people_marked() -> None:
    by_hand = Match(Segment((Span(0, 23),)), 2, 1.0, marked=(Span(11, 23),), by_hand=True)
    first = Match(Segment((Span(0, 10),)), 1, 0.9)

    marks = match_marks(PYRAMID, report_of(by_hand, first))

    assert [(mark.spans, mark.idea.uid, mark.number, mark.by_hand) for mark in marks] == [
        ((Span(0, 10),), 1, 1, False),
        ((Span(11, 23),), 2, 2, True),
    ]


def test_a_text_without_anything_chosen_is_one_piece() -> None:
    assert [piece.words for piece in pieces_of(TEXT, ())] == [TEXT]


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [((Span(13, 20),), [1]), ((Span(0, 12),), [1]), ((Span(0, 11),), []), ((), [])],
)
def test_words_that_say_an_idea_again_name_it(asked: Spans, numbers: list[int]) -> None:
    report = report_of(Match(Segment((Span(0, 10),)), 1, 0.9))
    again = Repeat(Segment((Span(11, 23),)), 1)
    report = replace(report, evidence=replace(report.evidence, repeats=(again,)))
    result = match_marks(PYRAMID, report)

    assert [mark.number for mark in repeated_ideas(report, asked, result)] == numbers
