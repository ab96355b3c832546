"""Cutting a text at the ends of marks."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.marked_pieces import Piece, cut_at_marks
from grading.pyramid.structures import Span, Spans, join_spans

TEXT = "Trees cool streets and drink water."

spans = st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 12)).map(
    lambda pair: Span(pair[0], min(len(TEXT), pair[0] + pair[1]))
)
marks = st.lists(st.lists(spans, min_size=1, max_size=3).map(join_spans), max_size=5)


def cut(marked: Sequence[Spans]) -> tuple[Piece[int], ...]:
    """Each mark means its own number."""
    return cut_at_marks(TEXT, ((spans, number) for number, spans in enumerate(marked)))


def test_overlapping_discontinuous_marks() -> None:
    subject, cool, drink = Span(0, 5), Span(6, 18), Span(23, 34)

    pieces = cut([(Span(0, 18),), (subject, drink)])

    assert [(piece.words, piece.marks, piece.ending) for piece in pieces] == [
        ("Trees", (0, 1), ()),
        (" cool streets", (0,), (0,)),
        (" and ", (), ()),
        ("drink water", (1,), (1,)),
        (".", (), ()),
    ]
    assert cool.end == 18


@given(marks)
def test_nothing_is_lost_and_each_mark_ends_once(marked: list[tuple[Span, ...]]) -> None:
    pieces = cut(marked)

    assert "".join(piece.words for piece in pieces) == TEXT
    ends = [number for piece in pieces for number in piece.ending]
    assert sorted(ends) == list(range(len(marked)))


@given(marks)
def test_each_piece_has_the_marks_that_cover_it(marked: list[tuple[Span, ...]]) -> None:
    start = 0
    for piece in cut(marked):
        end = start + len(piece.words)
        covering = [
            number
            for number, spans in enumerate(marked)
            if any(span.start <= start and end <= span.end for span in spans)
        ]
        assert list(piece.marks) == covering
        start = end
