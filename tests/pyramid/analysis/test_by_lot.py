"""Some texts of many."""

from grading.pyramid.analysis.quality import drawn_by_lot


def test_the_same_are_drawn_in_any_order() -> None:
    texts = [f"text {number}" for number in range(50)]

    drawn = drawn_by_lot(texts, str, 7)

    assert len(drawn) == 7
    assert drawn == drawn_by_lot(texts[::-1], str, 7)
    assert drawn != sorted(texts)[:7]


def test_half_a_character_spoils_no_lot() -> None:
    assert drawn_by_lot(["\ud83d"], str, 3) == ["\ud83d"]
