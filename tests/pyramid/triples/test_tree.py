"""Parses that no grammar allows: every rule ends, and nothing breaks."""

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.structures import Token
from grading.pyramid.triples.clauses import Tree
from grading.pyramid.triples.extraction import triples_of_sentence

_LABELS = ["nsubj", "dobj", "conj", "relcl", "acl", "xcomp", "advcl", "ccomp", "prep", "appos"]
_TAGS = [("VERB", "VBD"), ("NOUN", "NN"), ("PROPN", "NNP"), ("PRON", "WP"), ("ADJ", "JJ")]


@st.composite
def sentences(draw: st.DrawFn) -> list[Token]:
    count = draw(st.integers(1, 9))
    tokens = []
    for index in range(count):
        pos, tag = draw(st.sampled_from(_TAGS))
        dep, head = draw(st.sampled_from(_LABELS)), draw(st.integers(0, count - 1))
        word = draw(st.sampled_from(["that", "moved", ",", "and", "town"]))
        start = 6 * index
        tokens.append(
            Token(index, start, start + len(word), word, word, pos, tag, dep, head, word == ",")
        )
    return tokens


@given(sentences())
def test_any_parse_gives_triples_with_words_and_confidences(tokens: list[Token]) -> None:
    for triple in triples_of_sentence(0, tokens):
        assert triple.subject.words
        assert triple.predicate.words
        assert all(element.words for element in triple.objects)
        assert 0 < triple.confidence < 1
        assert list(triple.spans) == sorted(triple.spans)


@given(sentences())
def test_all_below_a_token_is_listed_once(tokens: list[Token]) -> None:
    below = Tree(tokens).below(0)
    assert list(below) == sorted(set(below))
    assert 0 in below
