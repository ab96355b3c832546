"""Numbers in words or digits."""

import re

from grading.pyramid.amr import vocabulary as say

_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")


def number_of(words: str) -> str | None:
    """The number that they say, in digits; None if they say none that is understood."""
    total = current = 0.0
    said = False
    for word in words.lower().replace("-", " ").split():
        if word == "and" or not word:
            continue
        if _DIGITS.fullmatch(word):
            current += float(word.replace(",", ""))
        elif word in say.NUMBERS:
            current += say.NUMBERS[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word.rstrip("s") in say.SCALES:
            total += max(current, 1) * say.SCALES[word.rstrip("s")]
            current = 0
        else:
            return None
        said = True
    total += current
    if not said:
        return None
    return str(int(total)) if total == int(total) else str(total)
