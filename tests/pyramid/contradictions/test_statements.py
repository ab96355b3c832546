"""From sentences and words to statements, without any model."""

import numpy as np

from grading.pyramid.contradictions.judgement import Judgement, judge
from grading.pyramid.contradictions.statements import Statement, statement_of
from grading.pyramid.encoders.words import Words, words_of
from grading.pyramid.structures import Sentence, Span, Token

CONTENT = "Well, roofs don't absorb air-heat."


def token(place: int, text: str, pos: str, dep: str, head: int) -> Token:
    start = CONTENT.index(text)
    end = start + len(text)
    return Token(place, start, end, text, text.lower(), pos, "", dep, head, pos == "PUNCT")


TOKENS = (
    token(0, "Well", "INTJ", "intj", 5),
    token(1, ",", "PUNCT", "punct", 5),
    token(2, "roofs", "NOUN", "nsubj", 5),
    token(3, "do", "AUX", "aux", 5),
    token(4, "n't", "PART", "neg", 5),
    token(5, "absorb", "VERB", "ROOT", 5),
    token(6, "air", "NOUN", "compound", 8),
    token(7, "-", "PUNCT", "punct", 8),
    token(8, "heat", "NOUN", "dobj", 5),
)
SENTENCE = Sentence(Span(0, len(CONTENT)), (), TOKENS)
WHOLE = (Span(0, len(CONTENT)),)


def with_vectors() -> Words:
    """Words whose vectors are the unit vectors, one after the other."""
    words = words_of(CONTENT)
    vectors = np.eye(len(words.starts), dtype=np.float16)
    return Words(words.starts, words.ends, words.stems, words.has_content, vectors)


def test_each_token_has_the_vector_of_its_word() -> None:
    vectors = statement_of(SENTENCE, with_vectors(), WHOLE).vectors
    assert vectors is not None
    # "do" and "n't" are one word; marks have none.
    assert [row.argmax() if row.any() else None for row in vectors] == [
        *(0, None, 1, 2, 2, 3, 4, None, 5)
    ]


def test_without_vectors() -> None:
    assert statement_of(SENTENCE, None, WHOLE).vectors is None
    assert statement_of(SENTENCE, words_of(CONTENT), WHOLE).vectors is None


def test_the_focus_is_what_the_spans_touch() -> None:
    spans = (Span(6, 11), Span(18, 24))
    assert statement_of(SENTENCE, None, spans).focus == {2, 5}


def test_a_denial_outside_the_focus_leaves_open() -> None:
    whole = statement_of(SENTENCE, None, WHOLE)
    part = statement_of(SENTENCE, None, (Span(6, 11), Span(18, 34)))
    predicate = whole.predicate(5)
    assert predicate is not None
    assert predicate.sign == -1
    assert part.predicate(5) is None


def test_a_clause_that_a_verb_ascribes_keeps_its_own_sign() -> None:
    words = (("Bees", "NOUN", "nsubj", 1), ("are", "AUX", "ROOT", 1), ("useful", "ADJ", "acomp", 1))
    tokens = [
        Token(n, 0, 1, w, w, pos, "", dep, head, False)
        for n, (w, pos, dep, head) in enumerate(words)
    ]
    of_adjective = Statement(tuple(tokens), None, frozenset(range(3)))
    assert of_adjective.predicate(2) == of_adjective.predicate(1)
    assert of_adjective.predicate(0) is None
    tokens[2] = tokens[2]._replace(pos="VERB")
    assert Statement(tuple(tokens), None, frozenset(range(3))).predicate(2) is not None


def test_nothing_is_said_of_what_was_not_parsed() -> None:
    nothing = statement_of(Sentence(Span(0, 9), ()), None, WHOLE)
    assert nothing.tokens == ()
    assert judge([nothing], statement_of(SENTENCE, None, WHOLE)) == Judgement()
    assert judge([statement_of(SENTENCE, None, WHOLE)], nothing) == Judgement()
    assert judge([], Statement((), None, frozenset())) == Judgement()
