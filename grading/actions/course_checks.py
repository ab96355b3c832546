"""What a row of a course's file must be to be used: InputError says what is wrong with it."""

from grading.models import (
    Comment,
    Draft,
    DraftEdit,
    MatchCorrection,
    Score,
    SecondLook,
    StoredGradeRule,
    StoredPyramid,
    SubmissionEvent,
)
from grading.pyramid.editing.command_json import command_from_json
from grading.pyramid.errors import InputError
from grading.pyramid.formats.grade_rule_json import grade_rule_from_json
from grading.pyramid.formats.pyramid_json import (
    content_hash,
    pyramid_from_json,
    report_from_json,
    spans_from_json,
)


def check_version(row: StoredPyramid) -> None:
    if content_hash(pyramid_from_json(row.document)) != row.content_hash:
        raise InputError("the ideas of this version were changed after it was published.")


def check_grade_rule(row: StoredGradeRule) -> None:
    grade_rule_from_json(row.document)


def check_draft(row: Draft) -> None:
    pyramid_from_json(row.first)
    pyramid_from_json(row.document)


def check_edit(row: DraftEdit) -> None:
    command_from_json(row.command)
    command_from_json(row.inverse)


def check_score(row: Score) -> None:
    report_from_json(row.document)


def check_spans(row: SecondLook | MatchCorrection | Comment) -> None:
    if row.spans:
        spans_from_json(row.spans)


def check_event(row: SubmissionEvent) -> None:
    if not isinstance(row.document, dict):
        raise InputError("“document” is not what it should be.")
