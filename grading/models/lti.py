"""Learning platforms (LMS) that launch this site by LTI 1.3, and who and what they mean by it.

A platform's word is good for itself alone: a subject, a course or a link is always looked up under
the platform, deployment and context that it came from.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.courses import Course, Role
from grading.models.users import User

MOST_TRIES = 5  # of sending one grade; then an instructor is warned


class LtiKey(models.Model):
    """A key pair of this site. The newest signs; all that are not retired are public."""

    kid = models.CharField("key id", max_length=64, unique=True)
    sealed = models.TextField()  # the private key, encrypted with the site's secret key
    public = models.JSONField()  # as in the JWKS
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    retires_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.kid


class LtiPlatform(models.Model):
    """A registration: an LMS knows this site as ``client_id``."""

    name = models.CharField(max_length=200)
    issuer = models.CharField(max_length=300)
    client_id = models.CharField("client id", max_length=200)
    authorization_url = models.CharField("authentication request URL", max_length=500)
    token_url = models.CharField("access token URL", max_length=500)
    jwks_url = models.CharField("public keyset URL", max_length=500)
    # What the token endpoint wants to be called, where that is not its own address (Brightspace).
    token_audience = models.CharField("token audience", max_length=500, blank=True)
    # Where people use the LMS: only these may show launched pages in a frame.
    origins = models.TextField("addresses of the LMS")
    is_active = models.BooleanField("launches are accepted", default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["issuer", "client_id"],
                name="platform_registered_once",
                violation_error_message="This issuer and client ID are registered already.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def frame_origins(self) -> list[str]:
        return self.origins.split()


class LtiDeployment(models.Model):
    """A place in the LMS where the tool was deployed; an administrator allows it once."""

    platform = models.ForeignKey(LtiPlatform, on_delete=models.CASCADE, related_name="deployments")
    deployment_id = models.CharField("deployment id", max_length=255)
    is_allowed = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "deployment_id"], name="deployment_of_a_platform_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.platform}: {self.deployment_id}"


class LtiInvitation(models.Model):
    """A registration link, good for one registration. Only the hash of its token is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"Registration link {self.pk}"


class LtiLogin(models.Model):
    """A log-in that began here: its state and nonce are good for one launch, within minutes."""

    platform = models.ForeignKey(LtiPlatform, on_delete=models.CASCADE, related_name="+")
    state_hash = models.CharField(max_length=64, unique=True)
    nonce = models.CharField(max_length=64)
    # The frame that holds the platform's storage, where cookies may be blocked.
    storage_target = models.CharField(max_length=200, blank=True)
    parameters = models.JSONField(default=dict)  # as the platform sent them, to begin once more
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    used_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["created_at"])]

    def __str__(self) -> str:
        return f"Log-in {self.pk} by {self.platform}"


class LtiPerson(models.Model):
    """Who a platform means by a subject. Never found by e-mail address."""

    platform = models.ForeignKey(LtiPlatform, on_delete=models.CASCADE, related_name="people")
    subject = models.CharField(max_length=255)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lti_people"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "subject"], name="subject_of_a_platform_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} of {self.platform}"


class LtiContext(models.Model):
    """A course in the LMS, and the course here that an instructor has linked it with."""

    deployment = models.ForeignKey(LtiDeployment, on_delete=models.CASCADE, related_name="contexts")
    context_id = models.CharField(max_length=255)
    title = models.CharField(max_length=200, blank=True)
    course = models.ForeignKey(
        Course, on_delete=models.CASCADE, null=True, related_name="lti_contexts"
    )
    memberships_url = models.CharField(max_length=1000, blank=True)
    groups_url = models.CharField(max_length=1000, blank=True)
    line_items_url = models.CharField(max_length=1000, blank=True)
    scopes = models.JSONField(default=list)  # what the LMS lets us do with grades
    synced_at = models.DateTimeField(null=True)
    sync_began_at = models.DateTimeField(null=True)
    sync_problem = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["deployment", "context_id"], name="context_of_a_deployment_once"
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.context_id


class LtiEnrolmentQuerySet(models.QuerySet["LtiEnrolment"]):
    def left_of(self, course: Course) -> dict[int, "LtiEnrolment"]:
        """By user: students whom no course of the LMS names any more."""
        rows = self.filter(context__course=course, role=Role.STUDENT).select_related("person")
        present = {row.person.user_id for row in rows if row.left_at is None}
        return {row.person.user_id: row for row in rows if row.person.user_id not in present}

    def left_graders_of(self, course: Course) -> list["LtiEnrolment"]:
        """Instructors and TAs whom no course of the LMS names any more, and who have no place."""
        graders = self.filter(context__course=course).exclude(role=Role.STUDENT)
        gone = graders.exclude(left_at=None).exclude(
            person__user__in=course.memberships.values("user")
        )
        rows = gone.select_related("person__user").order_by("person__user__name", "left_at")
        return list({row.person.user_id: row for row in rows}.values())


class LtiEnrolment(models.Model):
    """A person's place in a course of the LMS, as its last launch or roster has it."""

    context = models.ForeignKey(LtiContext, on_delete=models.CASCADE, related_name="enrolments")
    person = models.ForeignKey(LtiPerson, on_delete=models.CASCADE, related_name="enrolments")
    role = models.CharField(max_length=12, choices=Role.choices)
    section = models.CharField(max_length=200, blank=True)
    seen_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True)  # since when the LMS no longer names them

    objects = LtiEnrolmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["context", "person"], name="enrolled_in_a_context_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.context}: {self.get_role_display()}"


class LtiLink(models.Model):
    """A link in a course of the LMS, and the assignment that it opens."""

    context = models.ForeignKey(LtiContext, on_delete=models.CASCADE, related_name="links")
    resource_link_id = models.CharField(max_length=255)
    title = models.CharField(max_length=200, blank=True)
    assignment = models.ForeignKey(
        Assignment, on_delete=models.SET_NULL, null=True, related_name="lti_links"
    )
    line_item_url = models.CharField(max_length=1000, blank=True)
    sends_grades = models.BooleanField("send released grades to the LMS", default=True)
    sends_comments = models.BooleanField("send comments with the grades", default=False)
    # What grades followed from when they were last looked at, and when that was.
    grades_stamp = models.CharField(max_length=64, blank=True)
    grades_looked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["context", "resource_link_id"], name="link_of_a_context_once"
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.resource_link_id


class LtiGradeQuerySet(models.QuerySet["LtiGrade"]):
    def due(self) -> "LtiGradeQuerySet":
        """Those to send now."""
        return self.filter(state=LtiGrade.State.WAITING, send_after__lte=timezone.now())


class LtiGrade(models.Model):
    """What was last sent of a student to a line item of the LMS, and what is still to be sent."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        SENT = "sent", "Sent"
        FAILED = "failed", "Failed"

    link = models.ForeignKey(LtiLink, on_delete=models.CASCADE, related_name="grades")
    enrolment = models.ForeignKey(LtiEnrolment, on_delete=models.CASCADE, related_name="grades")
    wanted = models.JSONField()  # the score as the LMS shall have it, without its time
    sent = models.JSONField(null=True)  # as the LMS last accepted it
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    tries = models.PositiveIntegerField(default=0)
    send_after = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=500, blank=True)

    objects = LtiGradeQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["link", "enrolment"], name="grade_of_a_link_once"),
        ]

    def __str__(self) -> str:
        return f"{self.enrolment.person} at {self.link}: {self.get_state_display()}"
