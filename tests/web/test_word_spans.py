"""Words that are chosen in a text, and sentences that are ticked."""

from django.http import QueryDict

from grading.pyramid.structures import Span
from grading.web.word_spans import ChosenWordsForm

CONTENT = "Roofs are dark. They store heat.\nTrees cool."


def sent(query: str) -> ChosenWordsForm:
    return ChosenWordsForm(QueryDict(query), content=CONTENT)


def test_chosen_words_and_ticked_sentences_come_together() -> None:
    form = sent("place=0-5,38-42&sentence=2&sentence=3")

    assert form.is_valid()
    assert form.cleaned_data["spans"] == (Span(0, 5), Span(16, 32), Span(33, 44))


def test_nothing_may_be_chosen() -> None:
    form = sent("")

    assert form.is_valid()
    assert form.cleaned_data["spans"] == ()


def test_words_that_are_not_there_are_refused() -> None:
    form = sent("place=40-99")

    assert form.errors == {"place": ["These words are not in the text. Choose them again."]}


def test_a_form_begins_with_the_words_of_the_page() -> None:
    form = ChosenWordsForm(content=CONTENT, spans=(Span(0, 5), Span(16, 20)))

    assert form["place"].value() == "0-5,16-20"
    assert [label for _, label in form.fields["sentence"].choices] == [  # type: ignore[attr-defined]
        "Roofs are dark.",
        "They store heat.",
        "Trees cool.",
    ]
