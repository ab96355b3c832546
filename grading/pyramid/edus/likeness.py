"""How much of a unit another one says: the share of its words in their order (equation 6)."""

from collections.abc import Sequence


class Subsequences:
    """The longest common subsequences of one sequence of words with others.

    Bits stand for the words: each word of the other sequence moves all columns of the table at once
    (Allison and Dix 1986).
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.length = len(words)
        self._all = (1 << len(words)) - 1
        self._places: dict[str, int] = {}
        for place, word in enumerate(words):
            self._places[word] = self._places.get(word, 0) | 1 << place

    def with_words(self, others: Sequence[str]) -> int:
        """The length of the longest common subsequence."""
        row = self._all
        for word in others:
            places = self._places.get(word)
            if places:
                shared = row & places
                row = (row + shared) | (row - shared)
        return self.length - (row & self._all).bit_count()

    def share_in(self, others: Sequence[str]) -> float:
        """phi: the length of that subsequence as a share of the words; 0 of no words."""
        return self.with_words(others) / self.length if self.length else 0.0
