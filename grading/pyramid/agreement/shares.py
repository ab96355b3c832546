"""A share of few cases with its 95 % interval, which is honest at 0 of 3 as well."""

from dataclasses import dataclass

from grading.pyramid.intervals import share_interval

FEW = 5  # cases: below, a share is not spoken of


@dataclass(frozen=True, slots=True)
class Share:
    count: int
    of: int

    @property
    def is_few(self) -> bool:
        return self.of < FEW

    @property
    def percent(self) -> int:
        return round(100 * self.count / self.of) if self.of else 0

    @property
    def low_percent(self) -> int:
        return round(100 * share_interval(self.count, self.of).low)

    @property
    def high_percent(self) -> int:
        return round(100 * share_interval(self.count, self.of).high)
