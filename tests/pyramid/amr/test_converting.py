"""Sentences and their graphs, and trees that no grammar has."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.amr.converting import convert
from grading.pyramid.amr.graphs import Graph
from grading.pyramid.amr.nouns import number_of
from grading.pyramid.amr.penman_files import read_penman, write_penman
from grading.pyramid.amr.smatch import match
from grading.pyramid.amr.vocabulary import words
from grading.pyramid.parsing import Parser
from grading.pyramid.structures import Text, Token

TEXT = st.sampled_from(words("The sheep ate three Berlin who not will be If slowly , ? 's and I"))
DEPS = st.sampled_from(
    words(
        "nsubj nsubjpass dobj prep pobj pcomp advmod amod det poss nummod compound conj cc relcl "
        "acl advcl xcomp ccomp aux auxpass neg attr acomp mark punct prt agent dative appos expl"
    )
)
TAGS = st.sampled_from(words("VBZ VBN VBG VB NN NNS NNP JJ JJR RB WRB WP WDT IN CD PRP PRP$ MD ."))
POS = {
    "V": "VERB", "N": "NOUN", "J": "ADJ", "R": "ADV", "I": "ADP", "C": "NUM", "M": "AUX",
    "P": "PRON", "W": "PRON", ".": "PUNCT",
}  # fmt: skip


@st.composite
def trees(draw: st.DrawFn) -> tuple[Token, ...]:
    """Words in a random tree, with random labels."""
    count = draw(st.integers(1, 9))
    order = draw(st.permutations(range(count)))
    tokens: list[Token] = []
    for place, index in enumerate(order):
        head = index if place == 0 else order[draw(st.integers(0, place - 1))]
        text, tag = draw(TEXT), draw(TAGS)
        dep = "ROOT" if place == 0 else draw(DEPS)
        pos = "PROPN" if tag == "NNP" else POS[tag[0]]
        start = index * 10
        tokens.append(
            Token(
                index, start, start + len(text), text, text.lower(), pos, tag, dep, head,
                is_punct=text in ",?",
            )
        )  # fmt: skip
    return tuple(sorted(tokens, key=lambda token: token.index))


@settings(max_examples=300)
@given(tokens=trees())
def test_any_tree_becomes_a_graph_that_can_be_written_and_read(tokens: tuple[Token, ...]) -> None:
    graph = convert(tokens)
    assert graph == convert(tokens)
    assert graph.top is not None
    indices = {token.index for token in tokens}
    assert all(words <= indices for words in (*graph.words, *graph.attribute_words))
    assert all(relation.source != relation.target for relation in graph.relations)
    [amr] = read_penman("graphs.txt", f"# ::snt a sentence\n{write_penman(graph)}")
    assert amr.graph.size == graph.size
    assert Counter(amr.graph.concepts) == Counter(graph.concepts)
    assert match(graph, amr.graph).triples == graph.size


def graph_of(parser: Parser, sentence: str) -> Graph:
    [parsed] = parser.parse([Text("one", sentence)])
    [only] = parsed.sentences
    return convert(only.tokens)


def triples_of(graph: Graph) -> set[str]:
    """Its relations and attributes with the concepts at their ends."""
    names = graph.concepts
    relations = (f"{names[r.source]} {r.role} {names[r.target]}" for r in graph.relations)
    attributes = (f"{names[a.node]} {a.role} {a.value}" for a in graph.attributes)
    return {*relations, *attributes}


EXAMPLES = [
    # frames and their roles
    (
        "The teacher gave the girl a book.",
        "give-01 arg0 person, give-01 arg1 book, give-01 arg2 girl",
    ),
    ("The apple fell.", "fall-01 arg1 apple"),
    ("The house was built by the farmer.", "build-01 arg1 house, build-01 arg0 person"),
    ("She sat down.", "sit-down-02 arg0 she"),
    # negation and modality
    ("He did not sleep.", "sleep-01 polarity -"),
    ("Energy can be transferred.", "possible-01 arg1 transfer-01, transfer-01 arg1 energy"),
    ("You must go.", "obligate-01 arg2 go-02"),
    ("Students should read.", "recommend-01 arg1 read-01"),
    (
        "Energy cannot be created or destroyed.",
        (
            "possible-01 polarity -, possible-01 arg1 or, or op1 create-01, or op2 destroy-01, "
            "destroy-01 arg1 energy"
        ),
    ),
    # copulas
    ("The sky is blue.", "blue-01 arg1 sky"),
    ("Density is a property.", "property domain density"),
    ("The book is in the house.", "be-located-at-91 arg1 book"),
    # coordination, control and relative clauses: the same node again
    ("The boy wants to go.", "want-01 arg0 boy, want-01 arg1 go-02, go-02 arg0 boy"),
    ("She told him to leave.", "tell-01 arg2 leave-01, leave-01 arg0 he"),
    ("The dog barked and ran.", "and op1 bark-01, and op2 run-02, run-02 arg0 dog"),
    ("I saw the girl who sings.", "see-01 arg1 girl, sing-01 arg0 girl"),
    ("The car that he bought broke.", "buy-01 arg0 he, buy-01 arg1 car"),
    # possessives, numbers, dates and names
    ("I lost my hat.", "lose-02 arg0 i, hat poss i"),
    ("He shook his head.", "he part head"),
    ("Three dogs barked.", "dog quant 3"),
    ("Two million people live there.", "person quant 2000000"),
    ("Mary Smith visited Paris.", "visit-01 arg0 person, name op1 Mary, name op2 Smith"),
    ("It is the second chapter.", "chapter ord ordinal-entity, ordinal-entity value 2"),
    # clauses
    ("If it rains, we stay.", "stay-01 condition rain-01"),
    ("He left because he was tired.", "cause-01 arg1 leave-01"),
    ("He said that it rained.", "say-01 arg0 he, say-01 arg1 rain-01"),
    ("But the moon shone.", "contrast-01 arg2 shine-01"),
    ("Do you like music?", "like-01 mode interrogative"),
    ("Open the door!", "open-01 mode imperative, open-01 arg0 you"),
    ("Light travels fast because of its energy.", "cause-01 arg0 energy"),
]


@pytest.mark.models
@pytest.mark.parametrize(("sentence", "expected"), EXAMPLES)
def test_a_sentence_says(spacy_parser: Parser, sentence: str, expected: str) -> None:
    assert set(expected.split(", ")) <= triples_of(graph_of(spacy_parser, sentence))


@pytest.mark.models
def test_nodes_know_their_words(spacy_parser: Parser) -> None:
    graph = graph_of(spacy_parser, "Energy cannot be created.")
    words = dict(zip(graph.concepts, graph.words, strict=True))
    assert words == {"energy": {0}, "possible-01": {1}, "create-01": {4}}
    assert [set(of) for of in graph.attribute_words] == [{2}]


@pytest.mark.models
def test_a_capital_makes_no_name_of_a_word_that_the_text_has_in_lower_case(
    spacy_parser: Parser,
) -> None:
    [parsed] = spacy_parser.parse([Text("one", "Rusting Matter moves.")])
    [only] = parsed.sentences
    assert "name" not in convert(only.tokens, {"matter", "rusting"}).concepts


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("three", "3"), ("3,000", "3000"), ("2.5", "2.5"), ("twenty-one", "21"),
        ("two hundred and five", "205"), ("four million", "4000000"), ("thousands", "1000"),
        ("dozen", "12"), ("umpteen", None), ("", None), ("and", None),
    ],
)  # fmt: skip
def test_numbers_are_read(words: str, number: str | None) -> None:
    assert number_of(words) == number


def test_a_parse_that_is_deeper_than_any_english_is_followed() -> None:
    count = 3_000
    tokens = tuple(
        Token(
            index,
            2 * index,
            2 * index + 1,
            f"w{index}",
            f"w{index}",
            "NOUN",
            "NN",
            dep,
            head,
            False,
        )
        for index, dep, head in [(0, "ROOT", 0), *((n, "nmod", n - 1) for n in range(1, count))]
    )
    graph = convert(tokens)

    assert len(graph.concepts) == count
    assert frozenset().union(*graph.words) == set(range(count))
