"""PEAK and its parts: triples against CaRB, ADW against RG-65, and scores of “What is Matter”.

Beside the scores with ADW those of the same scheme with plain lemma overlap. All sets were looked
at while building; the parts that were kept aside are measured elsewhere.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from grading.pyramid.content_pipeline import (
    build_content_model,
    make_content_engine,
    prepare_content_scorer,
)
from grading.pyramid.peak.settings import ADW, LEMMAS
from grading.pyramid.triples.extraction import triples_of_sentence
from grading.pyramid.word_senses.adw import Adw
from grading.pyramid.word_senses.lexicon import load_lexicon
from tests.bench import carb, wim
from tests.bench.statistics import Numbers, over_rounds, partial, pearson, with_spread
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
    found = np.array([adw.word_similarity(("n", one), ("n", two)) for one, two, _ in lines])
    people = np.array([float(score) for *_, score in lines])
    rho = with_spread(lambda rows: float(spearmanr(found[rows], people[rows])[0]), len(lines))
    rows = (Row("adw", "RG-65, Spearman's rho", rho, Reach(0.86), 3),)
    return Table("Similarity of words", "65 pairs of nouns; closest senses.", rows)


def scores() -> Table:
    """Scores of students beside those by hand, with senses of words and with lemmas alone."""
    data = wim.load()
    by_hand = np.array([report.raw for report in data.by_hand])
    words = np.array([float(text.word_count) for text in data.summaries])
    rows = [row for kind in (ADW, LEMMAS) for row in _on_wim(data, kind, by_hand, words)]
    note = "One setting each, fixed before (docs/methods.md). Weights of units as PEAK gives them."
    return Table("PEAK on “What is Matter”", note, tuple(rows))


def _on_wim(data: wim.Wim, kind: str, by_hand: Numbers, words: Numbers) -> Iterator[Row]:
    engine = make_content_engine("peak", options={"similarity": kind})
    model = build_content_model(data.references, engine)
    score = prepare_content_scorer(model, engine)
    parsed = engine.parser.parse(data.summaries)
    raw = np.array([score(text).raw or 0.0 for text in parsed])
    name, count = f"peak, {kind}", len(raw)
    aim = Reach(0.83) if kind == ADW else None
    yield Row(
        name, "r of raw", with_spread(lambda rows: pearson(raw[rows], by_hand[rows]), count), aim, 3
    )
    given = with_spread(lambda rows: partial(raw[rows], by_hand[rows], words[rows]), count)
    yield Row(name, "r of raw, given the number of words", given, None, 3)
    units = len(model.elements)
    shared = sum(element.weight > 1 for element in model.elements)
    yield Row(name, "content units", over_rounds([float(units)]), Reach(_FEWEST), 0)
    yield Row(name, "content units, at most", over_rounds([float(units)]), Reach(_MOST, most=True), 0)
    yield Row(name, "of them shared", over_rounds([float(shared)]), None, 0)
    started = time.perf_counter()
    for text in parsed:
        score(text)
    took = float((time.perf_counter() - started) / words.sum() * 150)
    quick = Reach(0.1, most=True)
    yield Row(name, "seconds for 150 words, signatures cached", over_rounds([took]), quick, 3)


def tables() -> Iterator[Table]:
    """Whatever there is data for."""
    if carb.FOLDER.exists():
        yield triples()
    if RG_65.exists():
        yield senses()
    if wim.FOLDER.exists():
        yield scores()
