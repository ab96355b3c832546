"""What graders write beside a text: comments to its student, notes among themselves, and comments
that they saved to use again.
"""

from django.db import models
from django.utils import timezone

from grading.models.courses import Course
from grading.models.pyramids import StoredPyramid
from grading.models.summaries import Submission
from grading.models.users import User


class CommentQuerySet(models.QuerySet["Comment"]):
    def there(self) -> "CommentQuerySet":
        """Comments that nobody has deleted."""
        return self.filter(deleted_at=None)

    def to_the_student(self) -> "CommentQuerySet":
        """All that a student may ever read of them."""
        return self.there().filter(is_private=False)


class Comment(models.Model):
    """On the whole, on words of the text, or on an idea of a version. Plain text.

    ``is_private``: a note for graders. Whoever wrote it can change and delete it; the events of
    the submission keep its earlier wording.
    """

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="comments")
    is_private = models.BooleanField(default=False)
    text = models.TextField()
    spans = models.JSONField(default=list, blank=True)
    pyramid = models.ForeignKey(
        StoredPyramid, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    # In that version.
    scu_uid = models.PositiveIntegerField(db_column="scu", null=True, blank=True)
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    edited_at = models.DateTimeField(null=True, editable=False)
    deleted_at = models.DateTimeField(null=True, editable=False)

    objects = CommentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.submission}: {self.text[:40]}"


class SavedComment(models.Model):
    """Words that the graders of a course use again: typed as “/key” in a comment."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="saved_comments")
    key = models.CharField(max_length=20)
    text = models.TextField()
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["key"]
        constraints = [
            models.UniqueConstraint(fields=["course", "key"], name="saved_comment_key_once"),
        ]

    def __str__(self) -> str:
        return f"/{self.key}"
