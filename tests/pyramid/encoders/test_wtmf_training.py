"""Training, and the file that comes of it."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grading.pyramid.encoders.wtmf import WtmfModel, read_model, write_model
from grading.pyramid.encoders.wtmf_training import WtmfSettings, train
from grading.pyramid.errors import InputError, ResourceMissingError
from tests.pyramid.encoders.made_corpus import SETTINGS, made_sentences

ROOT = Path(__file__).resolve().parents[3]
TRAIN_AND_WRITE = """
import sys
from pathlib import Path
from grading.pyramid.encoders.wtmf import write_model
from grading.pyramid.encoders.wtmf_training import train
from tests.pyramid.encoders.made_corpus import SETTINGS, made_sentences
write_model(train(made_sentences(), SETTINGS), Path(sys.argv[1]))
"""


def loss(model: WtmfModel, sentences: list[list[str]]) -> float:
    """What the training minimises, with the best sentence vectors for the words of the model."""
    numbers = {word: number for number, word in enumerate(model.words)}
    words = model.vectors.astype(np.float64)
    total = model.regularisation * float((words**2).sum())
    for sentence in sentences:
        counts = np.bincount([numbers[word] for word in sentence], minlength=len(words))
        cells = counts * model.inverse_document_frequencies
        weights = np.where(counts > 0, 1.0, model.missing_weight)
        system = words.T @ (weights[:, None] * words)
        system += model.regularisation * np.eye(words.shape[1])
        vector = np.linalg.solve(system, words.T @ (weights * cells))
        total += float((weights * (cells - words @ vector) ** 2).sum())
        total += model.regularisation * float((vector**2).sum())
    return total


def test_frequent_words_first_and_rare_ones_out() -> None:
    model = train(["b a c a", "b a", "b d"], WtmfSettings(dimensions=2))

    assert model.words == ("b", "a")
    assert model.vectors.shape == (2, 2)
    np.testing.assert_allclose(model.inverse_document_frequencies, [0, np.log(1.5)], rtol=1e-6)


def test_nothing_to_learn_is_said() -> None:
    with pytest.raises(InputError, match="No word"):
        train(["one two", "three"])


def test_every_turn_makes_the_approximation_better() -> None:
    sentences = [sentence.split() for sentence in ("x y z", "x y", "z w", "w v z", "v w", "x x y")]
    losses = [
        loss(
            train(
                [" ".join(sentence) for sentence in sentences],
                WtmfSettings(dimensions=3, regularisation=0.5, iterations=turns),
            ),
            sentences,
        )
        for turns in (1, 2, 4, 16)
    ]

    assert losses == sorted(losses, reverse=True)


def test_progress_is_told() -> None:
    heard: list[int] = []
    train(made_sentences(20), replace(SETTINGS, iterations=3), progress=heard.append)

    assert heard == [0, 1, 2]


def test_another_seed_is_another_model() -> None:
    first, other = (train(made_sentences(), replace(SETTINGS, seed=seed)) for seed in (0, 1))

    assert first.name != other.name


def test_two_runs_give_the_same_file_whatever_the_threads_and_the_hash_seed(
    tmp_path: Path,
) -> None:
    files = [tmp_path / "one.kv", tmp_path / "other.kv"]
    for number, file in enumerate(files, 1):
        subprocess.run(
            [sys.executable, "-c", TRAIN_AND_WRITE, file],
            check=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": str(number), "OMP_NUM_THREADS": str(number)},
        )

    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "made.kv"
    model = train(made_sentences(), SETTINGS)
    write_model(model, path)
    read = read_model(path)

    assert [file.name for file in tmp_path.iterdir()] == ["made.kv"]
    assert read.name == model.name
    assert read.words == model.words
    assert read.vectors.dtype == np.float16
    assert np.array_equal(read.vectors, model.vectors)
    assert (read.missing_weight, read.regularisation) == (0.01, 1.0)


@pytest.mark.parametrize("content", [b"", b"no model", b"version https://git-lfs\n"])
def test_a_broken_file_is_no_model(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.kv"
    path.write_bytes(content)

    with pytest.raises(ResourceMissingError, match=r"broken\.kv"):
        read_model(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"words": ("the", "of")},
        {"vectors": np.ones((2, 3), np.float16)},
        {"inverse_document_frequencies": np.ones(2, np.float32)},
        {"missing_weight": 0.02},
        {"regularisation": 21.0},
    ],
)
def test_the_name_changes_with_what_the_vectors_depend_on(changed: dict[str, object]) -> None:
    model = WtmfModel(
        ("a", "of"), np.zeros((2, 3), np.float16), np.zeros(2, np.float32), 0.01, 20.0
    )

    assert replace(model, **changed).name != model.name  # type: ignore[arg-type]
