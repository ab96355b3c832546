"""Recall, precision and F1 against one reference, and against several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from types import MappingProxyType

from grading.pyramid.content import Option, Options

STEM, IDENTITY = "stem", "identity"
MEAN, BEST = "mean", "best"
# The mean is what the figures of docs/methods.md are; the best is rouge-score's ``score_multi``.
OPTIONS: Mapping[str, Option] = MappingProxyType(
    {"matching": Option((STEM, IDENTITY)), "references": Option((MEAN, BEST))}
)


@dataclass(frozen=True, slots=True)
class Figures:
    """How many units matched, and which share of the reference's and of the summary's they are."""

    matched: float
    recall: float
    precision: float
    f1: float


def against(matched: int, in_reference: int, in_summary: int) -> Figures:
    """The figures against one reference; 0 where there is nothing to match."""
    recall = matched / in_reference if in_reference else 0.0
    precision = matched / in_summary if in_summary else 0.0
    both = recall + precision
    return Figures(matched, recall, precision, 2 * recall * precision / both if both else 0.0)


def overall(parts: Sequence[Figures], options: Options) -> Figures:
    """The mean over the references, or those of the reference with the best F1."""
    if not parts:
        return Figures(0.0, 0.0, 0.0, 0.0)
    if options["references"] == BEST:
        return max(parts, key=lambda one: (one.f1, one.recall, one.matched))
    columns = zip(*((one.matched, one.recall, one.precision, one.f1) for one in parts), strict=True)
    return Figures(*(fsum(column) / len(parts) for column in columns))


def explained(
    names: Sequence[str], parts: Sequence[Figures], result: Figures, options: Options, units: str
) -> tuple[str, ...]:
    """A sentence for each reference, and one for the result."""
    lines = [
        f"“{name}”: {one.matched:g} {units} match, recall {one.recall:.4f}, "
        f"precision {one.precision:.4f}, F1 {one.f1:.4f}."
        for name, one in zip(names, parts, strict=True)
    ]
    how = "The best reference" if options["references"] == BEST else "The mean of all references"
    last = f"{how}: recall {result.recall:.4f}, precision {result.precision:.4f}."
    return (*lines, last)
