"""The cutting rules, on sentences that spaCy reads: the paper's examples, and one for each rule."""

import pytest

from grading.pyramid.basic_elements.breaker import BasicElements, break_sentence
from grading.pyramid.basic_elements.lexicon import load_lexicon
from grading.pyramid.parsing import Parser
from grading.pyramid.structures import Text
from tests.fakes import FakeParser

pytestmark = pytest.mark.models


def broken(parser: Parser, sentence: str) -> BasicElements:
    [parsed] = parser.parse([Text("one", sentence)])
    [only] = parsed.sentences
    return break_sentence(only, load_lexicon())


def pairs(parser: Parser, sentence: str) -> list[str]:
    return [
        f"{pair.head.form}|{pair.modifier.form}|{pair.relation}"
        for pair in broken(parser, sentence).pairs
    ]


LIBYANS = "Two Libyans were indicted for the Lockerbie bombing in 1991."


def test_the_paper_s_five_examples_of_be_f(spacy_parser: Parser) -> None:
    assert set(pairs(spacy_parser, LIBYANS)) == {
        "libyans|two|nn",
        "indicted|libyans|obj",
        "bombing|lockerbie|nn",
        "indicted|bombing|for",
        "bombing|1991|in",
    }


def test_the_heads_of_the_paper_s_example(spacy_parser: Parser) -> None:
    assert [head.form for head in broken(spacy_parser, LIBYANS).heads] == [
        "libyans", "indicted", "bombing",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "some"),
    [
        # Prepositions are relations.
        ("The UN imposed sanctions against Libya.", ["sanctions|libya|against"]),
        ("He ran out of the house without looking back.", ["ran|house|out of"]),
        ("They left without looking back.", ["left|looking|without"]),
        # Compounds and verbal idioms are one word.
        (
            "The company turned over the documents to the Secretary General.",
            ["turned over|documents|obj", "turned over|secretary general|to"],
        ),
        # The subject of a passive is its object, the agent its subject.
        ("The plane was hit by a truck.", ["hit|plane|obj", "hit|truck|subj"]),
        ("Cakes were baked and eaten.", ["baked|cakes|obj", "eaten|cakes|obj"]),
        # Subjects and objects that are only implied.
        ("She wants to leave.", ["wants|she|subj", "leave|she|subj", "wants|leave|comp1"]),
        ("Students were asked to read books.", ["read|students|subj", "asked|students|obj"]),
        ("Matter has mass and takes up space.", ["takes up|matter|subj", "takes up|space|obj"]),
        ("The plane that landed was old.", ["landed|plane|subj"]),
        ("The room in which he slept was cold.", ["slept|room|in"]),
        ("A boy whose dog barks lives here.", ["dog|boy|gen"]),
        ("The theory he proposed failed.", ["proposed|theory|obj", "proposed|he|subj"]),
        ("The documents found yesterday prove it.", ["found|documents|obj"]),
        # That clauses.
        ("He said that the plane landed safely.", ["said|landed|comp1", "landed|plane|subj"]),
        # Predicates, joined words, denials.
        ("The landing was safe.", ["safe|landing|subj", "was|safe|pred"]),
        ("The room was cold and dark.", ["cold|room|subj", "dark|room|subj", "cold|dark|conj"]),
        ("Trees have leaves and roots.", ["have|leaves|obj", "have|roots|obj"]),
        ("No student failed.", ["student|no|neg"]),
        ("Energy does not vanish.", ["vanish|not|neg"]),
        ("He left because the soup was cold.", ["left|cold|because"]),
    ],
)
def test_each_rule(spacy_parser: Parser, sentence: str, some: list[str]) -> None:
    result = pairs(spacy_parser, sentence)
    assert [pair for pair in some if pair not in result] == []


@pytest.mark.parametrize(
    ("sentence", "none"),
    [
        (LIBYANS, "|the|"),
        (LIBYANS, "were"),
        ("It is easy to see stars.", "see|it|"),  # nobody is named who sees
        ("The plane that landed was old.", "that"),
    ],
)
def test_what_is_no_basic_element(spacy_parser: Parser, sentence: str, none: str) -> None:
    assert [pair for pair in pairs(spacy_parser, sentence) if none in pair] == []


def test_places_are_those_of_head_and_modifier(spacy_parser: Parser) -> None:
    sentence = "They turned the papers over to him."
    result = broken(spacy_parser, sentence).pairs
    [pair] = [candidate for candidate in result if candidate.modifier.form == "papers"]
    text = Text("one", sentence)
    assert (pair.head.form, pair.head.lemma) == ("turned over", "turn over")
    assert text.quoted(pair.head.spans) == "turned … over"
    assert text.quoted(pair.modifier.spans) == "papers"


def test_names_in_the_plural_have_the_lemma_of_one(spacy_parser: Parser) -> None:
    assert "libyan" in [head.lemma for head in broken(spacy_parser, LIBYANS).heads]


def test_a_sentence_of_a_thousand_joined_words_is_no_trouble() -> None:
    sentence = "Heat has " + " and ".join(f"thing{i} has part{i}" for i in range(1_000)) + "."
    [parsed] = FakeParser().parse([Text("one", sentence)])
    assert len(break_sentence(parsed.sentences[0], load_lexicon()).pairs) > 2_000
