"""Steps that are drawn from the evidence: what they say, in which order, and what they hide."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.feedback.next_steps import (
    Findings,
    Step,
    StepKind,
    all_excluded,
    next_steps,
    sentence_steps,
)
from grading.pyramid.structures import Evidence, Pyramid, ScoreReport, Segment, Span, Standing, Text
from tests.pyramid.feedback.made import (
    cases,
    plain_pyramid,
    pyramid_of,
    report_of,
    spans_of,
    with_match,
    with_other_ideas,
)

ANY = (0, 5_000)
SUN = Text(
    "mine", "The sun heats roofs. Trees cool the air of parks. My uncle has a dog. I like it."
)


def steps(
    text: Text,
    pyramid: Pyramid,
    report: ScoreReport,
    *,
    tells: bool = True,
    word_limits: tuple[int, int] = ANY,
) -> tuple[Step, ...]:
    return next_steps(text, pyramid, report, shows_missed=tells, word_limits=word_limits)


def kinds(steps_shown: tuple[Step, ...]) -> list[StepKind]:
    return [step.kind for step in steps_shown]


def first(steps_shown: tuple[Step, ...], kind: StepKind) -> Step:
    return next(step for step in steps_shown if step.kind is kind)


# --- what is missing ---


@pytest.mark.parametrize(
    ("references", "weights", "expected"),
    [
        (3, (3, 3, 3, 1), "Two ideas that all experts mention are missing."),
        (3, (1, 3, 2), "One idea that all experts mention is missing."),
        (2, (2, 2, 1), "One idea that both experts mention is missing."),
        (5, (5, 4, 3, 2), "Two ideas that most experts mention are missing."),
    ],
)
def test_important_ideas_that_are_missing_are_counted(
    references: int, weights: tuple[int, ...], expected: str
) -> None:
    pyramid = plain_pyramid(references, *weights)
    report = report_of(SUN, pyramid, ("The sun heats roofs", 1))

    step = first(steps(SUN, pyramid, report), StepKind.MISSED)

    assert step.sentence == (
        f"{expected} Read the source again, and ask for each paragraph: what is its main point?"
    )


def test_with_weights_by_hand_weights_are_spoken_of() -> None:
    pyramid = plain_pyramid(0, 0, 0, 0)
    weighed = zip(pyramid.scus, (5, 4, 1), strict=True)
    rubric = replace(pyramid, scus=tuple(replace(scu, given_weight=w) for scu, w in weighed))
    report = report_of(SUN, rubric, ("The sun heats roofs", 3))

    step = first(steps(SUN, rubric, report), StepKind.MISSED)
    heaviest_told = report_of(SUN, rubric, ("The sun heats roofs", 1))
    less = first(steps(SUN, rubric, heaviest_told), StepKind.MISSED)

    assert step.sentence.startswith("One idea of the highest weight is missing.")
    assert less.sentence.startswith("One idea of high weight is missing.")


def test_who_must_count_an_idea_is_not_told_apart_from_who_wrote_it() -> None:
    pyramid = plain_pyramid(3, 3, 3, 1)
    must = replace(pyramid.scus[2], standing=Standing.MUST)
    pyramid = replace(pyramid, scus=(*pyramid.scus[:2], must))
    report = report_of(SUN, pyramid.counted(), ("The sun heats roofs", 1))

    step = first(steps(SUN, pyramid, report), StepKind.MISSED)

    assert step.sentence.startswith("Two ideas of the highest weight are missing.")


def test_what_is_set_aside_is_not_missing() -> None:
    pyramid = plain_pyramid(2, 2, 2)
    aside = replace(pyramid.scus[1], standing=Standing.ASIDE)
    pyramid = replace(pyramid, scus=(pyramid.scus[0], aside))
    report = report_of(SUN, pyramid.counted(), ("The sun heats roofs", 1))

    assert kinds(steps(SUN, pyramid, report)) == [StepKind.FINE]


def test_who_may_not_know_what_is_missing_is_sent_back_to_the_source() -> None:
    pyramid = plain_pyramid(3, 3, 3, 3, 1)
    report = report_of(SUN, pyramid, ("The sun heats roofs", 1))

    step = first(steps(SUN, pyramid, report, tells=False), StepKind.COVERAGE)

    assert step.sentence.startswith(
        "Much of what matters in the source was not matched in your text."
    )
    assert "missing" not in step.sentence


def test_room_is_made_where_there_is_hardly_any() -> None:
    pyramid = plain_pyramid(3, 3, 3)
    report = report_of(SUN, pyramid, ("The sun heats roofs", 1))

    near = first(steps(SUN, pyramid, report, word_limits=(5, 18)), StepKind.MISSED)
    far = first(steps(SUN, pyramid, report, word_limits=(5, 30)), StepKind.MISSED)

    assert near.sentence.endswith("To make room, shorten what is only an example.")
    assert "room" not in far.sentence


# --- what is there ---


def test_parts_that_tell_nothing_are_counted_and_shown() -> None:
    pyramid = plain_pyramid(3, 3, 3, 3, 3)
    idle = ["Trees cool the air of parks", "My uncle has a dog", "I like it"]
    report = report_of(SUN, pyramid, ("The sun heats roofs", 1), idle=idle)

    step = first(steps(SUN, pyramid, report, tells=False), StepKind.UNMATCHED)

    assert step.sentence.startswith("In three of the four statements, nothing was matched.")
    assert step.spans == spans_of(SUN, *idle)


def test_a_text_without_any_idea_is_told_so_kindly() -> None:
    pyramid = plain_pyramid(3, 3)
    idle = ["Trees cool the air of parks", "My uncle has a dog", "I like it"]
    report = report_of(SUN, pyramid, idle=idle)

    result = steps(SUN, pyramid, report, tells=False)

    assert kinds(result) == [StepKind.COVERAGE, StepKind.UNMATCHED]
    assert result[1].sentence.startswith(
        "In the three statements of your text, nothing was matched"
    )


def test_ideas_of_a_single_expert_may_be_details() -> None:
    pyramid = plain_pyramid(4, 4, 4, 4, 4, 1, 1, 1)
    matched = [("The sun", 5), ("roofs", 6), ("the air", 7), ("Trees", 1)]
    report = report_of(SUN, pyramid, *matched)

    step = first(steps(SUN, pyramid, report, tells=False), StepKind.MINOR)

    assert step.sentence.startswith("Three ideas in your text are mentioned by only one expert.")
    assert step.spans == spans_of(SUN, "The sun", "roofs", "the air")


def test_a_sentence_that_says_two_things() -> None:
    text = Text(
        "mine",
        "Listen. In summer the sun heats dark roofs and parks cool the air of the whole city.",
    )
    long = text.content[8:-1]
    pyramid = plain_pyramid(2, 2, 2)
    report = report_of(text, pyramid, (long, 1), (long, 2))
    doubtful = with_match(report, 2, probability=0.6)

    clear = steps(text, pyramid, report)[-1]

    assert clear.sentence == (
        "Your second sentence says two things that the experts keep apart: “idea 0” and “idea 1”."
        " If it is hard to read, give each a sentence of its own."
    )
    assert clear.spans == spans_of(text, long)
    assert kinds(steps(text, pyramid, doubtful)) == [StepKind.FINE, StepKind.DOUBT]


def test_a_doubtful_match_is_to_be_said_more_plainly() -> None:
    pyramid = plain_pyramid(2, 2, 2)
    matched = [("The sun heats roofs", 1), ("Trees cool the air", 2)]
    report = report_of(SUN, pyramid, *matched)
    step = steps(SUN, pyramid, with_match(report, 2, probability=0.6))[-1]
    two = steps(SUN, pyramid, report_of(SUN, pyramid, *matched, probability=0.6))[-1]
    by_hand = with_match(with_match(report, 2, probability=0.6), 2, by_hand=True)

    assert step.sentence == (
        "It's unsure whether your second sentence says this: “idea 1”. If you mean it, say it"
        " more plainly."
    )
    assert two.sentence.startswith("Two matches in your text are unsure. One of them is")
    assert kinds(steps(SUN, pyramid, by_hand)) == [StepKind.FINE]


@pytest.mark.parametrize(
    ("remark", "expected"),
    [
        ("The text says 5 where the experts say 8.", "Check the number in your first sentence:"),
        ("The text says Rome where the experts say Pisa.", "Check your first sentence:"),
    ],
)
def test_what_the_experts_say_otherwise_is_to_be_checked(remark: str, expected: str) -> None:
    pyramid = plain_pyramid(2, 2, 2)
    report = report_of(SUN, pyramid, ("The sun heats roofs", 1))
    against = with_match(report, 1, remarks=(remark,))

    step = steps(SUN, pyramid, against)[0]

    assert step.sentence == f"{expected} {remark.replace('The text', 'it')}"
    by_hand = with_match(against, 1, by_hand=True)
    assert StepKind.CHECK not in kinds(steps(SUN, pyramid, by_hand))


def test_the_same_in_two_sentences_is_once_enough() -> None:
    text = Text("mine", "Dark roofs store much heat. Trees help. Dark roofs store the heat.")
    pyramid = plain_pyramid(2, 2, 2)
    parts = ["Dark roofs store much heat", "Dark roofs store the heat"]
    report = report_of(text, pyramid, (parts[0], 1), ("Trees help", 2), idle=[parts[1]])
    apart = report_of(text, pyramid, (parts[0], 1), (parts[1], 2))

    step = first(steps(text, pyramid, report), StepKind.TWICE)

    assert step.sentence.startswith(
        "Your first sentence and your third sentence use mostly the same words."
    )
    assert step.spans == spans_of(text, *parts)
    assert StepKind.TWICE not in kinds(steps(text, pyramid, apart))


@given(sentences=st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1), max_size=9))
def test_all_pairs_that_are_the_same_are_found(sentences: list[list[str]]) -> None:
    words = [" ".join(f"{letter}x{letter}" for letter in some) for some in sentences]
    text = Text("mine", "".join(f"{word}.\n\n" for word in words))
    starts = [sum(len(word) + 3 for word in words[:place]) for place in range(len(words))]
    parts = [
        Segment((Span(start, start + len(first)),))
        for start, first in zip(starts, words, strict=True)
    ]
    report = replace(report_of(SUN, plain_pyramid(2, 2)), evidence=Evidence(tuple(parts), ()))

    sets = [set(some) for some in sentences]
    same = any(
        len(first & other) >= max(4, 0.7 * len(first | other))
        for first, other in combinations(sets, 2)
    )
    steps_shown = list(sentence_steps(Findings(text, plain_pyramid(2, 2), report)))
    assert kinds(tuple(steps_shown)) == ([StepKind.TWICE] if same else [])


# --- length, nothing, praise, order ---


def test_the_length_that_was_asked_for() -> None:
    pyramid = plain_pyramid(2, 2)
    report = report_of(SUN, pyramid, ("The sun heats roofs", 1))

    short = steps(SUN, pyramid, report, word_limits=(20, 30))[1]
    long = steps(SUN, pyramid, report, word_limits=(5, 10))[1]

    assert short.sentence.startswith("Your text has 18 words; at least 20 were required.")
    assert long.sentence.startswith("Your text has 18 words; at most 10 are allowed.")


def test_a_text_of_which_nothing_counts() -> None:
    pyramid = plain_pyramid(2, 2)
    result = steps(Text("mine", "Sun."), pyramid, report_of(SUN, pyramid), word_limits=(20, 30))

    assert kinds(result) == [StepKind.SHORT, StepKind.NOTHING]


def test_a_text_that_a_grader_excluded_is_told_so() -> None:
    step = all_excluded()
    assert step.kind is StepKind.EXCLUDED
    assert "excluded your whole text" in step.sentence


def test_praise_has_a_reason() -> None:
    pyramid = plain_pyramid(3, 3, 2)
    report = report_of(SUN, pyramid, ("The sun heats roofs", 1), ("Trees cool the air", 2))

    (step,) = steps(SUN, pyramid, report)

    assert step.sentence == (
        "Most of what you wrote is important, and most of the important ideas are there: two of "
        "your"
        " ideas are among those that most experts mention. Keep these ideas."
    )
    assert step.spans == spans_of(SUN, "The sun heats roofs", "Trees cool the air")


def test_what_may_be_wrong_comes_before_what_raises_scores_and_that_before_clarity() -> None:
    pyramid = plain_pyramid(3, 3, 3, 3)
    report = report_of(SUN, pyramid, ("The sun heats roofs", 1), ("Trees cool the air", 2))
    report = with_match(report, 1, remarks=("The text says no sun where the experts say sun.",))
    report = with_match(replace(report, coverage=0.6), 2, probability=0.6)

    result = steps(SUN, pyramid, report, tells=False)

    assert kinds(result) == [StepKind.CHECK, StepKind.COVERAGE, StepKind.DOUBT]


def test_what_raises_the_score_more_comes_first() -> None:
    idle = ["My uncle has a dog", "I like it", "of parks"]
    few, many = plain_pyramid(4, 4, 3, 1, 1, 1), plain_pyramid(4, *[4] * 12)
    matched = [("The sun heats roofs", 1), ("Trees cool the air", 2)]

    most_is_there = steps(SUN, few, report_of(SUN, few, *matched[:1], idle=idle))
    little_is_there = steps(SUN, many, report_of(SUN, many, *matched[:1], idle=idle))

    assert kinds(little_is_there)[0] is StepKind.MISSED
    assert set(kinds(most_is_there)) == {StepKind.MISSED, StepKind.UNMATCHED}


def test_in_a_list_words_are_quoted_as_nobody_counts_sentences_there() -> None:
    text = Text("mine", "1. Heat\n- the sun heats all the dark roofs\n- trees")
    pyramid = pyramid_of({"sun": ["sun", "sun"], "trees": ["trees", "trees"]})
    report = report_of(text, pyramid, ("the sun heats all the dark roofs", 1), probability=0.6)

    step = first(steps(text, pyramid, report), StepKind.DOUBT)

    assert "whether the part “the sun heats all the …” says this: “sun”" in step.sentence


# --- what always holds ---


@given(case=cases(), tells=st.booleans(), word_limits=st.sampled_from([(0, 9), (50, 90), (3, 400)]))
def test_there_are_three_at_most_and_their_words_are_in_the_text(
    case: tuple[Text, Pyramid, ScoreReport], tells: bool, word_limits: tuple[int, int]
) -> None:
    text, pyramid, report = case
    result = steps(text, pyramid, report, tells=tells, word_limits=word_limits)

    assert len(result) <= 3
    assert len({step.kind for step in result}) == len(result)
    for step in result:
        assert step.sentence[0].isupper()
        assert step.sentence.endswith((".", "?"))
        assert all(0 <= span.start < span.end <= len(text.content) for span in step.spans)
        assert step.spans == tuple(sorted(step.spans))


@given(data=st.data(), case=cases())
def test_nothing_is_told_of_ideas_that_were_not_found(
    data: st.DataObject, case: tuple[Text, Pyramid, ScoreReport]
) -> None:
    text, pyramid, report = case
    other = data.draw(with_other_ideas(pyramid))
    others = replace(
        report, trace=("The most important idea gives 9.",), evidence=_no_rivals(report.evidence)
    )

    steps_shown = steps(text, pyramid, report, tells=False, word_limits=(5, 40))

    assert steps(text, other, others, tells=False, word_limits=(5, 40)) == steps_shown


def _no_rivals(evidence: Evidence) -> Evidence:
    matches = tuple(replace(match, alternatives=()) for match in evidence.matches)
    return replace(evidence, matches=matches)
