"""The kinds of files that a pyramid is written to, and what each of them cannot keep."""

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import write_pyramid
from grading.pyramid.formats.gradebook import BYTE_ORDER_MARK, disarm
from grading.pyramid.formats.pyramid_json import write_pyramid_json
from grading.pyramid.formats.tab_list import write_tab_list
from grading.pyramid.formats.word_search import PARTED
from grading.pyramid.structures import Contributor, Pyramid, Scu, Standing

# A pyramid as a table for spreadsheets: one row for each reference's words of an idea.
#
# UTF-8 with a byte order mark, and nothing that a spreadsheet would run, as in the gradebook.

COLUMNS: Final = (
    "weight", "idea", "label", "reference", "words", "standing", "comment", "comment on the words",
)  # fmt: skip
STANDINGS: Final = {
    Standing.COUNTS: "",
    Standing.MUST: "must count",
    Standing.ASIDE: "set aside",
}


def pyramid_csv(pyramid: Pyramid) -> str:
    """The whole file as text, in the order of the ideas' numbers.

    An idea that no reference expresses has one row.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    numbers = pyramid.numbers()
    for scu in sorted(pyramid.scus, key=lambda scu: numbers[scu.uid]):
        writer.writerows(_rows(pyramid, scu, numbers[scu.uid]))
    return BYTE_ORDER_MARK + out.getvalue()


def _rows(pyramid: Pyramid, scu: Scu, number: int) -> Iterator[tuple[str, ...]]:
    for contributor in scu.contributors or (None,):
        yield (
            str(scu.weight),
            str(number),
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


@dataclass(frozen=True, slots=True)
class FileKind:
    """``losses`` are sentences on what of this pyramid would not be in the file."""

    ending: str
    title: str
    content_type: str
    write: Callable[[Pyramid], str]
    losses: Callable[[Pyramid], Iterator[str]]


def kept_by_ducview(pyramid: Pyramid) -> Pyramid:
    """What a ``.pyr`` file can hold: ideas with words, weighing as many as express them."""
    scus = [
        replace(scu, given_weight=None, standing=Standing.COUNTS)
        for scu in pyramid.scus
        if scu.contributors
    ]
    scus.sort(key=lambda scu: -scu.weight)
    return Pyramid(pyramid.references, tuple(scus))


def _ducview_file(pyramid: Pyramid) -> str:
    kept = kept_by_ducview(pyramid)
    if not kept.scus:
        raise InputError(
            "A .pyr file holds ideas with quotes from references, and this pyramid has none yet. "
            "Use the JSON file."
        )
    return write_pyramid(kept)


# --- losses ---


def _lost_by_ducview(pyramid: Pyramid) -> Iterator[str]:
    wordless = sum(not scu.contributors for scu in pyramid.scus)
    if wordless:
        yield f"{_ideas(wordless)} without quotes {_are(wordless)} left out."
    set_manually = sum(scu.given_weight is not None for scu in pyramid.scus if scu.contributors)
    if set_manually:
        yield f"{_ideas(set_manually)} with a manual weight will weigh as many as express it."
    yield from _lost_standings(pyramid)


def _lost_by_the_list(pyramid: Pyramid) -> Iterator[str]:
    if any(scu.contributors for scu in pyramid.scus):
        yield "The list has quotes only, without the names of ideas and references."
    comments = sum(
        bool(scu.comment or any(contributor.comment for contributor in scu.contributors))
        for scu in pyramid.scus
    )
    if comments:
        yield f"The comments on {_ideas(comments)} are left out."
    yield from _lost_standings(pyramid)


def _lost_standings(pyramid: Pyramid) -> Iterator[str]:
    marked = sum(scu.standing is not Standing.COUNTS for scu in pyramid.scus)
    if marked:
        yield f"{_ideas(marked)} that must count or {_are(marked)} set aside will count as others."


def _lost_by_the_table(_pyramid: Pyramid) -> Iterator[str]:
    yield "For spreadsheets: the experts' whole texts are left out, and it cannot be read back."


def _nothing_lost(_pyramid: Pyramid) -> Iterator[str]:
    yield from ()


def _ideas(count: int) -> str:
    return "1 idea" if count == 1 else f"{count} ideas"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


FILE_KINDS: Final = {
    kind.ending: kind
    for kind in (
        FileKind("pyr", "DUCView", "application/xml", _ducview_file, _lost_by_ducview),
        FileKind("tsv", "PyrEval's list", "text/plain", write_tab_list, _lost_by_the_list),
        FileKind("json", "Everything", "application/json", write_pyramid_json, _nothing_lost),
        FileKind("csv", "Spreadsheet", "text/csv", pyramid_csv, _lost_by_the_table),
    )
}
