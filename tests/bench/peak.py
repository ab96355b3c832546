"""The parts of PEAK: triples against CaRB, ADW against RG-65, and how many units it makes.

All sets were looked at while building; the parts that were kept aside are measured elsewhere.
``sisters`` has how PEAK's scores agree with people's.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from grading.pyramid.content_pipeline import build_content_model, make_content_engine
from grading.pyramid.peak import ADW, LEMMAS
from grading.pyramid.triples.extraction import triples_of_sentence
from grading.pyramid.word_senses.adw import Adw
from grading.pyramid.word_senses.lexicon import load_lexicon
from tests.bench import carb, wim
from tests.bench.statistics import over_rounds, with_spread
from tests.bench.table import Reach, Row, Table

RG_65 = Path(__file__).resolve().parents[3] / "shared" / "data" / "wordsim" / "EN-RG-65.txt"
_FEWEST, _MOST = 40, 90  # content units on wim


def triples() -> Table:
    """The extractor against the dev part of CaRB, on which its rules and weights were made."""
    sentences, gold = carb.load()
    predicted = {
        sentence: [carb.of_triple(triple) for triple in triples_of_sentence(0, tokens)]
        for sentence, tokens in carb.parsed(sentences)
    }
    curve = carb.curve(sentences, gold, predicted)
    count = len(curve.gold)
    rows = (
        Row("triples", "CaRB dev, F1", with_spread(curve.f1, count), Reach(0.57), 3),
        Row("triples", "CaRB dev, AUC", with_spread(curve.auc, count), Reach(0.39), 3),
    )
    note = (
        "CaRB's scorer, written anew (tests/bench/carb.py). Rules and weights were made on this "
        "part; the test part is kept aside."
    )
    return Table("Open information extraction", note, rows)


def senses() -> Table:
    """ADW against people's judgement of word pairs."""
    lines = [line.split("\t") for line in RG_65.read_text("utf-8").splitlines()]
    adw = Adw(load_lexicon())
    result = np.array([adw.word_similarity(("n", first), ("n", two)) for first, two, _ in lines])
    people = np.array([float(score) for *_, score in lines])
    rho = with_spread(lambda rows: float(spearmanr(result[rows], people[rows])[0]), len(lines))
    rows = (Row("adw", "RG-65, Spearman's rho", rho, Reach(0.86), 3),)
    return Table("Similarity of words", "65 pairs of nouns; closest senses.", rows)


def units() -> Table:
    """What pyramids PEAK makes of the references of “What is Matter”, with senses or lemmas."""
    data = wim.load()
    rows = [row for kind in (ADW, LEMMAS) for row in _on_wim(data, kind)]
    return Table("PEAK on “What is Matter”", "Scores: see the sister systems.", tuple(rows))


def _on_wim(data: wim.Wim, kind: str) -> Iterator[Row]:
    engine = make_content_engine("peak", options={"similarity": kind})
    model = build_content_model(data.references, engine)
    weights = [element.weight for element in model.elements]
    name, count = f"peak, {kind}", over_rounds([float(len(weights))])
    if kind == ADW:
        yield Row(name, "content units, at least", count, Reach(_FEWEST), 0)
        yield Row(name, "content units, at most", count, Reach(_MOST, most=True), 0)
    else:
        yield Row(name, "content units", count, None, 0)
    shared = float(sum(weight > 1 for weight in weights))
    yield Row(name, "of them shared", over_rounds([shared]), None, 0)


def tables() -> Iterator[Table]:
    """Whatever there is data for."""
    if carb.FOLDER.exists():
        yield triples()
    if RG_65.exists():
        yield senses()
    if wim.FOLDER.exists():
        yield units()
