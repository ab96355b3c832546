"""``python -m tests.bench.carb_weights``: the weights of a triple's confidence, fitted anew.

Data: the dev part of CaRB beside the project, read by the parser as it is. Target: the precision
with which each triple is matched one to one, the best pairs first; 0 for what is left over.
A logistic curve by Newton's method with a ridge; printed for ``triples/confidence.py``.
"""

import sys
from collections.abc import Sequence

import numpy as np

from grading.pyramid.structures import Token
from grading.pyramid.triples.clauses import Tree, frames, statements
from grading.pyramid.triples.extraction import (
    features_of_frame,
    features_of_statement,
    triples_of_sentence,
)
from tests.bench import carb
from tests.bench.statistics import Numbers

RIDGE = 3.0
_ROUNDS = 25


def fit(features: Sequence[dict[str, float]], targets: Sequence[float]) -> dict[str, float]:
    """A weight for each feature, rounded to hundredths."""
    names = sorted({name for row in features for name in row})
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in features])
    wanted = np.array(targets)
    weights = np.zeros(len(names))
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-(matrix @ weights)))
        gradient = matrix.T @ (wanted - chances) - RIDGE * weights
        curvature = (matrix.T * (chances * (1 - chances))) @ matrix + RIDGE * np.eye(len(names))
        weights += np.linalg.solve(curvature, gradient)
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True)}


def rows_of(
    tokens: Sequence[Token], gold: Sequence[carb.Extraction]
) -> tuple[list[dict[str, float]], list[float]]:
    """Features and targets of a sentence's triples."""
    tree = Tree(tokens)
    features = [features_of_frame(tree, frame) for frame in frames(tree)]
    features += [features_of_statement(tree, each) for each in statements(tree)]
    result = [carb.of_triple(triple) for triple in triples_of_sentence(0, tokens)]
    if len(features) != len(result):
        return [], []  # a triple was said twice: rare, and left out
    table = np.array([[carb.match(wanted, each)[0] for each in result] for wanted in gold])
    return features, list(_matched(table)) if result else []


def _matched(precisions: Numbers) -> Numbers:
    targets = np.zeros(precisions.shape[1])
    left = precisions.copy()
    for _ in range(min(left.shape)):
        row, column = divmod(int(left.argmax()), left.shape[1])
        targets[column] = max(0.0, left[row, column])
        left[row, :] = left[:, column] = -1
    return targets


def main() -> None:
    sentences, gold = carb.load()
    features: list[dict[str, float]] = []
    targets: list[float] = []
    for sentence, tokens in carb.parsed(sentences):
        if sentence in gold:
            more, wanted = rows_of(tokens, gold[sentence])
            features += more
            targets += wanted
    for name, weight in fit(features, targets).items():
        sys.stdout.write(f'    "{name}": {weight},\n')


if __name__ == "__main__":
    main()
