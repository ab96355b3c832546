"""WordNet's own files, read: sentences, synsets, and the senses of lemmas."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from grading.pyramid.errors import InputError
from grading.pyramid.word_senses.lexicon import PARTS, Lexicon, lexicon_of

# Sentences to train on, out of WordNet: definitions and examples; and the words of its synsets.
#
# Reads the files ``data.noun``, ``data.verb``, ``data.adj`` and ``data.adv`` of a WordNet
# dictionary (format: wndb(5WN) of WordNet 3.0), as Debian's ``wordnet-base`` puts them in
# /usr/share/wordnet.

_DATA_FILES = ("data.noun", "data.verb", "data.adj", "data.adv")
_NOTICE = "  "  # lines of the licence notice at the head of each file begin like this
_EXAMPLE = re.compile(r';\s*"')
_POSITION = re.compile(r"\((?:a|p|ip)\)$")  # where an adjective may stand: "asleep(p)"


def read_sentences(folder: Path) -> list[str]:
    """The words of each synset with their definition, and each example on its own."""
    return [sentence for gloss in _read_synsets(folder) for sentence in gloss]


def read_examples(folder: Path) -> list[str]:
    """Each example on its own."""
    return [example for _, *examples in _read_synsets(folder) for example in examples]


def read_synsets(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The part of speech of each synset (n, v, a, r), and its words with “_” for blanks."""
    for fields, _ in _gloss_lines(folder):
        part = "a" if fields[2] == "s" else fields[2]
        yield part, [word.replace(" ", "_") for word in _words(fields)]


def _read_synsets(folder: Path) -> Iterator[list[str]]:
    """The sentences of each synset: its words with their definition, then its examples."""
    for fields, gloss in _gloss_lines(folder):
        definition, *examples = _EXAMPLE.split(gloss.strip())
        of_examples = (example.partition('"')[0] for example in examples)
        yield [f"{' '.join(_words(fields))} {definition}", *of_examples]


def _gloss_lines(folder: Path) -> Iterator[tuple[list[str], str]]:
    """The fields of each synset, and its gloss."""
    missing = [name for name in _DATA_FILES if not (folder / name).is_file()]
    if missing:
        raise InputError(
            f"“{folder}” is no WordNet dictionary: there is no {', no '.join(missing)}."
        )
    for path in (folder / name for name in _DATA_FILES):
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.startswith(_NOTICE):
                    continue
                try:
                    head, gloss = line.split(" | ", 1)
                    fields = head.split(" ")
                    _words(fields)
                except (ValueError, IndexError) as error:
                    raise InputError(f"Line {number} of “{path}” is no synset.") from error
                yield fields, gloss


def _words(fields: list[str]) -> list[str]:
    """Fields 4, 6, … of a synset are its words; field 3 tells their number, in hexadecimal."""
    words = fields[4::2][: int(fields[3], 16)]
    return [_POSITION.sub("", word).replace("_", " ") for word in words]


# WordNet's own files to a lexicon: senses of lemmas, and the graph of synsets.
#
# Reads ``data.*``, ``index.*`` and ``*.exc`` of a WordNet dictionary (formats: wndb(5WN) and
# morphy(7WN) of WordNet 3.0), as Debian's ``wordnet-base`` puts them in /usr/share/wordnet.
#
# Two synsets are neighbours where WordNet has a relation between them or between their words,
# whatever its kind and direction, and where the definition of one holds a word whose only sense is
# the other, unless that word is in very many definitions. ADW's graph has definitions whose words
# were disambiguated by hand; those are not in the package, and words with one sense need no
# disambiguation.

MOST_DEFINITIONS = 200  # that hold a word: "an", "usually" or "river" are near to everything
_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_PART_OF = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}  # "s" are satellites of adjectives
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")

_Place = tuple[str, int]  # part of speech, and the offset by which WordNet calls a synset
_Line = TypeVar("_Line")


@dataclass(frozen=True, slots=True)
class _Synset:
    place: _Place
    related: tuple[_Place, ...]
    definition: str


def read_dictionary(folder: Path) -> Lexicon:
    """The lexicon of a dictionary; an InputError names what is missing, or a line that is wrong."""
    names = [f"{kind}.{name}" for kind in ("data", "index") for name in _FILES.values()]
    names += [f"{name}.exc" for name in _FILES.values()]
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise InputError(
            f"“{folder}” is no WordNet dictionary: there is no {', no '.join(missing)}."
        )
    synsets = [
        synset for name in _FILES.values() for synset in _lines(folder / f"data.{name}", _synset)
    ]
    numbers = {synset.place: number for number, synset in enumerate(synsets)}
    entries = {
        (part, lemma): tuple(numbers[part, offset] for offset in offsets)
        for part, name in _FILES.items()
        for lemma, offsets in _lines(folder / f"index.{name}", _entry)
    }
    irregular = {
        (part, form): lemma
        for part, name in _FILES.items()
        for form, lemma in _lines(folder / f"{name}.exc", _exception)
        if (part, lemma) in entries
    }
    pairs = {
        (number, numbers[place])
        for number, synset in enumerate(synsets)
        for place in synset.related
    }
    words = lexicon_of(entries, irregular, (), len(synsets))
    pairs.update(_in_definitions(synsets, words))
    return lexicon_of(entries, irregular, pairs, len(synsets))


def _lines(path: Path, parse: Callable[[str], _Line]) -> Iterator[_Line]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.startswith(_NOTICE):
                try:
                    yield parse(line)
                except (ValueError, IndexError, KeyError) as error:
                    raise InputError(f"Line {number} of “{path}” cannot be read.") from error


def _synset(line: str) -> _Synset:
    """Field 3 is the number of words, in hexadecimal; after them come the pointers, in fours."""
    head, gloss = line.split(" | ", 1)
    fields = head.split(" ")
    first = 4 + 2 * int(fields[3], 16)
    pointers = range(first + 1, first + 1 + 4 * int(fields[first]), 4)
    related = tuple((_PART_OF[fields[at + 2]], int(fields[at + 1])) for at in pointers)
    definition = _EXAMPLE.split(gloss.strip())[0]
    return _Synset((_PART_OF[fields[2]], int(fields[0])), related, definition)


def _entry(line: str) -> tuple[str, tuple[int, ...]]:
    """Field 2 is the number of senses, whose offsets end the line."""
    fields = line.split()
    return fields[0], tuple(int(offset) for offset in fields[-int(fields[2]) :])


def _exception(line: str) -> tuple[str, str]:
    form, lemma, *_ = line.split()
    return form, lemma


def _in_definitions(synsets: Iterable[_Synset], words: Lexicon) -> Iterator[tuple[int, int]]:
    """Each synset with the only senses of words in its definition."""
    synsets_with: defaultdict[str, list[int]] = defaultdict(list)
    for number, synset in enumerate(synsets):
        for word in set(_WORD.findall(synset.definition.lower())):
            synsets_with[word].append(number)
    for word, numbers in synsets_with.items():
        sense = _only_sense(word, words) if len(numbers) <= MOST_DEFINITIONS else None
        if sense is not None:
            yield from ((number, sense) for number in numbers)


def _only_sense(word: str, words: Lexicon) -> int | None:
    senses = [sense for part in PARTS for sense in words.senses(word, part)]
    return senses[0] if len(senses) == 1 else None
