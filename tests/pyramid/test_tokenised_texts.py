"""The contract of ``read_units`` with the real parser: texts of any kind, cut by others or not."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.content import ContentUnit
from grading.pyramid.content_pipeline import make_content_engine, units_of
from grading.pyramid.formats.content_json import units_to_json
from grading.pyramid.parsing import ParsedText, SpacyParser
from grading.pyramid.registry import CONTENT_METHODS
from grading.pyramid.structures import Text

pytestmark = pytest.mark.models

ENGLISH = (
    "Dark roofs store the heat of sun because they said that it is n't 3 °C in U.K. , and left ."
)
ODD = (
    "naïve", "Zoë", "عمر", "東京", "🐝🐝", "e\u0301te\u0301", "[3]", "(Smith,", "2018)", '"', "--",
    "?!", "a" * 600, "x-y-z", "1,000.5", "http://a.b/c?d=e", "&amp;", "l'eau", "\u2028ab", "…",
)  # fmt: skip
WORDS = st.one_of(st.sampled_from(ENGLISH.split()), st.sampled_from(ODD))
LINES = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)
TEXTS = st.lists(st.one_of(LINES, st.sampled_from(["", " ", "\t"])), max_size=5).map("\n".join)
LONG_LINE = " ".join(f"Roofs{number} store heat and" for number in range(500)) + " melt ."
KINDS = {
    "amr": {"penman", "sentence"},
    "edu": set[str](),
    "head": {"sentence"},
    "pair": {"head", "modifier", "relation", "sentence"},
    "triple": {"subject", "predicate", "objects", "confidence", "sentence"},
}
KIND_OF = {
    "ape": "amr",
    "be-heads": "head",
    "be-hm": "pair",
    "be-hmr": "pair",
    "edu-alignment": "edu",
    "peak": "triple",
}


def check(text: ParsedText, method: str, parser: SpacyParser) -> tuple[ContentUnit, ...]:
    """Fields are those of the contract, and every span lies in the text and its sentence."""
    units = units_of(text, make_content_engine(method, parser=parser).measure.read_units)
    written = units_to_json(units)
    assert list(written) == ["summary", "sentences", "units"]
    length = len(text.text.content)
    assert all(0 <= span.start < span.end <= length for span in units.sentences)
    assert all(first.end <= other.start for first, other in pairwise(units.sentences))
    for unit in units.units:
        assert unit.kind == KIND_OF[method]
        assert KINDS[unit.kind] <= set(unit.fields)
        assert unit.spans
        assert all(0 <= span.start < span.end <= length for span in unit.spans)
        number = unit.fields.get("sentence")
        if number is not None:
            assert isinstance(number, int)
            inside = units.sentences[number]
            assert all(inside.start <= s.start and s.end <= inside.end for s in unit.spans)
    return units.units


@pytest.mark.parametrize("method", sorted(KIND_OF))
@settings(max_examples=12)
@given(content=TEXTS)
def test_lines_are_sentences_and_words_are_kept(
    method: str, spacy_parser: SpacyParser, content: str
) -> None:
    [parsed] = spacy_parser.parse_tokenised([Text("one", content)])

    lines = [line for line in content.split("\n") if line.strip()]
    kept = [[token.text for token in sentence.tokens] for sentence in parsed.sentences]
    assert [[word.strip() for word in words] for words in kept] == [
        [word.strip() for word in line.strip().split(" ") if word.strip()] for line in lines
    ]
    units = check(parsed, method, spacy_parser)
    if KIND_OF[method] == "edu":
        words = {token.start for sentence in parsed.sentences for token in sentence.tokens}
        starts = [unit.spans[0].start for unit in units]
        assert set(starts) <= words
        assert {sentence.span.start for sentence in parsed.sentences} <= set(starts)


@pytest.mark.parametrize("method", sorted(KIND_OF))
@settings(max_examples=12)
@given(content=TEXTS)
def test_running_texts_of_any_kind_are_read(
    method: str, spacy_parser: SpacyParser, content: str
) -> None:
    [parsed] = spacy_parser.parse([Text("one", content)])
    check(parsed, method, spacy_parser)


@pytest.mark.parametrize("method", sorted(KIND_OF))
@pytest.mark.parametrize("content", ["Ice", "\n\n", LONG_LINE], ids=["one word", "empty", "long"])
def test_very_short_and_very_long_lines(
    method: str, content: str, spacy_parser: SpacyParser
) -> None:
    [parsed] = spacy_parser.parse_tokenised([Text("one", content)])

    assert len(parsed.sentences) == bool(content.strip())
    assert sum(len(sentence.tokens) for sentence in parsed.sentences) == len(content.split())
    check(parsed, method, spacy_parser)


def test_all_kinds_of_the_contract_are_covered() -> None:
    others = {
        name for name in CONTENT_METHODS if name.startswith(("rouge-", "edu-oracle-", "ape+"))
    }
    assert set(KIND_OF) | others == set(CONTENT_METHODS)
