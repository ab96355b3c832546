"""The audit log: who did what that somebody may have to answer for. It is only ever added to.

Triggers of both databases refuse to change or delete a row (migration 0026). So no key leads from
here to another table, which would have to be emptied when that row goes: numbers say who and what,
and nothing here names a student or quotes a text. What a number means is looked up when it is read.

SQLite rebuilds a table to change a column, and loses its triggers: a migration that changes this
table ends with ``create_triggers`` of models/append_only.py.
"""

from django.db import models
from django.utils import timezone

from grading.caller import get_caller
from grading.models.assignments import Assignment
from grading.models.courses import Course
from grading.models.users import User

LONGEST_SENTENCE = 300


class AuditKind(models.TextChoices):
    """Machine-readable: first what it is about, then what happened."""

    LOGGED_IN = "account.logged_in", "Log-in"
    LOG_IN_FAILED = "account.log_in_failed", "Failed log-in"
    LOGGED_OUT = "account.logged_out", "Log-out"
    ACCOUNT_CHANGED = "account.changed", "Password, address or second factor changed"
    ADMINISTERED = "site.administered", "Administration"
    COURSE_CREATED = "course.created", "Course created"
    COURSE_IMPORTED = "course.imported", "Course imported"
    COURSE_ARCHIVED = "course.archived", "Archived or reopened"
    CODE_CHANGED = "course.code_changed", "Join code changed"
    MEMBER_JOINED = "member.joined", "Joined"
    MEMBER_REMOVED = "member.removed", "Removed from the course"
    ROLE_CHANGED = "member.role_changed", "Role changed"
    INVITED = "member.invited", "Invitation"
    ROSTER_IMPORTED = "roster.imported", "Roster imported"
    EXPORTED = "data.exported", "Export"
    DELETION_STARTED = "deletion.started", "Deletion"
    DELETION_ENDED = "deletion.ended", "Deletion restored or carried out"
    PYRAMID_PUBLISHED = "pyramid.published", "Pyramid published"
    GRADE_RULE_CHANGED = "grades.rule_changed", "Grade rule"
    MANUAL_GRADE_SET = "grades.manual_grade_set", "Manual grade"
    THRESHOLD_CHANGED = "matches.threshold_changed", "Match threshold"
    RESULTS_RELEASED = "results.released", "Results released or held back"
    RELEASE_RULE_CHANGED = "results.rule_changed", "Release rule"
    NAMES_HIDDEN = "names.hidden", "Names hidden or shown"
    JOB_CANCELLED = "job.cancelled", "Job cancelled"
    JOB_RETRIED = "job.retried", "Job tried again"
    TOKEN_CREATED = "token.created", "API token created"
    TOKEN_REVOKED = "token.revoked", "API token revoked"
    TOKEN_USED = "token.used", "API token used"
    WEBHOOK_CHANGED = "webhook.changed", "Webhook added or deleted"
    PLATFORM_CHANGED = "lti.platform_changed", "Learning platform"
    LAUNCHED = "lti.launched", "Launch from an LMS"
    LINKED = "lti.linked", "Linked with an LMS"
    ROSTER_SYNCED = "lti.roster_synced", "Roster of the LMS"
    RECORDS_ERASED = "audit.erased", "Audit records erased"


class AuditRecord(models.Model):
    kind = models.CharField(max_length=40)  # an AuditKind, or one of an earlier version
    sentence = models.CharField(max_length=LONGEST_SENTENCE)
    at = models.DateTimeField(default=timezone.now, editable=False)
    # Who did it; none where nobody was logged in, or the program did it on its own.
    actor = models.PositiveBigIntegerField("account", null=True)
    address = models.CharField(max_length=64, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    # What it was about, as far as it was about one.
    course = models.PositiveBigIntegerField(null=True)
    assignment = models.PositiveBigIntegerField(null=True)
    person = models.PositiveBigIntegerField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["course", "-id"]),
            models.Index(fields=["kind", "-id"]),
            models.Index(fields=["at"]),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.kind}"

    @property
    def kind_label(self) -> str:
        known = dict(AuditKind.choices)
        return str(known.get(self.kind, self.kind))


def record(
    kind: AuditKind,
    sentence: str,
    *,
    course: Course | None = None,
    assignment: Assignment | None = None,
    person: User | None = None,
    actor: User | None = None,
) -> None:
    """Add to the audit log, in the transaction of what is recorded: both happen or neither.

    The caller of the request or job is the actor unless another is named. The sentence names no
    student and quotes nothing that people wrote.
    """
    caller = get_caller()
    AuditRecord.objects.create(
        kind=kind,
        sentence=sentence[:LONGEST_SENTENCE],
        actor=actor.pk if actor is not None else caller.user_pk,
        address=caller.address[:64],
        request_id=caller.request_id,
        course=_course_number(course, assignment),
        assignment=assignment.pk if assignment is not None else None,
        person=person.pk if person is not None else None,
    )


def _course_number(course: Course | None, assignment: Assignment | None) -> int | None:
    if course is not None:
        return course.pk
    return assignment.course_id if assignment is not None else None
