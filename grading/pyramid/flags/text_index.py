"""Which texts of a class share words: an index of their runs, so that one more text costs little.

As with copying from the source, words are shared where ``RUN`` of them in a row are in both texts,
as a reader sees them. Runs of the source, of the task or of what else is known to all are nobody's
own and tell nothing. Texts of one author are never compared with each other.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.copying import RUN, run_hashes, spellings_of
from grading.pyramid.flags.text_flags import Near

LEAST_SHARE: Final = 0.35
LEAST_WORDS: Final = 25
_MOST_NEAR: Final = 5  # texts of others that are kept of each
_MOST_COMPARED: Final = 12  # with a run: where more have it, the first by their keys are enough

_Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Written:
    """A text, whose it is, and its key."""

    key: int
    author: int
    content: str


@dataclass(frozen=True, slots=True)
class _Indexed:
    """``runs`` are hashes in the order of the text: its own, and those of what all have read."""

    author: int
    length: int
    runs: _Integers


class TextIndex:
    """The texts of a class by their runs; texts are added and removed without the others.

    A run is kept as its hash. Python's hashes differ from process to process, so nobody can make
    two runs that share one, and no index is of use to another process.
    """

    def __init__(self, known: Iterable[str] = ()) -> None:
        """Call ``known`` what all have read."""
        hashes = [_hashes(spellings_of(content)) for content in known]
        self._known = np.unique(np.concatenate([_NOTHING, *hashes]))
        self._texts: dict[int, _Indexed] = {}
        # Two columns of one table: each run of each text once, by its hash, and the text's key.
        self._runs = _NOTHING
        self._keys = _NOTHING

    def __contains__(self, key: int) -> bool:
        return key in self._texts

    @property
    def size(self) -> int:
        """How many runs it has; each takes some 24 bytes."""
        return len(self._runs)

    def update(self, added: Iterable[Written], removed: Collection[int] = ()) -> set[int]:
        """Remove texts, then add others; return the keys of all whose nearest may have changed."""
        changed = {key for gone in removed for key in self._compared_with(gone)}
        self._remove(removed)
        new = {text.key: _indexed(text) for text in added}
        self._add(new)
        if len(new) < len(self._texts):  # else all are new
            changed |= {key for came in new for key in self._compared_with(came)}
        return (changed - {*removed}) | {*new}

    def nearest(self, key: int) -> tuple[Near, ...]:
        """Of each other author the text that shares most, those that share most first."""
        ours = self._texts[key]
        starts_by_text: dict[int, list[int]] = defaultdict(list)
        for start, keys in self._shared(ours.runs):
            for other in keys[:_MOST_COMPARED]:
                starts_by_text[other].append(start)
        best: dict[int, Near] = {}
        for other, starts in starts_by_text.items():
            author = self._texts[other].author
            words = _covered(starts)
            earlier = best.get(author)
            if author != ours.author and (not earlier or words > earlier.words):
                best[author] = Near(other, author, words, round(words / ours.length, 4))
        near = sorted(best.values(), key=lambda likeness: (-likeness.words, likeness.text))
        return tuple(likeness for likeness in near if _is_near(likeness))[:_MOST_NEAR]

    def _shared(self, runs: _Integers) -> Iterator[tuple[int, list[int]]]:
        """Of the runs that several texts have: the place in ``runs``, and the texts by their keys.

        What all have read is of no text.
        """
        begins = np.searchsorted(self._runs, runs, "left")
        ends = np.searchsorted(self._runs, runs, "right")
        for place in np.flatnonzero(ends - begins > 1).tolist():
            yield place, np.sort(self._keys[begins[place] : ends[place]]).tolist()

    def _compared_with(self, key: int) -> set[int]:
        """Find the texts that are compared with this one, or would be with another in its place."""
        texts: set[int] = set()
        if key in self._texts:
            for _, keys in self._shared(self._texts[key].runs):
                if key in keys[:_MOST_COMPARED]:
                    texts.update(keys)
        return texts

    def _remove(self, keys: Collection[int]) -> None:
        if keys:
            stay = ~np.isin(self._keys, list(keys))
            self._runs, self._keys = self._runs[stay], self._keys[stay]
        for key in keys:
            self._texts.pop(key, None)

    def _add(self, texts: dict[int, _Indexed]) -> None:
        self._texts |= texts
        own = {key: np.setdiff1d(text.runs, self._known) for key, text in texts.items()}
        runs = np.concatenate([_NOTHING, *own.values()])
        keys = np.repeat([*own], [len(each) for each in own.values()])
        order = np.argsort(runs, kind="stable")
        places = np.searchsorted(self._runs, runs[order])
        self._runs = np.insert(self._runs, places, runs[order])
        self._keys = np.insert(self._keys, places, keys[order])


_NOTHING: Final = np.empty(0, np.int64)


def _indexed(text: Written) -> _Indexed:
    spellings = spellings_of(text.content)
    return _Indexed(text.author, len(spellings), _hashes(spellings))


def _hashes(spellings: list[str]) -> _Integers:
    return np.fromiter(run_hashes(spellings), np.int64)


def _is_near(near: Near) -> bool:
    return near.share >= LEAST_SHARE and near.words >= LEAST_WORDS


def _covered(starts: Iterable[int]) -> int:
    """How many words the runs that start there take in; in order."""
    count, end = 0, 0
    for start in starts:
        count += start + RUN - max(start, end)
        end = start + RUN
    return count
