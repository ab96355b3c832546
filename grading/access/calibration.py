"""Samples that graders annotate."""

from django.core.exceptions import PermissionDenied
from django.http import Http404

from grading.access.assignments import get_graded_assignment_for
from grading.access.courses import check_instructor
from grading.models import (
    CalibrationRound,
    CalibrationText,
    Membership,
    User,
)


def get_calibration_round_for(user: User, round_pk: int) -> tuple[CalibrationRound, Membership]:
    """A sample of a class that the user grades."""
    rounds = CalibrationRound.objects.select_related("pyramid", "created_by")
    sample = rounds.filter(pk=round_pk).first()
    if sample is None:
        raise Http404("No such sample.")
    sample.assignment, membership = get_graded_assignment_for(user, sample.assignment_id)
    return sample, membership


def get_editable_calibration_round_for(
    user: User, round_pk: int
) -> tuple[CalibrationRound, Membership]:
    """A sample of a course that the user teaches."""
    round_, membership = get_calibration_round_for(user, round_pk)
    check_instructor(membership)
    return round_, membership


def get_calibration_text_for(
    user: User, round_pk: int, place: int
) -> tuple[CalibrationText, Membership]:
    """A text of a sample that the user may annotate."""
    round_, membership = get_calibration_round_for(user, round_pk)
    text = round_.texts.select_related("submission").filter(place=place).first()
    if text is None:
        raise Http404("No such text in this sample.")
    text.round = round_
    return text, membership


def get_calibration_result_for(user: User, round_pk: int) -> tuple[CalibrationRound, Membership]:
    """A sample with what came of it: for instructors, and for TAs who are done with all of it."""
    round_, membership = get_calibration_round_for(user, round_pk)
    done = round_.texts.filter(annotations__annotator=user, annotations__is_done=True).count()
    if not membership.is_instructor and done < round_.texts.count():
        raise PermissionDenied("You'll see the result when you finish all texts of the sample.")
    return round_, membership
