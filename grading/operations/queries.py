"""Figures about jobs: how many there are, how long they wait, how long they take."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, QuerySet
from django.utils import timezone

from grading.models import Job

WINDOW = timedelta(hours=1)
MOST_TIMES = 20_000  # of finished jobs that are looked at
QUANTILES = (0.5, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Durations:
    """Seconds of jobs of one kind that ended within the window: waited, and worked."""

    kind: str
    waited: Sequence[float]
    worked: Sequence[float]

    @property
    def label(self) -> str:
        return str(Job.Kind(self.kind).label)

    @property
    def usual_wait(self) -> float:
        return quantile(self.waited, 0.5)

    @property
    def longest_wait(self) -> float:
        return quantile(self.waited, 1.0)

    @property
    def usual_work(self) -> float:
        return quantile(self.worked, 0.5)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Jobs of one kind that wait for a worker."""

    kind: str
    count: int
    since: datetime

    @property
    def label(self) -> str:
        return str(Job.Kind(self.kind).label)


def quantile(values: Sequence[float], share: float) -> float:
    """Of sorted values, the one below which this share of them is."""
    return values[min(len(values) - 1, int(share * len(values)))]


def jobs_by_state() -> Iterator[tuple[str, str, int]]:
    """Kind, state and count; of jobs that are done, those of the window only."""
    rows = Job.objects.order_by().values_list("kind", "state")
    yield from rows.exclude(state=Job.State.DONE).annotate(Count("pk"))
    recent = rows.filter(state=Job.State.DONE, finished_at__gte=timezone.now() - WINDOW)
    yield from recent.annotate(Count("pk"))


def jobs_waiting() -> list[Waiting]:
    rows = Job.objects.order_by("kind").filter(state=Job.State.QUEUED).values_list("kind")
    counted = rows.annotate(Count("pk"), Min("created_at"))
    return [Waiting(kind, count, since) for kind, count, since in counted]


def durations() -> list[Durations]:
    """By kind, of jobs that ended within the window. One that was tried again counts from then."""
    ended = Job.objects.filter(finished_at__gte=timezone.now() - WINDOW, started_at__isnull=False)
    rows = ended.order_by("-finished_at").values_list(
        "kind", "enqueued_at", "started_at", "finished_at"
    )
    waited: dict[str, list[float]] = defaultdict(list)
    worked: dict[str, list[float]] = defaultdict(list)
    for kind, enqueued, started, finished in rows[:MOST_TIMES]:
        if started is None or finished is None:
            continue
        waited[kind].append(max(0.0, (started - enqueued).total_seconds()))
        worked[kind].append(max(0.0, (finished - started).total_seconds()))
    return [Durations(kind, sorted(waited[kind]), sorted(worked[kind])) for kind in sorted(waited)]


def unfinished_jobs() -> QuerySet[Job]:
    """Running ones first, then those that have waited longest."""
    rows = Job.objects.unfinished().select_related("assignment", "course", "requested_by")
    return rows.order_by("-state", "pk")


def failed_jobs() -> QuerySet[Job]:
    """Failed jobs, the latest failure first."""
    rows = Job.objects.filter(state=Job.State.FAILED)
    return rows.select_related("assignment", "course").order_by("-finished_at", "-pk")
