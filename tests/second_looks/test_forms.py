"""Which words a request is about: where they were selected, where they stand, or a sentence."""

import pytest

from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.structures import Span
from grading.second_looks.forms import AnswerForm, WordsForm
from grading.web.word_spans import MOST_PLACES, span_ref, spans_at

TEXT = "Trees cool. Roofs heat up.\nTrees cool, he says; it\u2019s \N{DECIDUOUS TREE} so."


def words_form(**data: str) -> WordsForm:
    form = WordsForm(data, content=TEXT)
    form.is_valid()
    return form


def test_words_are_found_where_they_were_selected() -> None:
    second = TEXT.rindex("Trees")
    form = words_form(words="Trees cool", place=f"{second}-{second + 10}")

    assert form.chosen() == (Span(second, second + 10),)


@pytest.mark.parametrize("place", ["", "0-9999", "3-1", "x", "4-9"])
def test_words_without_a_sound_place_are_found_where_they_stand_first(place: str) -> None:
    assert words_form(words="Trees cool", place=place).chosen() == (Span(0, 10),)


def test_words_are_found_whatever_their_white_space_and_marks() -> None:
    start = TEXT.index("Roofs")
    form = words_form(words="roofs   heat\nup it's")
    assert "words" in form.errors

    assert words_form(words="roofs   heat\r\nUP").chosen() == (Span(start, start + 13),)


def test_words_that_are_not_in_the_text_are_refused_in_words() -> None:
    form = words_form(words="Snow falls")

    assert "not in the text" in form.errors["words"][0]
    assert form.chosen() == ()


def test_a_sentence_is_chosen_by_its_number() -> None:
    form = words_form(words="Trees cool", sentence="2")

    assert [TEXT[span.start : span.end] for span in form.chosen()] == ["Roofs heat up."]
    assert "sentence" in words_form(sentence="17").errors


def test_a_form_begins_with_the_words_that_it_is_given() -> None:
    form = WordsForm(content=TEXT, spans=(Span(12, 17), Span(27, 32)))

    assert form.initial["words"] == "Roofs Trees"
    assert form.chosen() == (Span(12, 17), Span(27, 32))


def test_places_go_through_an_address_and_back() -> None:
    spans = (Span(0, 5), Span(12, 17))

    assert spans_at(span_ref(spans), TEXT) == spans
    assert spans_at("0-1,1-2", TEXT) == (Span(0, 2),)
    assert spans_at("5-6", "Trees cool") == ()  # nothing but a space
    assert spans_at("", TEXT) == ()


def answer_form(**data: str) -> AnswerForm:
    return AnswerForm(data, content=TEXT, scu_uids=[3, 8])


def test_what_counts_needs_an_idea_and_words() -> None:
    form = answer_form(verdict="count")
    assert {*form.errors} == {"scu", "words"}

    form = answer_form(verdict="count", scu="8", words="Trees cool")
    assert form.is_valid()
    assert form.correction() == Correction(8, Verdict.MATCHED, (Span(0, 10),))
    assert "scu" in answer_form(verdict="count", scu="5", words="Trees cool").errors


def test_what_does_not_count_needs_an_answer_and_nothing_else() -> None:
    assert {*answer_form(verdict="decline", words="Snow", scu="99").errors} == {"answer"}

    form = answer_form(verdict="decline", words="Snow", scu="99", answer="It is not there.")
    assert form.is_valid()
    assert form.correction() is None


def test_an_answer_says_which_it_is_and_is_no_essay() -> None:
    assert "Choose" in answer_form(answer="Hm.").errors["verdict"][0]
    assert answer_form(verdict="decline", answer="a\r\n" * 500).is_valid()
    assert "answer" in answer_form(verdict="decline", answer="a" * 1001).errors


def test_more_places_than_a_request_needs_mean_nothing() -> None:
    """Each is compared with every part of a text, for every idea that could be meant."""
    content = "a " * 5_000
    places = [f"{at}-{at + 1}" for at in range(0, 10_000, 2)]

    assert len(spans_at(",".join(places[:MOST_PLACES]), content)) == MOST_PLACES
    assert spans_at(",".join(places[: MOST_PLACES + 1]), content) == ()
    assert spans_at("0-1," * 600_000, content) == ()
