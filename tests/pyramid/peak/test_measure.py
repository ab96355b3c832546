"""PEAK on the demonstration course and on the texts that people scored, with the real models."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grading.pyramid.content import ContentModel, PluggedFile, PlugIn
from grading.pyramid.content_pipeline import (
    ContentEngine,
    build_content_model,
    make_content_engine,
    score_content,
    units_of,
)
from grading.pyramid.correlations import pearson
from grading.pyramid.errors import InputError
from grading.pyramid.formats.content_json import units_to_json, write_model
from grading.pyramid.parsing import Parser
from grading.pyramid.structures import Text
from grading.pyramid.triples.extraction import triples_of_sentence
from tests.bench import carb, wim

pytestmark = pytest.mark.models
REFERENCES = Path(__file__).resolve().parents[3] / "grading/management/demonstration/references"


@pytest.fixture(scope="module")
def engine(spacy_parser: Parser) -> ContentEngine:
    return make_content_engine("peak", parser=spacy_parser)


@pytest.fixture(scope="module")
def model(engine: ContentEngine) -> ContentModel:
    """The model of the demonstration course's references."""
    texts = [Text(file.stem, file.read_text("utf-8")) for file in REFERENCES.glob("*.txt")]
    return build_content_model(texts, engine)


def said(triples: Sequence[Any]) -> list[str]:
    return [
        f"{triple['text'][2:]}: {triple['subject']} | {triple['predicate']} | "
        f"{'; '.join(triple['objects'])}"
        for triple in triples
    ]


def test_the_demonstration_course_by_hand(engine: ContentEngine, model: ContentModel) -> None:
    """Four references say that dark surfaces take in the sun, each in words of its own.

    Lindqvist's triple shares a similar subject or object, "dark" and "roof", and the light of the
    sun with each of the others; a student who says so earns the unit's weight, 4.
    """
    label = "Sunlight is absorbed by dark pavements and roofs"
    [unit] = [element for element in model.elements if element.label == label]
    triples: Any = unit.fields["triples"]
    assert unit.weight == 4
    assert said(triples) == [
        "lindqvist: Sunlight | is absorbed by | dark pavements and roofs",
        "duarte: Dark roads and roofs | absorb | the light of the sun",
        "okoye: Black asphalt and dark roofing | soak up | the sun",
        "marchetti: pale roofs | reflect | the sun",  # the words of one idea, said of another
    ]
    assert triples[0]["words"] == [
        ["a", "dark"], ["n", "pavement"], ["n", "roof"], ["n", "sunlight"], ["v", "absorb"],
    ]  # fmt: skip
    quoted = {
        place.text: next(t for t in model.references if t.name == place.text).quoted(place.spans)
        for place in unit.places
    }
    assert quoted["3-lindqvist"] == label

    [score] = score_content(
        model, [Text("s", "Sunlight is absorbed by dark roofs. Quickly, it did so again.")], engine
    )
    assert score.raw == 4
    [match] = score.matches
    assert match.element == unit.uid
    assert 0.4 < match.similarity < 1
    assert score.explanation[0].startswith("“Sunlight is absorbed by dark roofs” expresses unit")
    assert score.explanation[-1].startswith("The weights of 1 content units add up to 4;")


def test_what_is_said_twice_counts_once(engine: ContentEngine, model: ContentModel) -> None:
    once = "Heat waves take many lives."
    scores = list(score_content(model, [Text("a", once), Text("b", f"{once} {once}")], engine))
    assert scores[1].units == 2 * (scores[0].units or 0)
    assert len({match.element for match in scores[1].matches}) == len(scores[1].matches)


def test_a_reference_scores_most_of_what_it_says(
    engine: ContentEngine, model: ContentModel
) -> None:
    for score in score_content(model, model.references, engine):
        assert score.raw is not None
        assert score.raw >= 20


def test_units_of_texts_have_all_that_the_contract_names(engine: ContentEngine) -> None:
    [text] = engine.parser.parse([Text("s", "Trees grow. Dark roofs store the heat of the day.")])
    line = units_to_json(units_of(text, engine.measure.read_units))
    units: Any = line["units"]
    assert [unit["sentence"] for unit in units] == [0, 1]
    assert units[1] | {"confidence": 0} == {
        "kind": "triple",
        "spans": [[12, 48]],
        "subject": "Dark roofs",
        "predicate": "store",
        "objects": ["the heat of the day"],
        "confidence": 0,
        "sentence": 1,
        "element_spans": [[[12, 22]], [[23, 28]], [[29, 48]]],
    }
    assert units[0]["confidence"] < units[1]["confidence"]


def test_the_triples_of_another_extractor(spacy_parser: Parser) -> None:
    table = "\n".join(
        f"{sentence}\t0.9\t{rest}"
        for sentence, rest in [
            ("The trees cooled the air .", "cooled\tThe trees\tthe air"),
            ("By trees the air is cooled .", "is cooled by\tthe air\ttrees"),
        ]
    )
    files = {PlugIn.TRIPLES: PluggedFile("triples.tsv", table.encode())}
    engine = make_content_engine("peak", parser=spacy_parser, plug_ins=files)
    references = [
        Text("Ada", "The trees cooled the air."),
        Text("Ben", "By trees the air is cooled. This is in no table."),
    ]
    model = build_content_model(references, engine)

    assert [(element.label, element.weight) for element in model.elements] == [
        ("The trees cooled the air", 2)
    ]
    assert engine.signature != make_content_engine("peak", parser=spacy_parser).signature
    with pytest.raises(InputError, match=r"“bad.tsv”, line 1"):
        make_content_engine(
            "peak",
            parser=spacy_parser,
            plug_ins={PlugIn.TRIPLES: PluggedFile("bad.tsv", b"A sentence.\tis")},
        )


def test_the_same_model_from_an_engine_that_has_seen_other_texts(
    engine: ContentEngine, model: ContentModel, spacy_parser: Parser
) -> None:
    again = build_content_model(
        list(reversed(model.references)), make_content_engine("peak", parser=spacy_parser)
    )
    assert write_model(again) == write_model(model)


@pytest.mark.data
@pytest.mark.skipif(not wim.FOLDER.exists(), reason="the annotated data is not beside the project")
def test_scores_go_with_those_of_people(engine: ContentEngine) -> None:
    data = wim.load()
    model = build_content_model(data.references, engine)
    raw = [score.raw for score in score_content(model, data.summaries, engine)]
    by_hand = np.array([report.raw for report in data.by_hand])

    assert 40 <= len(model.elements) <= 90
    assert pearson(np.array(raw, dtype=np.float64), by_hand) >= 0.83
    merged: list[Any] = [element.fields["merged"] for element in model.elements]
    assert max(map(len, merged)) <= 10  # no chain that swallows the text


@pytest.mark.data
@pytest.mark.skipif(not carb.FOLDER.exists(), reason="the annotated data is not beside the project")
def test_triples_are_those_that_people_find() -> None:
    sentences, gold = carb.load()
    predicted = {
        sentence: [carb.of_triple(triple) for triple in triples_of_sentence(0, tokens)]
        for sentence, tokens in carb.parsed(sentences)
    }
    curve = carb.curve(sentences, gold, predicted)
    assert curve.f1() >= 0.57
    assert curve.auc() >= 0.39
