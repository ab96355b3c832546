"""Blocks, sentences and offsets; and that a text's parse depends on nothing but the text."""

import time
from pathlib import Path

import pytest

from grading.pyramid.errors import InputError, ResourceMissingError
from grading.pyramid.parsing import MAX_CHARACTERS, Parser, SpacyParser, blocks_of
from grading.pyramid.structures import Text

WIM = Path(__file__).resolve().parents[3] / "shared/data/wim"


def blocks(content: str) -> list[str]:
    return [content[span.start : span.end] for span in blocks_of(content)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", []),
        (" \n\t\n ", []),
        ("One.\n\nTwo.", ["One.", "Two."]),
        ("One.\r\n \r\nTwo.", ["One.", "Two."]),
        ("Energy cannot\nbe created\nor destroyed.", ["Energy cannot\nbe created\nor destroyed."]),
        ("It lies in\nParis on the Seine.", ["It lies in\nParis on the Seine."]),
        (
            "The law of conservation was found by James\nJoule in a cellar near Manchester.",
            ["The law of conservation was found by James\nJoule in a cellar near Manchester."],
        ),
        (
            "There are two:\n- solids\n* liquids\n\u2022 gas",
            ["There are two:", "solids", "liquids", "gas"],
        ),
        ("1. First it\nmelts\n2) Then it boils", ["First it\nmelts", "Then it boils"]),
        ("(a) it melts\n(2) it boils\nc) it cools", ["it melts", "it boils", "it cools"]),
        ("\u27a2 it melts\n\u25aa it boils\n\u2713 it cools", ["it melts", "it boils", "it cools"]),
        ("What is Matter\nMatter is what we see.", ["What is Matter", "Matter is what we see."]),
        ("# matter\nis all around us.", ["matter", "is all around us."]),
        (
            "Properties of All Matter\nMatter has physical and chemical properties.",
            ["Properties of All Matter", "Matter has physical and chemical properties."],
        ),
    ],
)
def test_blocks(content: str, expected: list[str]) -> None:
    assert blocks(content) == expected


def test_a_missing_model_is_told() -> None:
    with pytest.raises(ResourceMissingError, match=r"one of: no_such_model\."):
        SpacyParser(["no_such_model"])


@pytest.fixture(scope="module")
def parser() -> Parser:
    return SpacyParser()


def sentences(parser: Parser, content: str) -> list[str]:
    (parsed,) = parser.parse([Text("text", content)])
    return [content[sentence.span.start : sentence.span.end] for sentence in parsed.sentences]


@pytest.mark.models
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", []),
        ("  \n", []),
        ("\U0001f600\n---\n...", []),
        ("  Matter  has mass. ", ["Matter  has mass."]),
        ("It has\nmass. It is\tbig.", ["It has\nmass.", "It is\tbig."]),
        ("Main points\n- it is big\n- it is old", ["Main points", "it is big", "it is old"]),
        ("It has mass.Another thing is energy.", ["It has mass.", "Another thing is energy."]),
        ("It\u2019s great \U0001f600! I love it", ["It\u2019s great \U0001f600!", "I love it"]),
        ("I love it \U0001f642 and you should too", ["I love it \U0001f642 and you should too"]),
        (
            "Smith et al. (2018) say it weighs 4.5 kg, e.g. in the U.S. today. It costs 5 %.",
            ["Smith et al. (2018) say it weighs 4.5 kg, e.g. in the U.S. today.", "It costs 5 %."],
        ),
        (
            "The author of this passage titled 'What is Matter?' defines matter as 'the stuff'.",
            ["The author of this passage titled 'What is Matter?' defines matter as 'the stuff'."],
        ),
        ("I see trees, air, etc. Matter has mass.", ["I see trees, air, etc.", "Matter has mass."]),
        ("[3]\n\n(Smith, 2018)", []),
        (
            "Roofs get hot.<REF> Trees help (Lee, 2018; Wu, 2019, pp. 3-4). They cool us [3, 5].",
            [
                "Roofs get hot.",
                "Trees help (Lee, 2018; Wu, 2019, pp. 3-4).",
                "They cool us [3, 5].",
            ],
        ),
        (
            "TREES COOL THE CITY AND THEY CLEAN THE AIR! ROOFS GET HOT.",
            ["TREES COOL THE CITY AND THEY CLEAN THE AIR!", "ROOFS GET HOT."],
        ),
    ],
)
def test_sentences(parser: Parser, content: str, expected: list[str]) -> None:
    assert sentences(parser, content) == expected


@pytest.mark.models
def test_tokens_refer_to_the_original(parser: Parser) -> None:
    content = "\u201cMatter\u201d  isn\u2019t\n\U0001f600 light\u2026 It weighs 5\u00a0kg."
    (parsed,) = parser.parse([Text("text", content)])
    tokens = [token for sentence in parsed.sentences for token in sentence.tokens]
    assert [content[token.start : token.end] for token in tokens] == [t.text for t in tokens]
    expected = {"\u201c", "Matter", "\u201d", "is", "n\u2019t", "light", "\u2026", "5", "kg"}
    assert expected <= {token.text for token in tokens}
    for sentence in parsed.sentences:
        assert [token.index for token in sentence.tokens] == list(range(len(sentence.tokens)))
        assert sum(token.head == token.index for token in sentence.tokens) == 1


@pytest.mark.models
@pytest.mark.parametrize(
    ("content", "hidden"),
    [
        ("Roofs (Smith, 2018) heat up.", "(Smith,2018)"),
        (
            "Roofs (see Smith & Lee, 2018, p. 4; Wu, 2019) heat up.",
            "(seeSmith&Lee,2018,p.4;Wu,2019)",
        ),
        ("Smith et al. (2018) measured roofs.", "(2018)"),
        ("Roofs heat up (Smith et al. 2018a).", "(Smithetal.2018a)"),
        ("Roofs heat up (p. 4) at noon.", "(p.4)"),
        ("Roofs heat up [2, 5-7] at noon.", "[2,5-7]"),
        ("Roofs heat up<REF> at noon.", "<REF>"),
        ("Roofs (which are dark) heat up.", ""),
        ("Roofs (3 of 2018 roofs) heat up.", ""),
        ("Roofs [sic] heat up.", ""),
        ("It is 5 < 6 and 7 > 6 there.", ""),
    ],
)
def test_citations_are_not_read(parser: Parser, content: str, hidden: str) -> None:
    (parsed,) = parser.parse([Text("text", content)])
    read = {
        offset
        for sentence in parsed.sentences
        for token in sentence.tokens
        for offset in range(token.start, token.end)
    }
    left = "".join(letter for offset, letter in enumerate(content) if offset not in read)
    assert "".join(left.split()) == hidden


@pytest.mark.models
def test_forms_are_those_of_the_whole_pipeline(parser: Parser) -> None:
    """Parts of speech and lemmas are looked up word by word; spaCy does it text by text."""
    import spacy  # noqa: PLC0415 - the other tests need not load it

    content = (
        "There are things that don't move. There is heat, which is released when water's cooled. "
        "Roofs heat the air; it has been said that one is to blame, and we didn't know. "
        "Smith's better ideas were found. Do it! It was running faster than the others."
    )
    (parsed,) = parser.parse([Text("text", content)])
    doc = spacy.load(parser.name.rpartition("-")[0], exclude=["ner"])(content)
    tokens = [token for sentence in parsed.sentences for token in sentence.tokens]
    assert [(token.text, token.pos, token.lemma) for token in tokens] == [
        (token.text, token.pos_, token.lemma_.lower()) for token in doc
    ]


@pytest.mark.models
@pytest.mark.data
@pytest.mark.skipif(not WIM.exists(), reason="the annotated data is not beside the project")
def test_student_texts_are_parsed_alone_as_in_any_batch(parser: Parser) -> None:
    paths = sorted(WIM.glob("*_summaries/*.txt"))
    texts = [Text(path.stem, path.read_text()) for path in paths]
    together = parser.parse(texts)
    assert len(texts) == 25
    assert together == [parser.parse([text])[0] for text in texts]
    sevens = [texts[start : start + 7] for start in range(0, len(texts), 7)]
    assert together == [parsed for seven in sevens for parsed in parser.parse(seven)]


@pytest.mark.models
def test_the_parse_of_a_text_does_not_depend_on_the_others(parser: Parser) -> None:
    texts = [
        Text(str(number), f"Energy moves {'and it moves ' * number}because heat flows.\n\nEnd.")
        for number in range(12)
    ]
    together = parser.parse(texts)
    assert together == [parser.parse([text])[0] for text in texts]
    assert together == parser.parse(texts[::-1])[::-1]


@pytest.mark.models
def test_a_text_beyond_reading_is_refused_by_name(parser: Parser) -> None:
    with pytest.raises(InputError, match="\u201clong\u201d has 1,000,001 characters"):
        parser.parse([Text("short", "Fine."), Text("long", "x" * (MAX_CHARACTERS + 1))])


@pytest.mark.models
def test_the_name_tells_model_and_version(parser: Parser) -> None:
    model, _, version = parser.name.rpartition("-")
    assert model.startswith("en_core_web_")
    assert version[0].isdigit()


@pytest.mark.models
def test_what_has_no_white_space_is_read_in_bounded_time(parser: Parser) -> None:
    # Left whole, 20,000 brackets keep spaCy's tokenizer busy for half a minute.
    content = "(" * 10_000 + " Trees cool streets. " + ")" * 10_000 + "x" * 5_000

    started = time.process_time()
    (parsed,) = parser.parse([Text("brackets", content)])

    assert time.process_time() - started < 15
    assert any("cool" in token.text for s in parsed.sentences for token in s.tokens)
    for token in (token for s in parsed.sentences for token in s.tokens):
        assert content[token.start : token.end] == token.text


@pytest.mark.models
def test_texts_that_are_cut_already_are_kept_as_they_are(spacy_parser: SpacyParser) -> None:
    content = "Cats do n't bark . They purr\n\n? !\r\nA  [3] dog in the\tU.S. !"
    [parsed, empty] = spacy_parser.parse_tokenised([Text("one", content), Text("two", " \n")])
    words = [[token.text for token in sentence.tokens] for sentence in parsed.sentences]
    assert words == [
        ["Cats", "do", "n't", "bark", ".", "They", "purr"],
        ["?", "!"],
        ["A", "[3]", "dog", "in", "the\tU.S.", "!"],
    ]
    for sentence in parsed.sentences:
        assert content[sentence.span.start : sentence.span.end].split() == [
            word for token in sentence.tokens for word in token.text.split()
        ]
        assert all(content[t.start : t.end] == t.text for t in sentence.tokens)
        assert sum(token.head == token.index for token in sentence.tokens) == 1
    assert empty.sentences == ()
