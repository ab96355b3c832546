"""A small language of two subjects, to train on in a moment."""

import numpy as np

from grading.pyramid.encoders.wtmf_training import WtmfSettings
from grading.pyramid.structures import Span, Text, Unit

KITCHEN = ("oven", "bakes", "bread", "flour", "dough", "yeast", "kneads", "crust", "baker", "warm")
HARBOUR = ("ship", "sails", "anchor", "waves", "captain", "mast", "docks", "tide", "sailor", "rope")
SHARED = ("the", "and", "with", "of")
SETTINGS = WtmfSettings(dimensions=6, regularisation=1.0, iterations=8)


def made_sentences(number: int = 200) -> list[str]:
    """Sentences of four words of one subject, with two that are in both."""
    rng = np.random.default_rng(5)
    subjects = (KITCHEN, HARBOUR)
    return [
        " ".join([*rng.choice(subjects[index % 2], 4), *rng.choice(SHARED, 2)])
        for index in range(number)
    ]


def unit_of(words: str) -> Unit:
    return Unit(Text("made", words), (Span(0, len(words)),))
