"""Capital letters: names keep theirs where a word is quoted alone; first words of sentences do not.

What a word is in the middle of a sentence tells how it is written. Of a label only which words it
has is looked at, never their order: a hint must not tell the order. There one capital may be that
of the first word; where there are more, all are kept.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from grading.pyramid.encoders.words import words_of
from grading.pyramid.structures import Pyramid

_POSSESSIVE = re.compile("['\u2019]s?$")
_INSIDE_A_SENTENCE = " \t,(\u2019'-"  # what may stand before a word there


def without_possessive(word: str) -> str:
    return _POSSESSIVE.sub("", word)


class Spelling:
    """Of one pyramid: its references, and the labels of ideas that no reference tells."""

    def __init__(self, pyramid: Pyramid) -> None:
        written: dict[str, Counter[str]] = defaultdict(Counter)
        for text in pyramid.references:
            for word, begins in _with_begins(text.content):
                if not begins or _tells_its_capitals(word):
                    written[word.lower()][word] += 1
        for label in (scu.label for scu in pyramid.scus if not scu.contributors):
            for word in _of_label(label):
                written[word.lower()][word] += 1
        self._written = {lower: _most(forms) for lower, forms in written.items()}

    def of(self, lower: str) -> str:
        """A word in lower case as it is written most often."""
        return self._written.get(lower, lower)


def _with_begins(content: str) -> Iterator[tuple[str, bool]]:
    """Each word, and whether a sentence may begin with it."""
    words = words_of(content)
    end = 0
    for place, (start, stop) in enumerate(
        zip(words.starts.tolist(), words.ends.tolist(), strict=True)
    ):
        gap = content[end:start]
        word = without_possessive(content[start:stop])
        yield word, place == 0 or bool(gap.strip(_INSIDE_A_SENTENCE))
        end = stop


def _of_label(label: str) -> list[str]:
    words = [word for word, _ in _with_begins(label)]
    capitals = {word for word in words if word[0].isupper()}
    return [
        word
        for word in words
        if word not in capitals or len(capitals) > 1 or _tells_its_capitals(word)
    ]


def _tells_its_capitals(word: str) -> bool:
    """“DNA” is written so wherever it stands."""
    return any(letter.isupper() for letter in word[1:])


def _most(forms: Counter[str]) -> str:
    """Where two are written as often, the one in lower case."""
    return min(forms, key=lambda form: (-forms[form], form != form.lower(), form))
