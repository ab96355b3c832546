"""E-mails: the news that each person gets, exactly once, and which e-mails each person wants."""

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.corrections import SecondLook
from grading.models.summaries import Submission
from grading.models.users import User


class NoticeQuerySet(models.QuerySet["Notice"]):
    def waiting(self) -> "NoticeQuerySet":
        """Notices that are due to be sent."""
        return self.filter(state=Notice.State.WAITING, send_after__lte=timezone.now())

    def claim(self) -> bool:
        """Take these for sending; False where another worker has any of them."""
        pks = [notice.pk for notice in self]
        waiting = Notice.objects.filter(pk__in=pks, state=Notice.State.WAITING)
        return waiting.update(state=Notice.State.SENDING) == len(pks)


class Notice(models.Model):
    """News that one person gets by e-mail, and how far that is.

    The constraints are the promise that nobody gets news twice: whoever finds any adds
    a row, and a row that is there already is left alone. What was not sent (skipped) stays as a row
    too: nobody gets later what was news long ago. Several of a kind may go in one e-mail.
    """

    class Kind(models.TextChoices):
        RESULT = "result", "A result is ready"
        ANSWER = "answer", "A second look is answered"
        DUE = "due", "An assignment is due soon"
        SECOND_LOOK = "second_look", "Second looks wait for an answer"

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        SENDING = "sending", "Being sent"  # stays so where a worker dies: it may have been sent
        SENT = "sent", "Sent"
        SKIPPED = "skipped", "Not sent"
        FAILED = "failed", "Failed"

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="notices")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    # What it is about: of a result the submission, of second looks the request, else the due date.
    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, null=True, blank=True, related_name="notices"
    )
    second_look = models.ForeignKey(
        SecondLook, on_delete=models.CASCADE, null=True, blank=True, related_name="notices"
    )
    due_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    tries = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    send_after = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["state", "send_after"])]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "user", "submission"],
                condition=models.Q(kind="result"),
                name="told_of_a_result_once",
            ),
            models.UniqueConstraint(
                fields=["kind", "user", "second_look"],
                condition=models.Q(kind__in=["answer", "second_look"]),
                name="told_of_a_second_look_once",
            ),
            models.UniqueConstraint(
                fields=["kind", "user", "assignment", "due_at"],
                condition=models.Q(kind="due"),
                name="told_of_a_due_date_once",
            ),
        ]

    def __str__(self) -> str:
        return f"Notice {self.pk}: {self.get_kind_display()}, {self.get_state_display()}"


class MailChoicesQuerySet(models.QuerySet["MailChoices"]):
    def of(self, user: User) -> "MailChoices":
        """A person's choices, or the defaults of those who have chosen nothing (not saved)."""
        return self.filter(user=user.pk).first() or MailChoices(user_id=user.pk)


class MailChoices(models.Model):
    """Which e-mails a person wants."""

    class Digest(models.TextChoices):
        HOURLY = "hourly", "At most once an hour"
        DAILY = "daily", "Once a day, at 7:00"
        NEVER = "never", "Never"

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="mail_choices")
    results = models.BooleanField("my result is ready", default=True)
    answers = models.BooleanField("a second look that I requested is answered", default=True)
    reminders = models.BooleanField(
        "24 hours before a due date, if I have not submitted", default=True
    )
    second_looks = models.CharField(
        "students request second looks in a course that I teach",
        max_length=6,
        choices=Digest.choices,
        default=Digest.HOURLY,
    )

    objects = MailChoicesQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "choices of e-mails"

    def __str__(self) -> str:
        return f"E-mails for user {self.user_id}"

    def wants(self, kind: Notice.Kind) -> bool:
        return bool(
            {
                Notice.Kind.RESULT: self.results,
                Notice.Kind.ANSWER: self.answers,
                Notice.Kind.DUE: self.reminders,
                Notice.Kind.SECOND_LOOK: self.second_looks != self.Digest.NEVER,
            }[kind]
        )

    def switch_off(self, kind: Notice.Kind) -> None:
        match kind:
            case Notice.Kind.RESULT:
                self.results = False
            case Notice.Kind.ANSWER:
                self.answers = False
            case Notice.Kind.DUE:
                self.reminders = False
            case Notice.Kind.SECOND_LOOK:
                self.second_looks = self.Digest.NEVER
