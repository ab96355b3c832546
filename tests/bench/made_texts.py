"""Texts as many and as long as a timing needs, made of the sentences of real ones.

Hardly a sentence comes twice: each gets a word of another, so that nothing that remembers sentences
looks faster than it is in a class.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np

from grading.pyramid.structures import Text
from tests.bench import wim

_DEMONSTRATION = Path(__file__).resolve().parents[2] / "grading/management/demonstration"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_LONG_WORD = re.compile(r"\b[a-z]{5,}\b")
_OVER = 10  # words more or less
_SHORT = 50  # words; shorter texts of the demonstration are there to be refused
_LONGEST_SENTENCE = 50  # words; what is longer is a text without full stops, not a sentence


@dataclass(frozen=True, slots=True)
class Corpus:
    """Real references, and sentences of students."""

    name: str
    references: tuple[Text, ...]
    sentences: tuple[str, ...]


@cache
def corpus() -> Corpus:
    """wim's references where the data is beside the project, else the demonstration's."""
    demonstration = demonstration_corpus()
    if not wim.FOLDER.exists():
        return demonstration
    data = wim.load()
    sentences = _sentences([summary.content for summary in data.summaries])
    return Corpus("wim", data.references, sentences + demonstration.sentences)


@cache
def demonstration_corpus() -> Corpus:
    """The references and students' texts of the demonstration course, which every clone has."""
    students = [text.content for text in _texts(_DEMONSTRATION / "students")]
    sentences = _sentences([content for content in students if _words(content) >= _SHORT])
    return Corpus("demonstration", _texts(_DEMONSTRATION / "references"), sentences)


def made_class(count: int, words: int, *, seed: int) -> list[Text]:
    """Summaries of about so many words; another seed gives other sentences."""
    draw = np.random.default_rng(seed)
    return [Text(f"{seed}-{number}", _summary(words, draw)) for number in range(count)]


def made_references(count: int, words: int) -> list[Text]:
    """The corpus's references up to so many words, filled up with sentences of students."""
    others = _sentences_without_end()
    real = [list(_sentences([text.content])) for text in corpus().references]
    own = [*real, *([] for _ in range(count))][:count]
    return [Text(f"{n}", _filled(words, sentences, others)) for n, sentences in enumerate(own, 1)]


def _sentences_without_end() -> Iterator[str]:
    """Those of students as they are; once these are used up, again with other words in them."""
    yield from reversed(corpus().sentences)
    draw = np.random.default_rng(0)
    while True:
        for sentence in reversed(corpus().sentences):
            yield _varied(sentence, draw)


def _filled(words: int, own: Sequence[str], others: Iterator[str]) -> str:
    sentences: list[str] = []
    available = chain(own, others)
    while _words(" ".join(sentences)) < words:
        sentences.append(next(available))
    return " ".join(sentences)


def _summary(words: int, draw: np.random.Generator) -> str:
    """Sentences in any order, each where it still fits."""
    taken: list[str] = []
    length = 0
    for place in draw.permutation(len(corpus().sentences)):
        sentence = corpus().sentences[place]
        if length + _words(sentence) <= words + _OVER:
            taken.append(_varied(sentence, draw))
            length += _words(sentence)
        if length >= words - _OVER:
            break
    return " ".join(taken)


def _varied(sentence: str, draw: np.random.Generator) -> str:
    """One of its longer words is another's."""
    places = list(_LONG_WORD.finditer(sentence))
    others = _LONG_WORD.findall(str(draw.choice(corpus().sentences)))
    if not places or not others:
        return sentence
    place = places[int(draw.integers(len(places)))]
    return sentence[: place.start()] + str(draw.choice(others)) + sentence[place.end() :]


def _sentences(texts: Sequence[str]) -> tuple[str, ...]:
    split = (sentence.strip() for text in texts for sentence in _SENTENCE_END.split(text))
    return tuple(sentence for sentence in split if 3 <= _words(sentence) <= _LONGEST_SENTENCE)


def _texts(folder: Path) -> tuple[Text, ...]:
    files = sorted(folder.glob("*.txt"))
    return tuple(Text(file.stem, file.read_text("utf-8-sig")) for file in files)


def _words(content: str) -> int:
    return len(content.split())
