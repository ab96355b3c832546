"""The tables, one file a topic."""

from grading.models.api import ApiToken, IdempotentAnswer, Webhook, WebhookDelivery
from grading.models.assignments import Assignment
from grading.models.audit import AuditKind, AuditRecord, record
from grading.models.calibration import (
    Annotation,
    CalibrationRound,
    CalibrationText,
    ThresholdChange,
    ThresholdTrial,
)
from grading.models.class_findings import ClassFinding
from grading.models.comments import Comment, SavedComment
from grading.models.corrections import MarkingStep, MatchCorrection, SecondLook
from grading.models.courses import Course, Membership, RemovedMember, Role
from grading.models.drafts import Dismissal, Draft, DraftEdit, Finding
from grading.models.events import SubmissionEvent
from grading.models.expert_scores import ExpertScores
from grading.models.extensions import Extension
from grading.models.grade_rules import ManualGrade, StoredGradeRule
from grading.models.gradebook_exports import GradebookExport, GradebookUpload, Scope
from grading.models.housekeeping import CourseFile, CourseFilePart, Deletion
from grading.models.imports import ImportUpload, WorkImport
from grading.models.jobs import Job
from grading.models.lti import (
    LtiContext,
    LtiDeployment,
    LtiEnrolment,
    LtiGrade,
    LtiInvitation,
    LtiKey,
    LtiLink,
    LtiLogin,
    LtiPerson,
    LtiPlatform,
)
from grading.models.notifications import MailChoices, Notice
from grading.models.processes import ProcessPulse
from grading.models.pyramids import StoredPyramid
from grading.models.readings import PyramidReading, StoredFacts, StoredReading
from grading.models.reviews import QueueView, Review, SubmissionFlags
from grading.models.rosters import RosterAccount
from grading.models.scores import Score
from grading.models.second_opinions import (
    OpinionSetting,
    SecondOpinion,
    StoredContentModel,
)
from grading.models.sight import Missed, Sight
from grading.models.summaries import Reference, Submission, Writing
from grading.models.users import User

__all__ = [
    "Annotation",
    "ApiToken",
    "Assignment",
    "AuditKind",
    "AuditRecord",
    "CalibrationRound",
    "CalibrationText",
    "ClassFinding",
    "Comment",
    "Course",
    "CourseFile",
    "CourseFilePart",
    "Deletion",
    "Dismissal",
    "Draft",
    "DraftEdit",
    "ExpertScores",
    "Extension",
    "Finding",
    "GradebookExport",
    "GradebookUpload",
    "IdempotentAnswer",
    "ImportUpload",
    "Job",
    "LtiContext",
    "LtiDeployment",
    "LtiEnrolment",
    "LtiGrade",
    "LtiInvitation",
    "LtiKey",
    "LtiLink",
    "LtiLogin",
    "LtiPerson",
    "LtiPlatform",
    "MailChoices",
    "ManualGrade",
    "MarkingStep",
    "MatchCorrection",
    "Membership",
    "Missed",
    "Notice",
    "OpinionSetting",
    "ProcessPulse",
    "PyramidReading",
    "QueueView",
    "Reference",
    "RemovedMember",
    "Review",
    "Role",
    "RosterAccount",
    "SavedComment",
    "Scope",
    "Score",
    "SecondLook",
    "SecondOpinion",
    "Sight",
    "StoredContentModel",
    "StoredFacts",
    "StoredGradeRule",
    "StoredPyramid",
    "StoredReading",
    "Submission",
    "SubmissionEvent",
    "SubmissionFlags",
    "ThresholdChange",
    "ThresholdTrial",
    "User",
    "Webhook",
    "WebhookDelivery",
    "WorkImport",
    "Writing",
    "record",
]
