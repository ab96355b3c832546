"""What the figures of a pyramid mean, in two to four plain sentences.

Nenkova and Passonneau (2004) found that the scores of summaries stop changing much from four or
five references on; what is seen in this pyramid is told beside it.
"""

from collections.abc import Iterator

from grading.pyramid.analysis.quality import Quality
from grading.pyramid.editing.wording import quoted
from grading.pyramid.figures import hundredths

_ENOUGH = 4  # references, by the literature
_STEADY = 0.05  # mean change of a score that hardly anybody would notice
_LARGE = 0.1
_MOST_SENTENCES = 4
_WELL_COVERED = 0.9
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def advice_of(quality: Quality) -> tuple[str, ...]:
    """The most important first."""
    if not quality.attractions:
        return ("There is no idea yet: build a pyramid, take suggestions, or select words.",)
    advice = [*_about_references(quality), *_about_coverage(quality), *quality.departures]
    if quality.coverages and not quality.departures:
        advice.append("The numbers of ideas by weight are about as expected.")
    return tuple(advice[:_MOST_SENTENCES])


def _about_references(quality: Quality) -> Iterator[str]:
    count = len(quality.coverages)
    if not count:
        yield "There is no reference: all weights are those that you give by hand."
        return
    if count == 1:
        yield (
            "One reference cannot tell what matters most, as every idea has weight 1. "
            f"Add references: from {_ENOUGH} or 5 on, scores hardly change with another one."
        )
        return
    change = quality.leaving_out.change
    change_in_words = "" if change is None else _seen(change)
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    if change is not None and change >= _LARGE:
        yield (
            f"{number} references are too few here: {change_in_words}. "
            "Another one would steady the scores."
        )
    elif count >= _ENOUGH:
        yield f"{number} references are enough: {change_in_words or 'four or five usually are'}."
    elif change is not None and change < _STEADY:
        yield (
            f"{number} references seem to do here: {change_in_words}. With {_ENOUGH} or 5 one can "
            "usually rely on it."
        )
    else:
        in_brackets = f" ({change_in_words})" if change_in_words else ""
        yield (
            f"{number} references are few{in_brackets}. "
            f"From {_ENOUGH} or 5 on, scores hardly change."
        )


def _seen(change: float) -> str:
    return f"leaving any one out changes scores by {hundredths(change)} on average"


def _about_coverage(quality: Quality) -> Iterator[str]:
    words = sum(coverage.words for coverage in quality.coverages)
    if not words:
        return
    share = sum(coverage.covered for coverage in quality.coverages) / words
    if share >= _WELL_COVERED:
        yield f"Nearly all words of the references belong to an idea ({share:.0%})."
        return
    least = min(quality.coverages, key=lambda one: (one.share, one.reference))
    yield (
        f"{1 - share:.0%} of the words of the references belong to no idea, most of "
        f"{quoted(least.reference)} ({1 - least.share:.0%}): look whether something is missing."
    )
