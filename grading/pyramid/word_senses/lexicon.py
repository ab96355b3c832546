"""Which senses a word has, and which senses are neighbours: WordNet as a small file.

The file is an archive of numpy arrays: lemmas and irregular forms as text, senses of each lemma
(the most frequent one first) and each pair of neighbours once. ``manage.py make_senses`` makes it
of a WordNet dictionary; the same dictionary gives the same bytes.
"""

import hashlib
import io
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.errors import InputError, ResourceMissingError

Integers = NDArray[np.int64]
Entry = tuple[str, str]  # part of speech (n, v, a, r) and lemma

PARTS = ("n", "v", "a", "r")
FILE = Path(__file__).parent / "data" / "wordnet-senses.npz"
# Endings that morphy(7WN) takes off, and what it puts in their place.
_ENDINGS: Mapping[str, tuple[Entry, ...]] = {
    "n": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
        ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ),
    "v": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Lexicon:
    """``neighbours[starts[s]:starts[s + 1]]`` are the neighbours of sense ``s``, ascending."""

    entries: Mapping[Entry, tuple[int, ...]]
    irregular: Mapping[Entry, str]
    starts: Integers
    neighbours: Integers
    name: str = ""

    @property
    def size(self) -> int:
        """How many senses there are, of all words together."""
        return len(self.starts) - 1

    def senses(self, word: str, part: str) -> tuple[int, ...]:
        """The senses of a word in any of its forms, the most frequent one first; none if unknown.

        Words of a compound are joined by "_" or a hyphen, as in WordNet.
        """
        return self.entries.get((part, self.lemma(word, part)), ())

    def lemma(self, word: str, part: str) -> str:
        """The form that is in the lexicon, or the word as it is."""
        irregular = self.irregular.get((part, word))
        if irregular is not None:
            return irregular
        if (part, word) in self.entries:
            return word
        for ending, instead in _ENDINGS[part]:
            base = word.removesuffix(ending) + instead
            if word.endswith(ending) and (part, base) in self.entries:
                return base
        return word


def lexicon_of(
    entries: Mapping[Entry, tuple[int, ...]],
    irregular: Mapping[Entry, str],
    pairs: Iterable[tuple[int, int]],
    size: int,
    name: str = "",
) -> Lexicon:
    """A lexicon of senses 0 to ``size`` - 1; each pair are neighbours of each other."""
    unique = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    joined = np.array(unique, dtype=np.int64).reshape(-1, 2)
    both = np.concatenate([joined, joined[:, ::-1]])
    ordered = both[np.lexsort((both[:, 1], both[:, 0]))]
    starts = np.searchsorted(ordered[:, 0], np.arange(size + 1)).astype(np.int64)
    return Lexicon(entries, irregular, starts, ordered[:, 1].copy(), name)


def write_lexicon(lexicon: Lexicon, path: Path) -> None:
    """The same lexicon gives the same bytes."""
    keys = sorted(lexicon.entries)
    rows = np.repeat(np.arange(lexicon.size), np.diff(lexicon.starts))
    once = rows < lexicon.neighbours
    arrays: dict[str, NDArray[Any]] = {
        "lemmas": _packed(f"{part}{lemma}" for part, lemma in keys),
        "counts": np.array([len(lexicon.entries[key]) for key in keys], dtype=np.uint8),
        "senses": np.array([s for key in keys for s in lexicon.entries[key]], dtype=np.int32),
        "irregular": _packed(
            f"{part}{form} {lemma}" for (part, form), lemma in sorted(lexicon.irregular.items())
        ),
        "degrees": np.bincount(rows[once], minlength=lexicon.size).astype(np.uint16),
        "neighbours": lexicon.neighbours[once].astype(np.int32),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            held = io.BytesIO()
            np.save(held, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), held.getvalue(), zipfile.ZIP_DEFLATED)


@cache
def load_lexicon(path: Path = FILE) -> Lexicon:
    """The shipped lexicon, read once a process (half a second)."""
    if not path.is_file():
        raise ResourceMissingError(
            f"“{path}” is missing. Make it of a WordNet dictionary: "
            f"python manage.py make_senses --wordnet DIR --out “{path}”"
        )
    return read_lexicon(path.read_bytes())


def read_lexicon(data: bytes) -> Lexicon:
    """What ``write_lexicon`` wrote; an InputError where it is something else."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            keys = [(line[0], line[1:]) for line in _unpacked(arrays["lemmas"])]
            ends = list(accumulate(arrays["counts"].tolist()))
            senses = arrays["senses"].tolist()
            entries = {
                key: tuple(senses[start:end])
                for key, start, end in zip(keys, [0, *ends], ends, strict=False)
            }
            forms = (line.split(" ") for line in _unpacked(arrays["irregular"]))
            irregular = {(form[0], form[1:]): lemma for form, lemma in forms}
            degrees = arrays["degrees"].astype(np.int64)
            rows = np.repeat(np.arange(len(degrees)), degrees)
            pairs = zip(rows.tolist(), arrays["neighbours"].tolist(), strict=True)
            name = f"wordnet-{hashlib.sha256(data).hexdigest()[:8]}"
            return lexicon_of(entries, irregular, pairs, len(degrees), name)
    except (ValueError, KeyError, IndexError, zipfile.BadZipFile) as error:
        raise InputError("The file is no lexicon of senses.") from error


def _packed(lines: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


def _unpacked(array: NDArray[np.uint8]) -> list[str]:
    return array.tobytes().decode().splitlines()
