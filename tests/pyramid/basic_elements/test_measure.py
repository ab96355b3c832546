"""Worth, matching and scores of Basic Elements, worked by hand."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from grading.pyramid.basic_elements.lexicon import load_lexicon
from grading.pyramid.content import ContentModel
from grading.pyramid.content_pipeline import (
    ContentEngine,
    build_content_model,
    make_content_engine,
    score_content,
    units_of,
)
from grading.pyramid.formats.content_json import units_to_json
from grading.pyramid.parsing import Parser
from grading.pyramid.structures import Text

pytestmark = pytest.mark.models
DEMONSTRATION = Path(__file__).resolve().parents[3] / "grading/management/demonstration"
REFERENCES = [
    Text("Ada", "The trees cooled the air. Dark roofs absorb sunlight."),
    Text("Ben", "The air is cooled by the trees."),
    Text("Chi", "The trees cooled the streets."),
]


def engine(parser: Parser, method: str = "be-hm", **options: str) -> ContentEngine:
    return make_content_engine(method, parser=parser, options=options)


def demonstration() -> list[Text]:
    """The references of the demonstration course."""
    files = sorted((DEMONSTRATION / "references").glob("*.txt"))
    return [Text(file.stem, file.read_text("utf-8")) for file in files]


def weights(model: ContentModel) -> dict[str, float]:
    return {element.label: element.weight for element in model.elements}


def score_of(of: ContentEngine, summary: str, references: Sequence[Text] = REFERENCES) -> float:
    model = build_content_model(references, of)
    raw = next(score_content(model, [Text("summary", summary)], of)).raw
    assert raw is not None
    return raw


def test_a_pair_is_worth_a_point_for_each_reference(spacy_parser: Parser) -> None:
    # "cool trees" is in all three, once by a passive; "cool air" in two; the others in one each.
    model = build_content_model(REFERENCES, engine(spacy_parser))
    assert weights(model) == {
        "cooled | trees | subj": 3,
        "cooled | air | obj": 2,
        "absorb | roofs | subj": 1,
        "absorb | sunlight | obj": 1,
        "cooled | streets | obj": 1,
        "roofs | dark | mod": 1,
    }
    first = model.elements[0]
    assert [place.text for place in first.places] == ["Ada", "Ben", "Chi"]
    assert [REFERENCES[1].quoted(place.spans) for place in first.places[1:2]] == ["cooled … trees"]


def test_points_add_up_to_weighted_recall(spacy_parser: Parser) -> None:
    # Units: roof absorb, sunlight absorb, dark roof, tree die: 4, of which the first 3 match, for
    # 1 point each. All points are 3 + 2 + 4 = 9; the four heaviest have 3 + 2 + 1 + 1 = 7.
    of = engine(spacy_parser)
    model = build_content_model(REFERENCES, of)
    summary = Text("Zoe", "Dark roofs absorb sunlight. The trees died. Roofs absorb sunlight.")
    [score] = score_content(model, [summary], of)
    assert (score.units, score.raw) == (4, 3)
    assert score.coverage == pytest.approx(3 / 9)
    assert score.quality == pytest.approx(3 / 7)
    assert score.comprehensive == pytest.approx(2 * (3 / 9) * (3 / 7) / (3 / 9 + 3 / 7))
    assert [summary.quoted(spans) for spans in score.unmatched] == ["trees … died"]
    absorbed = next(m for m in score.matches if model.element(m.element).label.endswith("t | obj"))
    assert summary.quoted(absorbed.spans) == "absorb … sunlight … absorb … sunlight"
    assert score.explanation[0] == "Of 4 units in the summary 3 match: 3 points."
    assert "“cooled | trees | subj” (3)" in score.explanation[-1]


@pytest.mark.parametrize(
    ("matching", "summary", "points"),
    [
        ("identity", "The trees cooled a town.", 3),
        ("identity", "A tree cools the town.", 0),
        ("lemma", "A tree cools the town.", 3),
        ("synonym", "Big roofs soaked up the sunshine.", 2),  # absorb, soak up; sunlight, sunshine
        ("lemma", "Big roofs soaked up the sunshine.", 0),
    ],
)
def test_words_match_by_identity_lemma_or_synonym(
    spacy_parser: Parser, matching: str, summary: str, points: int
) -> None:
    assert score_of(engine(spacy_parser, matching=matching), summary) == points


def test_the_relation_counts_where_it_is_asked_for(spacy_parser: Parser) -> None:
    summary = "The air cooled the trees."  # the same words, the other way round
    references = [Text("one", "The air is cooled by the trees.")]
    assert score_of(engine(spacy_parser, "be-hm"), summary, references) == 2
    assert score_of(engine(spacy_parser, "be-hmr"), summary, references) == 0
    assert score_of(engine(spacy_parser, "be-hmr"), "The trees cooled the air.", references) == 2


def test_synonyms_make_one_element_and_match_once(spacy_parser: Parser) -> None:
    of = engine(spacy_parser, matching="synonym")
    references = [Text("one", "He purchased a car."), Text("two", "He bought an automobile.")]
    model = build_content_model(references, of)
    assert weights(model) == {"bought | he | subj": 2, "bought | automobile | obj": 2}
    [score] = score_content(model, [Text("s", "He bought a car. He purchased a car.")], of)
    assert score.raw == 4
    assert len(score.matches) == 2


def test_units_as_they_are_written(spacy_parser: Parser) -> None:
    [parsed] = spacy_parser.parse([Text("one", "He closed doors.")])
    for method, units in {
        "be-hm": [
            {"kind": "pair", "spans": [[0, 2], [3, 9]], "head": "closed", "modifier": "he"}
            | {"relation": "subj", "sentence": 0},
            {"kind": "pair", "spans": [[3, 9], [10, 15]], "head": "closed", "modifier": "doors"}
            | {"relation": "obj", "sentence": 0},
        ],
        "be-heads": [
            {"kind": "head", "spans": [[3, 9]], "head": "closed", "sentence": 0},
            {"kind": "head", "spans": [[10, 15]], "head": "doors", "sentence": 0},
        ],
    }.items():
        read = engine(spacy_parser, method).measure.read_units
        line = units_to_json(units_of(parsed, read))
        assert line == {"summary": "one", "sentences": [[0, 16]], "units": units}


def test_the_demonstration_course_by_hand(spacy_parser: Parser) -> None:
    # "cool | air" is in Duarte ("to cool the air"), Lindqvist ("vegetation that once cooled the
    # air") and Rahman ("the air is not cooled"): 3. "absorb | roofs" is in Duarte ("Dark roads and
    # roofs absorb") and Lindqvist ("is absorbed by dark pavements and roofs"): 2. "absorb |
    # sunlight" is in Lindqvist alone: 1. No reference has "cool | trees", "roofs | dark" (they are
    # "dark roads and roofs") or "absorb | cool".
    of = engine(spacy_parser)
    model = build_content_model(demonstration(), of)
    summary = Text("Zoe", "Dark roofs absorb sunlight, and trees cool the air.")
    [score] = score_content(model, [summary], of)
    assert {model.element(match.element).label: match.points for match in score.matches} == {
        "cool | air | obj": 3,
        "absorb | roofs | subj": 2,
        "absorbed | sunlight | obj": 1,
    }
    assert (score.units, score.raw) == (6, 6)
    # Three elements weigh 3, and more than three others 2.
    assert score.quality == pytest.approx(6 / (3 + 3 + 3 + 2 + 2 + 2))
    assert score.coverage == pytest.approx(6 / sum(element.weight for element in model.elements))


def test_the_demonstration_course_by_hand_with_relations(spacy_parser: Parser) -> None:
    # Turned round, the pairs of “absorb | roofs” (Duarte, Lindqvist) and “absorb | sunlight”
    # (Lindqvist) are the same, but no reference has roofs that are absorbed, or sunlight that
    # absorbs.
    summary = "Sunlight absorbs roofs."
    assert score_of(engine(spacy_parser), summary, demonstration()) == 2 + 1
    assert score_of(engine(spacy_parser, "be-hmr"), summary, demonstration()) == 0
    right_way_round = "Roofs absorb sunlight."
    assert score_of(engine(spacy_parser, "be-hmr"), right_way_round, demonstration()) == 2 + 1


def test_the_demonstration_course_by_hand_with_heads(spacy_parser: Parser) -> None:
    # All five have “dark”, “roof” and “tree”. Okoye alone has neither “air” nor “cool” as a head
    # (“air conditioning”, “the cooling”). “Sunlight” is in Okoye, Lindqvist and Marchetti,
    # “absorb” in Duarte and Lindqvist.
    of = engine(spacy_parser, "be-heads")
    model = build_content_model(demonstration(), of)
    summary = Text("Zoe", "Dark roofs absorb sunlight, and trees cool the air.")
    [score] = score_content(model, [summary], of)
    assert {model.element(match.element).label: match.points for match in score.matches} == {
        "dark": 5,
        "roofs": 5,
        "trees": 5,
        "air": 4,
        "cool": 4,
        "sunlight": 3,
        "absorb": 2,
    }
    # Four heads are in all five references, and more than three others in four.
    assert score.quality == pytest.approx(28 / (4 * 5 + 3 * 4))


def test_the_lexicon_knows_synonyms_by_part_of_speech() -> None:
    lexicon = load_lexicon()
    assert lexicon.are_synonyms("car", "automobile", "NOUN", "NOUN")
    assert lexicon.are_synonyms("absorb", "soak up", "VERB", "VERB")
    assert not lexicon.are_synonyms("car", "automobile", "NOUN", "VERB")
    assert not lexicon.are_synonyms("car", "tree", "NOUN", "NOUN")
    assert lexicon.are_synonyms("xyz", "xyz", "X", "X")
    assert "secretary_general" in lexicon.compounds
