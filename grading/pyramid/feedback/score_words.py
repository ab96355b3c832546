"""The three scores as sentences, by bands of the numbers as pages show them.

Each sentence says what the number means first and what it compares with second. Low scores are told
as where a text stands so far, high ones without praise: praise is for steps, which know a reason.
"""

from grading.pyramid.figures import hundredths, number_of
from grading.pyramid.scores import harmonic_mean, lines_of_found, points_in_words
from grading.pyramid.structures import Pyramid, ScoreReport

# The lowest score of a band, as shown, with how much of a text, or of what matters, it stands for.
_BANDS = (
    (0.85, "Nearly all"),
    (0.70, "Most"),
    (0.50, "A good part"),
    (0.25, "Some"),
    (0.00, "Little"),
)
_HIGH, _MIDDLE, _LOW = 0.70, 0.50, 0.25
_APART = 0.15  # scores that differ by so much count as different
_EXACT = 1e-9
_PERCENT = "\u202f%"  # a narrow space at which no line is broken


def quality_in_words(value: float, *, matched_share: float = 1.0, beyond: bool = False) -> str:
    """How important is what is written, compared with the best that as many ideas could be?

    ``matched_share`` is the share of the statements that express an idea: no more than that is
    called important, however heavy those ideas are. ``beyond``: the text has more statements than
    there are ideas, and the reader may know it.
    """
    if not value:
        return "No idea was matched in this text yet."
    if beyond:
        return _quality_beyond(value)
    is_all = value > 1 - _EXACT
    if is_all and matched_share > 1 - _EXACT:
        return (
            "These ideas are as important as they can be. The same number of other ideas would not "
            "earn more points."
        )
    much = _much(min(value, matched_share))
    recognised = f"{much} of this text was recognised as important to the experts"
    if is_all:
        return f"{recognised}. It earns all that a text with this many statements could earn."
    share = f"{_percent(value)} of the points that a text with this many statements could earn."
    return f"{recognised}: {share}" if much == _much(value) else f"{recognised}. It earns {share}"


def _quality_beyond(value: float) -> str:
    """So many statements could have all the points there are, whatever else the text says."""
    share = f"{_percent(value)} of" if value <= 1 - _EXACT else "all"
    return (
        "This text has more statements than the experts have ideas. So quality compares with all "
        f"their ideas: {share} their"
        " points were earned."
    )


def coverage_in_words(value: float) -> str:
    """How much of what is important is written, compared with a full summary?"""
    if not value:
        return "No idea was matched in this text yet."
    if value > 1 - _EXACT:
        return (
            "This text matches what matters to the experts: as many points as a full summary, or "
            "more."
        )
    return (
        f"{_much(value)} of what matters to the experts was matched here:"
        f" {_percent(value)} of the points that a full summary would earn."
    )


def comprehensive_in_words(quality: float, coverage: float) -> str:
    """Both together, and which of the two holds it back."""
    both = harmonic_mean(quality, coverage)
    if not both:
        return "It rises as soon as one of the experts' ideas is matched."
    first, second = _shown(quality), _shown(coverage)
    if abs(first - second) >= _APART - _EXACT:
        lower, way = (
            ("coverage", "adding what is missing")
            if second < first
            else ("quality", "shortening what matters less")
        )
        return f"{lower.capitalize()} holds the score back: {way} would raise it."
    return _level(_shown(both))


def _level(both: float) -> str:
    if both >= _HIGH:
        return "Quality and coverage are both high."
    if both >= _MIDDLE:
        return "Quality and coverage are both in the middle and can still rise."
    if both >= _LOW:
        return "Quality and coverage are both below the middle; raising either helps."
    return "Quality and coverage are both low: each important idea that is added raises both."


def _much(value: float) -> str:
    shown = _shown(value)
    return next(words for least, words in _BANDS if shown >= least)


def _percent(value: float) -> str:
    """As shown; who has something has more than nothing, and who lacks something not all."""
    percent = round(100 * _shown(value))
    if percent == 0:
        return f"less than 1{_PERCENT}"
    return f"{percent}{_PERCENT}" if percent < 100 else f"more than 99{_PERCENT}"


def _shown(value: float) -> float:
    return float(hundredths(value))


# How the scores were calculated, without what depends on ideas that were not found.
#
# The best sums and the number of ideas of an average expert would tell how much there is to find;
# here they are named, and not shown. (Who knows quality and points can calculate the best sum of as
# many ideas: quality is their ratio. That is in the nature of the score.)


def trace_without_totals(pyramid: Pyramid, report: ScoreReport) -> tuple[str, ...]:
    """Lines for those who don't see what is missing."""
    lines = lines_of_found(pyramid.counted(), report.evidence, counts_possible=False)
    if len(lines) == 1:  # that nothing counted
        return lines
    points, statements = points_in_words(report.raw), number_of(report.statements, "statement")
    quality, coverage = hundredths(report.quality), hundredths(report.coverage)
    never_more = " (it is never more)" if coverage == 1 else ""
    comprehensive = hundredths(report.comprehensive)
    return (
        *lines,
        f"Quality = {points} / the most that {statements} can earn = {quality}.",
        f"Coverage = {points} / what a full summary would have = {coverage}{never_more}.",
        f"Comprehensive = both together (their harmonic mean) = {comprehensive}.",
    )
