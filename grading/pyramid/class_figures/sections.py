"""Sections of a class beside each other, and the ideas that they tell differently.

Each idea is asked of each pair of sections, so that by chance alone some would differ: a difference
counts where it is that unlikely that even one so large would come about in all of them together
(two shares, normal approximation, Bonferroni).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grading.pyramid.class_figures.ideas import IdeaFigures, ideas_of
from grading.pyramid.class_figures.texts import ClassText
from grading.pyramid.structures import Pyramid

_FEWEST = 5  # texts of a section that is compared
_UNLIKELY = 0.05


@dataclass(frozen=True, slots=True)
class Difference:
    """An idea that one section tells clearly more often than another."""

    least_in: str
    least: IdeaFigures
    most_in: str
    most: IdeaFigures

    @property
    def apart(self) -> float:
        return self.most.share - self.least.share


def by_section(texts: Sequence[ClassText]) -> dict[str, list[ClassText]]:
    """In the order of their names; those without one last."""
    names = sorted({text.section for text in texts}, key=lambda name: (not name, name.casefold()))
    return {name: [text for text in texts if text.section == name] for name in names}


def differences(pyramid: Pyramid, sections: Mapping[str, Sequence[ClassText]]) -> list[Difference]:
    """The largest first, of those that chance hardly explains."""
    figures = {
        name: ideas_of(pyramid, texts).ideas
        for name, texts in sections.items()
        if len(texts) >= _FEWEST
    }
    if len(figures) < 2:
        return []
    results = [_difference(list(figures), row) for row in zip(*figures.values(), strict=True)]
    tests = len(results) * math.comb(len(figures), 2)
    clear = [one for one in results if tests * _by_chance(one.least, one.most) < _UNLIKELY]
    return sorted(clear, key=lambda one: (-one.apart, -one.most.weight, one.most.uid))


def _by_chance(first: IdeaFigures, second: IdeaFigures) -> float:
    """How probable so large a difference would be if both sections were alike."""
    matched, texts = first.told + second.told, first.texts + second.texts
    share = matched / texts
    variance = share * (1 - share) * (1 / first.texts + 1 / second.texts)
    if not variance:
        return 1.0
    return math.erfc(abs(first.share - second.share) / math.sqrt(2 * variance))


def _difference(names: Sequence[str], ideas: Sequence[IdeaFigures]) -> Difference:
    shares = [idea.share for idea in ideas]
    least, most = shares.index(min(shares)), shares.index(max(shares))
    return Difference(names[least], ideas[least], names[most], ideas[most])
