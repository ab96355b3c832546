"""Which words name things, told by the words beside them in some texts, without a parse.

A parser would know better; but hints are made while a page is made, and web processes load none.
What stands between “the” and a mark, or before “of”, is a noun; what stands after “to” or “they”,
or before “the”, is none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from grading.pyramid.encoders.words import words_of
from grading.pyramid.structures import Text

_DETERMINERS = frozenset(
    word
    for line in (
        "the a an this these those its their our your his her my no each every some any all both",
        "few of in on at by from with for into onto over under about through between among against",
        "during within without per",
    )
    for word in line.split()
)
_CLOSES = frozenset(
    word
    for line in ("and or of in on at by from with for", "is are was were has have had can")
    for word in line.split()
)
_BEFORE_VERBS = frozenset(
    word
    for line in (
        "to can could will would may might must shall should they it we he she i you that which",
        "who not do does did be been being is are was were am very too more most so as than",
    )
    for word in line.split()
)
_AFTER_VERBS = frozenset(
    word
    for line in ("the a an its their", "it them us him her this these those than")
    for word in line.split()
)
_NO_NOUNS = ("ed", "ly")
_APART = re.compile(r"[^\w\s'\u2019-]")


def nouns_of(texts: Iterable[Text]) -> frozenset[str]:
    """The stems that are nouns more often than not."""
    votes: Counter[str] = Counter()
    for text in texts:
        for stem, vote in _votes(text.content):
            votes[stem] += vote
    return frozenset(stem for stem, vote in votes.items() if vote > 0)


def _votes(content: str) -> Iterator[tuple[str, int]]:
    words = words_of(content)
    starts, ends, has_content = words.starts.tolist(), words.ends.tolist(), words.has_content
    written = [content[start:end].lower() for start, end in zip(starts, ends, strict=True)]
    for place, stem in enumerate(words.stems):
        if has_content[place]:
            first, last = place == 0, place == len(written) - 1
            gap_before = "." if first else content[ends[place - 1] : starts[place]]
            gap_after = "." if last else content[ends[place] : starts[place + 1]]
            before = "" if _APART.search(gap_before) else written[place - 1]
            after = "" if _APART.search(gap_after) else written[place + 1]
            if written[place].endswith(_NO_NOUNS):
                yield stem, -1
            else:
                yield stem, _vote(before, after, ends_there=not after or not has_content[place + 1])


def _vote(before: str, after: str, *, ends_there: bool) -> int:
    if before in _BEFORE_VERBS or after in _AFTER_VERBS:
        return -2
    if before in _DETERMINERS:
        return 2 if ends_there else -1
    return 1 if not after or after in _CLOSES else 0
