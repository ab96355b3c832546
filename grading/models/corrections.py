"""What people said against the program: corrections of matches, and requests for a second look."""

from django.db import models
from django.utils import timezone

from grading.models.pyramids import StoredPyramid
from grading.models.summaries import Submission
from grading.models.users import User
from grading.pyramid.corrections import Verdict


class SecondLook(models.Model):
    """A student asks for words, or an idea that was not found, to be looked at again."""

    class State(models.TextChoices):
        OPEN = "open", "Waiting for an answer"
        ACCEPTED = "accepted", "Counted"
        DECLINED = "declined", "Not counted"
        WITHDRAWN = "withdrawn", "Withdrawn"

    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, related_name="second_looks"
    )
    # The version that the student saw, and the idea, where one was named and not only words.
    pyramid = models.ForeignKey(StoredPyramid, on_delete=models.CASCADE, related_name="+")
    scu = models.PositiveIntegerField(null=True, blank=True)
    shown_as = models.TextField(blank=True)  # the idea as the student saw it: a hint, or a label
    spans = models.JSONField(
        default=list, blank=True
    )  # of the text; empty where no words are named
    reason = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    answer = models.TextField(blank=True)
    answered_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["state"])]

    def __str__(self) -> str:
        return f"{self.submission}: {self.get_state_display()}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_accepted(self) -> bool:
        return self.state == self.State.ACCEPTED

    @property
    def is_withdrawn(self) -> bool:
        return self.state == self.State.WITHDRAWN


class MatchCorrection(models.Model):
    """A grader's word on one idea of one submission. Never changed: a later one says otherwise."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="corrections")
    pyramid = models.ForeignKey(StoredPyramid, on_delete=models.CASCADE, related_name="+")
    scu = models.PositiveIntegerField()  # in that version
    verdict = models.CharField(
        max_length=10, choices=[(str(verdict), str(verdict)) for verdict in Verdict]
    )
    spans = models.JSONField(default=list, blank=True)
    second_look = models.ForeignKey(
        SecondLook, on_delete=models.SET_NULL, null=True, blank=True, related_name="corrections"
    )
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.submission}: idea {self.scu} {self.verdict}"
