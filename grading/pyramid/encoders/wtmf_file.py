"""WTMF models in files: gensim KeyedVectors with each word's inverse document frequency.

One file, written by gensim's ``save``, the same to the byte for the same model. It holds a
pickle, so only files of one's own making may be read.
"""

import pickle
from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors

from grading.pyramid.encoders.wtmf import WtmfModel
from grading.pyramid.errors import ResourceMissingError

_IDF = "idf"


def write_model(model: WtmfModel, path: Path) -> None:
    """Store a model."""
    keyed = KeyedVectors(model.vectors.shape[1], dtype=np.float16)
    keyed.lifecycle_events = None  # they would put the time into the file
    keyed.add_vectors(list(model.words), model.vectors)
    keyed.expandos[_IDF] = model.inverse_document_frequencies
    keyed.missing_weight = model.missing_weight
    keyed.regularisation = model.regularisation
    keyed.save(str(path), separately=[])


def read_model(path: Path) -> WtmfModel:
    """Load a model; a ResourceMissingError says how to make one if there is none."""
    try:
        keyed = KeyedVectors.load(str(path))
        return WtmfModel(
            tuple(keyed.index_to_key),
            keyed.vectors,
            keyed.expandos[_IDF],
            keyed.missing_weight,
            keyed.regularisation,
        )
    except (OSError, EOFError, pickle.UnpicklingError, AttributeError, KeyError) as error:
        raise ResourceMissingError(
            f"There is no WTMF model in “{path}”. Make one with: "
            f"python manage.py train_wtmf --wordnet DIR --out “{path}”"
        ) from error
