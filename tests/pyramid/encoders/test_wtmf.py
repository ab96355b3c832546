"""Folding sentences into the latent space, and the model that is shipped."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grading.pyramid.encoders import wtmf
from grading.pyramid.encoders.wtmf import (
    MODEL_FILE,
    Cells,
    LatentSolver,
    WtmfEncoder,
    stems,
    write_model,
)
from grading.pyramid.encoders.wtmf_training import train
from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.formats.ducview import read_annotation
from grading.pyramid.similarity import cosine_matrix
from tests.pyramid.encoders.made_corpus import SETTINGS, made_sentences, unit_of

WIM = Path(__file__).resolve().parents[4] / "shared" / "data" / "wim"
TEXTS = ["The oven bakes bread", "rope", "", "the the of captain", "xyzzy", "The oven bakes bread"]

Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> WtmfEncoder:
    path = tmp_path_factory.mktemp("wtmf") / "made.kv"
    write_model(train(made_sentences(), SETTINGS), path)
    return WtmfEncoder(path)


@pytest.fixture(scope="module")
def shipped() -> WtmfEncoder:
    return WtmfEncoder()


def encode(encoder: WtmfEncoder, *texts: str) -> Floats:
    encoder._known.clear()  # each call solves anew
    return encoder.encode([unit_of(text) for text in texts])


def cosine(encoder: WtmfEncoder, words: str, other: str) -> float:
    return float(cosine_matrix(encode(encoder, words), encode(encoder, other))[0, 0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cities are cooling, quickly!", ["citi", "are", "cool", "quick"]),
        ("matter\u2019s  matter's students'", ["matter", "matter", "student"]),
        ("H2O has 3.5 or 1,000 parts.", ["h2o", "has", "3.5", "or", "1,000", "part"]),
        ("man-made_things", ["man", "made", "thing"]),
        ("Zoë naïve", ["zoë", "naïv"]),
        ("-- ... '", []),
    ],
)
def test_words_and_their_stems(text: str, expected: list[str]) -> None:
    assert stems(text) == expected


@pytest.mark.parametrize("observed", [1, 7, 19, 20, 21, 60])
def test_solutions_are_those_of_the_formula(observed: int) -> None:
    rng = np.random.default_rng(observed)
    factors = rng.normal(size=(80, 20))
    columns = rng.choice(80, observed, replace=False)
    values = rng.uniform(1, 9, observed)

    solved = LatentSolver(factors, 0.01, 20.0).solve(
        Cells(np.array([0, 0, observed]), columns, values)
    )

    weights = np.full(80, 0.01)
    weights[columns] = 1
    cells = np.zeros(80)
    cells[columns] = values
    system = factors.T @ (weights[:, None] * factors) + 20 * np.eye(20)
    expected = np.linalg.solve(system, factors.T @ (weights * cells))
    assert not solved[0].any()
    np.testing.assert_allclose(solved[1], expected, rtol=1e-10, atol=1e-13)


def test_a_row_for_each_unit_and_zeros_where_no_word_is_known(encoder: WtmfEncoder) -> None:
    vectors = encode(encoder, *TEXTS)

    assert vectors.shape == (6, SETTINGS.dimensions)
    assert vectors.any(axis=1).tolist() == [True, True, False, True, False, True]
    assert np.array_equal(vectors[0], vectors[5])
    assert encode(encoder).shape == (0, SETTINGS.dimensions)
    assert encode(encoder, "...").tolist() == [[0.0] * SETTINGS.dimensions]


def test_order_of_words_and_unknown_words_make_no_difference(encoder: WtmfEncoder) -> None:
    first, other = encode(
        encoder, "The oven bakes warm bread.", "BREAD, warm; xyzzy the oven baking"
    )

    assert np.array_equal(first, other)


def test_sentences_of_a_subject_are_alike(encoder: WtmfEncoder) -> None:
    bread, baker = "The oven bakes bread.", "A baker kneads dough with yeast."
    ship = "The captain sails a ship."

    assert cosine(encoder, bread, baker) > 0.5 > cosine(encoder, bread, ship)


def test_neighbours_make_no_difference_to_the_last_bit(encoder: WtmfEncoder) -> None:
    sentences = made_sentences(120)
    whole = encode(encoder, *sentences)

    assert np.array_equal(encode(encoder, *sentences[::-1]), whole[::-1])
    for row, sentence in zip(whole, sentences, strict=True):
        assert np.array_equal(encode(encoder, sentence)[0], row)


def test_what_was_solved_lately_is_not_solved_again_and_is_the_same(
    encoder: WtmfEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences = made_sentences(20)
    units = [unit_of(sentence) for sentence in (*sentences, sentences[0])]
    first = encoder.encode(units)
    with monkeypatch.context() as patch:
        patch.setattr(encoder, "_solver", None)
        assert np.array_equal(encoder.encode(units[::-1]), first[::-1])
    monkeypatch.setattr(wtmf, "_REMEMBERED", 15)
    assert np.array_equal(encoder.encode([unit_of("Ships sail."), *units])[1:], first)
    assert np.array_equal(encoder.encode(units[:5]), first[:5])


def test_a_missing_model_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissingError, match="train_wtmf"):
        WtmfEncoder(tmp_path / "none.kv")


def test_gensim_is_not_imported_before_a_model_is_loaded() -> None:
    code = "import grading.pyramid.encoders.wtmf, sys; sys.exit('gensim' in sys.modules)"

    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.models
def test_the_shipped_model_is_the_one_described(shipped: WtmfEncoder) -> None:
    data = MODEL_FILE.parent

    assert MODEL_FILE.stat().st_size <= 10_000_000
    assert encode(shipped, "Energy").shape == (1, 100)
    assert f"`{shipped.name}`" in (data / "README.md").read_text(encoding="utf-8")
    assert "Princeton University" in (data / "WORDNET-LICENSE").read_text(encoding="utf-8")


@pytest.mark.models
def test_paraphrases_are_more_alike_than_others(shipped: WtmfEncoder) -> None:
    pairs = [
        ("Matter takes up space.", "Volume is the amount of space that an object occupies."),
        ("Energy cannot be created or destroyed.", "There is a law of conservation of energy."),
        ("The doctor examined the patient.", "A physician looked at the sick person."),
        ("Cities are hotter than the country.", "Towns are warmer than the land around."),
    ]
    cosines = cosine_matrix(
        encode(shipped, *(first for first, _ in pairs)),
        encode(shipped, *(other for _, other in pairs)),
    )

    others = cosines[~np.eye(len(pairs), dtype=bool)]
    assert cosines.diagonal().min() > others.max()


@pytest.mark.models
@pytest.mark.data
@pytest.mark.skipif(not WIM.exists(), reason="the annotated data is not beside the project")
def test_it_ranks_students_ideas_like_annotators(shipped: WtmfEncoder) -> None:
    """Area under the curve over 20 students x 60 SCUs; docs/methods.md has the measured figure."""
    similarities: list[float] = []
    result: list[bool] = []
    for path in sorted((WIM / "target_summaries" / "scored").glob("*.pan")):
        annotation = read_annotation(path.read_bytes(), path.stem)
        expressed = {expression.scu_uid for expression in annotation.expressions}
        rows = encode(shipped, *annotation.summary.content.split(". "))
        for scu in annotation.pyramid.scus:
            columns = encode(
                shipped,
                *(
                    annotation.pyramid.reference(contributor.reference).words_at(contributor.spans)
                    for contributor in scu.contributors
                ),
            )
            similarities.append(float(cosine_matrix(rows, columns).mean(axis=1).max()))
            result.append(scu.uid in expressed)

    assert (len(result), sum(result)) == (1200, 209)
    assert area_under_curve(np.array(similarities), np.array(result)) > 0.85


def area_under_curve(scores: Floats, is_positive: NDArray[np.bool_]) -> float:
    """How often a positive has a higher score than a negative; equals count half."""
    positive, negative = scores[is_positive, None], scores[~is_positive]
    return float(((positive > negative) + 0.5 * (positive == negative)).mean())
