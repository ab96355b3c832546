"""APE from references to scores: worked by hand on the demonstration course, and with --amr."""

from dataclasses import replace
from pathlib import Path

import pytest

from grading import management
from grading.pyramid.content import ContentScore, Element, PluggedFile, PlugIn
from grading.pyramid.content_pipeline import (
    ContentEngine,
    build_content_model,
    make_content_engine,
    score_content,
)
from grading.pyramid.errors import InputError
from grading.pyramid.formats.content_json import read_model, write_model
from grading.pyramid.parsing import Parser
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text
from tests.fakes import FakeParser, fake_content_engine

COURSE = Path(management.__file__).parent / "demonstration"
DUARTE = Text("1-duarte", (COURSE / "references" / "1-duarte.txt").read_text("utf-8"))
OKOYE = Text("2-okoye", (COURSE / "references" / "2-okoye.txt").read_text("utf-8"))
SUMMARY = Text(
    "student",
    "Dark roofs absorb the sunlight. Poor areas are hotter because they have fewer trees. "
    "The heat makes old people very ill.",
)


def scu(uid: int, label: str, *said: tuple[Text, str]) -> Scu:
    contributors = []
    for text, words in said:
        start = text.content.index(words)
        contributors.append(Contributor(text.name, (Span(start, start + len(words)),)))
    return Scu(uid, label, tuple(contributors))


PYRAMID = Pyramid(
    (DUARTE, OKOYE),
    (
        scu(
            1,
            "heat harms",
            (DUARTE, "extreme heat makes people ill"),
            (OKOYE, "cities will suffer"),
        ),
        scu(2, "few trees", (DUARTE, "they have fewer trees")),
        scu(3, "dark roofs", (DUARTE, "Dark roads and roofs absorb the light of the sun")),
    ),
)


def score(engine: ContentEngine, pyramid: Pyramid = PYRAMID) -> ContentScore:
    model = build_content_model(pyramid.references, engine, pyramid=pyramid)
    [scored] = score_content(read_model(write_model(model)), [SUMMARY], engine)
    return scored


def triples(element: Element, number: int) -> set[str]:
    """A mention's triples with the concepts in the place of the nodes."""
    mentions = element.fields["mentions"]
    assert isinstance(mentions, list)
    names = mentions[number]["concepts"]
    relations = {f"{r}({names[s]}, {names[t]})" for s, r, t in mentions[number]["relations"]}
    return {*names, *relations}


@pytest.mark.models
def test_the_demonstration_course_worked_by_hand(spacy_parser: Parser) -> None:
    """SCUs 1 and 2 are found, SCU 3 is not: w = 2 + 1.

    The references have 3 and 1 SCUs, 2 on average; the best two weigh 2 + 1 = 3: APE is 1.
    """
    engine = make_content_engine("ape", parser=spacy_parser)
    model = build_content_model(PYRAMID.references, engine, pyramid=PYRAMID)
    heat, trees, roofs = model.elements
    # Nine triples; "The heat makes old people very ill" lacks extreme and its relation: 7 / 9.
    assert triples(heat, 0) == {
        "make-02", "heat", "extreme", "person", "ill", "arg0(make-02, heat)",
        "domain(extreme, heat)", "arg1(make-02, ill)", "domain(ill, person)",
    }  # fmt: skip
    assert triples(heat, 1) == {"suffer-01", "city", "arg0(suffer-01, city)"}
    # Nine triples; the second sentence has the same words: 9 / 9.
    assert triples(trees, 0) == {
        "have-03", "they", "tree", "few", "more", "arg0(have-03, they)", "arg1(have-03, tree)",
        "quant(tree, few)", "degree(few, more)",
    }  # fmt: skip
    # Thirteen; "Dark roofs absorb the sunlight" has dark, roof, absorb, and what is absorbed,
    # were it the light: 4 / 13.
    assert triples(roofs, 0) == {
        "absorb-01", "and", "road", "roof", "dark-02", "light", "sun", "arg0(absorb-01, and)",
        "arg1(absorb-01, light)", "op(and, road)", "op(and, roof)", "arg1(dark-02, road)",
        "poss(light, sun)",
    }  # fmt: skip
    scored = score(engine)
    result = {match.element: round(match.similarity, 4) for match in scored.matches}
    assert result == {1: 0.7778, 2: 1.0}
    assert (scored.units, scored.raw, scored.coverage) == (2, 3, 1.0)
    assert (scored.quality, scored.comprehensive) == (None, None)
    assert scored.figures["w_ideal"] == 3
    assert scored.figures["strength of SCU 1"] == 7 / 11
    assert scored.figures["strength of SCU 3"] == 4 / 15
    assert scored.explanation[0] == (
        "SCU 1 “heat harms” (weight 2): 7 of 9 triples of mention 1 are in sentence 3, "
        "recall 0.78. It is found."
    )
    assert scored.explanation[2:] == (
        (
            "SCU 3 “dark roofs” (weight 1): 4 of 13 triples of mention 1 are in sentence 1, "
            "recall 0.31, not more than 0.75."
        ),
        (
            "2 of 3 SCUs are found. Their weights are 3 together; the best of an average reference "
            "would be 3: APE is 1.0000."
        ),
    )
    assert SUMMARY.words_at(scored.matches[1].spans) == "they have fewer trees"
    assert [SUMMARY.words_at(spans) for spans in scored.unmatched] == [
        "Dark roofs absorb the sunlight."
    ]


@pytest.mark.models
@pytest.mark.parametrize(("alpha", "share"), [(None, 0.5), ("0.5", 0.5), ("0.2", 0.2)])
def test_the_combination_with_rouge(spacy_parser: Parser, alpha: str | None, share: float) -> None:
    options = {"alpha": alpha} if alpha else {}
    engine = make_content_engine("ape+su4", parser=spacy_parser, options=options)
    scored = score(engine)
    rouge = make_content_engine("rouge-su4", parser=spacy_parser)
    model = build_content_model(PYRAMID.references, rouge)
    [alone] = score_content(model, [SUMMARY], rouge)
    assert scored.coverage == 1.0
    assert alone.coverage is not None
    assert scored.figures["rouge-su4"] == alone.coverage
    assert scored.comprehensive == pytest.approx(share + (1 - share) * alone.coverage)


def test_an_idea_counts_once_however_many_mentions_are_found() -> None:
    """As printed, the paper's algorithm adds the weight again after the first mention."""
    first, two = Text("1", "Ice melts."), Text("2", "Ice melts.")
    pyramid = Pyramid((first, two), (scu(1, "ice", (first, "Ice melts"), (two, "Ice melts")),))
    engine = fake_content_engine("ape")
    model = build_content_model([first, two], engine, pyramid=pyramid)
    [scored] = score_content(model, [Text("s", "Ice melts. Ice melts.")], engine)
    assert (scored.units, scored.raw, scored.coverage) == (1, 2, 1.0)


def test_the_statements_of_a_rubric_are_mentions_of_themselves() -> None:
    pyramid = Pyramid((), (Scu(1, "Ice melts.", (), given_weight=3), Scu(2, "Bees fly.", ())))
    engine = fake_content_engine("ape+su4")
    model = build_content_model([], engine, pyramid=pyramid)
    [scored] = score_content(model, [Text("s", "Ice melts.")], engine)
    assert [match.element for match in scored.matches] == [1]
    assert (scored.raw, scored.coverage) == (3, 1.0)
    with pytest.raises(InputError, match="no reference summary"):
        build_content_model([], fake_content_engine("rouge-1"), pyramid=pyramid)


def test_a_mention_may_run_over_two_sentences_and_one_may_have_no_words() -> None:
    text = Text("1", "Ice melts slowly. Bees fly.")
    both = Contributor("1", (Span(0, 9), Span(18, 22)))
    bare = Contributor("1", (Span(16, 17),))
    pyramid = Pyramid((text,), (Scu(1, "both", (both,)), Scu(2, "bare", (bare,))))
    model = build_content_model([text], fake_content_engine("ape"), pyramid=pyramid)
    assert model.elements[0].fields["mentions"][0]["lemmas"] == ["ice", "melts", "bees"]  # type: ignore[index]
    assert model.notes == ("These SCUs have no words that can be compared: 2.",)
    [scored] = score_content(model, [text], fake_content_engine("ape"))
    assert 2 not in {match.element for match in scored.matches}


def test_the_references_are_those_that_the_pyramid_points_into() -> None:
    text, other = Text("1", "Ice melts."), Text("1", "So ice melts.")
    pyramid = Pyramid((text,), (scu(1, "ice", (text, "Ice melts")),))
    model = build_content_model([other], fake_content_engine("ape"), pyramid=pyramid)
    assert model.references == (text,)


def test_a_damaged_model_is_refused() -> None:
    text = Text("1", "Ice melts.")
    pyramid = Pyramid((text,), (scu(1, "ice", (text, "Ice melts")),))
    engine = fake_content_engine("ape")
    model = build_content_model([text], engine, pyramid=pyramid)
    damaged = replace(model, elements=(replace(model.elements[0], fields={}),))
    with pytest.raises(InputError, match="no mentions that can be read"):
        next(score_content(damaged, [text], engine))


AMRS = """
# ::snt Ice melts .
(m / melt-01 :ARG1 (i / ice))

# ::snt Snow thaws.
(t / melt-01 :ARG1 (s / ice))
"""


def plugged(content: str) -> ContentEngine:
    file = PluggedFile("graphs.amr", content.encode())
    return make_content_engine("ape", parser=FakeParser(), plug_ins={PlugIn.AMR: file})


def test_graphs_of_an_operator_take_the_place_of_the_converter() -> None:
    text = Text("1", "Ice melts.")
    pyramid = Pyramid((text,), (scu(1, "ice", (text, "Ice melts")),))
    engine = plugged(AMRS)
    model = build_content_model([text], engine, pyramid=pyramid)
    [scored] = score_content(model, [Text("s", "Snow thaws.")], engine)
    assert (scored.raw, scored.matches[0].similarity) == (1, 1.0)
    [parsed] = engine.parser.parse([text])
    [unit] = engine.measure.read_units(parsed)
    assert (unit.kind, unit.spans) == ("amr", (Span(0, 10),))
    assert unit.fields == {"sentence": 0, "penman": "(m / melt-01\n    :ARG1 (i / ice))"}
    assert engine.signature != fake_content_engine("ape").signature
    with pytest.raises(InputError, match=r"graphs.amr has no graph of the sentence “Bees fly.”"):
        next(score_content(model, [Text("s", "Bees fly.")], engine))


def test_a_file_that_cannot_be_read_says_where() -> None:
    with pytest.raises(InputError, match=r"graphs.amr”, line 6: .*a bracket is not closed"):
        plugged(AMRS.replace("(s / ice))", "(s / ice)"))
    file = PluggedFile("graphs.amr", b"\xff\xfe(b")
    with pytest.raises(InputError, match=r"graphs.amr is not UTF-8"):
        make_content_engine("ape", parser=FakeParser(), plug_ins={PlugIn.AMR: file})
