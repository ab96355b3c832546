"""Recall word by word: its direction, its weights, and what its values do not depend on."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.calibration import Calibration, Priors
from grading.pyramid.encoders.words import Words, words_of
from grading.pyramid.similarity import FUNCTION_WORD, Floats, Recall, closest_by
from grading.pyramid.structures import Span, Spans, Text, Unit

_STEMS = ["ice", "heat", "mass", "space", "the", "of", "is", "moves", "cold", "dark", "roof", "not"]
PRIORS = Priors(*[Calibration(slope=10.0, threshold=0.5)] * 3)

contents = st.lists(st.sampled_from(_STEMS), max_size=14).map(" ".join)


def letters_in_common(columns: Words, rows: Words) -> Floats:
    """Close as the letters are that two stems share: many values between 0 and 1."""
    table = [
        [len({*stem} & {*other}) / len({*stem} | {*other}) for other in rows.stems]
        for stem in columns.stems
    ]
    return np.array(table, dtype=np.float32).reshape(len(columns.stems), len(rows.stems))


def recall(remembered: int = 0) -> Recall:
    return Recall("letters", words_of, closest_by(letters_in_common), PRIORS, remembered)


def equal_words(columns: Words, rows: Words) -> Floats:
    table = [[float(stem == other) for other in rows.stems] for stem in columns.stems]
    return np.array(table, dtype=np.float32).reshape(len(columns.stems), len(rows.stems))


def exact() -> Recall:
    return Recall("equal", words_of, closest_by(equal_words), PRIORS)


def whole(content: str, name: str = "text") -> Unit:
    return Unit(Text(name, content), (Span(0, len(content)),))


def part(content: str, *words: str) -> Unit:
    """The words where they first stand in a text, as spans of their own."""
    starts = [content.index(word) for word in words]
    spans = tuple(Span(at, at + len(word)) for at, word in zip(starts, words, strict=True))
    return Unit(Text("text", content), spans)


@st.composite
def units(draw: st.DrawFn) -> Unit:
    """Some of the words of a text, at most three spans of them."""
    content = draw(contents)
    ends = draw(st.lists(st.integers(0, len(content)), max_size=6, unique=True).map(sorted))
    pairs = zip(ends[::2], ends[1::2], strict=False)
    return Unit(Text("text", content), tuple(Span(*pair) for pair in pairs))


several = st.lists(units(), max_size=6)


def test_each_word_takes_its_closest() -> None:
    # Of the column's four words two are there: ice and cold, both of weight 1.
    column, row = whole("ice heat mass cold"), whole("cold rain and ice")
    assert exact().against([column])([row]).tolist() == [[0.5]]
    # The other way round "and" weighs .3: (1 + 1) / 3.3
    assert exact().against([row])([column]).tolist() == [[pytest.approx(2 / 3.3, abs=1e-4)]]


def test_function_words_weigh_less() -> None:
    assert FUNCTION_WORD == 0.3
    [[without_the]] = exact().against([whole("the ice")])([whole("ice")]).tolist()
    [[without_ice]] = exact().against([whole("the ice")])([whole("the")]).tolist()
    assert without_the == pytest.approx(1 / 1.3, abs=1e-4)
    assert without_ice == pytest.approx(0.3 / 1.3, abs=1e-4)


def test_the_word_that_only_one_unit_has_decides() -> None:
    kinds = ["density", "colour", "mass", "volume", "smell", "shape"]
    columns = [whole(f"{kind} counts among physical properties") for kind in kinds]
    [row] = exact().against(columns)([whole("smell counts among physical properties")]).tolist()
    assert row[4] == 1
    assert max(row[:4] + row[5:]) < 0.6
    # Among equals, each word of content weighs the same: 3 of 4, and "among".
    among = exact().among(columns)
    assert among[0, 1] == pytest.approx(3.3 / 4.3, abs=1e-4)


def test_it_has_a_direction_against_and_none_among() -> None:
    long, short = whole("ice heat mass space"), whole("ice")
    assert exact().against([short])([long]).tolist() == [[1]]
    assert exact().against([long])([short]).tolist() == [[0.25]]
    among = exact().among([long, short])
    assert among.tolist() == [[1, 0.625], [0.625, 1]]


def test_only_the_words_in_the_spans_count() -> None:
    content = "ice heat mass space"
    assert exact().against([part(content, "ice", "mass")])([part(content, "ice")]) == 0.5
    assert exact().against([part(content, "ice", "mass")])([part(content, "heat", "space")]) == 0
    assert exact().against([part(content, "ice")])([part(content, "ice", "mass")]) == 1
    # A word that a span cuts is not in it.
    assert exact().against([part(content, "ce", "heat")])([whole("heat")]) == 1


@given(several)
def test_a_text_tells_all_of_its_own_parts(parts: list[Unit]) -> None:
    for unit in parts:
        row = whole(unit.text.content)
        expected = 1.0 if len(words_of(unit.words).starts) and has_whole_words(unit) else 0.0
        assert recall().against([unit])([row]) == expected
        assert recall().against(parts)([row])[0, parts.index(unit)] == expected


def has_whole_words(unit: Unit) -> bool:
    words = words_of(unit.text.content)
    return any(
        span.start <= start and end <= span.end
        for span in unit.spans
        for start, end in zip(words.starts.tolist(), words.ends.tolist(), strict=True)
    )


@given(several, units(), st.data())
def test_who_says_more_never_tells_less(
    columns: list[Unit], row: Unit, data: st.DataObject
) -> None:
    content = row.text.content
    start = data.draw(st.integers(0, min((span.start for span in row.spans), default=0)))
    end = data.draw(st.integers(max((s.end for s in row.spans), default=start), len(content)))
    compare = recall().against(columns)
    wider = Unit(row.text, (Span(start, max(start, end)),))
    assert (compare([wider]) >= compare([row])).all()
    assert (compare([whole(content)]) >= compare([wider])).all()


@given(several, several, st.data())
def test_neither_order_nor_company_makes_a_difference(
    columns: list[Unit], rows: list[Unit], data: st.DataObject
) -> None:
    compare = recall().against(columns)
    table = compare(rows)
    assert table.shape == (len(rows), len(columns))
    assert ((table >= 0) & (table <= 1)).all()
    row_order = data.draw(st.permutations(range(len(rows))))
    column_order = data.draw(st.permutations(range(len(columns))))
    turned = recall().against([columns[i] for i in column_order])([rows[i] for i in row_order])
    expected = table[np.ix_(np.array(row_order, int), np.array(column_order, int))]
    assert turned.tobytes() == np.ascontiguousarray(expected).tobytes()
    for number, row in enumerate(rows):
        assert compare([row]).tobytes() == table[number].tobytes()


@given(several, st.data())
def test_among_is_symmetric_whatever_the_order_and_company(
    equals: list[Unit], data: st.DataObject
) -> None:
    table = recall().among(equals)
    assert np.array_equal(table, table.T)
    order = np.array(data.draw(st.permutations(range(len(equals)))), dtype=np.int64)
    turned = recall().among([equals[i] for i in order.tolist()])
    assert np.array_equal(turned, table[np.ix_(order, order)])
    if len(equals) > 1:
        assert np.array_equal(recall().among(equals[:2]), table[:2, :2])


@given(several, several, several)
def test_what_is_remembered_changes_nothing(
    columns: list[Unit], others: list[Unit], rows: list[Unit]
) -> None:
    keeps, forgets = recall(remembered=3), recall()
    for asked in (columns, others, columns, [*columns, *others]):
        kept, fresh = keeps.against(asked), forgets.against(asked)
        for _ in range(2):
            assert np.array_equal(kept(rows), fresh(rows))


def test_texts_with_the_same_content_are_one_text_whatever_their_names() -> None:
    columns = [whole("ice heat", "A"), whole("ice heat", "B")]
    rows = [whole("ice mass", "C"), whole("ice mass", "D")]
    assert exact().against(columns)(rows).tolist() == [[0.5, 0.5], [0.5, 0.5]]


_NOTHING: Spans = ()


@pytest.mark.parametrize(
    "empty",
    [whole(""), whole(" \n "), whole("?! …"), Unit(Text("t", "ice heat"), _NOTHING)],
)
def test_what_has_no_words_tells_nothing_and_is_not_told(empty: Unit) -> None:
    full = whole("ice heat")
    assert recall().against([empty, full])([full, empty]).tolist() == [[0, 1], [0, 0]]
    assert recall().among([empty, full]).tolist() == [[0, 0], [0, 1]]
    assert recall().against([empty])([empty, full]).tolist() == [[0], [0]]


@pytest.mark.parametrize(("columns", "rows"), [(0, 0), (0, 2), (2, 0)])
def test_nothing_to_compare(columns: int, rows: int) -> None:
    def some(count: int) -> Sequence[Unit]:
        return [whole("ice heat")] * count

    assert recall().against(some(columns))(some(rows)).shape == (rows, columns)
    assert recall().among([]).shape == (0, 0)


def test_a_stem_that_all_units_have_still_weighs_a_little() -> None:
    columns = [whole("ice")] * 50
    assert exact().against(columns)([whole("ice"), whole("heat")])[:, 0].tolist() == [1, 0]
