"""Recall over contextual vectors: two words are as close as the cosine of their vectors."""

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.calibration import Calibration, Priors
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.encoders.words import Vectors, Words
from grading.pyramid.similarity.recall import Floats, Recall


def token_recall(model: OnnxEncoder, remembered: int = 0) -> Recall:
    """The priors are learnt from news summaries (docs/methods.md)."""
    priors = Priors(
        similarity=Calibration(slope=9.8, threshold=0.658),
        idea=Calibration(slope=7.0, threshold=0.644),
    )
    return Recall(f"recall-{model.name}", model.read, _cosines, priors, remembered, model)


def _cosines(columns: Words, rows: Words) -> Floats:
    if not len(columns.vectors) or not len(rows.vectors):
        return np.zeros((len(columns.starts), len(rows.starts)), dtype=np.float32)
    # Products of half precision have at most 48 binary places, so that their sums are exact in
    # double precision: the same for any number of threads.
    cosines = _double(rows.vectors) @ _double(columns.vectors).T
    single: Floats = cosines.astype(np.float32)
    return np.clip(single, 0, 1, out=single).T


def _double(vectors: Vectors) -> NDArray[np.float64]:
    return vectors.astype(np.float64, copy=False)
