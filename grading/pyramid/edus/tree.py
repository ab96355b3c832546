"""A parsed sentence as the segmenter looks at it: constituents by where they begin and end."""

from collections.abc import Sequence
from itertools import accumulate

from grading.pyramid.structures import Token

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
_VERBS = ("VERB", "AUX")
_MARKS = frozenset(",.;:-\u2013\u2014()[]\"'?!/")
_FINITE = ("VBZ", "VBD", "VBP", "MD")
_MOST_STEPS = 40  # up a tree: deeper ones are no English, and would take quadratic time
_NOTHING = "_"


class Tree:
    """The words of a sentence with what the parse says of them, each list by their index.

    ``first`` and ``last`` are the ends of the constituent that a word heads; ``opening`` is the
    head of the largest constituent that begins with a word, ``closing`` of those that end with it,
    the largest first; ``verbs`` counts the verbs before a word.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.size = len(tokens)
        self.words = [token.text.lower() for token in tokens]
        self.lemmas = [token.lemma for token in tokens]
        self.poses = [token.pos for token in tokens]
        self.tags = [token.tag for token in tokens]
        self.deps = [token.dep for token in tokens]
        self.heads = [token.head for token in tokens]
        self.children: list[list[int]] = [[] for _ in tokens]
        for index, head in enumerate(self.heads):
            if head != index:
                self.children[head].append(index)
        self.verbs = [0, *accumulate(pos in _VERBS for pos in self.poses)]
        self._span_constituents()
        self._count_marks()

    def _span_constituents(self) -> None:
        order = [index for index, head in enumerate(self.heads) if head == index]
        depths = [0] * self.size
        for index in order:  # it grows while it is read: each word comes after its head
            for child in self.children[index]:
                depths[child] = depths[index] + 1
            order.extend(self.children[index])
        self.first, self.last = list(range(self.size)), list(range(self.size))
        for index in reversed(order):
            head = self.heads[index]
            self.first[head] = min(self.first[head], self.first[index])
            self.last[head] = max(self.last[head], self.last[index])
        self.opening: list[int | None] = [None] * self.size
        self.closing: list[list[int]] = [[] for _ in self.words]
        for index in sorted(range(self.size), key=lambda one: depths[one]):
            if self.opening[self.first[index]] is None:
                self.opening[self.first[index]] = index
            self.closing[self.last[index]].append(index)

    def _count_marks(self) -> None:
        """How far marks are, how deep brackets, whether a quotation is open, arcs over a place."""
        self.since_mark, self.brackets, self.quoted = [], [], []
        last, depth, is_quoted = -1, 0, False
        for index, word in enumerate(self.words):
            depth = max(0, depth - (word in ")]"))
            self.since_mark.append(index - last)
            self.brackets.append(depth)
            self.quoted.append(is_quoted)
            last = index if word in _MARKS else last
            depth += word in "(["
            is_quoted ^= word == '"' or word in "\u201c\u201d"
        self.until_mark, following = [0] * self.size, self.size
        for index in range(self.size - 1, -1, -1):
            following = index if self.words[index] in _MARKS else following
            self.until_mark[index] = following - index
        steps = [0] * (self.size + 1)
        for index, head in enumerate(self.heads):
            steps[min(index, head) + 1] += 1
            steps[max(index, head) + 1] -= 1
        self.arcs_over = list(accumulate(steps))

    def is_mark(self, index: int) -> bool:
        return self.words[index] in _MARKS

    def child_deps(self, index: int) -> set[str]:
        return {self.deps[child] for child in self.children[index]}

    def has_subject(self, index: int) -> bool:
        return not SUBJECTS.isdisjoint(self.child_deps(index))

    def is_finite(self, index: int) -> bool:
        return self.tags[index] in _FINITE or any(
            self.tags[child] in _FINITE and self.deps[child] in {"aux", "auxpass"}
            for child in self.children[index]
        )

    def is_infinitive(self, index: int) -> bool:
        return any(
            self.tags[child] == "TO" and self.deps[child] == "aux" for child in self.children[index]
        )

    def marker(self, index: int) -> str:
        """The word that marks a clause: “because”, “that”."""
        marks = (self.words[one] for one in self.children[index] if self.deps[one] == "mark")
        return next(marks, _NOTHING)

    def subject(self, index: int) -> str:
        """The subject of a verb, if it is one word of those that stand for a clause or place."""
        subjects = (self.words[one] for one in self.children[index] if self.deps[one] in SUBJECTS)
        return next((word for word in subjects if word in {"it", "there", "this"}), _NOTHING)

    def fork(self, index: int) -> tuple[int, int | None, int | None, int, int]:
        """Where the paths of a word and the one before it meet.

        The word where they meet, its children on both paths (None: it is the word itself), and the
        lengths of the paths.
        """
        left, right = [index - 1], [index]
        while len(left) < _MOST_STEPS and self.heads[left[-1]] != left[-1]:
            left.append(self.heads[left[-1]])
        places = {one: place for place, one in enumerate(left)}
        while len(right) < _MOST_STEPS and right[-1] not in places:
            if self.heads[right[-1]] == right[-1]:
                break
            right.append(self.heads[right[-1]])
        place = places.get(right[-1], len(left) - 1)
        on_left = left[place - 1] if place else None
        on_right = right[-2] if len(right) > 1 else None
        return right[-1], on_left, on_right, place, len(right) - 1
