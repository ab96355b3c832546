"""A parser, an encoder and an engine that load nothing: most tests run without a model."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.content import Options
from grading.pyramid.content_pipeline import ContentEngine, make_content_engine
from grading.pyramid.parsing import ParsedSentence, ParsedText
from grading.pyramid.pipeline import Engine
from grading.pyramid.registry import DEFAULT_METHOD, get_method
from grading.pyramid.similarity import CosineSimilarity, Similarity, lexical_recall
from grading.pyramid.structures import Span, Text, Token, Unit

_SENTENCE = re.compile(r"[^\W_][^.!?]*[.!?]*")
_TOKEN = re.compile(r"\w+(?:['\u2019-]\w+)*|[^\w\s]")
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e)$")

# What a word that starts a clause is in it, and what the clause is in the sentence.
_STARTERS = {
    "and": ("CCONJ", "CC", "cc", "conj"),
    "but": ("CCONJ", "CC", "cc", "conj"),
    "because": ("SCONJ", "IN", "mark", "advcl"),
    "that": ("SCONJ", "IN", "mark", "ccomp"),
    "which": ("PRON", "WDT", "nsubj", "relcl"),
}


_Label = tuple[str, str, str, int]


class FakeParser:
    """Sentences end with a stop; "and", "but", "because", "that" and "which" start a clause.

    The verb of a clause is its first word in -s that has a word before it, else its second word;
    a word in -s straight after "and", "but" or "which" is one too, and has no subject of its own:
    "Matter has mass and takes space because the world is full."
    """

    name = "fake-1"

    def parse(self, texts: Sequence[Text]) -> list[ParsedText]:
        return [ParsedText(text, tuple(_sentences(text.content))) for text in texts]


class HashingEncoder:
    """Bags of word stems, each stem hashed to a dimension; no words give the zero vector."""

    def __init__(self, dimensions: int = 256) -> None:
        self.dimensions = dimensions
        self.name = f"hashing-{dimensions}"

    def encode(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        vectors = np.zeros((len(units), self.dimensions), dtype=np.float64)
        for row, unit in zip(vectors, units, strict=True):
            for word in re.findall(r"\w+", unit.words.lower()):
                row[zlib.crc32(_ENDING.sub("", word).encode()) % self.dimensions] += 1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors


def fake_engine(method_name: str = DEFAULT_METHOD) -> Engine:
    """A method with the fakes in the place of its models.

    Words are not checked for their order: the tags of the fake parser are no English.
    """
    method = get_method(method_name)
    config = replace(method.config, checks_order=False)
    return Engine(FakeParser(), fake_similarity(method_name), replace(method, config=config))


def fake_content_engine(method_name: str, options: Options | None = None) -> ContentEngine:
    """A sister system with the fake parser."""
    return make_content_engine(method_name, parser=FakeParser(), options=options)


def fake_similarity(method_name: str) -> Similarity:
    """Stems where a recall is wanted, hashed bags of words where a cosine is."""
    if method_name.startswith("classroom"):
        return lexical_recall()
    return CosineSimilarity(HashingEncoder())


def _sentences(content: str) -> list[ParsedSentence]:
    sentences = []
    for match in _SENTENCE.finditer(content):
        tokens = _tokens(list(_TOKEN.finditer(content, match.start(), match.end())))
        sentences.append(ParsedSentence(Span(tokens[0].start, tokens[-1].end), tokens))
    return sentences


def _is_word(text: str) -> bool:
    return text[0].isalnum()


def _tokens(matches: Sequence[re.Match[str]]) -> tuple[Token, ...]:
    words = [match.group().lower() for match in matches]
    starts = [i for i in range(1, len(words) - 1) if _starts_clause(words, i)]
    labels: list[_Label] = []
    main: int | None = None
    for start, end in pairwise([0, *starts, len(words)]):
        verb = _verb(words, start, end)
        labels += [_label(words, i, start, verb, main) for i in range(start, end)]
        main = verb
    return tuple(
        Token(index, match.start(), match.end(), match.group(), word, *label, not _is_word(word))
        for index, (match, word, label) in enumerate(zip(matches, words, labels, strict=True))
    )


def _starts_clause(words: Sequence[str], index: int) -> bool:
    following = words[index + 1]
    return words[index] in _STARTERS and following not in _STARTERS and _is_word(following)


def _verb(words: Sequence[str], start: int, end: int) -> int:
    first = start + 1 if start else 0
    own = [i for i in range(first, end) if _is_word(words[i])]
    may_be_first = start > 0 and words[start] in {"and", "but", "which"}
    candidates = own if may_be_first and words[own[0]].endswith("s") else own[1:] or own
    return next((i for i in candidates if words[i].endswith("s")), candidates[0])


def _label(words: Sequence[str], index: int, start: int, verb: int, above: int | None) -> _Label:
    """Part of speech, tag, dependency and head of a word in the clause that begins at start."""
    if not _is_word(words[index]):
        return "PUNCT", ".", "punct", verb
    if index == verb:
        return _verb_label(words[start], start, verb, above)
    if index == start > 0:
        pos, tag, dep, _ = _STARTERS[words[start]]
        return pos, tag, dep, verb if above is None or dep != "cc" else above
    return "NOUN", "NN", "nsubj" if index < verb else "dobj", verb


def _verb_label(starter: str, start: int, verb: int, above: int | None) -> _Label:
    if above is None:
        return "VERB", "VBZ", "ROOT", verb
    dep = _STARTERS[starter][3]
    return "VERB", "VBZ", dep, start - 1 if dep == "relcl" else above
