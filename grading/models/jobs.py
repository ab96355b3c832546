"""Work that takes time. The row is the truth; the message that wakes a worker is only a hint."""

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.courses import Course
from grading.models.drafts import Draft
from grading.models.housekeeping import CourseFile
from grading.models.summaries import Submission
from grading.models.users import User

MOST_TRIES = 3  # a job that kills its worker this often is broken, not unlucky


def _is_off(field: str, *, leases: int) -> models.Q:
    """Is this time further away than so many leases?

    Also one to come: then the clock was set back since, and it would be waited for in vain.
    """
    now, lease = timezone.now(), timedelta(seconds=settings.JOB_LEASE_SECONDS)
    return models.Q((f"{field}__lt", now - leases * lease)) | models.Q(
        (f"{field}__gt", now + leases * lease)
    )


class JobQuerySet(models.QuerySet["Job"]):
    def slow(self) -> "JobQuerySet":
        """All but the quick lane."""
        return self.exclude(lane=Job.Lane.QUICK)

    def claim(self, pk: int, claim: uuid.UUID) -> bool:
        """Take a waiting job. Of any number of workers that try at once, one gets True."""
        now = timezone.now()
        claimed = self.filter(pk=pk, state=Job.State.QUEUED).update(
            state=Job.State.RUNNING,
            claim=claim,
            tries=models.F("tries") + 1,
            started_at=now,
            heartbeat_at=now,
            error="",
        )
        return claimed == 1

    def claimed_by(self, claim: uuid.UUID, *, pk: int) -> "JobQuerySet":
        """The job, as long as the claim is good: every write of a worker goes through here."""
        return self.filter(pk=pk, claim=claim, state=Job.State.RUNNING)

    def silent(self) -> "JobQuerySet":
        """Running jobs whose worker has not been heard of within the lease."""
        return self.filter(_is_off("heartbeat_at", leases=1), state=Job.State.RUNNING)

    def forgotten(self) -> "JobQuerySet":
        """Waiting jobs whose message may have been lost."""
        return self.filter(_is_off("enqueued_at", leases=1), state=Job.State.QUEUED)

    def is_neglected(self) -> bool:
        """Is there work that nobody does, though a sweeper should have seen to it long ago?

        While a worker is at some other job nobody can know: it may have no time.
        """
        running = self.filter(state=Job.State.RUNNING)
        waiting = self.filter(_is_off("enqueued_at", leases=2), state=Job.State.QUEUED)
        left = running.filter(_is_off("heartbeat_at", leases=2))
        at_work = running.exclude(_is_off("heartbeat_at", leases=1))
        return (waiting.exists() or left.exists()) and not at_work.exists()

    def stands_still(self) -> bool:
        """Does something wait while nobody is at work? So it may be for a moment between jobs."""
        at_work = self.filter(state=Job.State.RUNNING).exclude(_is_off("heartbeat_at", leases=1))
        return self.filter(state=Job.State.QUEUED).exists() and not at_work.exists()

    def last_start(self) -> datetime | None:
        """When a worker last began a job."""
        last: datetime | None = self.aggregate(last=models.Max("started_at"))["last"]
        return last

    def latest_to_show(self, assignment: Assignment) -> "Job | None":
        """The assignment's own newest job, while there is something to say about it.

        Jobs about a draft, a class or a sample are shown beside their results; so are an
        upload and second opinions. E-mails, webhooks and grades that could not be sent are tried
        again on their own.
        """
        elsewhere = [
            Job.Kind.ANALYSE_DRAFT,
            Job.Kind.PREDICT_EFFECT,
            Job.Kind.FIND_FLAGS,
            Job.Kind.FIND_NEW_IDEAS,
            Job.Kind.READ_IMPORT,
            Job.Kind.CALIBRATE,
            Job.Kind.SECOND_OPINIONS,
            Job.Kind.SEND_MAIL,
            Job.Kind.COPY_STEP,
            Job.Kind.SEND_WEBHOOKS,
            Job.Kind.SEND_GRADES,
        ]
        own = self.exclude(kind__in=elsewhere)
        newest = own.filter(assignment=assignment, submission=None).first()
        return newest if newest is not None and not newest.is_done else None

    def latest_scoring(self, submission: Submission, *, of_the_class: bool) -> "Job | None":
        """The newest job that scores, or was to score, this submission (perhaps with all)."""
        about = models.Q(submission=submission)
        return self.filter(
            about | models.Q(submission=None) if of_the_class else about,
            kind=Job.Kind.SCORE_SUBMISSIONS,
            assignment=submission.assignment_id,
        ).first()

    def unfinished(self) -> "JobQuerySet":
        return self.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])


class Job(models.Model):
    class Kind(models.TextChoices):
        """The values are stored. Two are older than the names: effects and flags."""

        BUILD_PYRAMID = "build_pyramid", "Building the pyramid"
        SCORE_SUBMISSIONS = "score_submissions", "Scoring"
        ANALYSE_DRAFT = "analyse_draft", "Looking for suggestions"
        PREDICT_EFFECT = "foretell_effect", "Calculating the effect on the class"
        EXPORT_COURSE = "export_course", "Exporting the course"
        IMPORT_COURSE = "import_course", "Importing the course"
        FIND_FLAGS = "find_signs", "Looking for flags"
        FIND_NEW_IDEAS = "find_new_ideas", "Looking for ideas that the pyramid lacks"
        READ_IMPORT = "read_import", "Reading the files"
        CALIBRATE = "calibrate", "Calibrating"
        SECOND_OPINIONS = "second_opinions", "Calculating second opinions"
        SEND_MAIL = "send_mail", "Sending e-mails"
        COPY_STEP = "copy_step", "Applying a decision to other submissions"
        SEND_WEBHOOKS = "send_webhooks", "Sending webhooks"
        SEND_GRADES = "send_grades", "Sending grades to the LMS"

    class Lane(models.TextChoices):
        """Jobs of an earlier lane start before those of a later one."""

        QUICK = "quick", "Quick"  # somebody looks at the page and waits
        BUILD = "build", "Builds"
        BULK = "bulk", "Whole classes and courses"

    class State(models.TextChoices):
        QUEUED = "queued", "Waiting"
        RUNNING = "running", "Working"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    # None only of jobs about a whole course (is_of_a_course), which the table holds to. To the type
    # checker it is always there: who works on an assignment need not ask.
    assignment: models.ForeignKey[Assignment, Assignment] = models.ForeignKey(  # type: ignore[misc]
        Assignment, on_delete=models.CASCADE, related_name="jobs", null=True
    )
    # Of a job about a whole course: the course (an import makes one first), and its file.
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="jobs", null=True)
    file = models.ForeignKey(CourseFile, on_delete=models.CASCADE, related_name="jobs", null=True)
    # Only this submission; without it, all of the assignment.
    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, related_name="jobs", null=True, blank=True
    )
    # What is worked on, for jobs about a draft; what a build makes comes here too.
    draft = models.ForeignKey(
        Draft, on_delete=models.CASCADE, related_name="jobs", null=True, blank=True
    )
    options = models.JSONField(default=dict, blank=True)  # of a build: method, percentile, beta
    state = models.CharField(max_length=8, choices=State.choices, default=State.QUEUED)
    lane = models.CharField(max_length=5, choices=Lane.choices, editable=False)
    claim = models.UUIDField(null=True, editable=False)
    tries = models.PositiveIntegerField(default=0)
    progress_text = models.CharField(max_length=200, blank=True)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    # Of scoring: what could not be scored, as {"submission": pk, "reason": a sentence}.
    failures = models.JSONField(default=list, blank=True)
    requested_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    enqueued_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    heartbeat_at = models.DateTimeField(null=True, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["state", "heartbeat_at"]),
            models.Index(fields=["finished_at"]),
            models.Index(fields=["started_at"]),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(assignment__isnull=False)
                | models.Q(kind__in=["export_course", "import_course"], file__isnull=False),
                name="job_about_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.get_state_display()}"

    def save(self, **options: Any) -> None:
        self.lane = self.lane or self._lane_of_kind()
        super().save(**options)

    def _lane_of_kind(self) -> Lane:
        if self.kind == self.Kind.BUILD_PYRAMID:
            return self.Lane.BUILD
        is_quick = self.kind in QUICK_KINDS or (
            self.kind == self.Kind.SCORE_SUBMISSIONS and self.submission_id is not None
        )
        return self.Lane.QUICK if is_quick else self.Lane.BULK

    @property
    def is_unfinished(self) -> bool:
        return self.state in {self.State.QUEUED, self.State.RUNNING}

    @property
    def is_failed(self) -> bool:
        return self.state == self.State.FAILED

    @property
    def is_done(self) -> bool:
        return self.state == self.State.DONE

    @property
    def is_of_a_course(self) -> bool:
        """Is it about a whole course, and so about no assignment?"""
        return self.kind in {self.Kind.EXPORT_COURSE, self.Kind.IMPORT_COURSE}

    @property
    def scores_a_class(self) -> bool:
        return self.kind == self.Kind.SCORE_SUBMISSIONS and self.submission_id is None


QUICK_KINDS = frozenset({Job.Kind.ANALYSE_DRAFT, Job.Kind.PREDICT_EFFECT, Job.Kind.COPY_STEP})
