"""Does this text express that unit? Cells of texts and units, by group, against what people say.

A group is a student or a document: what is drawn, and left out, as a whole.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from grading.pyramid.correlations import pearson
from grading.pyramid.scores import points_of_ideas
from grading.pyramid.structures import Evidence, Pyramid, SegmentedText
from tests.bench.statistics import (
    Mask,
    Measure,
    Numbers,
    Rows,
    auc,
    best_threshold,
    f1,
    with_spread,
)
from tests.bench.table import Reach, Row


class Matcher(Protocol):
    """What is needed of a matcher that is ready for a pyramid."""

    @property
    def threshold(self) -> float: ...
    def match(self, text: SegmentedText) -> Evidence: ...
    def strengths(self, text: SegmentedText) -> dict[int, float]: ...


@dataclass(frozen=True, eq=False, slots=True)
class Cells:
    """A group's cells in one row each: how strong, truly there, and found by the matcher."""

    strengths: Numbers
    truth: Mask
    matched: Mask
    above: Mask  # at least as strong as the pyramid itself asks for
    points: Numbers  # that the cell earns
    held: Mask  # matched, and held as contradicting the experts

    @classmethod
    def of(cls, matcher: Matcher, pyramid: Pyramid, text: SegmentedText, truth: Mask) -> "Cells":
        """The cells of one text: one for each unit, in the pyramid's order."""
        strengths = matcher.strengths(text)
        evidence = matcher.match(text)
        result = {match.scu_uid for match in evidence.matches}
        earned = points_of_ideas(pyramid, evidence)
        uids = [scu.uid for scu in pyramid.scus]
        strong = np.array([strengths.get(uid, 0.0) for uid in uids])
        matched = np.array([uid in result for uid in uids])
        points = np.array([earned.get(uid, 0.0) for uid in uids])
        contradicting = {match.scu_uid for match in evidence.contradicting}
        held = np.array([uid in contradicting for uid in uids])
        return cls(strong, truth, matched, strong >= matcher.threshold, points, held)

    @classmethod
    def join(cls, parts: Iterable["Cells"]) -> "Cells":
        """Several texts' cells as one group."""
        several = list(parts)
        return cls(
            np.concatenate([cells.strengths for cells in several]),
            np.concatenate([cells.truth for cells in several]),
            np.concatenate([cells.matched for cells in several]),
            np.concatenate([cells.above for cells in several]),
            np.concatenate([cells.points for cells in several]),
            np.concatenate([cells.held for cells in several]),
        )


def pooled_auc(groups: Sequence[Cells]) -> Measure:
    """Over all cells at once: thresholds must carry over from text to text to be good here."""

    def of_rows(rows: Rows) -> float:
        strengths = np.concatenate([groups[row].strengths for row in rows])
        return auc(strengths, np.concatenate([groups[row].truth for row in rows]))

    return with_spread(of_rows, len(groups))


def mean_auc(groups: Sequence[Cells]) -> Measure:
    """The mean of the groups' own; one in which all or nothing is true has none."""
    each = np.array([auc(group.strengths, group.truth) for group in groups])
    return with_spread(lambda rows: float(np.nanmean(each[rows])), len(groups))


def mean_correlation(groups: Sequence[Cells], texts: Sequence[int]) -> Measure:
    """The mean over groups of the correlation of points with the number of true cells."""
    each = correlations_of_points(groups, texts)
    return with_spread(lambda rows: float(np.nanmean(each[rows])), len(groups))


def correlations_of_points(groups: Sequence[Cells], texts: Sequence[int]) -> Numbers:
    """Of each group the correlation of points with the number of true cells.

    A group has so many ``texts``, each with the same units. One in which all texts are equal has
    no correlation: NaN.
    """
    return np.array(
        [
            pearson(
                group.points.reshape(count, -1).sum(axis=1),
                group.truth.reshape(count, -1).sum(axis=1).astype(np.float64),
            )
            for group, count in zip(groups, texts, strict=True)
        ]
    )


def held_wrongly(name: str, groups: Sequence[Cells]) -> Row:
    """How much of what people find and the matcher matches is held as contradicting the experts."""
    pairs = [(group.truth & group.matched, group.truth & group.held) for group in groups]
    counts = np.array([[mask.sum() for mask in pair] for pair in pairs], dtype=np.float64)
    credited, held = counts.sum(axis=0).tolist()
    share = with_spread(lambda rows: float(np.divide(*counts[rows].sum(axis=0)[::-1])), len(groups))
    what = f"held as contradicting, of what is right ({held:.0f} of {credited:.0f})"
    return Row(name, what, share, Reach(0.01, most=True), 4)


def learnt_thresholds(groups: Sequence[Cells], parts: Sequence[int]) -> dict[int, float]:
    """For each part the threshold that is best on the groups of the other parts."""
    learnt = {}
    for part in sorted(set(parts)):
        others = Cells.join(g for g, of in zip(groups, parts, strict=True) if of != part)
        learnt[part] = best_threshold(others.strengths, others.truth)
    return learnt


def decided(groups: Sequence[Cells], parts: Sequence[int]) -> list[Mask]:
    """Each part's cells by the threshold that the other parts gave."""
    learnt = learnt_thresholds(groups, parts)
    return [g.strengths >= learnt[part] for g, part in zip(groups, parts, strict=True)]


@dataclass(frozen=True, slots=True)
class Finding:
    """How well units are found, over the cells of all groups."""

    f1: Measure
    precision: Measure
    recall: Measure


def finding(groups: Sequence[Cells], masks: Sequence[Mask]) -> Finding:
    """What was found against what is there. Thresholds are not learnt anew in each draw."""
    counts = np.array(
        [
            ((mask & group.truth).sum(), mask.sum(), group.truth.sum())
            for group, mask in zip(groups, masks, strict=True)
        ],
        dtype=np.float64,
    )

    def summed(rows: Rows) -> tuple[float, float, float]:
        true, yes, wanted = counts[rows].sum(axis=0)
        return float(true), float(yes), float(wanted)

    def precision(rows: Rows) -> float:
        true, yes, _ = summed(rows)
        return true / yes if yes else 0.0

    def recall(rows: Rows) -> float:
        true, _, wanted = summed(rows)
        return true / wanted if wanted else 0.0

    return Finding(
        with_spread(lambda rows: f1(*summed(rows)), len(groups)),
        with_spread(precision, len(groups)),
        with_spread(recall, len(groups)),
    )
