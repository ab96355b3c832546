"""Finding words in references."""

import pytest

from grading.pyramid.formats import word_search
from grading.pyramid.formats.word_search import Search, SearchedText
from grading.pyramid.structures import Contributor, Span, Text

CONTENT = "In July 1998, Mr. López's  plan didn't work.\nThe planet is theirs; the plan is ours."


def words_found(words: str) -> list[str]:
    spans = SearchedText(Text("r", CONTENT)).find(words)
    return [CONTENT[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("Mr. López's  plan", ["Mr. López's  plan"]),
        ("mr lopez's plan", ["Mr. López's  plan"]),
        ("In July , Mr. Lopez s plan", ["In July 1998, Mr. López's  plan"]),  # PyrEval's way
        ("work. The planet", ["work.\nThe planet"]),
        ("plan ... is ours", ["plan", "is ours"]),
        ("The planet … ours", ["The planet", "ours"]),
        ("plan is ours", ["plan is ours"]),
        ("ours ... plan", []),  # in the order of the text only
        ("In July 1999, Mr. López's", []),  # another number is another statement
        ("he plan", []),  # not from within a word
        ("plan work", []),
        ("elsewhere", []),
        ("", []),
        ("--", []),
        ("is", ["is"]),
        ("IS", []),  # two letters could be anything
    ],
)
def test_words_are_found_as_they_stand_or_folded(words: str, places: list[str]) -> None:
    assert words_found(words) == places


def test_a_script_without_case_needs_no_spaces() -> None:
    assert SearchedText(Text("r", "深色的屋顶储存热量。")).find("屋顶储存") == (Span(3, 7),)


def test_each_reference_that_has_the_words_is_named_once() -> None:
    texts = [Text(name, f"{name} says yes. yes.") for name in ("a", "b")]

    assert Search(texts).places("says yes") == (
        Contributor("a", (Span(2, 10),)),
        Contributor("b", (Span(2, 10),)),
    )


def test_words_that_stand_together_anywhere_are_not_put_together_elsewhere() -> None:
    together = Text("a", "Dark roofs store the heat.")
    apart = Text("b", "Dark old roofs store all of the heat.")

    assert [
        place.reference for place in Search([together, apart]).places("dark roofs store the")
    ] == ["a"]
    (found_place,) = Search([apart]).places("dark roofs store the")
    assert apart.words_at(found_place.spans) == "Dark roofs store the"


def test_the_costly_search_is_made_so_many_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_search, "_MOST_SCATTERED", 1)
    search = Search([Text("b", "Dark old roofs store all of the heat.")])

    assert len(search.places("dark roofs store heat")) == 1
    assert search.places("dark roofs store heat") == ()
