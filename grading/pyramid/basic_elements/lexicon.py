"""What Basic Elements take from WordNet 3.0: synonyms, and compounds that are one word.

The shipped file is made by ``manage.py make_lexicon`` from the dictionary of Debian's
``wordnet-base``: its synsets with at least two words, and its nouns of two or three words. A file
has a line each, in order: a letter (n, v, a, r: a synset of that part of speech; c: a compound),
then the words, with “_” for blanks.
"""

import gzip
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.structures import Token
from grading.pyramid.word_senses.dictionary import read_synsets

LEXICON_FILE = Path(__file__).parent / "data" / "lexicon.txt.gz"
_COMPOUND = "c"
_COMPOUND_NOUN = re.compile("[a-z]+(?:_[a-z]+){1,2}")
_WORD = re.compile("[a-z'-]+(?:_[a-z'-]+)?")
_PART_OF_SPEECH = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Synsets by word and part of speech, and compounds."""

    synsets: Mapping[tuple[str, str], frozenset[int]]
    compounds: frozenset[str]
    name: str

    def has_compound(self, parts: Sequence[Token]) -> bool:
        """Whether tokens side by side are one noun, in the singular or as written."""
        *first, last = (part.text.lower() for part in parts)
        before = "_".join(first)
        lemma = parts[-1].lemma.lower()
        return f"{before}_{lemma}" in self.compounds or f"{before}_{last}" in self.compounds

    def are_synonyms(self, word: str, other: str, pos: str, other_pos: str) -> bool:
        """Whether two lemmas of the same part of speech are in one synset; a word is its own."""
        if word == other:
            return True
        synsets = self.synsets_of(word, pos)
        return not synsets.isdisjoint(self.synsets_of(other, other_pos)) if synsets else False

    def synsets_of(self, lemma: str, pos: str) -> frozenset[int]:
        """The numbers of the synsets that a lemma is in; of those with one word nothing is kept."""
        part = _PART_OF_SPEECH.get(pos, "")
        return self.synsets.get((part, lemma.replace(" ", "_")), frozenset())


@cache
def load_lexicon(path: Path = LEXICON_FILE) -> Lexicon:
    """The lexicon in a file; half a second, once a process."""
    if not path.is_file():
        raise ResourceMissingError(f"The file “{path}” is missing. Install the project again.")
    data = gzip.decompress(path.read_bytes())
    senses: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    compounds = set()
    for number, line in enumerate(data.decode("ascii").splitlines()):
        part, *words = line.split(" ")
        if part == _COMPOUND:
            compounds.update(words)
        else:
            for word in words:
                senses[part, word].add(number)
    synsets = {key: frozenset(numbers) for key, numbers in senses.items()}
    digest = hashlib.sha256(data).hexdigest()[:12]
    return Lexicon(synsets, frozenset(compounds), f"lexicon-{digest}")


def read_lexicon(folder: Path) -> list[str]:
    """The lines of a lexicon, out of a WordNet dictionary."""
    return sorted(set(_lines(folder)))


def write_lexicon(lines: Sequence[str], path: Path) -> None:
    """The same lines, the same bytes."""
    path.write_bytes(gzip.compress("\n".join(lines).encode("ascii"), mtime=0))


def _lines(folder: Path) -> Iterator[str]:
    for part, words in read_synsets(folder):
        lowered = sorted({word.lower() for word in words})
        if part == "n":
            compounds = (word for word in lowered if _COMPOUND_NOUN.fullmatch(word))
            yield from (f"{_COMPOUND} {compound}" for compound in compounds)
        kept = [word for word in lowered if _WORD.fullmatch(word)]
        if len(kept) > 1:
            yield f"{part} {' '.join(kept)}"
