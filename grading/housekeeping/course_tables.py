"""Which tables a course is made of, and what becomes of each field in a file, a copy, a deletion.

To add a model, write one line in TABLES, below those that its keys lead to:

    Table("excuses", Excuse, "assignment__course", "reason created_at", "assignment student",
          student="student"),

Every field is in exactly one place: ``copied`` (as it is), ``keys`` (leads to a row of another
table, or to a person, and is given its new id), or ``left_out`` with the reason. A model that goes
in no file is in NOT_IN_FILES with the reason. A test (test_course_tables.py) fails for any
model or field that was forgotten. Optional:

- ``student``: the key that says whose row it is; it goes with the student's data.
- ``copies``: settings of an assignment, which go along when it is copied. Its keys are those of
  its table and to people (left empty in the copy) only.
- ``ids``: keys of JSON documents with the id of a row: {"document": {"correction": Model}}.
- ``check``: raises InputError where what came in a file cannot be used.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import Field, ForeignKey, Model, QuerySet

from grading.housekeeping import course_checks
from grading.models import (
    Annotation,
    ApiToken,
    Assignment,
    AuditRecord,
    CalibrationRound,
    CalibrationText,
    ClassFinding,
    Comment,
    Course,
    CourseFile,
    CourseFilePart,
    Deletion,
    Dismissal,
    Draft,
    DraftEdit,
    ExpertScores,
    Extension,
    Finding,
    GradebookExport,
    GradebookUpload,
    IdempotentAnswer,
    ImportUpload,
    Job,
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
    MailChoices,
    ManualGrade,
    MarkingStep,
    MatchCorrection,
    Membership,
    Notice,
    OpinionSetting,
    ProcessPulse,
    PyramidReading,
    QueueView,
    Reference,
    RemovedMember,
    Review,
    RosterAccount,
    SavedComment,
    Score,
    SecondLook,
    SecondOpinion,
    StoredContentModel,
    StoredFacts,
    StoredGradeRule,
    StoredPyramid,
    StoredReading,
    Submission,
    SubmissionEvent,
    SubmissionFlags,
    ThresholdChange,
    ThresholdTrial,
    User,
    Webhook,
    WebhookDelivery,
    WorkImport,
    Writing,
)

ARCHIVING = {
    "archived_at": "an import begins as what it is: something to work with",
    "leaves_at": "what is about to be deleted is in no file",
}


@dataclass(frozen=True, slots=True)
class Table:
    """``name`` is the file's, and what a page calls the rows; ``course`` leads to their course."""

    name: str
    model: type[Model]
    course: str
    copied: str = ""
    keys: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)
    student: str = ""
    copies: bool = False
    ids: Mapping[str, Mapping[str, type[Model]]] = field(default_factory=dict)
    check: Callable[[Any], None] | None = None

    @property
    def copied_fields(self) -> list["Field[Any, Any]"]:
        return [self._field(name) for name in self.copied.split()]

    @property
    def key_fields(self) -> list["ForeignKey[Any, Any]"]:
        fields = [self._field(name) for name in self.keys.split()]
        return [field for field in fields if isinstance(field, ForeignKey)]

    def _field(self, name: str) -> "Field[Any, Any]":
        return self.model._meta.get_field(name)  # type: ignore[return-value]

    def rows(self, course: Course) -> QuerySet[Any]:
        """All of the course, but for assignments that are about to be deleted."""
        rows = self.model._base_manager.filter(**{self.course: course.pk})
        if self.model is Assignment:
            return rows.filter(leaves_at=None).order_by("pk")
        if self.course.endswith("assignment__course"):
            to_assignment = self.course.removesuffix("__course")
            rows = rows.filter(**{f"{to_assignment}__leaves_at": None})
        return rows.order_by("pk")

    def rows_of_student(self, course: Course, student: User) -> QuerySet[Any]:
        """Also of assignments that are about to be deleted: they may be restored."""
        rows = self.model._base_manager.filter(**{self.course: course.pk})
        return rows.filter(**{self.student: student.pk})


TABLES = (
    Table(
        "course",
        Course,
        "pk",
        "name term time_zone sends_mail created_at",
        left_out={
            "code": "two courses cannot have the same; an import gets a new one",
            "code_expires_at": "of the code, which is not in the file",
        }
        | ARCHIVING,
    ),
    Table(
        "members",
        Membership,
        "course",
        "role joined_at section student_number lms_id lms_login roster_email",
        "course user",
        student="user",
    ),
    Table(
        "assignments",
        Assignment,
        "course",
        "title instructions source_title source_text min_words max_words due_at accepts_late "
        "max_attempts max_drafts copying copying_percent release missed_before missed_after "
        "second_looks mails_results mails_reminder names_hidden match_probability "
        "learnt_curve state created_at",
        "course",
        check=course_checks.check_assignment,
        left_out=ARCHIVING
        | {
            "dismissed_method": "a notice that the instructors here have seen",
            "mails_since": "this server has sent no e-mails about it",
        },
    ),
    Table(
        "extensions",
        Extension,
        "assignment__course",
        "section due_at max_attempts reason changed_at",
        "assignment student author",
        student="student",
    ),
    Table(
        "references",
        Reference,
        "assignment__course",
        "name text words created_at",
        "assignment",
        copies=True,
        check=course_checks.check_text,
    ),
    Table(
        "opinion_settings",
        OpinionSetting,
        "assignment__course",
        "methods least_difference",
        "assignment",
        copies=True,
        check=course_checks.check_opinion_setting,
    ),
    Table(
        "grade_rules",
        StoredGradeRule,
        "assignment__course",
        "document students_see created_at",
        "assignment author",
        copies=True,
        check=course_checks.check_grade_rule,
    ),
    Table(
        "manual_grades",
        ManualGrade,
        "assignment__course",
        "kind points possible reason is_undo created_at",
        "assignment student author",
        student="student",
    ),
    Table(
        "versions",
        StoredPyramid,
        "assignment__course",
        "number document content_hash signature note created_at",
        "assignment created_by",
        check=course_checks.check_version,
    ),
    Table(
        "drafts",
        Draft,
        "assignment__course",
        "number state origin origin_note first document revision undo_top redo_top next_uid "
        "created_at edited_at",
        "assignment based_on published_as created_by",
        check=course_checks.check_draft,
    ),
    Table(
        "edits",
        DraftEdit,
        "draft__assignment__course",
        "revision kind command inverse words target below token created_at",
        "draft author",
        check=course_checks.check_edit,
    ),
    Table(
        "dismissals",
        Dismissal,
        "draft__assignment__course",
        "key created_at",
        "draft author",
    ),
    Table(
        "submissions",
        Submission,
        "assignment__course",
        "attempt text words submitted_at late is_final visibility copied",
        "assignment student",
        student="student",
        check=course_checks.check_text,
    ),
    Table(
        "reviews",
        Review,
        "assignment__course",
        "reviewed_at numbers",
        "assignment student reviewed_by submission",
        left_out={
            "claimed_by": "who has it in hand just now",
            "claimed_at": "who has it in hand just now",
            "alive_at": "who has it in hand just now",
        },
        student="student",
    ),
    Table(
        "writings",
        Writing,
        "assignment__course",
        "text replaced is_typed revision saved_at",
        "assignment student",
        student="student",
        check=course_checks.check_text,
    ),
    Table(
        "scores",
        Score,
        "submission__assignment__course",
        "signature revision corrections statements raw quality coverage comprehensive document "
        "confidence doubtful contradicted held held_in_part held_for created_at",
        "submission pyramid",
        check=course_checks.check_score,
    ),
    Table(
        "second_looks",
        SecondLook,
        "submission__assignment__course",
        "scu_uid shown_as spans disputes_match reason state created_at answer answered_at",
        "submission pyramid answered_by",
        check=course_checks.check_spans,
    ),
    Table(
        "marking_steps",
        MarkingStep,
        "submission__assignment__course",
        "did about created_at",
        "submission undoes copy_of author",
    ),
    Table(
        "corrections",
        MatchCorrection,
        "submission__assignment__course",
        "scu_uid verdict spans created_at",
        "submission pyramid second_look step author",
        check=course_checks.check_spans,
    ),
    Table(
        "comments",
        Comment,
        "submission__assignment__course",
        "is_private text spans scu_uid created_at edited_at deleted_at",
        "submission pyramid author",
        check=course_checks.check_spans,
    ),
    Table(
        "saved_comments",
        SavedComment,
        "course",
        "key text created_at",
        "course author",
    ),
    Table(
        "samples",
        CalibrationRound,
        "assignment__course",
        "number signature match_probability seed drawn_from created_at",
        "assignment pyramid created_by",
    ),
    Table(
        "sample_texts",
        CalibrationText,
        "round__assignment__course",
        "place probabilities",
        "round submission",
        check=course_checks.check_sample_text,
    ),
    Table(
        "annotations",
        Annotation,
        "text__round__assignment__course",
        "ideas is_done saved_at",
        "text annotator",
        check=course_checks.check_annotation,
    ),
    Table(
        "threshold_changes",
        ThresholdChange,
        "assignment__course",
        "before after learnt_before learnt_after created_at",
        "assignment author",
        check=course_checks.check_rule_change,
    ),
    Table(
        "events",
        SubmissionEvent,
        "submission__assignment__course",
        "kind document created_at",
        "submission author",
        ids={
            "document": {
                "correction": MatchCorrection,
                "second_look": SecondLook,
                "step": MarkingStep,
                "comment": Comment,
            }
        },
        check=course_checks.check_event,
    ),
    # So that the server that imports the course does not mail the same news again.
    Table(
        "notices",
        Notice,
        "assignment__course",
        "kind due_at state tries created_at send_after sent_at",
        "assignment user submission second_look",
        student="user",
    ),
)

# People have no course: those whom any row leads to are in the file, and never more of them.
PEOPLE = Table(
    "people",
    User,
    "",
    "username name email time_zone",
    left_out={
        "password": "it is nobody's but its owner's",
        "last_login": "of the account, not of the course",
        "date_joined": "of the account, not of the course",
        "is_active": "a right, which no file can give or take",
        "is_staff": "a right, which no file can give",
        "is_superuser": "a right, which no file can give",
        "may_create_courses": "a right, which no file can give",
        "groups": "a right, which no file can give",
        "user_permissions": "a right, which no file can give",
    },
)

NOT_IN_FILES: Mapping[type[Model], str] = {
    StoredReading: "calculated again from the text",
    StoredFacts: "calculated again from the text and the pyramid",
    PyramidReading: "calculated again from the pyramid",
    ExpertScores: "calculated again from the version",
    SubmissionFlags: "calculated again from the texts",
    StoredContentModel: "calculated again from the expert summaries",
    SecondOpinion: "calculated again from the texts",
    Finding: "calculated again from the draft",
    QueueView: "a grader's own way to look at the course",
    ClassFinding: "calculated again from what the class wrote",
    Job: "work that is done, or that only this server can do",
    CourseFile: "a file of the course",
    CourseFilePart: "a file of the course",
    Deletion: "what was asked of this server",
    GradebookUpload: "a file on its way, kept for a day",
    WorkImport: "files on their way, and a note of those that were imported",
    ImportUpload: "files on their way",
    ThresholdTrial: "calculated again from the class",
    RosterAccount: "who made an account on this server",
    MailChoices: "what somebody wants from this server",
    RemovedMember: "who was taken out on this server",
    GradebookExport: "a file for one gradebook, made of what is in the course",
    AuditRecord: "what happened on this server, which nobody takes away",
    ProcessPulse: "which workers of this server are alive",
    ApiToken: "lets somebody's programs into this server",
    IdempotentAnswer: "what a program was answered, kept for a day",
    Webhook: "an address that this server tells, with its secret",
    WebhookDelivery: "what this server sent to another",
    LtiKey: "a secret of this server",
    LtiPlatform: "an LMS that this server is registered with",
    LtiDeployment: "an LMS that this server is registered with",
    LtiInvitation: "an LMS that this server is registered with",
    LtiLogin: "a log-in that lasts minutes",
    LtiPerson: "whose account of this server an LMS opens",
    LtiContext: "which course an LMS leads to on this server",
    LtiEnrolment: "what an LMS reported of its own course",
    LtiLink: "which assignment an LMS leads to on this server",
    LtiGrade: "what this server has sent to an LMS",
}

# Tables with copies of what students wrote or got, by the way to their course. They are in no file,
# and their rows are deleted with any student's data of the course.
COPIES_OF_STUDENT_WORK: Mapping[type[Model], str] = {
    CourseFile: "course",
    Finding: "draft__assignment__course",
    PyramidReading: "assignment__course",  # of a label that quotes a student, and was edited since
    ThresholdTrial: "assignment__course",
    ClassFinding: "assignment__course",
    GradebookUpload: "assignment__course",
    IdempotentAnswer: "token__course",
    LtiGrade: "link__context__course",
}

WORDS: Mapping[type[Model], str] = {
    **{table.model: table.name.replace("_", " ") for table in TABLES},
    Membership: "places in the course",
    StoredReading: "readings by the program",
    StoredFacts: "facts found by the program",
    PyramidReading: "readings of references and labels",
    SubmissionFlags: "flags found by the program",
    StoredContentModel: "models of other methods",
    SecondOpinion: "second opinions",
    Finding: "findings about drafts",
    ThresholdTrial: "rules for matches that were tried",
    QueueView: "saved views",
    ClassFinding: "findings about the class",
    Job: "notes of work done",
    CourseFile: "exported files",
    CourseFilePart: "parts of exported files",
    GradebookUpload: "gradebook files on their way",
    WorkImport: "imported files",
    ImportUpload: "files on their way",
    RosterAccount: "notes of accounts made by a roster",
    MailChoices: "choices of e-mails",
    Notice: "notes of e-mails",
    RemovedMember: "notes of people who were taken out",
    GradebookExport: "exported gradebooks",
    ApiToken: "API tokens",
    IdempotentAnswer: "answers to programs",
    Webhook: "webhooks",
    WebhookDelivery: "notes of webhooks",
    LtiPerson: "connections with an LMS",
    LtiEnrolment: "places in courses of an LMS",
    LtiGrade: "notes of grades sent to an LMS",
    LtiInvitation: "registration links for an LMS",
}

# Rows that only say something of an account, such as who made it: they go with it, and keep no
# account that nobody has used from being deleted with the last work in it.
OF_ACCOUNTS: frozenset[type[Model]] = frozenset(
    {
        ApiToken,
        EmailAddress,
        LtiInvitation,
        LtiPerson,
        MailChoices,
        RemovedMember,
        RosterAccount,
    }
)


def words_for(model: type[Model]) -> str:
    """What a page calls rows of it, many or one."""
    return WORDS.get(model, str(model._meta.verbose_name_plural))
