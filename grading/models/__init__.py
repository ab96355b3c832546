"""The tables, one file a topic."""

from grading.models.assignments import Assignment
from grading.models.courses import Course, Membership, Role
from grading.models.drafts import Dismissal, Draft, DraftEdit, Finding
from grading.models.jobs import Job
from grading.models.pyramids import StoredPyramid
from grading.models.readings import StoredReading
from grading.models.scores import Score
from grading.models.summaries import Reference, Submission
from grading.models.users import User

__all__ = [
    "Assignment",
    "Course",
    "Dismissal",
    "Draft",
    "DraftEdit",
    "Finding",
    "Job",
    "Membership",
    "Reference",
    "Role",
    "Score",
    "StoredPyramid",
    "StoredReading",
    "Submission",
    "User",
]
