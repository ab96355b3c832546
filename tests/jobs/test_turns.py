"""Quick jobs go first, courses and people take turns, and limits hold."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from grading.jobs import claims, runner
from grading.jobs.claims import MOST_WAKE_UPS, Claim, jobs_sweep
from grading.jobs.runner import handlers, job_run_next
from grading.jobs.turns import QUICK_QUEUE, SLOW_QUEUE, claim_next
from grading.models import Assignment, Job, ProcessPulse, User
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast, make_assignment

BUILD = Job.Kind.BUILD_PYRAMID
FLAGS = Job.Kind.FIND_FLAGS
EFFECT = Job.Kind.PREDICT_EFFECT


@pytest.fixture
def assignment(cast: Cast) -> Assignment:
    return make_assignment(cast)


@pytest.fixture
def other_assignment(cast: Cast) -> Assignment:
    return Assignment.objects.create(course=cast.other_course, title="Acids")


@pytest.fixture
def wake_ups(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    queues: list[str] = []
    monkeypatch.setattr(claims, "wake_for", queues.append)
    monkeypatch.setattr(runner, "wake_for", queues.append)
    return queues


@pytest.fixture
def work_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def finish(job: Job, claim: Claim) -> None:
        claim.finish()

    for kind in Job.Kind:
        monkeypatch.setitem(handlers(), kind, finish)


def waiting(kind: str, assignment: Assignment, person: User | None = None) -> Job:
    return Job.objects.create(kind=kind, assignment=assignment, requested_by=person)


def next_job(queue: str = SLOW_QUEUE) -> Job | None:
    return claim_next(queue, uuid.uuid4())


def finish(job: Job | None) -> None:
    assert job is not None
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, finished_at=timezone.now())


def worker_processes(count: int) -> None:
    for number in range(count):
        ProcessPulse.objects.beat(ProcessPulse.Kind.WORKER, f"host/{number}")


def test_quick_jobs_come_before_builds_and_builds_before_the_rest(assignment: Assignment) -> None:
    in_this_order = [FLAGS, BUILD, EFFECT]
    jobs = [waiting(kind, assignment) for kind in in_this_order]
    worker_processes(4)

    assert [next_job(), next_job(), next_job(), next_job()] == [*reversed(jobs), None]


def test_one_text_is_quick_and_a_whole_class_is_not(assignment: Assignment, cast: Cast) -> None:
    text = submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    one = Job.objects.create(
        kind=Job.Kind.SCORE_SUBMISSIONS, assignment=assignment, submission=text
    )
    everyone = waiting(Job.Kind.SCORE_SUBMISSIONS, assignment)

    assert one.lane == Job.Lane.QUICK
    assert everyone.lane == Job.Lane.BULK


def test_who_is_woken_for_quick_jobs_does_no_others(assignment: Assignment) -> None:
    waiting(BUILD, assignment)

    assert next_job(QUICK_QUEUE) is None


def test_courses_take_turns_however_many_jobs_one_of_them_has(
    assignment: Assignment, other_assignment: Assignment
) -> None:
    many = [waiting(BUILD, assignment) for _ in range(3)]
    late = waiting(BUILD, other_assignment)

    turns = []
    for _ in range(4):
        job = next_job()
        turns.append(job)
        finish(job)

    assert turns == [many[0], late, many[1], many[2]]


def test_people_of_a_course_take_turns(assignment: Assignment, cast: Cast) -> None:
    many = [waiting(BUILD, assignment, cast.instructor) for _ in range(2)]
    late = waiting(BUILD, assignment, cast.ta)

    turns = []
    for _ in range(3):
        job = next_job()
        turns.append(job)
        finish(job)

    assert turns == [many[0], late, many[1]]


def test_a_course_has_only_so_many_slow_jobs_at_once(
    assignment: Assignment, other_assignment: Assignment, settings: Settings
) -> None:
    settings.JOBS_PER_COURSE = 2
    worker_processes(9)
    for _ in range(3):
        waiting(BUILD, assignment)
    effects = [waiting(EFFECT, assignment) for _ in range(3)]
    assert [next_job() for _ in effects] == effects  # quick ones are not limited
    running = [next_job(), next_job()]

    assert next_job() is None
    elsewhere = waiting(FLAGS, other_assignment)
    assert next_job() == elsewhere
    finish(running[0])
    assert next_job() is not None


def test_one_process_is_kept_free_for_quick_jobs(
    assignment: Assignment, other_assignment: Assignment
) -> None:
    worker_processes(2)
    first = waiting(BUILD, assignment)
    waiting(BUILD, other_assignment)

    assert next_job() == first
    assert next_job() is None
    quick = waiting(EFFECT, assignment)
    assert next_job(QUICK_QUEUE) == quick


def test_where_there_is_one_process_it_does_everything(assignment: Assignment) -> None:
    worker_processes(1)
    job = waiting(BUILD, assignment)

    assert next_job() == job


def test_processes_that_are_gone_do_not_count(
    assignment: Assignment, other_assignment: Assignment
) -> None:
    worker_processes(3)
    ProcessPulse.objects.exclude(name="host/0").update(
        seen_at=timezone.now() - timedelta(minutes=5)
    )
    waiting(BUILD, assignment)
    waiting(BUILD, other_assignment)

    assert next_job() is not None
    assert next_job() is None


def test_a_message_that_a_quick_job_used_is_sent_again(
    assignment: Assignment, wake_ups: list[str], work_is_nothing: None
) -> None:
    waiting(BUILD, assignment)
    waiting(EFFECT, assignment)

    assert job_run_next(queue=SLOW_QUEUE)
    assert wake_ups == [SLOW_QUEUE]
    assert job_run_next(queue=SLOW_QUEUE)
    assert wake_ups == [SLOW_QUEUE]
    assert not job_run_next(queue=SLOW_QUEUE)
    assert not Job.objects.unfinished().exists()


def test_the_sweeper_does_not_flood_the_broker(assignment: Assignment, wake_ups: list[str]) -> None:
    for _ in range(MOST_WAKE_UPS + 5):
        waiting(FLAGS, assignment)
    waiting(EFFECT, assignment)
    Job.objects.update(enqueued_at=timezone.now() - timedelta(hours=1))

    assert jobs_sweep() == MOST_WAKE_UPS + 6
    assert wake_ups == [QUICK_QUEUE, *[SLOW_QUEUE] * MOST_WAKE_UPS]
    assert jobs_sweep() == 0


@pytest.mark.parametrize("people", [1, 40])
def test_queries_do_not_grow_with_the_queue(
    assignment: Assignment,
    people: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(people):
        waiting(EFFECT, assignment, User.objects.create_user(f"student{number}"))

    with django_assert_max_num_queries(6):
        assert next_job(QUICK_QUEUE) is not None
