"""Training of the segmenter on sentences whose EDUs people marked.

The second pass learns from what the first says of documents that it has not seen: the documents are
dealt into folds, and each fold is judged by a first pass that was trained on the others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from grading.pyramid.edus import logistic
from grading.pyramid.edus.boundary_features import first_pass, second_pass
from grading.pyramid.edus.logistic import Floats
from grading.pyramid.edus.segmenter import Segmenter
from grading.pyramid.edus.tree import Tree
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Token

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
    cut: float = 0.45
    seed: int = 0


DEFAULT_SETTINGS = SegmenterSettings()


def train(
    sentences: Sequence[MarkedSentence],
    settings: SegmenterSettings = DEFAULT_SETTINGS,
    progress: Progress = lambda _stage: None,
) -> Segmenter:
    """A segmenter of the sentences; the same sentences and settings give the same model."""
    documents = sorted({one.document for one in sentences})
    if len(documents) < settings.folds:
        raise InputError(f"At least {settings.folds} documents are needed to train a segmenter.")
    shuffled = np.random.default_rng(settings.seed).permutation(len(documents))
    fold_of = {documents[one]: place % settings.folds for place, one in enumerate(shuffled)}
    longer = [one for one in sentences if len(one.tokens) > 1]
    progress("features")
    trees = [Tree(one.tokens) for one in longer]
    rows = [row for tree in trees for row in first_pass(tree)]
    truth = np.array([at in one.starts for one in longer for at in range(1, len(one.tokens))], "f8")
    folds = np.repeat([fold_of[one.document] for one in longer], [t.size - 1 for t in trees])
    columns = logistic.without_rare(logistic.columns_of(rows), settings.least_rows)
    unseen = np.zeros(len(truth))
    for fold in range(settings.folds):
        progress(f"first pass, fold {fold + 1} of {settings.folds}")
        others = folds != fold
        weights = logistic.train(
            columns[others],
            truth[others],
            penalty=settings.first_penalty,
            most_steps=settings.most_steps,
        )
        unseen[~others] = logistic.probabilities(weights, columns[~others])
    progress("first pass")
    first = logistic.train(
        columns, truth, penalty=settings.first_penalty, most_steps=settings.most_steps
    )
    progress("second pass")
    more = logistic.columns_of(_second_rows(trees, unseen))
    columns = np.hstack([columns, logistic.without_rare(more, settings.least_rows)])
    second = logistic.train(
        columns, truth, penalty=settings.second_penalty, most_steps=settings.most_steps
    )
    both = np.array([first, second]).astype(np.float16)
    both[np.abs(both) < settings.least_weight] = 0
    return Segmenter(both, settings.cut)


def _second_rows(trees: Sequence[Tree], likely: Floats) -> list[list[str]]:
    rows, start = [], 0
    for tree in trees:
        end = start + tree.size - 1
        rows += second_pass(tree, likely[start:end].tolist())
        start = end
    return rows
