"""What was found out about a text, kept for the next edit of the pyramid.

An edit changes an idea or two, and then the class is scored again. Whether a sentence contradicts
one of the other ideas, and which words are in no order, is the same as before. What is kept of a
text is small (some fifty kilobytes). The vectors of its words and its parse are not kept.

What takes long to find is kept for other processes, too (``kept_facts``).
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Final, TypeVar

from grading.pyramid.structures import SegmentedText

TEXTS = 2_048  # that are remembered in a process: the classes that are being edited
FACTS_FORMAT: Final = 1  # as they are kept for other processes
_MOST_FACTS = 4_096  # of one text: those of many edits, each with its ideas

Fact = TypeVar("Fact")


class TextFacts:
    """Facts about one text, each under a key that names all that it depends on besides.

    ``news`` are the keys of facts that were found since ``news`` was last cleared.
    """

    def __init__(self) -> None:
        self._facts: dict[Hashable, object] = {}
        self.news: set[Hashable] = set()

    def get(self, key: Hashable, find: Callable[[], Fact]) -> Fact:
        """The fact, found now if it is not known."""
        if key not in self._facts:
            if len(self._facts) >= _MOST_FACTS:
                self._facts.clear()
                self.news.clear()
            self._facts[key] = find()
            self.news.add(key)
        return self._facts[key]  # type: ignore[return-value]

    def known(self) -> Mapping[Hashable, object]:
        """All facts by their keys, the latest last."""
        return self._facts

    def add(self, facts: Mapping[Hashable, object]) -> None:
        """Take over what was found before; it is no news, and what is known already stays."""
        new = {key: fact for key, fact in facts.items() if key not in self._facts}
        self._facts = new | self._facts


_facts_of_texts: OrderedDict[Hashable, TextFacts] = OrderedDict()


def facts_about(text: SegmentedText, similarity: str) -> TextFacts:
    """The facts that rest on a text's words, its parse and the similarity of this name."""
    key = similarity, text.text.content, text.parse
    facts = _facts_of_texts.setdefault(key, TextFacts())
    _facts_of_texts.move_to_end(key)
    if len(_facts_of_texts) > TEXTS:
        _facts_of_texts.popitem(last=False)
    return facts
