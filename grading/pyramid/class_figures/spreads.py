"""How scores are spread over a class, or over a section of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median, quantiles

from grading.pyramid.class_figures.texts import ClassText, Measure
from grading.pyramid.figures import hundredths, tenths
from grading.pyramid.intervals import Interval, mean_interval


@dataclass(frozen=True, slots=True)
class Spread:
    """``lower`` and ``upper`` are the quartiles; ``counts`` how many texts lie in each tenth."""

    texts: int
    mean: float
    interval: Interval | None  # of the mean
    least: float
    lower: float
    median: float
    upper: float
    most: float
    counts: tuple[int, ...]

    @property
    def is_one_score(self) -> bool:
        """Has everybody the same, as a page shows it?"""
        return hundredths(self.least) == hundredths(self.most)


def spread_of(texts: Sequence[ClassText], measure: Measure) -> Spread | None:
    """None where there is nothing."""
    scores = sorted(text.of_measure(measure) for text in texts)
    if not scores:
        return None
    alone = len(scores) == 1
    lower, middle, upper = scores * 3 if alone else quantiles(scores, method="inclusive")
    return Spread(
        texts=len(scores),
        mean=fmean(scores),
        interval=mean_interval(scores),
        least=scores[0],
        lower=lower,
        median=median(scores) if not alone else middle,
        upper=upper,
        most=scores[-1],
        counts=tenths(float(hundredths(score)) for score in scores),
    )
