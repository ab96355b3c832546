"""Files of a pyramid, and what they cannot keep."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import read_pyramid
from grading.pyramid.formats.file_kinds import FILE_KINDS, kept_by_ducview
from grading.pyramid.structures import Pyramid, Scu, Standing
from tests.pyramid.formats.pyramids import EXAMPLE, curated_pyramids

CURATED = replace(
    EXAMPLE,
    scus=(
        replace(EXAMPLE.scus[0], standing=Standing.MUST),
        replace(EXAMPLE.scus[1], given_weight=5),
        Scu(9, "of a rubric", (), given_weight=2, standing=Standing.ASIDE),
    ),
)


def losses(ending: str, pyramid: Pyramid) -> list[str]:
    return list(FILE_KINDS[ending].losses(pyramid))


@settings(max_examples=60)
@given(curated_pyramids())
def test_a_pyr_file_keeps_what_can_be_kept(pyramid: Pyramid) -> None:
    kept = kept_by_ducview(pyramid)
    if not kept.scus:
        with pytest.raises(InputError, match="JSON"):
            FILE_KINDS["pyr"].write(pyramid)
        return

    assert read_pyramid(FILE_KINDS["pyr"].write(pyramid).encode()) == kept


def test_losses_are_told_before() -> None:
    assert losses("pyr", CURATED) == [
        "1 idea without quotes is left out.",
        "1 idea with a manual weight will weigh as many as express it.",
        "2 ideas that must count or are set aside will count as others.",
    ]
    assert losses("tsv", CURATED) == [
        "The list has quotes only, without the names of ideas and references.",
        "The comments on 1 idea are left out.",
        "2 ideas that must count or are set aside will count as others.",
    ]
    assert losses("json", CURATED) == []


def test_a_built_pyramid_loses_nothing_in_a_pyr_file() -> None:
    assert losses("pyr", EXAMPLE) == []
    assert kept_by_ducview(EXAMPLE) == EXAMPLE


def test_nothing_is_said_of_what_is_not_there() -> None:
    empty = Pyramid((), ())

    assert losses("pyr", empty) == losses("tsv", empty) == []
    assert FILE_KINDS["tsv"].write(empty) == ""
