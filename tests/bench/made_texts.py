"""Texts as many and as long as a timing needs, made of the sentences of real ones.

Hardly a sentence comes twice: each gets a word of another, so that nothing that remembers sentences
looks faster than it is in a class.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from grading.pyramid.structures import Text
from tests.bench import wim

_DEMONSTRATION = Path(__file__).resolve().parents[2] / "grading/management/demonstration"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_LONG_WORD = re.compile(r"\b[a-z]{5,}\b")
_OVER = 10  # words more or less
_SHORT = 50  # words; shorter texts of the demonstration are there to be refused


@dataclass(frozen=True, slots=True)
class Corpus:
    """Real references, and sentences of students."""

    name: str
    references: tuple[Text, ...]
    sentences: tuple[str, ...]


@cache
def corpus() -> Corpus:
    """wim's references where the data is there, else the demonstration's."""
    demonstration = _texts(_DEMONSTRATION / "references")
    students = _texts(_DEMONSTRATION / "students")
    long = [text.content for text in students if _words(text.content) >= _SHORT]
    if not wim.FOLDER.exists():
        return Corpus("demonstration", demonstration, _sentences(long))
    data = wim.load()
    texts = [summary.content for summary in data.summaries]
    return Corpus("wim", data.references, _sentences([*texts, *long]))


def made_class(count: int, words: int, *, seed: int) -> list[Text]:
    """Summaries of about so many words; another seed gives other sentences."""
    draw = np.random.default_rng(seed)
    return [Text(f"{seed}-{number}", _summary(words, draw)) for number in range(count)]


def made_references(count: int, words: int) -> list[Text]:
    """The corpus's references up to so many words, filled up with sentences of students."""
    queue = list(reversed(corpus().sentences))
    real = [list(_sentences([text.content])) for text in corpus().references]
    own = [*real, *([] for _ in range(count))][:count]
    return [Text(f"{n}", _filled(words, sentences, queue)) for n, sentences in enumerate(own, 1)]


def _filled(words: int, sentences: Sequence[str], queue: list[str]) -> str:
    taken: list[str] = []
    own = list(reversed(sentences))
    while _words(" ".join(taken)) < words and (own or queue):
        taken.append((own or queue).pop())
    return " ".join(taken)


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
    found = (one.strip() for text in texts for one in _SENTENCE_END.split(text))
    return tuple(sentence for sentence in found if _words(sentence) >= 3)


def _texts(folder: Path) -> tuple[Text, ...]:
    files = sorted(folder.glob("*.txt"))
    return tuple(Text(file.stem, file.read_text("utf-8-sig")) for file in files)


def _words(content: str) -> int:
    return len(content.split())
