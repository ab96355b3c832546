"""A sentence's dependency tree, as the rules for triples ask for it: by the numbers of tokens."""

from collections.abc import Callable, Sequence

from grading.pyramid.structures import Token

Indices = tuple[int, ...]  # of tokens of one sentence, ascending

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass"))
_EDGES = frozenset(",.;:?!-\u2013\u2014\"'`()[]") | {"``", "''", "--", "-LRB-", "-RRB-", "..."}
_LINKS = frozenset(("and", "or", "but"))


class Tree:
    """Tokens with their children. A damaged parse (a circle) ends no rule in an endless loop."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self._children: list[list[int]] = [[] for _ in tokens]
        for token in tokens:
            if token.head != token.index:
                self._children[token.head].append(token.index)

    def children(self, index: int, *labels: str) -> list[int]:
        """What hangs directly on a token, by one of the labels if any are given."""
        below = self._children[index]
        return [each for each in below if self.tokens[each].dep in labels] if labels else below

    def below(
        self, top: int, leave_out: Callable[[int, int], bool] = lambda _parent, _child: False
    ) -> Indices:
        """A token and all that hangs on it; ``leave_out`` says which children are not followed."""
        reached: set[int] = set()
        waiting = [top]
        while waiting:
            index = waiting.pop()
            if index not in reached:
                reached.add(index)
                waiting += (c for c in self._children[index] if not leave_out(index, c))
        return tuple(sorted(reached))

    def is_verb(self, index: int) -> bool:
        token = self.tokens[index]
        return token.tag.startswith("VB") or (token.pos in {"VERB", "AUX"} and token.tag != "MD")

    def is_question_word(self, index: int) -> bool:
        """A word such as "who", "which" or "where" that stands for something else."""
        return self.tokens[index].tag in {"WDT", "WP", "WRB"}

    def trimmed(self, indices: Sequence[int]) -> Indices:
        """Without marks and linking words at either end."""
        start, end = 0, len(indices)
        while start < end and self._is_edge(indices[start]):
            start += 1
        while start < end and self._is_edge(indices[end - 1]):
            end -= 1
        return tuple(indices[start:end])

    def _is_edge(self, index: int) -> bool:
        text = self.tokens[index].text
        return text in _EDGES or text in _LINKS

    def phrase(self, head: int) -> Indices:
        """A phrase without relative clauses and appositions: those are triples of their own."""

        def leave_out(parent: int, child: int) -> bool:
            label = self.tokens[child].dep
            if label in {"advcl", "parataxis"}:
                return self.is_verb(child) and not self.is_verb(parent)
            return label in {"relcl", "appos"}

        return self.trimmed(self.below(head, leave_out))

    def antecedent(self, head: int, clause: int) -> Indices:
        """The phrase that a relative or participle clause is about: what stands before it."""

        def leave_out(parent: int, child: int) -> bool:
            follows = parent == head and child >= clause
            return follows or self.tokens[child].dep in {"relcl", "appos"}

        return self.trimmed(self.below(head, leave_out))

    def name(self, head: int) -> Indices:
        """A noun with its articles and adjectives, without all that follows or is joined to it."""
        after = {"appos", "relcl", "acl", "prep", "punct", "cc", "conj"}

        def leave_out(parent: int, child: int) -> bool:
            label = self.tokens[child].dep
            return label in {"relcl", "appos"} or (parent == head and label in after)

        return self.trimmed(self.below(head, leave_out))

    def conjuncts(self, head: int) -> list[int]:
        """The further items of a list, however they hang on each other."""
        items: list[int] = []
        waiting = self.children(head, "conj")
        while waiting:
            item = waiting.pop(0)
            if item not in items and item != head:
                items.append(item)
                waiting += self.children(item, "conj")
        return sorted(items)
