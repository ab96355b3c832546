"""Extractive references by the solver, against all extracts of small sources, and by hand."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid import ilp
from grading.pyramid.edus.extracts import Extract, Occurrence, Subsequences, align, oracle
from grading.pyramid.edus.units import Edu
from grading.pyramid.structures import Span

Words = tuple[str, ...]
unit_words = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4).map(tuple)
sources = st.lists(st.tuples(unit_words, st.integers(0, 1)), min_size=1, max_size=6)
references = st.lists(unit_words, min_size=1, max_size=3)


def units(words: Sequence[tuple[Words, int]]) -> list[Edu]:
    """Each with its words, and whether it begins a sentence."""
    made: list[Edu] = []
    sentence = 0
    for number, (of, begins) in enumerate(words):
        sentence += begins
        made.append(Edu((Span(number, number + 1),), of, sentence))
    return made


def extracts(source: Sequence[Edu], limit: int) -> Iterator[tuple[int, ...]]:
    for size in range(len(source) + 1):
        for chosen in combinations(range(len(source)), size):
            if sum(len(source[unit].words) for unit in chosen) <= limit:
                yield chosen


def bigrams(source: Sequence[Edu]) -> list[Occurrence]:
    words = [(word, number) for number, first in enumerate(source) for word in first.words]
    pairs = pairwise(words)
    return [Occurrence((first, other), left, right) for (first, left), (other, right) in pairs]


@settings(max_examples=60)
@given(sources, references, st.integers(0, 12))
def test_no_alignment_is_worth_more(
    source: list[tuple[Words, int]], reference: list[Words], limit: int
) -> None:
    there, here = units(source), units([(words, 1) for words in reference])
    share = [[Subsequences(unit.words).share_in(other.words) for unit in here] for other in there]
    best = 0.0
    for places in product(range(-1, len(here)), repeat=len(there)):
        taken = [(unit, place) for unit, place in enumerate(places) if place >= 0]
        is_one_to_one = len({place for _, place in taken}) == len(taken)
        if is_one_to_one and sum(len(there[unit].words) for unit, _ in taken) <= limit:
            best = max(best, sum(share[unit][place] for unit, place in taken))

    result = align(there, here, limit)

    assert result.is_proven
    assert result.value == pytest.approx(best, abs=2e-3)  # what counts as equally good
    assert result.units == tuple(sorted(pair.unit for pair in result.pairs))
    assert sum(len(there[unit].words) for unit in result.units) <= limit


@settings(max_examples=100)
@given(sources, references, st.integers(0, 12), st.integers(0, 1))
def test_no_oracle_is_worth_more(
    source: list[tuple[Words, int]], reference: list[Words], limit: int, cost: int
) -> None:
    there = units(source)
    wanted = Counter(bigram.key for bigram in bigrams(units([(words, 1) for words in reference])))
    worths: defaultdict[float, list[tuple[int, ...]]] = defaultdict(list)
    for chosen in extracts(there, limit):
        had = Counter(
            bigram.key for bigram in bigrams(there) if {bigram.left, bigram.right} <= set(chosen)
        )
        matched = sum((had & wanted).values())
        worths[matched - cost * len({there[unit].sentence for unit in chosen})].append(chosen)
    best = max(worths)
    fewest = min(sum(len(there[unit].words) for unit in chosen) for chosen in worths[best])

    result = oracle(there, bigrams(there), wanted, limit, cost)

    assert result.is_proven
    assert result.value == best
    assert result.units in worths[best]
    assert sum(len(there[unit].words) for unit in result.units) == fewest


def of(*texts: str) -> list[Edu]:
    return units([(tuple(text.split()), 1) for text in texts])


def test_of_equally_good_units_the_earliest_is_taken() -> None:
    source, reference = of("roofs store heat", "x y", "roofs store heat"), of("roofs store heat")
    wanted = Counter(bigram.key for bigram in bigrams(reference))

    assert align(source, reference, 9).units == (0,)
    assert oracle(source, bigrams(source), wanted, 9, 1).units == (0,)


def test_a_unit_that_says_it_in_fewer_words_is_taken() -> None:
    source, reference = of("so roofs store heat now", "roofs store heat"), of("roofs store heat")

    assert align(source, reference, 9).units == (1,)


def test_a_bigram_over_two_units_needs_both() -> None:
    source, reference = of("dark roofs", "store heat"), of("roofs store")
    wanted = Counter(bigram.key for bigram in bigrams(reference))

    assert oracle(source, bigrams(source), wanted, 4, 0).units == (0, 1)
    assert oracle(source, bigrams(source), wanted, 3, 0).units == ()


def test_a_sentence_costs_one_if_equation_9_is_taken_literally() -> None:
    source, reference = (
        of("trees cool hot streets", "roofs store"),
        of("roofs store", "trees cool hot"),
    )
    wanted = Counter(bigram.key for bigram in bigrams(reference))

    literal, without = (oracle(source, bigrams(source), wanted, 9, cost) for cost in (1, 0))

    assert (literal.units, literal.value) == ((0,), 1)
    assert (without.units, without.value) == ((0, 1), 3)


def test_nothing_to_take() -> None:
    assert align([], [], 0) == Extract((), 0.0)
    assert align(of("a b"), of("c d"), 5) == Extract((), 0.0)
    assert oracle(of("a b"), bigrams(of("a b")), Counter(), 5, 1) == Extract((), 0.0)


def test_the_solver_prints_nothing(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import ctypes  # noqa: PLC0415 - only here

    import scipy.optimize  # noqa: PLC0415 - only here

    solve = scipy.optimize.milp

    def noisy(*args: object, **options: object) -> object:
        ctypes.CDLL(None).puts(b"HighsMipSolverData")
        return solve(*args, **options)

    monkeypatch.setattr(scipy.optimize, "milp", noisy)
    print("before")  # noqa: T201 - what the test is about
    choice = ilp.choose(ilp.Program([1.0], [{0: 1}], [1]))
    print("after")  # noqa: T201

    assert choice is not None
    assert capfd.readouterr().out == "before\nafter\n"
