"""The stems are NLTK's, which rouge-score takes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer

from grading.pyramid.porter_stemmer import porter_stem
from grading.pyramid.rouge import rouge_words

DEMONSTRATION = Path(__file__).resolve().parents[3] / "grading/management/demonstration"
ENDINGS = (
    *("", "s", "es", "ies", "ed", "ied", "eed", "ing", "y", "ly", "ational", "tional", "enci"),
    *("izer", "bli", "alli", "entli", "ousli", "ization", "ator", "alism", "iveness", "fulness"),
    *("aliti", "iviti", "biliti", "fulli", "logi", "icate", "ative", "alize", "ical", "ness"),
    *("ance", "ement", "ment", "ent", "ion", "sion", "tion", "ou", "ism", "iti", "ous", "e", "ll"),
)
reference = DefaultTokenizer(use_stemmer=True)


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        *(("skies", "sky"), ("ties", "tie"), ("died", "die"), ("enjoy", "enjoy")),
        *(("happy", "happi"), ("hopping", "hop"), ("hoping", "hope"), ("falling", "fall")),
        *(("agreed", "agre"), ("relational", "relat"), ("adjustment", "adjust"), ("is", "is")),
    ],
)  # fmt: skip
def test_known_stems(word: str, stem: str) -> None:
    assert porter_stem(word) == stem


@given(st.text("aeiouybcdlmnrstvz", min_size=1, max_size=6), st.sampled_from(ENDINGS))
def test_made_up_words_have_the_stems_of_rouge_score(start: str, ending: str) -> None:
    word = start + ending
    assert [
        rouge_word.form for rouge_word in rouge_words(word, stemmed=True)
    ] == reference.tokenize(word)


def test_the_words_of_the_demonstration_have_them_too() -> None:
    for path in sorted(DEMONSTRATION.glob("**/*.txt")):
        content = path.read_text("utf-8")
        forms = [word.form for word in rouge_words(content, stemmed=True)]
        assert forms == reference.tokenize(content)


@given(st.text(st.characters(codec="utf-8")), st.booleans())
def test_any_text_is_cut_as_rouge_score_cuts_it(content: str, stemmed: bool) -> None:
    words = rouge_words(content, stemmed=stemmed)
    assert [word.form for word in words] == DefaultTokenizer(use_stemmer=stemmed).tokenize(content)
    assert all(0 <= word.span.start < word.span.end <= len(content) for word in words)


def test_a_letter_that_becomes_two_keeps_the_places_of_the_others() -> None:
    content = "İİ Izmir"
    assert [content[w.span.start : w.span.end] for w in rouge_words(content, stemmed=False)] == [
        "İ", "İ", "Izmir",
    ]  # fmt: skip
