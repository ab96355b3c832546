"""What a new version of the method did to the scores of a class, and what is done about it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from grading.models import Assignment, Job, Score, StoredPyramid
from grading.scoring.engine import method_version
from grading.scoring.results import StudentResult, class_results
from grading.scoring.scores import experts_are_missing, submissions_start_scoring

# What a new version of the method did to the scores of a class. Read-only, no table of its own.

NOTICEABLE = 0.05  # of the comprehensive score


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """A submission's score by the earlier and by the new version of the method."""

    submission: int
    before: float
    after: float | None  # None where the text is held now

    @property
    def is_noticeable(self) -> bool:
        return self.after is None or abs(self.after - self.before) > NOTICEABLE + 1e-9

    @property
    def size(self) -> float:
        """What is held now comes first."""
        return 2.0 if self.after is None else abs(self.after - self.before)


@dataclass(frozen=True, slots=True)
class MethodChange:
    """``before`` and ``after`` name the versions of the method: “classroom-2”."""

    before: str
    after: str
    changes: tuple[ScoreChange, ...]

    @property
    def noticeable(self) -> int:
        return sum(change.is_noticeable for change in self.changes)


def method_change_of(
    assignment: Assignment, version: StoredPyramid | None = None
) -> MethodChange | None:
    """Of the attempts that count, by the newest pyramid; None where one version scored them all.

    ``version`` is the newest, where the caller has it.
    """
    version = version or StoredPyramid.objects.newest_of(assignment)
    if version is None:
        return None
    latest = assignment.submissions.latest_attempts().values_list("pk", flat=True)
    rows = Score.objects.filter(submission__in=list(latest), pyramid=version).order_by("pk")
    light = rows.only("submission_id", "signature", "corrections", "comprehensive", "held")
    scores: dict[int, list[Score]] = {}
    for score in light:
        scores.setdefault(score.submission_id, []).append(score)
    pairs = [pair for revisions in scores.values() if (pair := _pair(revisions)) is not None]
    if not pairs:
        return None
    return MethodChange(
        _most_common([before.method for before, _ in pairs]),
        _most_common([after.method for _, after in pairs]),
        tuple(
            ScoreChange(
                after.submission_id,
                before.comprehensive,
                None if after.held else after.comprehensive,
            )
            for before, after in pairs
        ),
    )


def notice_for(assignment: Assignment, version: StoredPyramid | None = None) -> MethodChange | None:
    """Notices for instructors that they have not dismissed."""
    change = method_change_of(assignment, version)
    return None if change is None or change.after == assignment.dismissed_method else change


def changed_results(
    assignment: Assignment, change: MethodChange
) -> list[tuple[StudentResult, ScoreChange]]:
    """The students with their change, the largest first; of those who have left there is none."""
    changes = {score_change.submission: score_change for score_change in change.changes}
    changed = [
        (result, changes[result.submission.pk])
        for result in class_results(assignment)
        if result.submission is not None and result.submission.pk in changes
    ]
    return sorted(changed, key=lambda pair: -pair[1].size)


def _pair(scores: Sequence[Score]) -> tuple[Score, Score] | None:
    """The last score by an earlier version, and the new one with as many corrections."""
    current = scores[-1].method
    earlier = [score for score in scores if score.method != current and not score.held]
    if not earlier:
        return None
    before = earlier[-1]
    later = [score for score in scores if score.method == current and score.pk > before.pk]
    alike = [score for score in later if score.corrections == before.corrections]
    return before, (alike or later)[-1]


def _most_common(methods: Sequence[str]) -> str:
    return Counter(methods).most_common(1)[0][0]


# After an upgrade of the method: scores are calculated again, and instructors get one notice.


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
    """Dismiss the notice that this version of the method scored the assignment again.

    Nothing is dismissed where another version has scored it since, or none has.
    """
    change = notice_for(assignment)
    if change is not None and change.after == method:
        assignment.dismissed_method = method
        assignment.save(update_fields=["dismissed_method"])
