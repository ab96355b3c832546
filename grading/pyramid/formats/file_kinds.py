"""The kinds of files that a pyramid is written to, and what each of them cannot keep."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_csv import pyramid_csv
from grading.pyramid.formats.pyramid_file import write_pyramid
from grading.pyramid.formats.pyramid_json_file import write_pyramid_json
from grading.pyramid.formats.tab_list import write_tab_list
from grading.pyramid.structures import Pyramid, Standing


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
            "A .pyr file holds ideas with experts' words, and no idea of this pyramid has any yet. "
            "The JSON file keeps it as it is."
        )
    return write_pyramid(kept)


# --- losses ---


def _lost_by_ducview(pyramid: Pyramid) -> Iterator[str]:
    wordless = sum(not scu.contributors for scu in pyramid.scus)
    if wordless:
        yield f"{_ideas(wordless)} without experts' words {_are(wordless)} left out."
    given = sum(scu.given_weight is not None for scu in pyramid.scus if scu.contributors)
    if given:
        yield f"{_ideas(given)} with a weight set by hand will weigh as many as express it."
    yield from _lost_standings(pyramid)


def _lost_by_the_list(pyramid: Pyramid) -> Iterator[str]:
    if any(scu.contributors for scu in pyramid.scus):
        yield "Names of ideas and of experts are left out: the list holds experts' words only."
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
