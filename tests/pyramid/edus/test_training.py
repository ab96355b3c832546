"""Training of the segmenter, on sentences that are made so that it can be learnt."""

import zlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from grading.pyramid.edus import segmenter
from grading.pyramid.edus.perceptron import PerceptronSettings, train_perceptron, windows
from grading.pyramid.edus.segmenter import read_segmenter, write_segmenter
from grading.pyramid.edus.training import MarkedSentence, SegmenterSettings, train
from grading.pyramid.encoders.middle_layer import WIDTH
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Text, Token
from tests.fakes import FakeParser

QUICK = SegmenterSettings(
    first_penalty=0.1,
    second_penalty=0.1,
    folds=2,
    most_steps=30,
    least_rows=1,
    network=PerceptronSettings(hidden=8, rounds=30, batch=16, rate=1e-2),
)
STARTERS = {"because", "which", "that"}


class MadeStates:
    """States that tell words apart, and nothing else."""

    name = "made"

    def read(self, tokens: Sequence[Token]) -> NDArray[np.float32]:
        seeds = [zlib.crc32(token.text.encode()) for token in tokens]
        rows = [np.random.default_rng(seed).normal(size=WIDTH) for seed in seeds]
        return np.array(rows, dtype=np.float32)


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
    segmenter = train(sentences(), MadeStates(), QUICK)

    for sentence in sentences():
        assert frozenset(segmenter.starts(sentence.tokens)) == sentence.starts


def test_the_same_sentences_give_the_same_model(tmp_path: object) -> None:
    first, second = train(sentences(), MadeStates(), QUICK), train(sentences(), MadeStates(), QUICK)

    assert first.weights.tobytes() == second.weights.tobytes()
    assert first.network.weights.tobytes() == second.network.weights.tobytes()
    assert (
        train(sentences(), MadeStates(), replace(QUICK, seed=3)).weights.shape
        == first.weights.shape
    )


@pytest.mark.models
def test_a_model_is_written_and_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("model")
    segmenter = train(sentences(), MadeStates(), QUICK)
    for name in ("one.npz", "other.npz"):
        write_segmenter(segmenter, folder / name)
    read = read_segmenter(folder / "one.npz")

    assert (folder / "one.npz").read_bytes() == (folder / "other.npz").read_bytes()
    assert read.weights.tobytes() == segmenter.weights.tobytes()
    assert read.network.weights.tobytes() == segmenter.network.weights.tobytes()
    assert read.network.outer_bias.tobytes() == segmenter.network.outer_bias.tobytes()
    assert (read.cut, read.name[:5]) == (segmenter.cut, "edus-")


def test_too_few_documents() -> None:
    with pytest.raises(InputError, match="At least 5 documents"):
        train(sentences(), MadeStates(), replace(QUICK, folds=5))


def test_the_regression_is_at_its_minimum() -> None:
    random = np.random.default_rng(0)
    rows = [[f"f{number}" for number in random.choice(20, 4, replace=False)] for _ in range(200)]
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


def test_a_window_has_two_words_before_the_place_and_two_behind_it() -> None:
    states = np.arange(1, 6, dtype=np.float64)[:, np.newaxis]

    assert windows([states, states[:2]]).tolist() == [
        [0, 1, 2, 3],
        [1, 2, 3, 4],
        [2, 3, 4, 5],
        [3, 4, 5, 0],
        [0, 1, 2, 0],
    ]
    assert windows([states]).dtype == np.float16


def test_the_network_learns_and_reads_a_sentence_as_its_windows() -> None:
    random = np.random.default_rng(1)
    sentences = [random.normal(size=(12, 6)).astype(np.float16) for _ in range(60)]
    rows = windows(sentences)
    truth = (rows[:, 6] * rows[:, 12] > 0).astype(np.float64)  # of two words: no line parts it
    settings = PerceptronSettings(hidden=32, rounds=60, batch=32, rate=1e-2, dropout=0.0)
    network = train_perceptron(rows, truth, settings, 0)
    likely = np.concatenate([network.probabilities(sentence) for sentence in sentences])
    hidden = rows.astype(np.float64) @ network.weights.astype(np.float64).reshape(24, 32)
    scores = np.maximum(hidden + network.bias, 0) @ network.outer.astype(np.float64)

    assert ((likely > 0.5) == (truth > 0)).mean() > 0.95
    assert np.allclose(likely, 1 / (1 + np.exp(-scores - float(network.outer_bias[0]))))
