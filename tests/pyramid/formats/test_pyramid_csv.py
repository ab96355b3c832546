"""A pyramid as a table."""

import csv
import io

from hypothesis import given, settings

from grading.pyramid.formats.file_kinds import COLUMNS, pyramid_csv
from grading.pyramid.formats.gradebook import FORMULA_STARTS
from grading.pyramid.structures import Pyramid, Scu, Standing
from tests.pyramid.formats.pyramids import EXAMPLE, curated_pyramids


def rows(pyramid: Pyramid) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(pyramid_csv(pyramid).removeprefix("\ufeff"), "")))


def test_each_contributor_has_a_row() -> None:
    first, second, third = rows(EXAMPLE)

    assert first == {
        "weight": "2",
        "idea": "1",
        "label": "Bees dance",
        "reference": "anna",
        "words": "Bees dance",
        "standing": "",
        "comment": 'called a "waggle" <dance>',
        "comment on the words": "short & sweet",
    }
    assert (second["reference"], second["words"]) == ("ben", "dance of bees")
    assert third["words"] == "They show ... how far"


def test_an_idea_without_words_has_one_row_and_formulas_are_disarmed() -> None:
    scu = Scu(1, "=1+1", (), "@x", given_weight=4, standing=Standing.ASIDE)

    (row,) = rows(Pyramid((), (scu,)))

    assert (row["weight"], row["label"], row["words"]) == ("4", "'=1+1", "")
    assert (row["standing"], row["comment"]) == ("set aside", "'@x")


@settings(max_examples=40)
@given(curated_pyramids())
def test_any_pyramid_is_a_whole_table_without_formulas(pyramid: Pyramid) -> None:
    table = list(csv.reader(io.StringIO(pyramid_csv(pyramid).removeprefix("\ufeff"), "")))

    assert len(table) == 1 + sum(max(1, len(scu.contributors)) for scu in pyramid.scus)
    assert all(len(row) == len(COLUMNS) for row in table)
    assert not any(cell.startswith(FORMULA_STARTS) for row in table for cell in row)
