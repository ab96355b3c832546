"""Training of the segmenter: documents whose EDUs people marked, and what is learnt from them."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np

from grading.pyramid.edus import segmenter
from grading.pyramid.edus.boundary_features import Tree, first_pass, second_pass
from grading.pyramid.edus.perceptron import PerceptronSettings, train_perceptron, windows
from grading.pyramid.edus.segmenter import FIRST_SHARE, ReadStates, Segmenter, averaged
from grading.pyramid.errors import InputError
from grading.pyramid.parsing import ParsedText, Parser
from grading.pyramid.structures import Text, Token

# Training of the segmenter on sentences whose EDUs people marked.
#
# The second pass learns from what the first and the network say of documents that they have not
# seen: the documents are dealt into folds, and each fold is judged by a first pass and a network
# that were trained on the others.

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A parsed sentence of a document, and the indexes of the words that begin an EDU."""

    document: str
    tokens: tuple[Token, ...]
    starts: frozenset[int]


@dataclass(frozen=True, slots=True)
class SegmenterSettings:
    """What was chosen by cross-validation on the training part (docs/methods.md)."""

    first_penalty: float = 20.0
    second_penalty: float = 20.0
    most_steps: int = 80
    folds: int = 4
    least_rows: int = 5  # a feature of fewer words teaches nothing that holds elsewhere
    least_weight: float = 0.02  # smaller weights are dropped, so that the file is small
    cut: float = 0.375
    seed: int = 0
    network: PerceptronSettings = field(default_factory=PerceptronSettings)


DEFAULT_SETTINGS = SegmenterSettings()


def train(
    sentences: Sequence[MarkedSentence],
    middle_layer: ReadStates,
    settings: SegmenterSettings = DEFAULT_SETTINGS,
    progress: Progress = lambda _stage: None,
) -> Segmenter:
    """A segmenter of the sentences; the same sentences and settings give the same model."""
    documents = sorted({sentence.document for sentence in sentences})
    if len(documents) < settings.folds:
        raise InputError(f"At least {settings.folds} documents are needed to train a segmenter.")
    shuffled = np.random.default_rng(settings.seed).permutation(len(documents))
    fold_of = {documents[number]: place % settings.folds for place, number in enumerate(shuffled)}
    longer = [sentence for sentence in sentences if len(sentence.tokens) > 1]
    progress("features")
    trees = [Tree(sentence.tokens) for sentence in longer]
    rows = [row for tree in trees for row in first_pass(tree)]
    truth = np.array(
        [at in sentence.starts for sentence in longer for at in range(1, len(sentence.tokens))],
        "f8",
    )
    folds = np.repeat(
        [fold_of[sentence.document] for sentence in longer], [t.size - 1 for t in trees]
    )
    columns = segmenter.without_rare(segmenter.columns_of(rows), settings.least_rows)
    progress("states")
    states = [middle_layer.read(sentence.tokens).astype(np.float16) for sentence in longer]
    seen = windows(states)
    unseen, unseen_by_states = np.zeros(len(truth)), np.zeros(len(truth))
    for fold in range(settings.folds):
        progress(f"first pass, fold {fold + 1} of {settings.folds}")
        others = folds != fold
        weights = segmenter.train(
            columns[others],
            truth[others],
            penalty=settings.first_penalty,
            most_steps=settings.most_steps,
        )
        unseen[~others] = segmenter.probabilities(weights, columns[~others])
        network = train_perceptron(seen[others], truth[others], settings.network, settings.seed)
        unseen_by_states[~others] = np.concatenate(
            [
                network.probabilities(of_sentence)
                for of_sentence, sentence in zip(states, longer, strict=True)
                if fold_of[sentence.document] == fold
            ]
        )
    progress("first pass")
    first = segmenter.train(
        columns, truth, penalty=settings.first_penalty, most_steps=settings.most_steps
    )
    network = train_perceptron(seen, truth, settings.network, settings.seed)
    progress("second pass")
    likely = averaged(unseen, unseen_by_states, FIRST_SHARE)
    more = segmenter.columns_of(_second_rows(trees, likely))
    columns = np.hstack([columns, segmenter.without_rare(more, settings.least_rows)])
    second = segmenter.train(
        columns, truth, penalty=settings.second_penalty, most_steps=settings.most_steps
    )
    both = np.array([first, second]).astype(np.float16)
    both[np.abs(both) < settings.least_weight] = 0
    return Segmenter(both, network, settings.cut, middle_layer)


def _second_rows(trees: Sequence[Tree], likely: Sequence[float]) -> list[list[str]]:
    rows, start = [], 0
    for tree in trees:
        end = start + tree.size - 1
        rows += second_pass(tree, likely[start:end])
        start = end
    return rows


# Documents whose EDUs people marked, as in ``../shared/data/gum_edu``, and how they are read.
#
# A line of JSON a document: ``document``, and ``sentences`` with ``words`` (form, and whether white
# space follows) and ``edu_starts`` (indexes of words). Each document is read in two ways, as the
# product reads texts: with the sentences and words that are given, and as a running text.


class CorpusParser(Parser, Protocol):
    """What reads texts in both ways."""

    def parse_tokenised(self, texts: Sequence[Text]) -> list[ParsedText]:
        """Texts with a sentence a line, its words separated by spaces."""


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text, and the offsets at which its units begin."""

    text: Text
    starts: frozenset[int]


@dataclass(frozen=True, slots=True)
class Document:
    """A document in both forms."""

    tokenised: MarkedText
    running: MarkedText


def read_documents(path: Path) -> list[Document]:
    """The documents in a file; InputError names the line that cannot be read."""
    if not path.is_file():
        raise InputError(f"There is no file “{path}”.")
    documents = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                documents.append(_document(line))
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(f"“{path}”, line {number}: no document ({error}).") from error
    return documents


def _document(line: str) -> Document:
    fields = json.loads(line)
    tokenised, running = _Writer(), _Writer()
    for sentence in fields["sentences"]:
        starts = set(sentence["edu_starts"])
        words = sentence["words"]
        for index, (form, space_follows) in enumerate(words):
            is_last = index == len(words) - 1
            tokenised.add(form, "\n" if is_last else " ", index in starts)
            running.add(form, " " if is_last or space_follows else "", index in starts)
    name = fields["document"]
    return Document(tokenised.text(name), running.text(name))


class _Writer:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._starts: list[int] = []

    def add(self, form: str, space: str, is_start: bool) -> None:
        if is_start:
            self._starts.append(self._length)
        self._parts += form, space
        self._length += len(form) + len(space)

    def text(self, name: str) -> MarkedText:
        return MarkedText(Text(name, "".join(self._parts).rstrip()), frozenset(self._starts))


def marked_sentences(documents: Sequence[Document], parser: CorpusParser) -> list[MarkedSentence]:
    """The sentences of both forms, parsed; a unit that begins within a token is lost."""
    tokenised = [document.tokenised for document in documents]
    running = [document.running for document in documents]
    parsed = (
        *zip(parser.parse_tokenised([marked.text for marked in tokenised]), tokenised, strict=True),
        *zip(parser.parse([marked.text for marked in running]), running, strict=True),
    )
    return [
        MarkedSentence(
            marked.text.name,
            sentence.tokens,
            frozenset(
                index for index, token in enumerate(sentence.tokens) if token.start in marked.starts
            ),
        )
        for text, marked in parsed
        for sentence in text.sentences
    ]


@dataclass(frozen=True, slots=True)
class Boundaries:
    """How many unit starts were found rightly, found, and marked by people."""

    right: int
    found: int
    marked: int

    @property
    def f1(self) -> float:
        """Starts of sentences count as others do."""
        either = self.found + self.marked
        return 2 * self.right / either if either else 0.0


def boundaries(marked: MarkedText, boundary_places: Iterable[int]) -> Boundaries:
    """The starts that were found, compared with those that people marked."""
    starts = set(boundary_places)
    return Boundaries(len(starts & marked.starts), len(starts), len(marked.starts))


def together(all_of: Iterable[Boundaries]) -> Boundaries:
    """The sums."""
    listed = list(all_of)
    return Boundaries(
        sum(counts.right for counts in listed),
        sum(counts.found for counts in listed),
        sum(counts.marked for counts in listed),
    )
