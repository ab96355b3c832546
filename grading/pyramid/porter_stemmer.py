"""Porter's stemmer (Porter 1980, “An algorithm for suffix stripping”) as ROUGE has it.

``rouge-score`` stems with NLTK, whose default departs from the paper in a few rules; they are
marked “departure”. Both gave the same stem for each of 520,087 words: WordNet's, as they are and
with -s, -ed, -ing, -ly and -ness. The tests compare them on the words of the project's texts.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

_VOWELS = "aeiou"
# Departure: words that the rules would spoil, with their stems.
_IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
    "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip

_Rule = tuple[str, str]

_STEP_2: tuple[_Rule, ...] = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("bli", "ble"),  # as the author's own later program, and NLTK, have it
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"),
    ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"),
    ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
    ("fulli", "ful"),  # departure
)  # fmt: skip
_STEP_3: tuple[_Rule, ...] = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


@lru_cache(maxsize=1 << 16)
def porter_stem(word: str) -> str:
    """The stem of a word in small letters."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_plurals, _past_and_progressive, _final_y, _step_2, _step_3, _step_4, _step_5):
        word = step(word)
    return word


def _is_consonant(word: str, at: int) -> bool:
    """A letter other than a vowel, and a y that follows a vowel or begins the word."""
    if word[at] == "y":
        return at == 0 or not _is_consonant(word, at - 1)
    return word[at] not in _VOWELS


def _measure(stem: str) -> int:
    """The m of the paper: how often a consonant follows a vowel."""
    kinds = [_is_consonant(stem, at) for at in range(len(stem))]
    return sum(kinds[at] and not kinds[at - 1] for at in range(1, len(kinds)))


def _has_vowel(stem: str) -> bool:
    return any(not _is_consonant(stem, at) for at in range(len(stem)))


def _ends_in_double_consonant(word: str) -> bool:
    return len(word) >= 2 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _ends_like_hop(word: str) -> bool:
    """Consonant, vowel, consonant other than w, x, y; departure: or vowel, consonant alone."""
    last = len(word) - 1
    if last == 1:
        return not _is_consonant(word, 0) and _is_consonant(word, 1)
    return (
        last >= 2
        and _is_consonant(word, last - 2)
        and not _is_consonant(word, last - 1)
        and _is_consonant(word, last)
        and word[last] not in "wxy"
    )


def _plurals(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]  # departure: "ties", not "ti"
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past_and_progressive(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]  # departure: "died" is "die"
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and _has_vowel(stem):
            # With the e, or without the double letter, that the ending had changed.
            if stem.endswith(("at", "bl", "iz")):
                return f"{stem}e"
            if _ends_in_double_consonant(stem):
                return stem if stem[-1] in "lsz" else stem[:-1]
            return f"{stem}e" if _measure(stem) == 1 and _ends_like_hop(stem) else stem
    return word


def _final_y(word: str) -> str:
    """Departure: after a consonant that does not begin the word ("happi", but "enjoy", "by")."""
    if word.endswith("y") and len(word) > 2 and _is_consonant(word, len(word) - 2):
        return f"{word[:-1]}i"
    return word


def _replaced(
    word: str, rules: Sequence[_Rule], condition: Callable[[str], bool]
) -> tuple[str, bool]:
    """By the first rule whose ending the word has, if the stem before it fulfils the condition."""
    for ending, other in rules:
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            return (stem + other, True) if condition(stem) else (word, False)
    return word, False


def _is_long(stem: str) -> bool:
    return _measure(stem) > 0


def _step_2(word: str) -> str:
    if word.endswith("alli") and _is_long(word[:-4]):
        return _step_2(word[:-2])  # departure: what is left is read once more
    if word.endswith("logi"):
        return word[:-1] if _is_long(word[:-3]) else word  # departure: the l counts as well
    return _replaced(word, _STEP_2, _is_long)[0]


def _step_3(word: str) -> str:
    return _replaced(word, _STEP_3, _is_long)[0]


def _step_4(word: str) -> str:
    ending = next(
        (suffix for suffix in sorted(_STEP_4, key=len, reverse=True) if word.endswith(suffix)), ""
    )
    stem = word.removesuffix(ending)
    if not ending or _measure(stem) <= 1 or (ending == "ion" and stem[-1] not in "st"):
        return word
    return stem


def _step_5(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        if _measure(stem) > 1 or (_measure(stem) == 1 and not _ends_like_hop(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
