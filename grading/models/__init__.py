"""The tables, one file a topic."""

from grading.models.assignments import Assignment
from grading.models.comments import Comment
from grading.models.corrections import MarkingStep, MatchCorrection, SecondLook
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
    "Assignment",
    "Comment",
    "Course",
    "Dismissal",
    "Draft",
    "DraftEdit",
    "Finding",
    "Job",
    "MarkingStep",
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
    "User",
    "Writing",
]
