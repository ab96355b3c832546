"""The tables, one file a topic."""

from grading.models.assignments import Assignment
from grading.models.calibration import (
    Annotation,
    CalibrationRound,
    CalibrationText,
    ThresholdChange,
    ThresholdTrial,
)
from grading.models.corrections import MatchCorrection, SecondLook
from grading.models.courses import Course, Membership, Role
from grading.models.drafts import Dismissal, Draft, DraftEdit, Finding
from grading.models.events import SubmissionEvent
from grading.models.jobs import Job
from grading.models.pyramids import StoredPyramid
from grading.models.readings import StoredReading
from grading.models.scores import Score
from grading.models.sight import Missed, Sight
from grading.models.summaries import Reference, Submission, Writing
from grading.models.users import User

__all__ = [
    "Annotation",
    "Assignment",
    "CalibrationRound",
    "CalibrationText",
    "Course",
    "Dismissal",
    "Draft",
    "DraftEdit",
    "Finding",
    "Job",
    "MatchCorrection",
    "Membership",
    "Missed",
    "Reference",
    "Role",
    "Score",
    "SecondLook",
    "Sight",
    "StoredPyramid",
    "StoredReading",
    "Submission",
    "SubmissionEvent",
    "ThresholdChange",
    "ThresholdTrial",
    "User",
    "Writing",
]
