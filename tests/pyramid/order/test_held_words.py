"""Which words are held, on sentences with tags written down."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.order.held_words import HeldWords, held_words
from grading.pyramid.structures import SegmentedText
from tests.pyramid.order.tagged import tagged_text

HONEST = (
    "Cities/NNS are/VBP hotter/JJR than/IN the/DT country/NN around/IN them/PRP ./.",
    "Dark/JJ roofs/NNS store/VBP the/DT heat/NN of/IN the/DT sun/NN during/IN the/DT day/NN ./.",
    "Trees/NNS cool/VBP streets/NNS because/IN their/PRP$ leaves/NNS give/VBP off/RP water/NN ./.",
)
SHUFFLED = (
    "Are/VBP the/DT than/IN around/IN country/NN cities/NNS them/PRP hotter/JJR ./.",
    "The/DT of/IN during/IN roofs/NNS the/DT the/DT sun/NN heat/NN day/NN dark/JJ store/VBP ./.",
    "Their/PRP$ because/IN off/RP water/NN cool/VBP leaves/NNS trees/NNS give/VBP streets/NNS ./.",
)
KEYWORDS = "heat city roofs trees water leaves streets sun country air night asphalt shade wind"
ENUMERATION = (
    "Metals/NNS such/JJ as/IN copper/NN ,/, iron/NN ,/, gold/NN and/CC silver/NN conduct/VBP"
    " heat/NN ,/, water/NN conducts/VBZ it/PRP badly/RB ./."
)


some_words = f"{KEYWORDS} the/DT of/IN is/VBZ it/PRP more/JJR Lagos/NNP 5/CD ,/, :/:".split()
some_sentences = st.lists(
    st.lists(st.sampled_from(some_words), min_size=1, max_size=30).map(" ".join), max_size=6
)


def words_held(text: SegmentedText) -> list[str]:
    return [text.text.content[span.start : span.end] for span in held_words(text).spans]


def test_sentences_are_not_held() -> None:
    assert held_words(tagged_text(*HONEST)) == HeldWords((), False, "")
    assert held_words(tagged_text(*HONEST, ENUMERATION)).spans == ()


def test_shuffled_sentences_are_held_whole_with_a_reason() -> None:
    text = tagged_text(*SHUFFLED)

    assert held_words(text) == HeldWords(
        tuple(sentence.span for sentence in text.sentences),
        True,
        "The words of this text are in an order that does not make sentences. "
        "It earns nothing until a grader reads it.",
    )


def test_a_sentence_again_and_again_is_held_whole() -> None:
    assert not held_words(tagged_text(*HONEST, *HONEST)).spans

    held = held_words(tagged_text(*HONEST, *[HONEST[0]] * 5))

    assert held.whole_text
    assert held.reason.startswith("Of these 68 words, 40 are sentences that the text has already")


def test_a_list_of_keywords_is_held_whole() -> None:
    held = held_words(tagged_text(KEYWORDS + " sand/NN of/IN heat/NN"))

    assert held.whole_text
    assert held.reason.startswith("Only 1 of these 17 words join others, as")


def test_a_short_text_is_not_held_whole() -> None:
    assert not held_words(tagged_text("heat city roofs trees")).spans


def test_keywords_after_an_honest_text_are_held_and_nothing_else() -> None:
    text = tagged_text(*HONEST, KEYWORDS + " ./.")

    assert words_held(text) == [KEYWORDS]
    assert held_words(text).reason == (
        "“heat city roofs trees water leaves streets sun …” is a list of words, not a sentence. "
        "It earns nothing until a grader reads the text."
    )


def test_keywords_glued_to_the_last_sentence_leave_the_sentence() -> None:
    """Words of content just before them go with them."""
    glued = HONEST[1].removesuffix(" ./.") + " ,/, " + KEYWORDS.replace(" ", " ,/, ")
    text = tagged_text(HONEST[0], HONEST[2], glued)

    assert words_held(text) == ["day , " + KEYWORDS.replace(" ", " , ")]


def test_lines_of_keywords_are_one_list() -> None:
    words = KEYWORDS.split()
    lines = [" ".join(words[start : start + 2]) for start in range(0, len(words), 2)]

    assert words_held(tagged_text(*HONEST, *lines, between="\n")) == lines


def test_a_shuffled_sentence_among_honest_ones_is_held_alone() -> None:
    text = tagged_text(*HONEST, SHUFFLED[1], *HONEST)

    assert held_words(text).spans == (text.sentences[3].span,)
    assert held_words(text).reason.startswith(
        "The words of “The of during roofs the the sun heat …”"
    )


def test_a_reason_names_both_kinds() -> None:
    held = held_words(tagged_text(*HONEST, SHUFFLED[1], *HONEST, KEYWORDS))

    assert len(held.spans) == 2
    assert held.reason == (
        "“heat city roofs trees water leaves streets sun …” is a list of words, not a sentence. "
        "The words of “The of during roofs the the sun heat …” are in an order that does not make "
        "a sentence. These parts of the text earn nothing until a grader reads the text."
    )


def test_comparisons_of_two_sides_are_sentences() -> None:
    """WordNet's examples hardly have them, and pupils write them about every experiment."""
    comparison = (
        "Also/RB the/DT more/RBR mass/NN the/DT car/NN has/VBZ the/DT more/RBR energy/NN because/IN"
        " energy/NN is/VBZ height/NN x/NN mass/NN x/NN gravity/NN ./."
    )

    assert not held_words(tagged_text(*HONEST, comparison)).spans


def test_a_title_is_never_held() -> None:
    title = "Heat city roofs trees water leaves streets sun country air night asphalt"
    text = tagged_text(title, *SHUFFLED, between="\n")

    assert held_words(text).whole_text
    assert held_words(text).spans == tuple(sentence.span for sentence in text.sentences[1:])
    assert not held_words(tagged_text(title, *HONEST, between="\n")).spans


def test_a_sentence_that_was_not_parsed_is_never_held() -> None:
    text = tagged_text(*SHUFFLED)
    unread = tuple(replace(sentence, tokens=()) for sentence in text.sentences)

    assert held_words(replace(text, sentences=unread)) == HeldWords((), False, "")
    assert held_words(replace(text, sentences=())) == HeldWords((), False, "")


@pytest.mark.parametrize("words", [10, 11])
def test_an_enumeration_is_a_list_from_eleven_words_on(words: int) -> None:
    """Without a word that joins others among them; commas make no difference."""
    items = " ,/, ".join(KEYWORDS.split()[:words])
    sentence = f"We/PRP have/VBP to/TO think/VB of/IN the/DT {items} and/CC of/IN it/PRP ./."

    assert bool(words_held(tagged_text(*HONEST, sentence))) == (words == 11)


@given(some_sentences)
def test_whatever_the_words_the_held_ones_are_parts_of_sentences(sentences: list[str]) -> None:
    text = tagged_text(*sentences, between="\n")
    held = held_words(text)

    assert held == held_words(text)
    assert list(held.spans) == sorted(held.spans)
    assert bool(held.reason) == bool(held.spans)
    for span in held.spans:
        assert any(s.span.start <= span.start < span.end <= s.span.end for s in text.sentences)
    if held.whole_text:
        assert {s.span for s in text.sentences[1:]} <= set(held.spans)
