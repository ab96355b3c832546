"""Recall over contextual vectors: two words are as close as the cosine of their vectors."""

import numpy as np

from grading.pyramid.calibration import Calibration
from grading.pyramid.encoders.minilm import MiniLm
from grading.pyramid.encoders.words import Words
from grading.pyramid.similarity.recall import Floats, Recall


def token_recall(model: MiniLm, remembered: int = 0) -> Recall:
    """The prior is learnt from news summaries (docs/methods.md)."""
    prior = Calibration(slope=9.8, threshold=0.658)
    return Recall(f"recall-{model.name}", model.read, _cosines, prior, remembered)


def _cosines(columns: Words, rows: Words) -> Floats:
    if not len(columns.vectors) or not len(rows.vectors):
        return np.zeros((len(columns.starts), len(rows.starts)), dtype=np.float32)
    # Products of half precision have at most 48 binary places, so that their sums are exact in
    # double precision: the same for any number of threads.
    cosines = columns.vectors.astype(np.float64) @ rows.vectors.astype(np.float64).T
    clipped: Floats = np.clip(cosines, 0, 1).astype(np.float32)
    return clipped
