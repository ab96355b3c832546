"""Sentences to train on, out of WordNet: definitions and examples; and the words of its synsets.

Reads the files ``data.noun``, ``data.verb``, ``data.adj`` and ``data.adv`` of a WordNet dictionary
(format: wndb(5WN) of WordNet 3.0), as Debian's ``wordnet-base`` puts them in /usr/share/wordnet.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from grading.pyramid.errors import InputError

_FILES = ("data.noun", "data.verb", "data.adj", "data.adv")
_NOTICE = "  "  # lines of the licence notice at the head of each file begin like this
_EXAMPLE = re.compile(r';\s*"')
_POSITION = re.compile(r"\((?:a|p|ip)\)$")  # where an adjective may stand: "asleep(p)"


def read_sentences(folder: Path) -> list[str]:
    """The words of each synset with their definition, and each example by itself."""
    return [sentence for gloss in _read_synsets(folder) for sentence in gloss]


def read_examples(folder: Path) -> list[str]:
    """Each example by itself."""
    return [example for _, *examples in _read_synsets(folder) for example in examples]


def read_synsets(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The part of speech of each synset (n, v, a, r), and its words with “_” for blanks."""
    for fields, _ in _lines(folder):
        part = "a" if fields[2] == "s" else fields[2]
        yield part, [word.replace(" ", "_") for word in _words(fields)]


def _read_synsets(folder: Path) -> Iterator[list[str]]:
    """The sentences of each synset: its words with their definition, then its examples."""
    for fields, gloss in _lines(folder):
        definition, *examples = _EXAMPLE.split(gloss.strip())
        of_examples = (example.partition('"')[0] for example in examples)
        yield [f"{' '.join(_words(fields))} {definition}", *of_examples]


def _lines(folder: Path) -> Iterator[tuple[list[str], str]]:
    """The fields of each synset, and its gloss."""
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise InputError(
            f"“{folder}” is no WordNet dictionary: there is no {', no '.join(missing)}."
        )
    for path in (folder / name for name in _FILES):
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
