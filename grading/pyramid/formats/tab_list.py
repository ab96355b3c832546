"""PyrEval's simple list of a pyramid: ``SCU``, index, weight and words, separated by tabs.

Several lines of one index are the words of several references. The list names no reference, so
words are looked up in those of the assignment; what is found nowhere leaves the idea its weight.
PyrEval itself begins with index 0, where our ideas begin with 1.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.encodings import Decoded
from grading.pyramid.formats.import_report import Imported, ImportReport, LostWords
from grading.pyramid.formats.pyramid_json import HEAVIEST
from grading.pyramid.formats.word_search import PARTED, Search
from grading.pyramid.structures import Contributor, Pyramid, Scu, Text, join_spans

_MARK: Final = "SCU"
LARGEST_INDEX: Final = 999_999_998
MOST_LINES: Final = 4_000
KIND: Final = "PyrEval's list, one line for each expert's words"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list."""

    line: int
    index: int
    weight: int
    words: str


def looks_like_a_tab_list(text: str) -> bool:
    return any(line.startswith(f"{_MARK}\t") for line in text.split("\n"))


def write_tab_list(pyramid: Pyramid) -> str:
    """The list, to be stored as UTF-8; an idea that nobody's words express stands by its label."""
    return "".join(
        f"{_MARK}\t{scu.uid}\t{scu.weight}\t{words}\n"
        for scu in pyramid.scus
        for words in _words(pyramid, scu)
    )


def read_tab_list(decoded: Decoded, references: Sequence[Text]) -> Imported:
    """The pyramid of the list, on these references."""
    entries = list(_entries(decoded.text))
    return pyramid_of_entries(entries, references, kind=KIND, remark=decoded.remark)


def pyramid_of_entries(
    entries: Iterable[Entry], references: Sequence[Text], *, kind: str, remark: str = ""
) -> Imported:
    """Ideas, with the words of each entry where a reference has them."""
    by_index: dict[int, list[Entry]] = {}
    for count, entry in enumerate(entries, 1):
        if count > MOST_LINES:
            raise InputError(f"Line {entry.line}: only {MOST_LINES:,} lines can be worked with.")
        by_index.setdefault(entry.index, []).append(entry)
    shift = 1 if 0 in by_index else 0
    finder = _Finder(references)
    scus = [finder.scu(index + shift, lines) for index, lines in by_index.items()]
    scus.sort(key=lambda scu: -scu.weight)
    remarks = (remark, *finder.remarks, _SHIFTED if shift else "")
    return Imported(
        Pyramid(tuple(references), tuple(scus)),
        ImportReport(
            kind,
            missing=finder.unused,
            lost=tuple(finder.lost),
            remarks=tuple(filter(None, remarks)),
        ),
    )


_SHIFTED: Final = "The list counts ideas from 0; here they are numbered from 1."


# --- writing ---


def _words(pyramid: Pyramid, scu: Scu) -> Iterator[str]:
    for contributor in scu.contributors:
        text = pyramid.reference(contributor.reference)
        parts = (text.words_at((span,)) for span in contributor.spans)
        yield PARTED.join(filter(None, parts)) or _label(scu)
    if not scu.contributors:
        yield _label(scu)


def _label(scu: Scu) -> str:
    return " ".join(scu.label.split()) or f"Idea {scu.uid}"


# --- reading ---


def _entries(text: str) -> Iterator[Entry]:
    first: dict[int, Entry] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        entry = _entry(number, line)
        before = first.setdefault(entry.index, entry)
        if before.weight != entry.weight:
            raise InputError(
                f"Line {number}: idea {entry.index} has the weight {entry.weight} here, and "
                f"{before.weight} in line {before.line}."
            )
        yield entry


def _entry(number: int, line: str) -> Entry:
    fields = line.split("\t", 3)
    if fields[0].strip() != _MARK:
        raise InputError(
            f"Line {number}: a line begins with “{_MARK}” and a tab; this one begins with "
            f"“{line.strip()[:40].strip()}”."
        )
    if len(fields) < 4 or not fields[3].strip():
        raise InputError(
            f"Line {number}: a line is “{_MARK}”, a number, a weight and words, separated by "
            f"tabs. Something is missing."
        )
    return Entry(
        number,
        _number(number, fields[1], "number of the idea", LARGEST_INDEX),
        _number(number, fields[2], "weight", HEAVIEST),
        " ".join(fields[3].split()),
    )


def _number(line: int, field: str, what: str, largest: int) -> int:
    digits = field.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and int(digits) <= largest):
        raise InputError(
            f"Line {line}: the {what}, “{digits[:40]}”, is not a whole number from 0 to "
            f"{largest:,}."
        )
    return int(digits)


class _Finder:
    """Looks words up, and keeps account of what was joined and what was not found."""

    def __init__(self, references: Sequence[Text]) -> None:
        self._names = [text.name for text in references]
        self._search = Search(references)
        self._used: set[str] = set()
        self.lost: list[LostWords] = []
        self.remarks: list[str] = []

    @property
    def unused(self) -> tuple[str, ...]:
        """References in which nothing was found."""
        return tuple(name for name in self._names if name not in self._used)

    def scu(self, uid: int, entries: Sequence[Entry]) -> Scu:
        places = [(entry, self._search.places(entry.words)) for entry in entries]
        self.lost += [LostWords(e.line, uid, e.words) for e, spans in places if not spans]
        # What only one reference has is placed first, so that the others find one that is free.
        chosen: dict[str, Contributor] = {}
        lines: dict[str, int] = {}
        for entry, spans in sorted(places, key=lambda place: len(place[1])):
            free = next(
                (contributor for contributor in spans if contributor.reference not in chosen), None
            )
            if free is not None:
                chosen[free.reference] = free
                lines[free.reference] = entry.line
            elif spans:
                self._join(chosen, spans[0], uid, entry)
        self._used.update(chosen)
        weight = entries[0].weight
        contributors = sorted(chosen.values(), key=lambda contributor: lines[contributor.reference])
        manual_weight = None if weight == len(contributors) else weight
        return Scu(uid, entries[0].words, tuple(contributors), given_weight=manual_weight)

    def _join(
        self, chosen: dict[str, Contributor], contributor: Contributor, uid: int, entry: Entry
    ) -> None:
        """Further words of a reference that the idea has already become parts of these."""
        spans = join_spans(chosen[contributor.reference].spans + contributor.spans)
        chosen[contributor.reference] = Contributor(contributor.reference, spans)
        self.remarks.append(
            f"Line {entry.line}: “{contributor.reference}” expresses idea {uid} already; these "
            "words were joined to its others."
        )
