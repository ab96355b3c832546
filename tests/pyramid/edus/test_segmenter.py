"""The shipped segmenter: what it cuts, that it is fast, and how well it does on people's cuts."""

import time
from itertools import pairwise
from pathlib import Path

import pytest

from grading.pyramid.edus.boundary_features import Tree, first_pass, second_pass
from grading.pyramid.edus.segmenter import MODEL_FILE, read_segmenter, shipped_segmenter
from grading.pyramid.edus.training import boundaries, read_documents, together
from grading.pyramid.edus.units import SegmentedUnits
from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.structures import Text, Token
from tests.fakes import FakeParser

DATA = Path(__file__).resolve().parents[4] / "shared" / "data" / "gum_edu"
needs_data = pytest.mark.skipif(
    not DATA.exists(), reason="the annotated data is not beside the project"
)


def cut(parser: SpacyParser, content: str, *, tokenised: bool = False) -> list[str]:
    texts = [Text("one", content)]
    [parsed] = parser.parse_tokenised(texts) if tokenised else parser.parse(texts)
    units = SegmentedUnits(shipped_segmenter()).spans_of(parsed)
    assert all(len(spans) == 1 for spans in units)
    assert all(first[0].end <= other[0].start for first, other in pairwise(units))
    return [parsed.text.words_at(spans) for spans in units]


@pytest.mark.models
def test_clauses_are_units(spacy_parser: SpacyParser) -> None:
    assert cut(spacy_parser, "Roofs are hot because they are dark. Trees help.") == [
        "Roofs are hot",
        "because they are dark.",
        "Trees help.",
    ]
    assert cut(spacy_parser, "He says that the city is warmer, which is dangerous.") == [
        "He says",
        "that the city is warmer,",
        "which is dangerous.",
    ]


@pytest.mark.models
def test_given_words_are_kept(spacy_parser: SpacyParser) -> None:
    content = "The roof ca n't cool down , because it is dark .\n( Howard )\n\n.\n"

    assert cut(spacy_parser, content, tokenised=True) == [
        "The roof ca n't cool down ,",
        "because it is dark .",
        "( Howard )",
        ".",
    ]


@pytest.mark.models
def test_a_citation_that_the_parser_does_not_see_begins_a_unit(spacy_parser: SpacyParser) -> None:
    content = (
        "Cities are warm [1], [2]. Dark roofs store heat (Smith, 2018), because they are dark."
    )

    assert cut(spacy_parser, content) == [
        "Cities are warm",
        "[1], [2].",
        "Dark roofs store heat",
        "(Smith, 2018),",
        "because they are dark.",
    ]


@pytest.mark.models
def test_units_do_not_depend_on_other_texts(spacy_parser: SpacyParser) -> None:
    texts = [Text("a", "He left when it rained."), Text("b", "Roofs are hot because they're dark.")]
    cutter = SegmentedUnits(shipped_segmenter())
    together_, alone = spacy_parser.parse(texts), [spacy_parser.parse([text])[0] for text in texts]

    assert [cutter.spans_of(text) for text in together_] == [
        cutter.spans_of(text) for text in alone
    ]


@pytest.mark.models
def test_texts_without_words_have_no_units() -> None:
    [parsed] = FakeParser().parse([Text("empty", "?!")])

    assert SegmentedUnits(shipped_segmenter()).spans_of(parsed) == []


@pytest.mark.models
def test_odd_parses_are_cut_as_well() -> None:
    def token(index: int, head: int) -> Token:
        return Token(index, index, index + 1, "x", "x", "X", "XX", "dep", head, False)

    for heads in ([1, 0], [0, 0, 1, 2, 3], [4, 4, 4, 4, 4], [1, 2, 0], [0], []):
        tokens = [token(index, head) for index, head in enumerate(heads)]
        starts = shipped_segmenter().starts(tokens)
        assert starts[0] == 0
        assert all(0 < start < len(tokens) for start in starts[1:])


def test_capitals_are_seen() -> None:
    texts = [Text("one", "Heat stays in The roofs."), Text("two", "Heat stays in the roofs.")]
    capital, small = (
        first_pass(Tree(parsed.sentences[0].tokens))[2] for parsed in FakeParser().parse(texts)
    )

    assert {"k=C", "k-=c,C", "kf=C,C,c"} <= set(capital)
    assert {"k=c", "k-=c,c", "kf=C,c,c"} <= set(small)


def test_the_second_pass_sees_what_the_first_found() -> None:
    [parsed] = FakeParser().parse([Text("one", "Roofs store heat because the sun warms roofs.")])
    tree = Tree(parsed.sentences[0].tokens)
    likely, unlikely = [0.1, 0.1, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1], [0.01] * 8

    assert len(first_pass(tree)) == tree.size - 1 == 8
    assert "Qb=2" in second_pass(tree, likely)[2]  # the third word after a start
    assert second_pass(tree, likely)[4] != second_pass(tree, unlikely)[4]


def test_a_model_that_is_none_says_how_to_make_one(tmp_path: Path) -> None:
    damaged = tmp_path / "segmenter.npz"
    for data in (None, b"", b"PK", MODEL_FILE.read_bytes()[:500]):
        if data is not None:
            damaged.write_bytes(data)
        with pytest.raises(ResourceMissingError, match=r"manage\.py train_edus"):
            read_segmenter(damaged)


def test_the_model_is_small() -> None:
    assert MODEL_FILE.stat().st_size <= 1_000_000


@pytest.mark.models
def test_cutting_takes_less_than_the_parse(spacy_parser: SpacyParser) -> None:
    content = "He says that dark roofs store heat, which makes the nights warm. " * 13
    [parsed] = spacy_parser.parse([Text("one", content)])
    cutter = SegmentedUnits(shipped_segmenter())
    cutter.spans_of(parsed)
    before = time.process_time()
    for _ in range(5):
        cutter.spans_of(parsed)

    assert (time.process_time() - before) / 5 < 0.2  # measured .02 on a quiet machine


@pytest.mark.data
@pytest.mark.models
@needs_data
def test_units_begin_where_people_say(spacy_parser: SpacyParser) -> None:
    documents = read_documents(DATA / "dev.jsonl")
    cutter = SegmentedUnits(shipped_segmenter())
    for forms, parse, least in (
        ([document.tokenised for document in documents], spacy_parser.parse_tokenised, 0.903),
        ([document.running for document in documents], spacy_parser.parse, 0.89),
    ):
        parsed = parse([form.text for form in forms])
        result = together(
            boundaries(marked, (spans[0].start for spans in cutter.spans_of(text)))
            for marked, text in zip(forms, parsed, strict=True)
        )
        assert result.f1 >= least
