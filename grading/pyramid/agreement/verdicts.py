"""What the figures mean, in words: said only as far as the intervals allow.

The limits for alpha are Krippendorff's (2004, “Reliability in Content Analysis”): .8 and above can
be relied on, from .667 on with care.
"""

from grading.pyramid.agreement.figures_of_texts import FEWEST, Figure
from grading.pyramid.figures import hundredths, number_of

RELIABLE, WITH_CARE = 0.8, 0.667
_SAME_ORDER, _SIMILAR_ORDER = 0.8, 0.5


def alpha_in_words(figure: Figure) -> str:
    """Of program and people, or of two people: one sentence."""
    if figure.low is None or figure.high is None:
        return _not_yet(figure)
    if figure.low >= RELIABLE:
        return "They agree so well that either can be relied on."
    if figure.low >= WITH_CARE:
        return "They agree well enough to go by, with care: look at doubtful matches."
    if figure.high < WITH_CARE:
        return "They agree too little to go by without looking at each text."
    return (
        f"Cannot be told yet from {number_of(figure.texts, 'text')}: it may be enough to go by, "
        "or too little. More texts would say."
    )


def correlation_in_words(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return _not_yet(figure)
    if figure.low >= _SAME_ORDER:
        return "Both put the texts in nearly the same order."
    if figure.low >= _SIMILAR_ORDER:
        return "Both put the texts in a similar order."
    if figure.high < _SIMILAR_ORDER:
        return "The two put the texts in different orders."
    return f"Cannot be told yet from {number_of(figure.texts, 'text')} how alike the orders are."


def difference_in_words(figure: Figure, first: str, second: str) -> str:
    """``second`` is who gives that much more, or less, than ``first``."""
    if figure.value is None or figure.low is None or figure.high is None:
        return _not_yet(figure)
    if figure.low <= 0 <= figure.high:
        most = hundredths(max(-figure.low, figure.high))
        return f"On average no difference can be seen; it is hardly more than {most}."
    more = "more" if figure.value > 0 else "less"
    return f"On average {second} gives {hundredths(abs(figure.value))} {more} than {first}."


def _not_yet(figure: Figure) -> str:
    texts = number_of(figure.texts, "text")
    if figure.texts < FEWEST:
        return f"Cannot be told yet from {texts}: {FEWEST} are the least."
    return f"Cannot be told from these {texts}: nearly all of them are alike."
