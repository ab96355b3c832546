"""Assignment and knapsack, by hand and against all possibilities."""

from itertools import chain, combinations, permutations

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.edus.extracts import assign, best_within, similar

weights_and_pairs = st.integers(1, 4).flatmap(
    lambda units: st.tuples(
        st.lists(st.integers(1, 4), min_size=units, max_size=units),
        st.dictionaries(
            st.integers(0, units - 1),
            st.dictionaries(st.integers(0, 3), st.sampled_from([0.6, 0.8, 1.0]), min_size=1),
        ),
    )
)


@given(weights_and_pairs)
def test_no_assignment_is_worth_more(
    drawn: tuple[list[int], dict[int, dict[int, float]]],
) -> None:
    weights, pairs = drawn
    partners = assign(pairs, weights)
    best = max(
        sum(
            weights[unit]
            for unit, place in zip(range(len(weights)), places, strict=False)
            if place in pairs.get(unit, {})
        )
        for places in permutations(range(4 + len(weights)), len(weights))
    )

    assert sum(weights[unit] for unit in partners) == best
    assert len(set(partners.values())) == len(partners)
    assert all(place in pairs[unit] for unit, place in partners.items())


def test_a_partner_is_given_away_to_make_room() -> None:
    # The heavier unit takes the more similar partner, then leaves it to the one with no other.
    pairs = {0: {0: 1.0, 1: 0.6}, 1: {0: 0.7}}

    assert assign(pairs, [3, 1]) == {0: 1, 1: 0}


def test_of_units_of_one_weight_the_most_similar_is_taken() -> None:
    assert assign({0: {0: 0.6}, 1: {0: 0.9}}, [2, 2]) == {1: 0}
    assert assign({0: {0: 0.6}, 1: {0: 0.9}}, [3, 2]) == {0: 0}


def test_a_unit_is_said_from_the_threshold_on() -> None:
    pyramid = [["dark", "roofs", "store", "heat"], []]
    summary = [["dark", "roofs", "are", "hot"], ["roofs", "store", "heat"], []]

    assert similar(pyramid, summary, 0.55) == {0: {1: 0.75}}
    assert similar(pyramid, summary, 0.5) == {0: {0: 0.5, 1: 0.75}}


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 6)), max_size=7), st.integers(0, 15))
def test_no_choice_within_the_limit_is_worth_more(units: list[tuple[int, int]], limit: int) -> None:
    choices = chain.from_iterable(combinations(units, size) for size in range(len(units) + 1))
    fitting = [choice for choice in choices if sum(length for _, length in choice) <= limit]
    best = max(sum(weight for weight, _ in assignment) for assignment in fitting)

    assert best_within([first for first, _ in units], [first for _, first in units], limit) == best
