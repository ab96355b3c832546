"""A learnt curve follows the ideas it is about from version to version of a pyramid.

An assignment keeps its curve with the number of the version whose ideas it names. Publishing a
version carries the curve over: the shift of an idea stays with the idea, and goes where it goes.
"""

from dataclasses import replace
from typing import Any

from grading.models import Assignment, Draft, StoredPyramid
from grading.pyramid.formats.learnt_curve_json import curve_from_json, curve_to_json
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.pipeline import Engine
from grading.scoring.corrections import Carrier
from grading.scoring.engine import engine_for_assignment, with_learnt_curve

Learnt = dict[str, Any]  # a curve as JSON, with "version": the number of the one it is about


def curve_carried(learnt: Learnt, assignment_pk: int, carrier: Carrier) -> LearntCurve:
    """A curve that was kept, with the numbers that its ideas have where the carrier leads."""
    curve = curve_from_json(learnt)
    version = StoredPyramid.objects.filter(assignment=assignment_pk, number=learnt["version"])
    known = version.first()
    if known is None:
        return replace(curve, idea_shifts=())
    return curve.carried(carrier.uids_from(known))


def learnt_carried(learnt: Learnt, version: StoredPyramid) -> Learnt:
    """What is kept of a curve, about the ideas of this version."""
    if learnt["version"] == version.number:
        return learnt
    curve = curve_carried(learnt, version.assignment_id, Carrier.to_version(version))
    return learnt | {"version": version.number} | curve_to_json(curve)


def learnt_curve_carry(*, version: StoredPyramid) -> None:
    """From the version before to the one that was published, in the same transaction."""
    assignment = Assignment.objects.get(pk=version.assignment_id)
    if assignment.learnt_curve is not None:
        learnt = learnt_carried(assignment.learnt_curve, version)
        Assignment.objects.filter(pk=assignment.pk).update(learnt_curve=learnt)


def engine_for_draft(engine: Engine, draft: Draft, carrier: Carrier) -> Engine:
    """As the class would be scored if the draft were published."""
    learnt = draft.assignment.learnt_curve
    if learnt is None:
        return engine_for_assignment(engine, draft.assignment)
    return with_learnt_curve(engine, curve_carried(learnt, draft.assignment_id, carrier))
