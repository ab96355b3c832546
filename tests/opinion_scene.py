"""A class with second opinions that say what a test wants, without a worker."""

from collections.abc import Mapping, Sequence

from django.utils import timezone

from grading.models import (
    Assignment,
    OpinionSetting,
    SecondOpinion,
    StoredContentModel,
    Submission,
)
from grading.models.second_opinions import USUAL_DIFFERENCE
from tests.queue_scene import Work, handed_in


def class_with_scores(assignment: Assignment, scores: Sequence[float]) -> list[Submission]:
    """One student for each score of the main method."""
    works = (Work(f"Student {number}", score) for number, score in enumerate(scores))
    return handed_in(assignment, *works)


def give_opinions(
    assignment: Assignment,
    submissions: Sequence[Submission],
    scores: Mapping[str, Sequence[float]],
    *,
    least: float = USUAL_DIFFERENCE,
) -> None:
    """Switch the methods on, with these scores of the submissions."""
    OpinionSetting.objects.update_or_create(
        assignment=assignment, defaults={"methods": [*scores], "least_difference": least}
    )
    for method, numbers in scores.items():
        model = StoredContentModel.objects.create(
            assignment=assignment,
            method=method,
            signature=f"{method}-made",
            material_hash="made",
            document={},
            content_hash="0123456789",
        )
        SecondOpinion.objects.bulk_create(
            SecondOpinion(
                submission=submission,
                method=method,
                signature=model.opinion_signature,
                score=number,
                document={
                    "format": 1,
                    "units": 3,
                    "heaviest": 2,
                    "found": [["heat | cities", 2, 2, [[0, 8]]]],
                    "explanation": [f"Why {method} says {number}."],
                    "remarks": [],
                },
                created_at=timezone.now(),
            )
            for submission, number in zip(submissions, numbers, strict=True)
        )
