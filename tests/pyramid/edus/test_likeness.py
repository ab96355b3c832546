"""The longest common subsequence against the table of the textbooks."""

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.edus.extracts import Subsequences

words = st.lists(st.sampled_from("abcd"), max_size=12)


def by_table(first: list[str], other: list[str]) -> int:
    table = [[0] * (len(other) + 1) for _ in range(len(first) + 1)]
    for i, word in enumerate(first):
        for j, another in enumerate(other):
            longer = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if word == another else longer
    return table[-1][-1]


@given(words, words)
def test_it_is_as_long_as_the_table_says(first: list[str], other: list[str]) -> None:
    assert Subsequences(first).with_words(other) == by_table(first, other)


def test_the_share_is_of_the_unit_that_is_looked_for() -> None:
    like = Subsequences(["dark", "roofs", "store", "the", "heat"])

    assert like.share_in(["roofs", "that", "are", "dark", "store", "much", "heat"]) == 3 / 5
    assert like.share_in([]) == 0.0
    assert Subsequences([]).share_in(["heat"]) == 0.0
