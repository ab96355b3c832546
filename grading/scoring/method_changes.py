"""After an upgrade of the method: scores are calculated again, and instructors are told once."""

from django.db.models import OuterRef, Subquery

from grading.models import Assignment, Job, Score, StoredPyramid
from grading.scoring.engine import method_version
from grading.scoring.experts import experts_are_missing
from grading.scoring.score_changes import notice_for
from grading.scoring.scores import submissions_start_scoring


def outdated_scores_renew() -> list[Job]:
    """Start scoring where scores were calculated by another version of the method.

    The earlier scores stay in the history. What is archived is only read, and stays as it is.
    """
    jobs = []
    current = f"{method_version()}-"
    assignments = Assignment.objects.filter(
        leaves_at=None, archived_at=None, course__archived_at=None
    )
    for assignment in assignments.order_by("pk"):
        version = StoredPyramid.objects.newest_of(assignment)
        if version is not None and (_is_outdated(version, current) or experts_are_missing(version)):
            job = submissions_start_scoring(assignment=assignment, requested_by=None)
            jobs += [job] if job else []
    return jobs


def _is_outdated(version: StoredPyramid, current: str) -> bool:
    """Does a score apply that another version of the method made?"""
    scores = Score.objects.filter(submission=OuterRef("pk"), pyramid=version).order_by("-pk")
    submissions = version.assignment.submissions.filter(scores__pyramid=version)
    applies = submissions.annotate(applies=Subquery(scores.values("signature")[:1]))
    return applies.exclude(applies__startswith=current).exists()


def method_change_dismiss(*, assignment: Assignment, method: str) -> None:
    """Tell nobody again that this assignment was scored anew by this version of the method.

    Nothing is dismissed where another version has scored it since, or none has.
    """
    change = notice_for(assignment)
    if change is not None and change.after == method:
        assignment.dismissed_method = method
        assignment.save(update_fields=["dismissed_method"])
