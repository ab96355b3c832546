"""The API: tokens of people's programs, answers that are kept, and webhooks with what they sent."""

from datetime import timedelta
from hashlib import sha256

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.corrections import SecondLook
from grading.models.courses import Course
from grading.models.scores import Score
from grading.models.summaries import Submission
from grading.models.users import User

ANSWERS_KEPT = timedelta(days=1)
DELIVERIES_KEPT = timedelta(days=30)


def token_digest(token: str) -> str:
    """What is stored of a token. It is as random as the hash is long, so it needs no salt."""
    return sha256(token.encode()).hexdigest()


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def usable(self) -> "ApiTokenQuerySet":
        return self.filter(
            revoked_at=None, expires_at__gt=timezone.now(), user__is_active=True
        ).select_related("user", "course")


class ApiToken(models.Model):
    """Lets a program act for a person in one course. The token itself is not stored."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12)  # how it begins, to tell tokens apart
    can_write = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, editable=False)
    last_used_from = models.CharField(max_length=64, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, editable=False)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        verbose_name = "API token"
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

    @property
    def is_usable(self) -> bool:
        return self.revoked_at is None and self.expires_at > timezone.now()

    @property
    def state(self) -> str:
        if self.revoked_at is not None:
            return "revoked"
        return "active" if self.is_usable else "expired"


class IdempotentAnswerQuerySet(models.QuerySet["IdempotentAnswer"]):
    def stale(self) -> "IdempotentAnswerQuerySet":
        return self.filter(created_at__lt=timezone.now() - ANSWERS_KEPT)


class IdempotentAnswer(models.Model):
    """What a POST with an ``Idempotency-Key`` was answered, to answer the same once more."""

    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="answers")
    key = models.CharField(max_length=200)
    request = models.CharField(max_length=64)  # a hash of path and body
    status = models.PositiveSmallIntegerField(default=0)
    content_type = models.CharField(max_length=100, blank=True)
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = IdempotentAnswerQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="answered_once")]

    def __str__(self) -> str:
        return f"{self.key}: {self.status}"


class Webhook(models.Model):
    """An address that gets a message for each event in a course."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField("address", max_length=500)
    secret = models.CharField(max_length=64)  # signs what is sent, so it cannot be a hash
    scored = models.BooleanField("a submission is scored", default=True)
    released = models.BooleanField("a result is released", default=True)
    second_looks = models.BooleanField("a second look is requested or answered", default=True)
    is_active = models.BooleanField(default=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url


class WebhookDeliveryQuerySet(models.QuerySet["WebhookDelivery"]):
    def waiting(self) -> "WebhookDeliveryQuerySet":
        """Those whose time has come."""
        return self.filter(
            state=WebhookDelivery.State.WAITING,
            send_after__lte=timezone.now(),
            webhook__is_active=True,
        )

    def old(self) -> "WebhookDeliveryQuerySet":
        return self.filter(created_at__lt=timezone.now() - DELIVERIES_KEPT)


class WebhookDelivery(models.Model):
    """One event that is sent to a webhook, and how far that is. The constraints promise: once."""

    class Kind(models.TextChoices):
        SCORED = "scored", "Submission scored"
        RELEASED = "released", "Result released"
        REQUESTED = "second_look.requested", "Second look requested"
        ANSWERED = "second_look.answered", "Second look answered"

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        SENT = "sent", "Sent"
        FAILED = "failed", "Failed"

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=24, choices=Kind.choices)
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="+")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="+")
    score = models.ForeignKey(Score, on_delete=models.CASCADE, null=True, related_name="+")
    second_look = models.ForeignKey(
        SecondLook, on_delete=models.CASCADE, null=True, related_name="+"
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    tries = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=200, blank=True)  # of the last try
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    send_after = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, editable=False)

    objects = WebhookDeliveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "webhook deliveries"
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "send_after"])]
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "score"],
                condition=models.Q(kind="scored"),
                name="delivered_a_score_once",
            ),
            models.UniqueConstraint(
                fields=["webhook", "submission"],
                condition=models.Q(kind="released"),
                name="delivered_a_release_once",
            ),
            models.UniqueConstraint(
                fields=["webhook", "kind", "second_look"],
                condition=models.Q(second_look__isnull=False),
                name="delivered_a_second_look_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.get_state_display()}"
