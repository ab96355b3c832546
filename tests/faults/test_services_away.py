"""Web, worker and beat on a PostgreSQL and a Redis that are killed, hang, or come back empty."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from subprocess import Popen

import pytest
from celery import Celery
from django.db import OperationalError, connection, transaction
from django.urls import reverse
from pytest_django.plugin import DjangoDbBlocker

from grading.jobs.turns import WAKE_WORKER
from grading.models import (
    Assignment,
    Draft,
    Job,
    Membership,
    ProcessPulse,
    Role,
    Score,
    StoredPyramid,
    Submission,
    User,
)
from grading.pyramids.actions import draft_publish
from grading.scoring.scores import submissions_start_scoring
from tests.conftest import SUMMARY, Cast, make_assignment, make_cast
from tests.drafts.drafting import begun
from tests.faults.browsers import Answer, Browser
from tests.faults.planning import BEAT, WORKER, Faults, kill_group
from tests.faults.servers import (
    POSTGRES,
    REDIS,
    OwnPostgres,
    OwnRedis,
    free_port,
    own_postgres,
    own_redis,
)
from tests.workers import wait_until

pytestmark = [
    pytest.mark.workers,
    pytest.mark.skipif(
        REDIS is None or POSTGRES is None, reason="Redis or PostgreSQL is not installed here"
    ),
]

LEASE = 2
RECOVERED = 120  # seconds: of a busy machine; docs/reliability.md has what was seen
WEB = ["-m", "gunicorn", "--config", "python:pyreval_site.web_server"]


@dataclass
class Product:
    """The processes of docs/deploy.md; what is killed is started again, as systemd does."""

    faults: Faults
    postgres: OwnPostgres
    redis: OwnRedis
    cast: Cast
    assignment: Assignment
    running: ExitStack
    web_port: int = field(default_factory=free_port)
    processes: dict[str, "Popen[bytes]"] = field(default_factory=dict)
    students: int = 0

    @property
    def environment(self) -> dict[str, str]:
        return self.faults.environment(
            LEASE, CELERY_BROKER_URL=self.redis.url, WEB_PROCESSES="1", BUILDS_AN_HOUR="500"
        )

    def start(self, name: str, *options: str) -> None:
        command = {
            "web": [*WEB, "--bind", f"127.0.0.1:{self.web_port}"],
            "worker": [*WORKER, "--concurrency", "2"],
            "beat": BEAT,
        }[name]
        process = self.faults.started(name, [*command, *options], self.environment)
        self.running.callback(kill_group, process)
        self.processes[name] = process

    def kill(self, name: str) -> None:
        kill_group(self.processes.pop(name))

    def wait_until(self, what: Callable[[], bool], why: str) -> None:
        """Celery's worker ends when Redis goes while a message is not yet acknowledged."""

        def holds() -> bool:
            for name, process in self.processes.items():
                if process.poll() is not None:
                    self.start(name)
            return what()

        wait_until(holds, why, RECOVERED)

    def student(self) -> Browser:
        """Another one, who has submitted nothing."""
        self.students += 1
        user = User.objects.create_user(f"student-{self.students}", name="A student")
        Membership.objects.create(course=self.cast.course, user=user, role=Role.STUDENT)
        return Browser(user, self.web_port)

    def submit(self, browser: Browser, timeout: float = 60) -> Answer:
        path = reverse("submit", args=[self.assignment.pk])
        return browser.post(path, timeout, text=SUMMARY, kind="final")

    def work_of(self, browser: Browser) -> list[Submission]:
        return list(Submission.objects.filter(student=browser.user))

    def wait_for_score(self, browser: Browser) -> float:
        """Seconds until the one attempt of this student has its one score, and the job is done."""
        began = time.monotonic()
        (submission,) = self.work_of(browser)
        jobs = Job.objects.filter(submission=submission).unfinished()
        self.wait_until(lambda: not jobs.exists(), "the submission is scored")
        seconds = time.monotonic() - began
        assert Score.objects.filter(submission=submission).count() == 1
        return seconds


@pytest.fixture(scope="module")
def product(
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Product]:
    with django_db_blocker.unblock(), own_postgres() as postgres, own_redis() as redis:
        cast = make_cast()
        assignment = make_assignment(cast)
        draft_publish(
            draft=begun(assignment), revision=0, note="", author=cast.instructor,
            even_if_doubtful=True,
        )  # fmt: skip
        with ExitStack() as running:
            faults = Faults(tmp_path_factory.mktemp("product"))
            product = Product(faults, postgres, redis, cast, assignment, running)
            for name in ("web", "worker", "beat"):
                product.start(name)
            browser = product.student()
            home = reverse("home")
            wait_until(lambda: browser.get(home).status == 200, "the web server answers")
            pulses = ProcessPulse.objects.alive()
            wait_until(lambda: pulses.count() >= 3, "both worker processes and beat are there")
            yield product


@pytest.fixture(autouse=True)
def nothing_is_planned(product: Product) -> Iterator[None]:
    """What a test planned is over, and whatever it killed runs again."""
    yield
    product.faults.go()
    product.faults.plan()
    product.faults.set_clock(0)
    for name in {"web", "worker", "beat"} - set(product.processes):
        product.start(name)


@contextmanager
def held_up(product: Product) -> Iterator[None]:
    """Whoever writes about the assignment waits until the block ends."""
    with transaction.atomic():
        Assignment.objects.select_for_update().get(pk=product.assignment.pk)
        yield


def test_the_database_restarts_in_mid_request(product: Product) -> None:
    browser = product.student()
    with ThreadPoolExecutor(1) as pool:
        with suppress(OperationalError), held_up(product):  # our connection is thrown out, too
            sent = pool.submit(product.submit, browser)
            time.sleep(1)
            product.postgres.restart()
        connection.close()
        answer = sent.result()

    assert answer.status == 503
    assert "The database doesn&#x27;t answer." in answer.body
    assert product.work_of(browser) == []
    assert product.submit(browser).status == 302
    assert len(product.work_of(browser)) == 1
    product.wait_for_score(browser)
    # All threads of the web server had a connection that is no more.
    assert {browser.get(reverse("home")).status for _ in range(12)} == {200}


def test_the_database_restarts_in_mid_job(product: Product) -> None:
    """The job ends well by itself, and nobody hears of it."""
    product.faults.plan({"fault": "wait", "point": "working", "tries": 1})
    browser = product.student()
    assert product.submit(browser).status == 302
    product.wait_until(lambda: product.faults.is_waiting, "the job has begun")
    product.postgres.restart()
    connection.close()
    product.faults.go()

    product.wait_for_score(browser)
    job = Job.objects.get(submission=product.work_of(browser)[0])
    assert (job.state, job.error) == (Job.State.DONE, "")


def test_the_broker_comes_back_empty(product: Product) -> None:
    """It held a message for each of ten submissions, and no worker had looked."""
    product.kill("worker")
    browsers = [product.student() for _ in range(10)]
    assert {product.submit(browser).status for browser in browsers} == {302}
    product.redis.kill()
    product.redis.start()
    product.start("worker")
    for browser in browsers:
        product.wait_for_score(browser)

    product.redis.kill()  # under a worker that waits for messages, and a web server that sent some
    away = product.student()
    began = time.monotonic()
    assert product.submit(away).status == 302
    assert time.monotonic() - began < 5
    product.redis.start()
    product.wait_for_score(away)


def test_the_broker_hangs(product: Product) -> None:
    product.redis.hang()
    browser = product.student()
    try:
        assert product.submit(browser, timeout=20).status == 302
    finally:
        product.redis.go_on()
    product.wait_for_score(browser)


def test_two_jobs_score_the_same_text_at_once(product: Product) -> None:
    """The student's own, and the one of the class: each has looked what has no score yet."""
    product.faults.plan({"fault": "wait", "point": "working", "kind": "score_submissions"})
    browser = product.student()
    assert product.submit(browser).status == 302
    submissions_start_scoring(assignment=product.assignment, requested_by=product.cast.instructor)
    running = Job.objects.filter(state=Job.State.RUNNING, assignment=product.assignment)
    product.wait_until(lambda: running.count() == 2, "both have begun")
    product.faults.go()
    product.wait_until(lambda: not running.exists(), "both have ended")
    product.wait_for_score(browser)


def test_a_message_is_delivered_fifty_times(product: Product) -> None:
    """Also while the job is done, and when it is done."""
    product.faults.plan({"fault": "wait", "point": "working", "tries": 1})
    browser = product.student()
    assert product.submit(browser).status == 302
    product.wait_until(lambda: product.faults.is_waiting, "the job has begun")
    with Celery(broker=product.redis.url) as broker:
        for queue in ["quick", "slow"] * 25:
            broker.send_task(WAKE_WORKER, [queue], queue=queue)
        product.faults.go()
        product.wait_for_score(browser)
        for queue in ["quick", "slow"]:
            broker.send_task(WAKE_WORKER, [queue], queue=queue)
    assert Job.objects.get(submission=product.work_of(browser)[0]).tries == 1


def test_the_web_server_is_killed_before_and_after_it_saves(product: Product) -> None:
    before, after = product.student(), product.student()
    with ThreadPoolExecutor(1) as pool, held_up(product):
        sent = pool.submit(product.submit, before)
        time.sleep(1)
        product.kill("web")
        assert sent.result().status == 0
    assert product.work_of(before) == []
    # The browser's owner tries again.
    product.faults.plan({"fault": "die", "point": "committed"})
    product.start("web")
    wait_until(lambda: before.get("/healthz").status == 200, "the web server is there again")
    assert product.submit(after).status == 0
    product.faults.plan()
    wait_until(lambda: before.get("/healthz").status == 200, "gunicorn has another process")
    assert product.submit(before).status == 302
    product.submit(after)  # nobody told this student that it was saved

    product.wait_for_score(before)
    product.wait_for_score(after)


def test_beat_is_killed_with_a_job_that_nobody_was_told_of(product: Product) -> None:
    product.kill("beat")
    product.kill("worker")
    browser = product.student()
    product.faults.plan({"fault": "die", "point": "committed"})
    product.submit(browser)
    product.faults.plan()
    product.start("worker")
    product.start("beat")
    product.wait_for_score(browser)


@pytest.mark.parametrize("seconds", [-3600, 3600])
def test_the_clock_is_set(product: Product, seconds: int) -> None:
    """While a job is done, whose worker is killed then; and with a job that nobody was told of."""
    product.faults.plan({"fault": "wait", "point": "working", "tries": 1})
    browser = product.student()
    assert product.submit(browser).status == 302
    product.wait_until(lambda: product.faults.is_waiting, "the job has begun")
    product.kill("worker")
    product.faults.set_clock(seconds)
    product.faults.plan()
    product.start("worker")

    product.wait_for_score(browser)
    product.faults.set_clock(0)
    other = product.student()
    assert product.submit(other).status == 302
    product.wait_for_score(other)


def test_two_publish_at_once(product: Product) -> None:
    """The same draft, and then two: each becomes one version, and each text has one score by it."""
    browser = product.student()
    assert product.submit(browser).status == 302
    instructor = Browser(product.cast.instructor, product.web_port)
    drafts = [begun(product.assignment), begun(product.assignment)]
    before = StoredPyramid.objects.filter(assignment=product.assignment).count()

    def publish(draft: Draft) -> Answer:
        path = reverse("draft_publish", args=[draft.pk])
        return instructor.post(path, revision=draft.revision, same="on", doubtful="on")

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(publish, [drafts[0], drafts[0], drafts[1], drafts[1]]))

    assert sorted(answer.status for answer in answers)[:2] == [302, 302]
    versions = StoredPyramid.objects.filter(assignment=product.assignment).order_by("number")
    assert [row.number for row in versions] == list(range(1, before + 3))
    for draft in drafts:
        draft.refresh_from_db()
    assert {draft.published_as for draft in drafts} == set(versions[before:])
    product.wait_until(lambda: not Job.objects.unfinished().exists(), "the class is scored")
    newest = Score.objects.filter(pyramid=versions[before + 1])
    assert newest.count() == newest.values("submission").distinct().count()
    assert newest.count() == Submission.objects.filter(assignment=product.assignment).count()
