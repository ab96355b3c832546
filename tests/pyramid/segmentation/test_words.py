"""Words of a sentence as the bits of a number."""

import numpy as np

from grading.pyramid.segmentation.words import places, runs


def test_words_side_by_side_are_a_run() -> None:
    assert runs(0) == []
    assert places(0) == []
    assert runs(0b1) == [(0, 1)]
    assert runs(0b110111) == [(0, 3), (4, 6)]
    assert places(0b110100) == [2, 4, 5]


def test_places_and_runs_are_the_bits_of_any_number() -> None:
    draw = np.random.default_rng(0)
    for _ in range(500):
        chosen = sorted(draw.permutation(200)[: draw.integers(1, 120)].tolist())
        words = sum(1 << place for place in chosen)
        assert places(words) == chosen
        ends = [end for run in runs(words) for end in run]
        assert ends == sorted(set(ends))  # runs neither overlap nor touch
