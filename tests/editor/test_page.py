"""What the editor shows of a pyramid."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grading.editor.page import (
    card_of,
    glance_of,
    layout_of,
    marks_of,
    open_card_of,
    texts_of,
    view_of_text,
)
from grading.pyramid.editing.changes import WORD
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing, Text, join_spans

ADA = Text("Ada", "Trees cool streets,\r\nand drink\tmuch  water. 😀 Wärme!")
BEN = Text("Ben", "Trees cool.")
_WORDS = [Span(match.start(), match.end()) for match in WORD.finditer(ADA.content)]

chosen = st.lists(
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=3).map(join_spans), max_size=4
)


def _scu(uid: int, *names: str, **more: Any) -> Scu:
    contributors = tuple(Contributor(name, (Span(0, 5),)) for name in names)
    return replace(Scu(uid, f"Idea {uid}", contributors), **more)


@given(chosen)
def test_pieces_are_the_text_and_every_word_is_in_an_idea_or_uncovered(
    marked: list[tuple[Span, ...]],
) -> None:
    marks = tuple((uid, 1 + uid % 5, spans) for uid, spans in enumerate(marked, 1))

    view = view_of_text(0, ADA, marks)

    assert "".join(item.words for item in view.pieces) == ADA.content.replace("\r", " ")
    covered = {n for spans in marked for span in spans for n in range(span.start, span.end)}
    uncovered = [word for word in _WORDS if not covered & set(range(word.start, word.end))]
    assert view.uncovered == len(uncovered)
    assert view.words == len(_WORDS)
    for piece in view.pieces:
        places = set(range(piece.start, piece.start + len(piece.words)))
        assert bool(piece.uids) == bool(places & covered)
        assert not (piece.uncovered and piece.words != piece.words.strip())


def test_bands_go_from_the_heaviest_to_what_is_set_aside() -> None:
    pyramid = Pyramid(
        (ADA, BEN),
        (
            _scu(1, "Ada"),
            _scu(2, "Ada", "Ben"),
            _scu(3, given_weight=4),
            _scu(4),
            _scu(5, "Ada", standing=Standing.ASIDE),
            _scu(6, "Ben"),
        ),
    )

    assert layout_of(pyramid) == {
        "4": (3,),
        "3": (),
        "2": (2,),
        "1": (1, 6),
        "0": (4,),
        "aside": (5,),
    }
    assert list(layout_of(pyramid)) == ["4", "3", "2", "1", "0", "aside"]


def test_an_empty_pyramid_has_a_band_for_each_number_of_references() -> None:
    assert list(layout_of(Pyramid((ADA, BEN), ()))) == ["2", "1", "0", "aside"]
    assert list(layout_of(Pyramid((), ()))) == ["1", "0", "aside"]
    assert glance_of(Pyramid((), ())) == []


def test_a_card_says_what_is_by_hand_and_commented() -> None:
    plain, given = _scu(1, "Ada"), _scu(2, "Ada", given_weight=1, comment="Why?")
    texts = texts_of(Pyramid((ADA, BEN), (plain, given)))

    assert not card_of(plain, texts, 2, 2).by_hand
    assert not card_of(plain, texts, 2, 2).commented
    assert card_of(given, texts, 2, 2).by_hand
    assert card_of(given, texts, 2, 2).commented


def test_the_order_buttons_know_their_neighbours() -> None:
    pyramid = Pyramid((ADA, BEN), tuple(_scu(uid, "Ada") for uid in (1, 2, 3)))
    texts = texts_of(pyramid)

    first, middle, last = (
        open_card_of(pyramid, scu, texts, with_others=True) for scu in pyramid.scus
    )

    assert (first.earlier, first.can_go_later, first.later) == (None, True, 3)
    assert (middle.earlier, middle.can_go_later, middle.later) == (1, True, None)
    assert (last.earlier, last.can_go_later) == (2, False)


def test_marks_are_those_of_each_reference() -> None:
    pyramid = Pyramid((ADA, BEN), (_scu(2, "Ada", "Ben"), _scu(1, "Ada")))

    marks = marks_of(pyramid)

    assert [uid for uid, _, _ in marks["Ada"]] == [1, 2]
    assert [uid for uid, _, _ in marks["Ben"]] == [2]


def test_the_small_pyramid_is_as_wide_as_its_bands_have_ideas() -> None:
    pyramid = Pyramid((ADA, BEN), (_scu(1, "Ada", "Ben"), _scu(2, "Ada"), _scu(3, "Ben")))

    narrow, wide = glance_of(pyramid)

    assert (narrow.weight, narrow.ideas, wide.weight, wide.ideas) == (2, 1, 1, 2)
    assert narrow.width < wide.width == 240
    assert narrow.y < wide.y
