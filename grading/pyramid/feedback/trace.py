"""How the scores came about, without what depends on ideas that were not found.

The best sums and the number of ideas of an average expert would tell how much there is to find;
here they are named, and not told. (Who knows quality and points can work out the best sum of as
many ideas: quality is their ratio. That is in the nature of the score.)
"""

from grading.pyramid.figures import hundredths, number_of
from grading.pyramid.scores import lines_of_found, points_in_words
from grading.pyramid.structures import Pyramid, ScoreReport


def trace_without_totals(pyramid: Pyramid, report: ScoreReport) -> tuple[str, ...]:
    """Lines for those who are not told what is missing."""
    lines = lines_of_found(pyramid.counted(), report.evidence, counts_possible=False)
    if len(lines) == 1:  # that nothing counted
        return lines
    points, statements = points_in_words(report.raw), number_of(report.scus, "statement")
    quality, coverage = hundredths(report.quality), hundredths(report.coverage)
    never_more = " (it is never more)" if coverage == 1 else ""
    comprehensive = hundredths(report.comprehensive)
    return (
        *lines,
        f"Quality = {points} / the most that {statements} can earn = {quality}.",
        f"Coverage = {points} / what a full summary would have = {coverage}{never_more}.",
        f"Comprehensive = both together (their harmonic mean) = {comprehensive}.",
    )
