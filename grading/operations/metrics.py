"""Figures for Prometheus.

Those of requests are counted by each web process, in files that all web processes of the machine
share (METRICS_DIR). Those of jobs and workers are read from the database when somebody asks.
"""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from grading.jobs.pulse import memory_of_this_process
from grading.models import ProcessPulse
from grading.operations.queries import (
    QUANTILES,
    durations,
    jobs_by_state,
    jobs_waiting,
    quantile,
)
from grading.operations.readiness import messages_waiting, readiness
from grading.web.requests import view_name

logger = logging.getLogger(__name__)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.05, 0.1, 0.3, 1.0, 3.0, 10.0)  # seconds; the promise is 0.3

FILE_SIZE = 1 << 20  # bytes; a series takes 200


class AllocatedFile(MmapedDict):
    """A file of counts that has its room on the disk before anything is counted.

    prometheus_client's files have holes. A process that writes into a hole on a full disk is killed
    (SIGBUS), and whoever waits for its answer gets none.
    """

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        if not read_mode:
            with Path(filename).open("ab") as file:
                os.posix_fallocate(file.fileno(), 0, FILE_SIZE)
        super().__init__(filename, read_mode)  # type: ignore[no-untyped-call]


values.MmapedDict = AllocatedFile  # type: ignore[attr-defined]

REQUESTS = Counter(
    "pyreval_requests", "Requests that were answered", ["view", "method", "status"], registry=None
)
LATENCY = Histogram(
    "pyreval_request_seconds", "Time to answer", ["view"], buckets=BUCKETS, registry=None
)
MEMORY = Gauge(
    "pyreval_web_memory_bytes",
    "Memory of a web process",
    ["process"],  # a gauge without a label would be there, as 0, in processes that answer nothing
    registry=None,
    multiprocess_mode="liveall",
)


def make_folder() -> None:
    """Before anything is counted; the counters themselves are made when they are first used."""
    settings.METRICS_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)


def observe(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """Count a request that was answered."""
    view = view_name(request)
    method = request.method if request.method in {"GET", "POST", "HEAD"} else "other"
    try:
        REQUESTS.labels(view, method, str(response.status_code)).inc()
        LATENCY.labels(view).observe(seconds)
        MEMORY.labels("web").set(memory_of_this_process())
    except OSError:
        logger.warning("A request is not counted: there is no room on the disk.")


def exposition() -> bytes:
    """All figures, as Prometheus reads them."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(settings.METRICS_DIR))  # type: ignore[no-untyped-call]
    registry.register(_Installation())
    return generate_latest(registry)


class _Installation(Collector):
    """What the database, the broker and the checks say, whoever asks."""

    def collect(self) -> Iterator[Metric]:
        ready = GaugeMetricFamily("pyreval_ready", "Checks of /readyz: 1 is well", labels=["check"])
        for check in readiness():
            ready.add_metric([check.name], check.is_ok)
        yield ready
        lengths = GaugeMetricFamily(
            "pyreval_queue_messages", "Messages in a queue of the broker", labels=["queue"]
        )
        for queue, length in (messages_waiting() or {}).items():
            lengths.add_metric([queue], length)
        yield lengths
        for family in (_jobs, _waiting, _durations, _workers):
            try:
                metrics = list(family())
            except DatabaseError:
                return  # the check above says so
            yield from metrics


def _jobs() -> Iterator[Metric]:
    jobs = GaugeMetricFamily(
        "pyreval_jobs",
        "Jobs by kind and state; of those that are done, those of the last hour",
        labels=["kind", "state"],
    )
    for kind, state, count in jobs_by_state():
        jobs.add_metric([kind, state], count)
    yield jobs


def _waiting() -> Iterator[Metric]:
    oldest = GaugeMetricFamily(
        "pyreval_oldest_waiting_seconds",
        "How long the job that has waited longest has waited",
        labels=["kind"],
    )
    now = timezone.now()
    for waiting in jobs_waiting():
        oldest.add_metric([waiting.kind], (now - waiting.since).total_seconds())
    yield oldest


def _durations() -> Iterator[Metric]:
    labels = ["kind", "quantile"]
    waited = GaugeMetricFamily(
        "pyreval_job_waiting_seconds",
        "Jobs that ended in the last hour: time waited",
        labels=labels,
    )
    worked = GaugeMetricFamily(
        "pyreval_job_seconds", "Jobs that ended in the last hour: time worked", labels=labels
    )
    for of_kind in durations():
        for share in QUANTILES:
            waited.add_metric([of_kind.kind, str(share)], quantile(of_kind.waited, share))
            worked.add_metric([of_kind.kind, str(share)], quantile(of_kind.worked, share))
    yield from (waited, worked)


def _workers() -> Iterator[Metric]:
    memory = GaugeMetricFamily(
        "pyreval_worker_memory_bytes",
        "Memory of a worker process, with the models that it has loaded",
        labels=["process"],
    )
    for pulse in ProcessPulse.objects.alive().filter(kind=ProcessPulse.Kind.WORKER):
        memory.add_metric([pulse.name], pulse.memory)
    yield memory
