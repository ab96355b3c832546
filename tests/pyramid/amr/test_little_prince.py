"""The converter on the training part of the Little Prince: a guard, looser than what is measured.

docs/methods.md has the figures; the test part is kept aside.
"""

import pytest

from grading.pyramid.amr import smatch
from tests.bench import little_prince

pytestmark = [
    pytest.mark.data,
    pytest.mark.models,
    pytest.mark.skipif(
        not little_prince.FILE.exists(), reason="the annotated data is not beside the project"
    ),
]


def test_two_thirds_of_the_triples_agree_and_no_hill_is_higher() -> None:
    pairs = little_prince.load()[:300]
    exact = [smatch.match(ours, gold) for ours, gold in pairs]
    assert all(exact_score.proven for exact_score in exact)
    for (ours, gold), first in zip(pairs, exact, strict=True):
        assert first.triples >= smatch.climb(ours, gold).triples
    sizes = sum(ours.size for ours, _ in pairs), sum(gold.size for _, gold in pairs)
    assert smatch.score(sum(exact_score.triples for exact_score in exact), *sizes).f1 > 0.64
