"""Sections of a class beside each other, and the ideas that they tell differently."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grading.pyramid.class_figures.ideas import IdeaFigures, ideas_of
from grading.pyramid.class_figures.texts import ClassText
from grading.pyramid.structures import Pyramid

_FEWEST = 5  # texts of a section that is compared


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
    """The largest first: ideas of which the intervals of the two sections do not overlap."""
    figures = {
        name: ideas_of(pyramid, texts).ideas
        for name, texts in sections.items()
        if len(texts) >= _FEWEST
    }
    if len(figures) < 2:
        return []
    found = [_difference(list(figures), row) for row in zip(*figures.values(), strict=True)]
    clear = [one for one in found if one.least.interval.high < one.most.interval.low]
    return sorted(clear, key=lambda one: (-one.apart, -one.most.weight, one.most.uid))


def _difference(names: Sequence[str], ideas: Sequence[IdeaFigures]) -> Difference:
    shares = [idea.share for idea in ideas]
    least, most = shares.index(min(shares)), shares.index(max(shares))
    return Difference(names[least], ideas[least], names[most], ideas[most])
