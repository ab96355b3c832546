"""What people decide against the program: corrections in steps, and requests for second looks."""

from django.db import models
from django.db.models import Count
from django.utils import timezone

from grading.models.courses import Course
from grading.models.pyramids import StoredPyramid
from grading.models.summaries import Submission
from grading.models.users import User
from grading.pyramid.corrections import Verdict


class SecondLookQuerySet(models.QuerySet["SecondLook"]):
    def waiting(self) -> "SecondLookQuerySet":
        """Requests without an answer."""
        return self.filter(state=SecondLook.State.OPEN)

    def waiting_by_assignment(self, course: Course) -> dict[int, int]:
        """How many wait for an answer, for each assignment of a course that has any: one query."""
        rows = self.waiting().filter(submission__assignment__course=course)
        return dict(rows.values_list("submission__assignment").annotate(Count("pk")))


class SecondLook(models.Model):
    """A student asks for words, an idea that was not found, or a wrong match to be reviewed again.

    What is asked for is that something counts, unless the request ``disputes_match``: then
    ``scu_uid`` and ``spans`` are those of the match that should not count.
    """

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
    scu_uid = models.PositiveIntegerField(db_column="scu", null=True, blank=True)
    shown_as = models.TextField(blank=True)  # the idea as the student saw it: a hint, or a label
    spans = models.JSONField(
        default=list, blank=True
    )  # of the text; empty where no words are named
    disputes_match = models.BooleanField(default=False)
    reason = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    answer = models.TextField(blank=True)
    answered_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True, editable=False)

    objects = SecondLookQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["state"])]

    def __str__(self) -> str:
        return f"{self.submission}: {self.outcome}"

    @property
    def outcome(self) -> str:
        """Its state in words."""
        if self.disputes_match and self.state in _OUTCOMES_OF_DISPUTES:
            return _OUTCOMES_OF_DISPUTES[self.State(self.state)]
        return self.get_state_display()

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_accepted(self) -> bool:
        return self.state == self.State.ACCEPTED

    @property
    def is_withdrawn(self) -> bool:
        return self.state == self.State.WITHDRAWN


_OUTCOMES_OF_DISPUTES = {
    SecondLook.State.ACCEPTED: "Match removed",
    SecondLook.State.DECLINED: "Match kept",
}


class MarkingStep(models.Model):
    """What a grader did at once on the review desk. Never changed: undoing is a step of its own.

    ``pyramid/corrections.py`` says which steps are in force.
    """

    class Did(models.TextChoices):
        CONFIRMED = "confirmed", "confirmed an idea that the program found"
        REMOVED = "removed", "removed an idea that had counted"
        ADDED = "added", "counted an idea manually"
        MOVED = "moved", "put an idea on other words"
        EXCHANGED = "exchanged", "counted words as another idea"
        AS_FOUND = "as_found", "went back to what the program says"
        EXCLUDED = "left_out", "excluded words from scoring"
        COUNTED = "counted", "counted words"
        FILE = "file", "took over a file of annotations"
        UNDID = "undid", "undid a step"
        REDID = "redid", "did a step again"

    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, related_name="marking_steps"
    )
    did = models.CharField(max_length=10, choices=Did.choices)
    about = models.TextField(blank=True)  # the idea or the words, for people to read
    undoes = models.OneToOneField(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="undone_by"
    )
    # The step in another text that was applied to the same words here as well. All copies of one
    # step are undone together.
    copy_of = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="copies"
    )
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.submission}: {self.did}"

    @property
    def is_repeatable(self) -> bool:
        """Is it a decision on a match, which may apply to the same words in other texts?"""
        did = self.Did
        return self.did in {did.CONFIRMED, did.REMOVED, did.ADDED, did.MOVED, did.EXCHANGED}


class MatchCorrection(models.Model):
    """A grader's decision on one idea, or on words, of one submission.

    Never changed: a later one says otherwise, or the step that it came with is undone.
    """

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="corrections")
    pyramid = models.ForeignKey(StoredPyramid, on_delete=models.CASCADE, related_name="+")
    # In that version; none where it is about the words themselves (left out, or counted again).
    scu_uid = models.PositiveIntegerField(db_column="scu", null=True, blank=True)
    verdict = models.CharField(
        max_length=10, choices=[(str(verdict), str(verdict)) for verdict in Verdict]
    )
    spans = models.JSONField(default=list, blank=True)
    second_look = models.ForeignKey(
        SecondLook, on_delete=models.SET_NULL, null=True, blank=True, related_name="corrections"
    )
    step = models.ForeignKey(
        MarkingStep, on_delete=models.CASCADE, null=True, blank=True, related_name="corrections"
    )
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        about = "words" if self.scu_uid is None else f"idea {self.scu_uid}"
        return f"{self.submission}: {about} {self.verdict}"
