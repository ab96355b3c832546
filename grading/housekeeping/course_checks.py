"""Check rows of a course's file beyond their fields: InputError says what is wrong."""

from collections.abc import Iterator
from contextlib import contextmanager

from grading.models import (
    Annotation,
    Assignment,
    CalibrationText,
    Comment,
    Draft,
    DraftEdit,
    MarkingStep,
    MatchCorrection,
    OpinionSetting,
    Reference,
    Score,
    SecondLook,
    StoredGradeRule,
    StoredPyramid,
    Submission,
    SubmissionEvent,
    ThresholdChange,
    Writing,
)
from grading.pyramid.editing.command_json import command_from_json
from grading.pyramid.errors import InputError
from grading.pyramid.formats.grade_rule_json import grade_rule_from_json
from grading.pyramid.formats.learnt_curve_json import curve_from_json
from grading.pyramid.formats.pyramid_json import (
    content_hash,
    pyramid_from_json,
    report_from_json,
    spans_from_json,
)
from grading.pyramid.structures import HeldFor
from grading.scoring.marks import annotated_ideas
from grading.web.texts_in_forms import LONGEST_TEXT, source_problem

_KINDS = SubmissionEvent.Kind
_OF_SECOND_LOOKS = frozenset({_KINDS.ASKED, _KINDS.ANSWERED, _KINDS.WITHDRAWN})


def check_version(row: StoredPyramid) -> None:
    if content_hash(pyramid_from_json(row.document)) != row.content_hash:
        raise InputError("the ideas of this version were changed after it was published.")


def check_text(row: Reference | Submission | Writing) -> None:
    if len(row.text) > LONGEST_TEXT:
        raise InputError(f"“text” has more than {LONGEST_TEXT:,} characters.")


def check_assignment(row: Assignment) -> None:
    if problem := source_problem(row.source_text):
        raise InputError(f"“source_text”: {problem}")
    _check_learnt(row.learnt_curve)


def check_opinion_setting(row: OpinionSetting) -> None:
    if not isinstance(row.methods, list) or not all(
        isinstance(method, str) for method in row.methods
    ):
        raise InputError("“methods” is not a list of names.")


def check_rule_change(row: ThresholdChange) -> None:
    _check_learnt(row.learnt_before)
    _check_learnt(row.learnt_after)


def _check_learnt(learnt: dict[str, object] | None) -> None:
    if learnt is not None:
        with _readable("is no learnt curve"):
            curve_from_json(learnt)
            for name in ("version", "texts", "labels"):
                if not isinstance(learnt[name], int):
                    raise TypeError(name)


def check_grade_rule(row: StoredGradeRule) -> None:
    with _readable("is no grade rule"):
        grade_rule_from_json(row.document)


def check_draft(row: Draft) -> None:
    pyramid_from_json(row.first)
    pyramid_from_json(row.document)
    if max(row.undo_top, row.redo_top) > row.revision:
        raise InputError("the next undo has no step.")


def check_edit(row: DraftEdit) -> None:
    command_from_json(row.command)
    command_from_json(row.inverse)
    if max(row.below, row.target) >= row.revision:  # else one could undo without end
        raise InputError("it undoes a later step.")


def check_score(row: Score) -> None:
    report_from_json(row.document)
    if row.held_for and row.held_for not in set(HeldFor):
        raise InputError(f"“held_for” is none of {', '.join(HeldFor)}.")


def check_spans(row: SecondLook | MatchCorrection | Comment) -> None:
    if row.spans:
        spans_from_json(row.spans)


def check_sample_text(row: CalibrationText) -> None:
    with _readable("are no probabilities"):
        for uid, probability in (row.probabilities or {}).items():
            if not 0 <= float(probability) <= 1 or int(uid) < 0:
                raise ValueError


def check_annotation(row: Annotation) -> None:
    with _readable("are no ideas"):
        annotated_ideas(row)


def check_event(row: SubmissionEvent) -> None:
    with _readable("is not what should be here"):
        row.comprehensive("before")
        row.comprehensive("after")
        if row.kind == _KINDS.COMMENT:
            texts = ("did", "text", "text_before")
            if not all(isinstance(row.document[name], str) for name in texts):
                raise TypeError(texts)
        elif row.kind in _OF_SECOND_LOOKS:
            _ = row.document["second_look"]
        elif row.kind == _KINDS.CORRECTED and "did" in row.document:
            MarkingStep.Did(row.document["did"])
            MarkingStep.Did(row.document["root"])


@contextmanager
def _readable(problem: str) -> Iterator[None]:
    """Turn whatever a document of another form breaks into an InputError."""
    try:
        yield
    except (
        ArithmeticError, AttributeError, LookupError, OverflowError, TypeError, ValueError,
    ):  # fmt: skip
        raise InputError(f"what is kept here {problem}.") from None
