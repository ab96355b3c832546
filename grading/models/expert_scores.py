"""What the experts of a version score by the ideas of the others: found by a worker."""

from django.db import models
from django.utils import timezone

from grading.models.pyramids import StoredPyramid
from grading.models.scores import Score
from grading.pyramid.scores import ExpertScale, scale_of


class ExpertScoresQuerySet(models.QuerySet["ExpertScores"]):
    def beside(self, score: Score) -> "ExpertScores | None":
        """Expert scores by the score's own version and method: only these can be compared."""
        return self.filter(pyramid=score.pyramid_id, signature=score.signature).first()

    def newest_of(self, version: StoredPyramid) -> "ExpertScores | None":
        return self.filter(pyramid=version).order_by("-pk").first()


class ExpertScores(models.Model):
    """Of one version by one configuration; empty where the experts cannot be compared."""

    pyramid = models.ForeignKey(
        StoredPyramid, on_delete=models.CASCADE, related_name="expert_scores"
    )
    signature = models.CharField(max_length=100)
    # By the name of the reference: {"Ada": {"comprehensive": 0.8, "quality": …, "coverage": …}}
    document = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ExpertScoresQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "scores of the experts"
        constraints = [
            models.UniqueConstraint(fields=["pyramid", "signature"], name="expert_scores_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pyramid}: scores of the experts"

    @property
    def scale(self) -> ExpertScale | None:
        """Of the comprehensive scores."""
        return scale_of([scores["comprehensive"] for scores in self.document.values()])
