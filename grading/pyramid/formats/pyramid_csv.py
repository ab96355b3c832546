"""A pyramid as a table for spreadsheets: one row for each reference's words of an idea.

UTF-8 with a byte order mark, and nothing that a spreadsheet would run, as in the gradebook.
"""

import csv
import io
from collections.abc import Iterator
from typing import Final

from grading.pyramid.formats.gradebook import BYTE_ORDER_MARK, disarm
from grading.pyramid.formats.word_search import PARTED
from grading.pyramid.structures import Contributor, Pyramid, Scu, Standing

COLUMNS: Final = (
    "weight", "idea", "label", "reference", "words", "standing", "comment", "comment on the words",
)  # fmt: skip
STANDINGS: Final = {
    Standing.COUNTS: "",
    Standing.MUST: "must count",
    Standing.ASIDE: "set aside",
}


def pyramid_csv(pyramid: Pyramid) -> str:
    """The whole file as text; an idea that no reference expresses has one row."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for scu in pyramid.scus:
        writer.writerows(_rows(pyramid, scu))
    return BYTE_ORDER_MARK + out.getvalue()


def _rows(pyramid: Pyramid, scu: Scu) -> Iterator[tuple[str, ...]]:
    for contributor in scu.contributors or (None,):
        yield (
            str(scu.weight),
            str(scu.uid),
            disarm(scu.label),
            disarm(contributor.reference if contributor else ""),
            disarm(_words(pyramid, contributor) if contributor else ""),
            STANDINGS[scu.standing],
            disarm(scu.comment),
            disarm(contributor.comment if contributor else ""),
        )


def _words(pyramid: Pyramid, contributor: Contributor) -> str:
    text = pyramid.reference(contributor.reference)
    return PARTED.join(text.words_at((span,)) for span in contributor.spans)
