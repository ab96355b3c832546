"""What a file of DUCView changes about a report."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from grading.pyramid.corrections import correct_report
from grading.pyramid.errors import InputError
from grading.pyramid.formats.annotation_changes import (
    AnnotationChanges,
    Change,
    changes_by_annotation,
)
from grading.pyramid.formats.ducview import (
    Annotation,
    Expression,
    annotatable,
    annotation_of,
    read_annotation,
    write_annotation,
)
from grading.pyramid.structures import Contributor, Pyramid, ScoreReport, Scu, Span, Spans, Text
from tests.pyramid.feedback.made import cases, pyramid_of, report_of, said_again, spans_of

PYRAMID = pyramid_of({"Roofs store heat": ["Roofs store heat"], "Trees cool": ["Trees cool", "T"]})
TEXT = Text("zoe-1", "My summary.\nRoofs store heat. Trees, they say, cool.")
ROOFS, TREES = spans_of(TEXT, "Roofs store heat"), spans_of(TEXT, "Trees", "cool")
REPORT = report_of(TEXT, PYRAMID, ("Roofs store heat", 1), idle=("My summary.",))


def annotated(
    *expressed: tuple[int, Spans], text: Text = TEXT, pyramid: Pyramid = PYRAMID
) -> Annotation:
    uids = dict.fromkeys(uid for uid, _ in expressed)
    return Annotation(
        pyramid,
        text,
        tuple(
            Expression(
                uid, tuple(Contributor("", spans) for first, spans in expressed if first == uid)
            )
            for uid in uids
        ),
    )


def changes(annotation: Annotation, report: ScoreReport = REPORT) -> AnnotationChanges:
    return changes_by_annotation(annotation, PYRAMID, TEXT, report)


def test_ideas_are_added_taken_away_and_put_on_other_words() -> None:
    title = (Span(0, 11),)

    assert changes(annotated((2, TREES))).changes == (Change(1, ROOFS, ()), Change(2, (), TREES))
    assert changes(annotated((1, title))).moved == (Change(1, ROOFS, title),)
    same = changes(annotated((1, ROOFS)))
    assert (same.changes, same.same) == ((), 1)


def test_the_report_then_says_what_the_file_says() -> None:
    result = changes(annotated((2, TREES)))

    report = correct_report(REPORT, PYRAMID, result.corrections)

    assert [(match.scu_uid, match.spans) for match in report.evidence.matches] == [(2, TREES)]
    assert changes(annotated((2, TREES)), report).changes == ()


def test_an_idea_that_is_said_twice_counts_where_it_did() -> None:
    assert changes(annotated((1, TREES), (1, ROOFS))).changes == ()
    wider = (Span(ROOFS[0].start, ROOFS[0].end + 1),)
    assert changes(annotated((1, TREES), (1, wider))).moved == (Change(1, ROOFS, wider),)


def test_what_is_said_again_is_written_and_changes_nothing() -> None:
    report = said_again(REPORT, TEXT, 1, "My summary.")

    annotation = annotation_of(PYRAMID, TEXT, report)

    assert [len(expression.places) for expression in annotation.expressions] == [2]
    assert annotation.unmatched == ()
    assert changes(annotation, report).changes == ()


def test_white_space_may_differ() -> None:
    loose = Text("", "My  summary.\n\n Roofs store\theat.\nTrees, they say, cool.\n")
    spans = spans_of(loose, "Roofs store\theat"), spans_of(loose, "Trees", "cool")

    result = changes(annotated((1, spans[0]), (2, spans[1]), text=loose))

    assert result.changes == (Change(2, (), TREES),)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "My summary.\nRoofs keep heat.",
            "line 2 of the summary, after “Roofs”, the file has “keep heat.” and the summary “st",
        ),
        ("A summary", "line 1 of the summary, at its beginning, the file has “A summary” and"),
        ("My summary.", "the file has nothing more and the summary “Roofs store heat."),
        (
            f"{TEXT.content} More.",
            "the file has “More.” and the summary nothing more",
        ),
    ],
)
def test_another_text_is_refused_with_the_place(content: str, expected: str) -> None:
    with pytest.raises(InputError) as refused:
        changes(annotated(text=Text("", content)))
    assert expected in str(refused.value)


def test_ideas_are_known_by_number_and_label_or_by_a_label_of_their_own() -> None:
    theirs = Pyramid(
        PYRAMID.references,
        (
            replace(PYRAMID.scus[0], uid=7),
            Scu(2, "Wind cools", PYRAMID.scus[1].contributors),
        ),
    )

    result = changes(annotated((7, ROOFS), (2, TREES), pyramid=theirs))

    assert (result.changes, result.unknown, result.same) == ((), ("Wind cools",), 1)


def test_ideas_that_the_file_does_not_have_stay_as_they_are() -> None:
    theirs = replace(PYRAMID, scus=PYRAMID.scus[1:])

    assert changes(annotated((2, TREES), pyramid=theirs)).changes == (Change(2, (), TREES),)


@settings(max_examples=30)
@given(cases())
def test_what_is_written_of_a_report_changes_nothing_of_it(
    case: tuple[Text, Pyramid, ScoreReport],
) -> None:
    text, pyramid, report = case
    held = annotatable(pyramid)
    assume(held)
    assert held

    written = write_annotation(annotation_of(held, text, report))
    result = changes_by_annotation(read_annotation(written.encode(), ""), pyramid, text, report)

    assert (result.changes, result.unknown) == ((), ())
