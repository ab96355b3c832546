"""Words of a text without a parse; its numbers, what they count, and whether they are others
than those of the experts."""

import re
from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple

from grading.pyramid.encoders.wtmf import stems

# Words, numbers and marks of a text.

NEAR = 4  # words to either side of another
Pair = tuple[int, str, str]  # place in the text, what the text says, what the experts say


class Token(NamedTuple):
    said: str  # as written
    word: str  # in small letters
    stem: str  # empty for numbers and marks
    value: float | None  # of digits
    apart: bool  # white space before it


_TOKEN = re.compile(
    r"(?<![^\W_])(?P<number>(?:\d{1,3}(?:[,\u00a0\u202f]\d{3})+|\d{1,3}(?: \d{3})+"
    r"|(?<=[$\u00a3\u20ac])\d{1,3}, \d{3}|\d+)(?!\d)(?:\.\d+)?)"
    r"|(?P<word>[^\W\d_]+(?:['\u2019][^\W\d_]+)*)|(?P<mark>[^\w\s])"
)


def tokens_of(words: str) -> list[Token]:
    return [_token(hit) for hit in _TOKEN.finditer(words)]


def _token(hit: re.Match[str]) -> Token:
    said, apart = hit.group(), hit.string[hit.start() - 1 : hit.start()].isspace()
    if hit["number"]:
        return Token(said, said, "", float(re.sub(r"[^\d.]", "", said)), apart)
    word = said.lower().replace("\u2019", "'")
    stem = " ".join(stems(word)) if hit["word"] else ""
    return Token(said, word, stem, None, apart)


def as_said(tokens: Sequence[Token]) -> str:
    return "".join(" " * token.apart + token.said for token in tokens).strip()


def as_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that show nothing by standing beside something, and that a denial reaches across.
LIGHT = as_words(
    "a able actually all allowed also always am an and any are as at be been being by can could"
    " did do does enough even ever for from get gets getting going got had has have having he"
    " her his i if in into is it its just longer many may might most much must my necessarily of"
    " on or our per quite really s shall she should so some than that the their them then there"
    " these they this those to too us very was we were which who will with would yet you your"
)
ENDS_A_CLAUSE = as_words(
    "although and because but except if since so than that then though unless until when where"
    " which while who whom whose . , ; : ! ? ( )"
)


def content(tokens: Iterable[Token]) -> list[str]:
    return [token.stem for token in tokens if token.stem and token.word not in LIGHT]


# Numbers, what they count, and whether those of a text are others than those of the experts.

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: float(value) for value, word in enumerate(_ONES)} | {
    word: 10.0 * value for value, word in enumerate(_TENS, start=2)
}
_TIMES = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9}
_TIMES |= {"bn": 10**9, "trillion": 10**12}
_TIMES_OF_MONEY = {"k": 1_000, "m": 10**6, "mn": 10**6}
PLACES = (
    *("zeroth", "first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth"),
    *("fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
    "twentieth",
)
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "tenth": 10}
_PARTS |= {f"{word}s": parts for word, parts in _PARTS.items()} | {"halves": 2}
_ROUND_SHARES = (1 / 2, 1 / 3, 2 / 3, 1 / 4, 3 / 4)  # “a third” is often 30%
_ALSO_OTHER_THINGS = as_words("one first second third zero")
_PERCENT = (("%",), ("percent",), ("per", "cent"))
_ABOUT = as_words("about almost approximately around close estimated near nearly roughly some ~")
_AT_LEAST = as_words("above beyond exceeding least more over")
_AT_MOST = as_words("below fewer less most reach reaches under up")
_LEADS_TO_A_YEAR = as_words("in since until till by during from the year ( ,")
_YEAR = re.compile(r"1[1-9]\d\d|20\d\d")
# "A few thousand", "many hundred", "millions of".
_VAGUE = as_words("few several many couple")
_VAGUE_UP_TO = 10.0
_CURRENCIES = as_words("$ £ € dollar pound euro")
TIME = as_words("year month week day hour minut second")
_TIME_WHEN = as_words("old ago later earlier befor after")
_UNITS = {"km": "kilomet", "kilometr": "kilomet", "kg": "kilogram", "cm": "centimet"}
_UNITS |= {"centimetr": "centimet", "m": "meter", "metr": "meter", "ft": "feet", "foot": "feet"}
_UNITS |= {"person": "peopl", "kid": "children", "child": "children"}
_UNCOUNTED = as_words("- \u00b0 another other the")
_ENDS_WHAT_IS_COUNTED = LIGHT | as_words(
    "after before but less more over since than under when where while without"
)


class Number(NamedTuple):
    said: str
    kind: str  # "count", "place" (an ordinal), "year", "share" or "money"
    low: float
    high: float
    about: frozenset[str]  # what is counted; of the last three kinds, the words beside it


def other_number(known: Sequence[Number], numbers: Sequence[Number]) -> Pair | None:
    """A number of the text beside what the experts say; none where any two of them agree."""
    if any(numbers_agree(expert_number, other) for expert_number in known for other in numbers):
        return None
    return min(
        (
            (place, other.said, expert_number.said)
            for place, other in enumerate(numbers)
            for expert_number in known
            if expert_number.kind == other.kind and expert_number.about & other.about
            if not other_things(expert_number, other)
        ),
        default=None,
    )


def other_things(number: Number, other: Number) -> bool:
    """Whether a word for one of them may be no number: "one", "first", "second"."""
    return not _ALSO_OTHER_THINGS.isdisjoint((number.said.lower(), other.said.lower()))


def numbers_agree(number: Number, other: Number) -> bool:
    both_shares = (number.kind == "share") == (other.kind == "share")
    return both_shares and number.low <= other.high and other.low <= number.high


def numbers_of(tokens: Sequence[Token]) -> list[Number]:
    numbers: list[Number] = []
    at = last_end = 0
    while at < len(tokens):
        end, kind, value = _quantity(tokens, at)
        if end == at:
            at += 1
            continue
        number = _number(tokens, at, end, kind, value)
        if _is_vague(tokens, at):
            number = number._replace(low=value, high=_VAGUE_UP_TO * value)
        if numbers and _is_range(numbers[-1], number, tokens[last_end:at]):
            first = numbers.pop()
            number = number._replace(said=f"{first.said} to {number.said}", low=first.low)
        numbers.append(number)
        at = last_end = end
    return numbers


def _is_vague(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].word in _VAGUE or tokens[at].word.removesuffix("s") in _TIMES


def _is_range(first: Number, second: Number, between: Sequence[Token]) -> bool:
    """Whether two numbers are the ends of “50 to 60”."""
    joined = [token.word for token in between]
    return joined in (["-"], ["\u2013"], ["to"], ["and"]) and first.high < second.low


def _number(tokens: Sequence[Token], at: int, end: int, kind: str, value: float) -> Number:
    words, about = as_said(tokens[at:end]), _counted(tokens[end:])
    leading = tokens[max(at - NEAR, 0) : at]
    if any(token.word in ("age", "aged") for token in leading[-2:]):
        about = frozenset(("year old",))
    if kind == "count" and (about & _CURRENCIES or _is_currency(leading)):
        kind = "money"
    elif kind == "count" and _YEAR.fullmatch(words) and _leads_to_a_year(leading, about):
        kind = "year"
    elif kind == "count" and not about:
        about = frozenset(f"{stem} …" for stem in content(leading)[-1:])
    if kind in ("year", "share", "money"):
        about = (about | frozenset(content(leading))) - _CURRENCIES
    low, high = _bounds(kind, value, [token.word for token in leading[-3:]])
    return Number(words, kind, low, high, about)


def _is_currency(leading: Sequence[Token]) -> bool:
    return bool(leading) and leading[-1].word in _CURRENCIES


def _leads_to_a_year(leading: Sequence[Token], about: frozenset[str]) -> bool:
    return not about or (bool(leading) and leading[-1].word in _LEADS_TO_A_YEAR)


def _bounds(kind: str, value: float, leading: Sequence[str]) -> tuple[float, float]:
    """What a number stands for: rounded ones, and those with “about” or “over”, for many."""
    if kind in ("place", "year"):
        return value, value
    if any(word in _ABOUT for word in leading):
        return 0.8 * value, 1.2 * value
    if any(word in _AT_LEAST for word in leading):
        return value, inf
    if any(word in _AT_MOST for word in leading):
        return 0.0, value
    rounded = 0.025 if value >= 100 or not value.is_integer() else 0.0
    rounded = 0.1 if value in _ROUND_SHARES and kind == "share" else rounded
    return value - rounded * value, value + rounded * value


def _counted(following: Sequence[Token]) -> frozenset[str]:
    """Stems of up to three words after a number: “30 young children”, “ten of the cities”."""
    rest = [token for token in following[: NEAR + 2] if token.word not in _UNCOUNTED]
    counted: list[str] = []
    for place, token in enumerate(rest):
        if token.word == "of" and not place:
            continue
        if not token.stem or token.word in _ENDS_WHAT_IS_COUNTED or len(counted) == 3:
            break
        counted.append(_UNITS.get(token.stem, token.stem))
    if counted and counted[0] in TIME:  # “8 years old” says nothing of “8 years ago”
        when = [token.stem for token in rest[1:2] if token.stem in _TIME_WHEN]
        return frozenset((" ".join((counted[0], *when)),))
    return frozenset(counted)


def _quantity(tokens: Sequence[Token], at: int) -> tuple[int, str, float]:
    """The end, kind and value of the number that begins here; if none does, the end is ``at``."""
    end, value = _amount(tokens, at)
    if end == at:
        return _in_words(tokens, at)
    after = tuple(token.word for token in tokens[end : end + 2])
    for percent in _PERCENT:
        if after[: len(percent)] == percent:
            return end + len(percent), "share", value / 100
    if after[:1] in (("st",), ("nd",), ("rd",), ("th",)):
        return end + 1, "place", value
    return _part(tokens, end, value) or _place(tokens, end, value) or (end, "count", value)


def _part(tokens: Sequence[Token], end: int, value: float) -> tuple[int, str, float] | None:
    """“Two thirds”, “two-thirds” and “2/3”."""
    mark = [token.word for token in tokens[end : end + 1] if token.word in ("-", "/")]
    for token in tokens[end + len(mark) : end + len(mark) + 1]:
        parts = (token.value or 0) if mark == ["/"] else _PARTS.get(token.word, 0)
        if value < parts:
            return end + len(mark) + 1, "share", value / parts
    return None


def _place(tokens: Sequence[Token], end: int, value: float) -> tuple[int, str, float] | None:
    """“Twenty-first”."""
    at = end + any(token.word == "-" for token in tokens[end : end + 1])
    for token in tokens[at : at + 1]:
        if token.word in PLACES and value in range(20, 100, 10):
            return at + 1, "place", value + PLACES.index(token.word)
    return None


def _in_words(tokens: Sequence[Token], at: int) -> tuple[int, str, float]:
    word, *after = (token.word for token in tokens[at : at + 2])
    if word == "a" and after and after[0] in _PARTS:
        return at + 2, "share", 1 / _PARTS[after[0]]
    if (word == "a" or word in _VAGUE) and after and after[0] in _TIMES:
        return at + 2, "count", float(_TIMES[after[0]])
    if word.endswith("s") and word[:-1] in _TIMES and after == ["of"]:
        return at + 2, "count", float(_TIMES[word[:-1]])
    if word == "half":
        return at + 1, "share", 0.5
    if word in PLACES:
        return at + 1, "place", float(PLACES.index(word))
    return at, "", 0.0


def _amount(tokens: Sequence[Token], at: int) -> tuple[int, float]:
    """End and value of “40”, “2 million”, “three hundred and twenty-five”."""
    is_money = _is_currency(tokens[max(at - 1, 0) : at])
    total, group, least, end = 0.0, 0.0, inf, at
    for place in range(at, len(tokens)):
        word, value = tokens[place].word, tokens[place].value
        times = _TIMES.get(word) or (is_money and _TIMES_OF_MONEY.get(word))
        value = _VALUES.get(word, value if place == at else None)
        if value is not None and value < least:
            group, least, end = group + value, 10 if value in range(20, 100, 10) else 0, place + 1
        elif times and end > at:
            group, least, end = group * times, 100, place + 1
            total, group = (total, group) if times == 100 else (total + group, 0.0)
        elif end == at or word not in ("and", "-"):
            break
    return end, total + group
