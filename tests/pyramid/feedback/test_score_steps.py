"""Steps about parts that tell nothing, or nothing new, in texts short and very long."""

from grading.pyramid.feedback.next_steps import StepKind
from grading.pyramid.structures import Text
from tests.pyramid.feedback.made import plain_pyramid, report_of, said_again, spans_of
from tests.pyramid.feedback.test_next_steps import SUN, first, kinds, steps


def test_ideas_here_and_there_make_no_text_important() -> None:
    """More parts than there are ideas: the best sum grows no more, and quality stays high."""
    idle = ["My uncle has a dog", "I like it", "of parks"]
    pyramid = plain_pyramid(3, 3, 2)
    matched = [("The sun heats roofs", 1), ("Trees cool the air", 2)]
    report = report_of(SUN, pyramid, *matched, idle=idle)
    again = said_again(report, SUN, 1, *idle[:1])

    for tells in (True, False):
        praise, less = steps(SUN, pyramid, report, tells=tells)
        assert praise.sentence.startswith(
            "Most of the important ideas are there: two of your ideas"
        )
        assert less.sentence.startswith("In three of the five statements, nothing was")
        (full,) = steps(SUN, pyramid, again, tells=tells)
        assert full.sentence.startswith("Most of what you wrote is important, and most of the")


def test_what_is_said_again_is_no_part_without_an_idea() -> None:
    idle = ["My uncle has a dog", "I like it", "of parks"]
    pyramid = plain_pyramid(3, 3, 3, 3, 3)
    report = report_of(SUN, pyramid, ("The sun heats roofs", 1), idle=idle)

    result = steps(SUN, pyramid, said_again(report, SUN, 1, *idle), tells=False)
    step = first(result, StepKind.TWICE)

    assert StepKind.UNMATCHED not in kinds(result)
    assert step.sentence.startswith("Three of the four statements repeat or elaborate an idea that")
    assert step.spans == tuple(sorted(spans_of(SUN, *idle)))
    less = steps(SUN, pyramid, said_again(report, SUN, 1, *idle[:2]), tells=False)
    assert StepKind.TWICE not in kinds(less)


def test_two_steps_are_not_about_the_same() -> None:
    text = Text("mine", " ".join(f"Dark roofs store all the heat {day}." for day in "abcd"))
    parts = text.content.rstrip(".").split(". ")
    pyramid = plain_pyramid(2, 2, 2, 2)
    report = report_of(text, pyramid, (parts[0], 1), idle=parts[1:])

    result = steps(text, pyramid, said_again(report, text, 1, *parts[1:]), tells=False)

    assert kinds(result).count(StepKind.TWICE) == 1
    assert first(result, StepKind.TWICE).sentence.startswith("Three of the four statements")
