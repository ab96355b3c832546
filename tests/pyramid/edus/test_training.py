"""Training of the segmenter, on sentences that are made so that it can be learnt."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from grading.pyramid.edus import segmenter
from grading.pyramid.edus.segmenter import read_segmenter, write_segmenter
from grading.pyramid.edus.training import MarkedSentence, SegmenterSettings, train
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Text
from tests.fakes import FakeParser

QUICK = SegmenterSettings(
    first_penalty=0.1, second_penalty=0.1, folds=2, most_steps=30, least_rows=1
)
STARTERS = {"because", "which", "that"}


def sentences() -> list[MarkedSentence]:
    texts = [
        Text("a", "Roofs store heat because suns warms roofs. Trees cools streets which burns."),
        Text("b", "Ben says that roofs burns. Roofs burns because suns warms roofs."),
        Text("c", "Ada says that trees cools cities. Heat moves because heat flows. Ice melts."),
        Text("d", "Trees gives shade which helps people. Old roofs burns because suns warms it."),
    ]
    return [
        MarkedSentence(parsed.text.name, sentence.tokens, starts_of(sentence.tokens))
        for parsed in FakeParser().parse(texts)
        for sentence in parsed.sentences
    ]


def starts_of(tokens: Sequence[object]) -> frozenset[int]:
    words = [str(getattr(token, "text", "")) for token in tokens]
    return frozenset([0, *(at for at, word in enumerate(words) if word in STARTERS)])


def test_what_can_be_learnt_is_learnt() -> None:
    segmenter = train(sentences(), QUICK)

    for sentence in sentences():
        assert frozenset(segmenter.starts(sentence.tokens)) == sentence.starts


def test_the_same_sentences_give_the_same_model(tmp_path: object) -> None:
    first, second = train(sentences(), QUICK), train(sentences(), QUICK)

    assert first.weights.tobytes() == second.weights.tobytes()
    assert train(sentences(), replace(QUICK, seed=3)).weights.shape == first.weights.shape


def test_a_model_is_written_and_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("model")
    segmenter = train(sentences(), QUICK)
    for name in ("one.npz", "other.npz"):
        write_segmenter(segmenter, folder / name)
    read = read_segmenter(folder / "one.npz")

    assert (folder / "one.npz").read_bytes() == (folder / "other.npz").read_bytes()
    assert read.weights.tobytes() == segmenter.weights.tobytes()
    assert (read.cut, read.name[:5]) == (segmenter.cut, "edus-")


def test_too_few_documents() -> None:
    with pytest.raises(InputError, match="At least 5 documents"):
        train(sentences(), replace(QUICK, folds=5))


def test_the_regression_is_at_its_minimum() -> None:
    random = np.random.default_rng(0)
    rows = [[f"f{one}" for one in random.choice(20, 4, replace=False)] for _ in range(200)]
    truth = np.array([("f3" in row) ^ (random.random() < 0.1) for row in rows], dtype=np.float64)
    columns = segmenter.columns_of(rows)
    weights = segmenter.train(columns, truth, penalty=1.0, most_steps=200)
    slope = np.zeros(segmenter.WEIGHTS)
    errors = segmenter.probabilities(weights, columns) - truth
    for row, error in zip(columns, errors, strict=True):
        slope[row] += error
    slope += weights
    slope[-1] = errors.sum()

    assert np.abs(slope).max() < 0.5
    assert segmenter.probabilities(weights, segmenter.columns_of([["f3"], ["f4"]]))[0] > 0.8
    assert segmenter.columns_of([]).shape == (0, 0)


def test_rare_features_are_left_out() -> None:
    columns = segmenter.columns_of([["a", "b"], ["a", "c"], ["a"]])
    kept = segmenter.without_rare(columns, 2)

    assert (kept[:, 0] == columns[0, 0]).all()
    assert (kept[:, 1] == segmenter.COLUMNS).all()
