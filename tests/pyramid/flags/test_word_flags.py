import pytest

from grading.pyramid.flags.text_flags import (
    Flag,
    FlagKind,
    Near,
    TextFlags,
    flags_from_json,
    flags_to_json,
)
from grading.pyramid.flags.word_flags import WordFlagFinder

SOURCE = """Cities are hotter than the country around them. Dark roofs and streets store the heat of
the sun during the day and release it at night. Where trees have been felled nothing evaporates and
nothing cools the air. Engines, factories and air conditioners add warmth of their own. Old people
suffer most when a heat wave lasts, as in Paris in 2003, when thousands died. Planners can paint
roofs white, plant parks along avenues, and open channels for fresh wind from the hills."""
ON = """The text explains why a city is warmer than the land around it. Its dark roofs take in the
sun and give the heat back at night, and there are too few trees to cool the air. People who are old
suffer in heat waves. White roofs and more parks would help."""
OFF = """My favourite football club lost the cup final by a penalty on Saturday. The goalkeeper
dived to the wrong corner, the striker celebrated with the captain, and our coach blamed the referee
for a foul that nobody in the stadium had seen. Next season we buy a better defender."""
SPANISH = """La ciudad es más caliente que el campo porque los tejados oscuros guardan el calor del
sol durante el día y lo devuelven por la noche, y porque hay muy pocos árboles en las calles."""


@pytest.fixture(scope="module")
def finder() -> WordFlagFinder:
    return WordFlagFinder([SOURCE])


def kinds(finder: WordFlagFinder, content: str, matched_share: float | None) -> list[FlagKind]:
    return [flag.kind for flag in finder.find(content, lambda: matched_share)]


@pytest.mark.parametrize(
    ("content", "matched_share", "expected"),
    [
        (ON, 0.8, []),
        (ON, 0.0, []),  # its words are those of the source, whatever is found
        (ON, None, []),
        (OFF, 0.0, [FlagKind.OFF_TOPIC]),
        (OFF, 0.5, []),  # what tells ideas is on the topic, in whatever words
        (OFF, None, [FlagKind.OFF_TOPIC]),
        (SPANISH, 0.0, [FlagKind.OTHER_LANGUAGE]),
        ("asdf jkl asdf lkjh qwer asdf zxcv fdsa hjkl asdf lkjh ghjk asdf qwer uiop", 0.0,
         [FlagKind.GIBBERISH]),
        ("", None, []),
        ("I did not read it.", 0.0, []),
    ],
)  # fmt: skip
def test_flags(
    finder: WordFlagFinder, content: str, matched_share: float | None, expected: list[FlagKind]
) -> None:
    assert kinds(finder, content, matched_share) == expected


def test_a_reason_has_figures(finder: WordFlagFinder) -> None:
    (flag,) = finder.find(OFF, lambda: 0.0)

    assert "different content words are in neither the source" in flag.reason
    assert "no idea was found" in flag.reason
    assert flag.reason[0].isdigit()


def test_a_topic_of_a_few_words_tells_nothing() -> None:
    assert kinds(WordFlagFinder(["Football."]), ON, 0.0) == []


def test_how_much_is_found_is_asked_only_where_it_matters(finder: WordFlagFinder) -> None:
    def asked() -> float:
        raise AssertionError

    assert list(finder.find(ON, asked)) == []


def test_flags_survive_being_stored() -> None:
    kept = TextFlags((Flag(FlagKind.GIBBERISH, "Keys."),), (Near(4, 2, 60, 0.4321),))

    assert flags_from_json(flags_to_json(kept)) == kept
    assert flags_from_json({}) == TextFlags()
