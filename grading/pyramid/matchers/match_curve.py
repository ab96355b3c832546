"""The probability that a person would call it a match, by how well a sentence expresses an idea.

A logistic curve, learnt from the pyramid's own references: how well does each of them express the
ideas of the others? Where the references teach nothing (a list of statements, or one reference)
ideas are told apart by words alone, the curve is that of other texts, and an idea is matched from a
lower probability. In any pyramid an idea without contributors is matched from there, too.

An idea is matched from a probability of one half. Where people's annotations moved that threshold
(``match_probability``), the curve is moved so that one half is there. A curve learnt from people's
marks (``learnt_curve``) changes each probability, and says from which one an idea is matched.
"""

from collections.abc import Sequence

import numpy as np

from grading.pyramid.calibration import Calibration, Priors, learn, log_odds_of
from grading.pyramid.config import Config
from grading.pyramid.idea_similarity import ScuParts
from grading.pyramid.matchers.compared_text import TextComparer
from grading.pyramid.similarity import Matrix
from grading.pyramid.structures import Pyramid, SegmentedText

PRIOR_EXAMPLES = 10.0  # the prior counts as much as that many cells of a pyramid
SHARED_AT_LEAST = 0.45  # of what one expert says that another says too, whether a builder saw it
PROBABLE = 0.5  # from this probability an idea is matched
PROBABLE_WITHOUT_EXAMPLES = 0.3  # the same, where no reference shows how it may be worded

Examples = Sequence[tuple[float, bool]]


class MatchCurve:
    """The curve of one pyramid, whose ideas are the columns of all matrices."""

    def __init__(
        self, pyramid: Pyramid, examples: Examples, priors: Priors, config: Config
    ) -> None:
        self._learnt = config.learnt_curve
        self._uids = [scu.uid for scu in pyramid.scus]
        self.threshold = PROBABLE if self._learnt is None else self._learnt.cut
        self.calibration = _calibration(examples, priors, config)
        # Of each idea, whether no reference shows how it may be worded.
        self.lacks_examples = np.array(
            [not examples or not scu.contributors for scu in pyramid.scus], dtype=np.bool_
        )
        is_easier = self.lacks_examples & (config.match_threshold is None)
        self._head_start = np.where(is_easier, -log_odds_of(PROBABLE_WITHOUT_EXAMPLES), 0.0)

    def probabilities(self, values: Matrix, similarity: Matrix) -> Matrix:
        """Rounded to four decimals; nothing in common is no match."""
        odds = self.calibration.slope * (values - self.calibration.threshold) + self._head_start
        chances: Matrix = np.where(similarity > 0, np.round(1 / (1 + np.exp(-odds)), 4), 0.0)
        if self._learnt is not None:
            for column, uid in enumerate(self._uids):
                base = chances[:, column].tolist()
                chances[:, column] = [self._learnt.probability(uid, chance) for chance in base]
        return chances


def examples_of(
    references: Sequence[SegmentedText], comparer: TextComparer, parts: ScuParts
) -> Examples:
    """How well each reference expresses each idea, and whether it contributed to the idea.

    What it contributed is passed over. Empty where this teaches nothing.
    """
    examples: list[tuple[float, bool]] = []
    for reference in references:
        best = comparer.best_values_of_reference(reference)
        known = np.isfinite(best)
        contributes = parts.contributes(reference.text.name)
        examples += zip(best[known].tolist(), contributes[known].tolist(), strict=True)
    return examples if len({is_own for _, is_own in examples}) > 1 else []


def _calibration(examples: Examples, priors: Priors, config: Config) -> Calibration:
    """The curve by which references match ideas."""
    learnt = prior = priors.idea if examples else priors.statement
    if examples:
        values, matches = zip(*examples, strict=True)
        learnt = learn(values, matches, prior, PRIOR_EXAMPLES)
        # A builder joins what is most similar, and so teaches that all that is the same is very
        # similar. Where it found little, the other cells tell as much.
        reached = max(prior.threshold / 2, float(np.quantile(values, 1 - SHARED_AT_LEAST)))
        threshold = min(learnt.threshold, (learnt.threshold + reached) / 2)
        learnt = Calibration(learnt.slope, round(threshold, 4))
    fixed, cut = config.match_threshold, config.match_probability
    curve = learnt if fixed is None else Calibration(learnt.slope, fixed)
    return curve if cut is None else curve.with_half_at(cut)
