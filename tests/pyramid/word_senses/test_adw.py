"""SenseSignatures of senses, and the similarity of words and phrases."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from grading.pyramid.word_senses.adw import (
    ALPHA,
    Adw,
    Phrase,
    RankedSenses,
    SenseSignatures,
    weighted_overlap,
)
from grading.pyramid.word_senses.lexicon import Lexicon, lexicon_of, load_lexicon
from tests.bench.peak import RG_65

_WORDS = [("n", "city"), ("n", "town"), ("a", "hot"), ("v", "move"), ("n", "zorgblatt"), ("n", "x")]
phrases = st.lists(st.sampled_from(_WORDS), max_size=3, unique=True).map(
    lambda words: tuple(sorted(words))
)


@pytest.fixture(scope="module")
def adw() -> Adw:
    return Adw(load_lexicon())


def path_of(count: int) -> Lexicon:
    """Senses in a row: 0 - 1 - 2 ..."""
    return lexicon_of({}, {}, ((number, number + 1) for number in range(count - 1)), count)


def signature(*senses: int) -> RankedSenses:
    """With the senses in the order of their ranks."""
    ascending = np.argsort(senses)
    places = np.array(senses)[ascending]
    return RankedSenses(places, ascending + 1)


def test_a_walk_is_as_often_at_each_sense_as_its_equation_says() -> None:
    """The exact walk solves v = (1 - a) e + a M v; the local one leaves out what is tiny."""
    count = 6
    walk = SenseSignatures(path_of(count)).of(2)
    moves = np.zeros((count, count))
    for number in range(count):
        around = [each for each in (number - 1, number + 1) if 0 <= each < count]
        moves[around, number] = 1 / len(around)
    start = np.zeros(count)
    start[2] = 1 - ALPHA
    exact = np.linalg.solve(np.eye(count) - ALPHA * moves, start)

    assert walk.senses.tolist() == list(range(count))
    assert np.abs(walk.shares - exact).max() < 1e-3
    assert walk.ranks[np.argsort(-exact)].tolist() == list(range(1, count + 1))


def test_the_walk_from_several_senses_is_their_mean() -> None:
    signatures = SenseSignatures(path_of(5))
    [both] = signatures.of_all([[4, 0, 4]])
    parts = signatures.of(0).shares + signatures.of(4).shares
    assert both.senses.tolist() == [0, 1, 2, 3, 4]
    assert (
        both.senses[np.argsort(both.ranks)].tolist() == np.argsort(-parts, kind="stable").tolist()
    )


def test_weighted_overlap_by_hand() -> None:
    """Ranks 1 and 2 swapped: (1/3 + 1/3) / (1/2 + 1/4)."""
    assert weighted_overlap(signature(7, 9), signature(7, 9)) == pytest.approx(1)
    assert weighted_overlap(signature(7, 9), signature(9, 7)) == pytest.approx(8 / 9)
    assert weighted_overlap(signature(7, 9), signature(3, 9)) == pytest.approx(1 / 2)
    assert weighted_overlap(signature(7), signature(9)) == 0


def test_words_take_the_senses_that_suit_each_other(adw: Adw) -> None:
    def similar(first: Phrase, second: Phrase) -> float:
        return float(adw.against([second])([first])[0, 0])

    assert similar((("n", "city"),), (("n", "town"),)) > 0.4
    assert similar((("a", "warm"),), (("n", "heat"),)) > 0.4
    assert similar((("n", "city"),), (("a", "warm"),)) < 0.1
    assert similar((("n", "bank"),), (("n", "deposit"),)) > 0.4
    assert similar((("n", "zorgblatt"),), (("n", "zorgblatt"),)) == 1  # not in WordNet
    assert similar((("n", "zorgblatt"),), (("n", "city"),)) == 0


@given(st.lists(phrases, min_size=1, max_size=4), st.lists(phrases, min_size=1, max_size=4))
def test_similarities_are_symmetric_and_do_not_depend_on_the_other_phrases(
    rows: list[Phrase], columns: list[Phrase]
) -> None:
    adw = _shared()
    table = adw.against(columns)(rows)
    assert np.array_equal(table, adw.against(rows)(columns).T)
    assert ((table >= 0) & (table <= 1 + 1e-9)).all()
    for row, phrase in enumerate(rows):
        assert np.array_equal(adw.against(columns)([phrase])[0], table[row])
        assert not phrase or adw.against([phrase])([phrase])[0, 0] == pytest.approx(1)


def _shared() -> Adw:
    """One for all examples: signatures take milliseconds."""
    if not _known:
        _known.append(Adw(load_lexicon()))
    return _known[0]


_known: list[Adw] = []


def test_the_same_bytes_for_any_hash_seed() -> None:
    program = (
        "from grading.pyramid.word_senses.adw import Adw\n"
        "from grading.pyramid.word_senses.lexicon import load_lexicon\n"
        "words = ['city', 'bank', 'heat', 'river', 'dog', 'xyzzy']\n"
        "phrases = [(('n', a), ('n', b)) for a in words for b in words if a < b]\n"
        "table = Adw(load_lexicon()).against(phrases)(phrases)\n"
        "print(table.tobytes().hex())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(__file__).resolve().parents[3],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.data
@pytest.mark.skipif(not RG_65.exists(), reason="the annotated data is not beside the project")
def test_words_are_as_similar_as_people_say(adw: Adw) -> None:
    lines = [line.split("\t") for line in RG_65.read_text("utf-8").splitlines()]
    result = [adw.word_similarity(("n", first), ("n", two)) for first, two, _ in lines]
    assert spearmanr(result, [float(score) for *_, score in lines])[0] >= 0.86
