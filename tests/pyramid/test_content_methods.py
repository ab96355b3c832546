"""The contract that every row of the frame keeps: see test_registry.py for pyramids of ideas."""

import json
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.content import Column, ContentMethod, ContentModel, ContentScore
from grading.pyramid.content_pipeline import (
    ContentEngine,
    build_content_model,
    parsed_again,
    prepare_content_scorer,
    score_content,
    units_of,
)
from grading.pyramid.errors import InputError
from grading.pyramid.formats.content_json import (
    read_model,
    score_to_json,
    units_to_json,
    write_model,
)
from grading.pyramid.pipeline import build_pyramid
from grading.pyramid.registry import CONTENT_METHODS, METHODS, get_content_method, get_method
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Span, Spans, Text
from tests.fakes import fake_content_engine, fake_engine
from tests.pyramid.test_registry import ENGLISH, FOREIGN, few, references, summaries

methods = pytest.mark.parametrize("method", sorted(CONTENT_METHODS))
SOURCE = Text(
    "source",
    "Matter has mass and takes space. Energy moves matter because heat flows. Ice melts slowly. "
    "All bodies are warm or cold, and heat flows from warm bodies that have energy.",
)


def model_of(method: str, texts: Sequence[Text]) -> ContentModel:
    """With a source and a pyramid, for the methods that need one."""
    pyramid = build_pyramid(texts, fake_engine("pyreval"))
    return build_content_model(texts, fake_content_engine(method), source=SOURCE, pyramid=pyramid)


def scored(method: str, model: ContentModel, texts: Sequence[Text]) -> list[ContentScore]:
    return list(score_content(model, texts, fake_content_engine(method)))


def test_rows_are_found_by_their_names() -> None:
    assert not set(METHODS) & set(CONTENT_METHODS)
    for name, method in CONTENT_METHODS.items():
        assert get_content_method(name) is method
        assert name == method.name
        with pytest.raises(InputError, match=f"“{re.escape(name)}” builds no pyramid of ideas"):
            get_method(name)
    with pytest.raises(InputError, match=r"no method “rouge9”.*pyreval.*rouge-1"):
        get_content_method("rouge9")
    with pytest.raises(InputError, match="“pyreval” builds pyramids of ideas"):
        get_content_method("pyreval")


@methods
def test_a_row_says_what_the_method_does_and_where_it_fails(method: str) -> None:
    row = get_content_method(method)
    texts = (row.description, row.units, row.worth, row.match, row.score, row.limits)
    assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in texts)
    assert row.headline in row.columns
    assert not row.columns & {Column.HELD, Column.CONTRADICTED}


@methods
def test_options_have_values_that_can_be_chosen(method: str) -> None:
    row = get_content_method(method)
    usual = row.with_defaults({})
    assert list(usual) == sorted(row.options)
    assert row.with_defaults(usual) == usual
    with pytest.raises(InputError, match=f"“{re.escape(method)}” has no option “colour”"):
        row.with_defaults({"colour": "red"})
    for name in row.options:
        with pytest.raises(InputError, match=f"option {name} of “{re.escape(method)}” must be "):
            row.with_defaults({name: "?"})


@methods
def test_options_are_named_by_the_signature_and_must_be_those_of_the_model(method: str) -> None:
    usual = fake_content_engine(method)
    assert usual.signature.startswith(f"{method}-")
    for changed in changed_options(usual.method):
        engine = fake_content_engine(method, changed)
        assert engine.signature != usual.signature
        with pytest.raises(InputError, match=r"was made with .*Build it again"):
            prepare_content_scorer(model_of(method, ENGLISH), engine)


def changed_options(method: ContentMethod) -> list[dict[str, str]]:
    usual = method.with_defaults({})
    changed = []
    for name, option in method.options.items():
        others = option.choices or (str(option.least), str(option.most))
        changed += [{name: other} for other in others if other != usual[name]]
    return changed


@methods
def test_a_model_of_another_method_is_refused(method: str) -> None:
    model = replace(model_of(method, ENGLISH), method="guess")
    with pytest.raises(InputError, match="is of the method “guess”"):
        prepare_content_scorer(model, fake_content_engine(method))


@methods
@few
@given(texts=references)
def test_units_lie_in_their_text(method: str, texts: list[Text]) -> None:
    engine = fake_content_engine(method)
    for parsed in engine.parser.parse([*texts, Text("empty", "")]):
        units = units_of(parsed, engine.measure.read_units)
        assert units.sentences == tuple(
            parsed_sentence.span for parsed_sentence in parsed.sentences
        )
        for unit in units.units:
            check_spans(unit.spans, parsed.text)
            assert not {"kind", "spans"} & set(unit.fields)
            sentence = unit.fields.get("sentence")
            if isinstance(sentence, int):
                inside = units.sentences[sentence]
                assert all(inside.start <= s.start and s.end <= inside.end for s in unit.spans)
        line = units_to_json(units)
        assert json.loads(json.dumps(line)) == line
        assert list(line) == ["summary", "sentences", "units"]


def check_spans(spans: Spans, text: Text) -> None:
    assert spans
    assert list(spans) == sorted(spans)
    assert all(0 <= span.start < span.end <= len(text.content) for span in spans)
    assert all(first.end <= other.start for first, other in pairwise(spans))


@methods
@few
@given(texts=references)
def test_a_model_is_written_and_read_back(method: str, texts: list[Text]) -> None:
    model = model_of(method, texts)
    assert read_model(write_model(model)) == model
    assert model.method == method
    assert model.signature == fake_content_engine(method).signature
    by_name = {text.name: text for text in model.references}
    assert [element.uid for element in model.elements] == sorted(
        {element.uid for element in model.elements}
    )
    for element in model.elements:
        assert element.weight >= 0
        assert element.label
        for place in element.places:
            assert not place.in_source or model.source is not None
            text = model.source if place.in_source and model.source else by_name[place.text]
            check_spans(place.spans, text)


@methods
@few
@given(texts=references, students=summaries)
def test_scores_are_of_a_piece(method: str, texts: list[Text], students: list[Text]) -> None:
    row, model = get_content_method(method), model_of(method, texts)
    for text, score in zip(students, scored(method, model, students), strict=True):
        filled = {column for column in Column if score.value(column) is not None}
        assert filled == row.columns
        assert score.signature == fake_content_engine(method).signature
        assert score.explanation
        for share in (score.quality, score.coverage, score.comprehensive):
            assert share is None or 0 <= share <= 1 + 1e-9
        assert score.raw is None or score.raw >= 0
        uids = {element.uid for element in model.elements}
        for match in score.matches:
            check_spans(match.spans, text)
            assert match.element in uids
            assert match.points >= 0
        for spans in score.unmatched:
            check_spans(spans, text)
        document = score_to_json(score)
        assert json.loads(json.dumps(document)) == document


@methods
@few
@given(texts=references, students=summaries, data=st.data())
def test_order_makes_no_difference(
    method: str, texts: list[Text], students: list[Text], data: st.DataObject
) -> None:
    model = model_of(method, texts)
    other_order = data.draw(st.permutations(texts))
    assert write_model(model_of(method, other_order)) == write_model(model)
    forwards = scored(method, model, students)
    assert scored(method, model, students[::-1])[::-1] == forwards
    assert scored(method, read_model(write_model(model)), students) == forwards


@methods
@settings(max_examples=10)
@given(texts=references)
def test_a_reference_scores_at_least_as_much_as_nothing(method: str, texts: list[Text]) -> None:
    row, model = get_content_method(method), model_of(method, texts)
    copy, empty = scored(method, model, [texts[0], Text("empty", "")])
    assert (copy.value(row.headline) or 0) >= (empty.value(row.headline) or 0)
    assert not empty.value(row.headline)
    assert empty.matches == ()


@methods
@pytest.mark.parametrize("content", ["", " \n ", "Matter", "Ice.", "?!", "🐝", "1", "a" * 3_000])
def test_texts_that_say_next_to_nothing_are_scored(method: str, content: str) -> None:
    model = model_of(method, ENGLISH)
    [score] = scored(method, model, [Text("short", content)])
    assert score.remarks == ()
    [scored_text] = scored(method, model_of(method, ENGLISH[:1]), [Text("short", content)])
    assert scored_text.signature == score.signature


@methods
@pytest.mark.parametrize(("language", "content"), FOREIGN)
def test_another_language_is_refused_in_references_and_told_in_summaries(
    method: str, language: str, content: str
) -> None:
    foreign = Text("Eva", content)
    with pytest.raises(InputError, match=rf"“Eva” seems to be in {language}"):
        build_content_model([*ENGLISH, foreign], fake_content_engine(method))
    [score] = scored(method, model_of(method, ENGLISH), [foreign])
    assert len(score.remarks) == 1
    assert f"in {language}." in score.remarks[0]


@methods
def test_a_long_summary_is_no_trouble(method: str) -> None:
    model = model_of(method, ENGLISH)
    sentences = [f"Matter{i} has mass and moves because heat{i} flows slowly." for i in range(560)]
    content = " ".join([*sentences, "Ice melts slowly."])
    before = time.process_time()
    [score] = scored(method, model, [Text("long", content)])
    assert time.process_time() - before < 30
    assert score.matches


@methods
def test_a_kept_reading_gives_the_same_parse(method: str) -> None:
    engine: ContentEngine = fake_content_engine(method)
    score = prepare_content_scorer(model_of(method, ENGLISH), engine)
    for parsed in engine.parser.parse(ENGLISH):
        kept = segment(parsed, max_segmentations=12)
        assert parsed_again(kept) == parsed
        assert score(parsed_again(kept)) == score(parsed)


@methods
def test_the_inputs_are_left_alone(method: str) -> None:
    engine, texts = fake_content_engine(method), [*ENGLISH]
    model = build_content_model(
        texts, engine, source=SOURCE, pyramid=build_pyramid(texts, fake_engine("pyreval"))
    )
    written = write_model(model)
    list(score_content(model, texts, engine))
    assert texts == ENGLISH
    assert write_model(model) == written


def test_what_a_method_needs_is_told() -> None:
    for method in CONTENT_METHODS.values():
        if method.needs:
            with pytest.raises(InputError, match=f"“{re.escape(method.name)}” needs "):
                build_content_model(ENGLISH, fake_content_engine(method.name))


def test_a_damaged_model_names_the_place() -> None:
    written = write_model(model_of("rouge-1", ENGLISH))
    document = json.loads(written)
    document["elements"][2]["places"][0]["spans"] = [[3, 9_999]]
    with pytest.raises(InputError, match=r"model.elements\[2\].places\[0\].spans\[0\]: .*no span"):
        read_model(json.dumps(document))
    document["format"] = 2
    with pytest.raises(InputError, match="only format 1"):
        read_model(json.dumps(document))
    with pytest.raises(InputError, match="Line 1, column 1: this is not JSON"):
        read_model("?")
    assert read_model(written).elements[0].places[0].spans[0] > Span(-1, -1)
