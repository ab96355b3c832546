"""Characters that no reader sees or takes for others, ends of lines, and what a word is."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

# A word as people count them: letters and digits, joined by apostrophes and hyphens. Two other
# meanings are on purpose. What limits count is what white space separates (``Text.word_count``),
# as in a word processor. The encoders and the lists of words that they come with have their own:
# a word is there what the list's makers took for one.
WORD: Final = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")

_UNSEEN: Final = frozenset({"Cf", "Mn", "Me"})  # joiners, soft hyphens, marks on other letters
_FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0")  # letters by their name, and blank
# Cyrillic, Greek and other letters that look like those of English.
_LOOK_ALIKE: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u051b"
    "\u03bf\u03bd\u03c1\u0131\u0261",
    "aeopcyxijsdhqovpig",
)


def with_one_line_end(text: str) -> str:
    """Line ends as Unix has them; browsers send those of Windows, whatever was typed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def is_seen(character: str) -> bool:
    """Alone, without a letter that it would be a mark on."""
    return character not in _FILLERS and unicodedata.category(character) not in _UNSEEN


@lru_cache(maxsize=1 << 12)
def look_of(character: str) -> str:
    """What a reader sees, in small letters without their marks; nothing of what is not seen."""
    plain = unicodedata.normalize("NFKD", character).casefold().translate(_LOOK_ALIKE)
    return "".join(filter(is_seen, plain))
