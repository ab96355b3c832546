"""What figures mean, in plain sentences."""

import pytest

from grading.pyramid.analysis.quality import (
    Attraction,
    Coverage,
    LeavingOut,
    LeftOut,
    Quality,
    advice_of,
)


def quality(
    references: int,
    change: float | None,
    *,
    covered: int = 100,
    departures: tuple[str, ...] = (),
    ideas: int = 1,
) -> Quality:
    names = [f"R{number}" for number in range(references)]
    return Quality(
        shape=(),
        departures=departures,
        coverages=tuple(Coverage(name, 100, covered, ()) for name in names),
        attractions=tuple(Attraction(uid, None) for uid in range(ideas)),
        usual=None,
        apart=0.0,
        leaving_out=LeavingOut(tuple(LeftOut(name, change, 0, 0) for name in names), 3, True),
    )


@pytest.mark.parametrize(
    ("references", "change", "sentence"),
    [
        (5, 0.03, "Five references are enough: leaving any one out changes scores by 0.03"),
        (4, None, "Four references are enough: four or five usually are."),
        (5, 0.12, "Five references are too few here: leaving any one out changes scores by 0.12"),
        (3, 0.03, "Three references seem to do here: "),
        (3, 0.07, "Three references are few (leaving any one out changes scores by 0.07"),
        (2, None, "Two references are few. From 4 or 5 on, scores hardly change."),
        (1, None, "One reference can't show what matters most: every idea has weight 1."),
        (0, None, "There are no references. All weights are set manually."),
        (12, 0.01, "12 references are enough"),
    ],
)
def test_whether_there_are_references_enough(
    references: int, change: float | None, sentence: str
) -> None:
    assert advice_of(quality(references, change))[0].startswith(sentence)


def test_what_is_uncovered_is_told_with_the_reference_that_has_most_of_it() -> None:
    advice = advice_of(quality(4, 0.02, covered=60))

    assert advice[1].startswith(
        "40% of the words of the references belong to no idea, most of “R0”"
    )


def test_the_shape_is_told_and_there_are_never_more_than_four_sentences() -> None:
    assert (
        advice_of(quality(4, 0.02))[-1] == "The numbers of ideas by weight are about as expected."
    )
    assert len(advice_of(quality(4, 0.02, departures=("One.", "Two.", "Three.")))) == 4


def test_a_pyramid_without_ideas_is_told_how_to_begin() -> None:
    (sentence,) = advice_of(quality(4, None, ideas=0))

    assert sentence.startswith("There is no idea yet")


def test_of_a_list_without_references_no_shape_is_told() -> None:
    assert len(advice_of(quality(0, None))) == 1
