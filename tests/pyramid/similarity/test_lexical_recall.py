"""Recall of stems: needs no model."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.similarity import lexical_recall
from grading.pyramid.structures import Span, Text, Unit


def whole(content: str) -> Unit:
    return Unit(Text("text", content), (Span(0, len(content)),))


def recall_of(row: str, column: str) -> float:
    return float(lexical_recall().against([whole(column)])([whole(row)])[0, 0])


def test_inflections_capitals_and_apostrophes_are_alike() -> None:
    assert recall_of("CITIES are heating", "City heats") == 1
    assert recall_of("it doesn\u2019t melt", "Doesn't it melt?") == 1
    assert recall_of("ice", "water") == 0


def test_numbers_are_words() -> None:
    assert recall_of("it has 3.5 kg", "3.5") == 1
    assert recall_of("it has 35 kg", "3.5") == 0


@settings(max_examples=60)
@given(st.lists(st.text(max_size=20), max_size=4), st.lists(st.text(max_size=20), max_size=4))
def test_any_text_can_be_compared(columns: list[str], rows: list[str]) -> None:
    similarity = lexical_recall(remembered=2)
    table = similarity.against([whole(column) for column in columns])([whole(row) for row in rows])
    assert table.shape == (len(rows), len(columns))
    assert ((table >= 0) & (table <= 1)).all()
    among = similarity.among([whole(row) for row in rows])
    assert np.array_equal(among, among.T)


def test_its_name_does_not_tell_what_it_remembers() -> None:
    assert lexical_recall().name == lexical_recall(remembered=9).name == "stems-1"
    assert 0 < lexical_recall().priors.idea.threshold < 1
