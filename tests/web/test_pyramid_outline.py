"""A pyramid as an outline."""

from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing, Text
from grading.web.pyramid_outline import outline_of

TEXT = Text("Ada", "Dark roofs store the heat.")
TOLD = (Contributor("Ada", (Span(0, 10), Span(21, 25)), "two parts"),)
PYRAMID = Pyramid(
    (TEXT,),
    (
        Scu(1, "wordless", ()),
        Scu(2, "told", TOLD),
        Scu(3, "by hand", TOLD, given_weight=4, standing=Standing.MUST),
        Scu(4, "aside", TOLD, standing=Standing.ASIDE),
        Scu(5, "told too", TOLD),
    ),
)


def test_bands_are_heaviest_first_and_what_is_set_aside_stands_apart() -> None:
    outline = outline_of(PYRAMID)

    assert [(band.weight, [idea.number for idea in band.ideas]) for band in outline.bands] == [
        (4, [1]),
        (1, [2, 3]),
        (0, [4]),
    ]
    assert [idea.number for idea in outline.aside] == [5]
    assert all(1 <= band.style <= 5 for band in outline.bands)


def test_an_idea_has_its_words_and_what_was_said_of_it() -> None:
    (idea,) = outline_of(PYRAMID).bands[0].ideas

    assert (idea.must, idea.given) == (True, True)
    (contributor,) = idea.contributors
    assert (contributor.reference, contributor.words, contributor.comment) == (
        "Ada",
        "Dark roofs ... heat",
        "two parts",
    )


def test_of_a_long_band_the_first_are_shown_and_the_rest_is_counted() -> None:
    band = outline_of(PYRAMID, most=1).bands[1]

    assert ([idea.number for idea in band.ideas], band.more, band.count) == ([2], 1, 2)


def test_bands_are_styled_by_the_heaviest_weight_there_is() -> None:
    rubric = Pyramid(
        (), tuple(Scu(uid, f"statement {uid}", (), given_weight=uid) for uid in (1, 3, 5))
    )

    assert [(band.weight, band.style) for band in outline_of(rubric).bands] == [
        (5, 5),
        (3, 3),
        (1, 1),
    ]
