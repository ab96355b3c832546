"""Request ids, and what the log says of a request: who and what, never what people wrote."""

import json
import logging
import re
from collections.abc import Callable, Iterator

import pytest
from django.db import IntegrityError
from django.test import Client, override_settings

from grading.caller import Caller, called_by, get_caller
from grading.jobs.runner import handlers, job_run
from grading.models import Assignment, Job, User
from pyreval_site.log_lines import JsonLines, RefusalsInOneLine, TraceWithoutMessages
from tests.conftest import SUMMARY, Cast

GIVEN = "proxy-made-0123456789"


def test_every_answer_has_an_id_of_its_own(client: Client, db: None) -> None:
    first, second = (client.get("/accounts/login/")["X-Request-ID"] for _ in range(2))

    assert re.fullmatch(r"[0-9a-f]{32}", first)
    assert first != second


def test_only_a_proxy_gives_ids(client: Client, db: None) -> None:
    def request_id_of(given: str) -> str:
        return str(client.get("/accounts/login/", headers={"X-Request-ID": given})["X-Request-ID"])

    assert request_id_of(GIVEN) != GIVEN
    with override_settings(TRUSTED_PROXIES=1):
        assert request_id_of(GIVEN) == GIVEN
        assert request_id_of("short") != "short"
        assert request_id_of('forged" line-in-the-log') != 'forged" line-in-the-log'


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """What a log for machines gets while the test runs."""
    written: list[str] = []

    class _Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(self.format(record))

    handler = _Kept()
    handler.setFormatter(JsonLines())
    handler.addFilter(RefusalsInOneLine())
    loggers = [logging.getLogger(name) for name in ("grading", "django", "grading.requests")]
    loggers[2].setLevel(logging.INFO)
    for logger in loggers[:2]:
        logger.addHandler(handler)
    yield written
    for logger in loggers[:2]:
        logger.removeHandler(handler)
    loggers[2].setLevel(logging.WARNING)


def test_a_request_is_one_line_with_who_and_what(
    cast: Cast, client_of: Callable[[User | None], Client], lines: list[str]
) -> None:
    answer = client_of(cast.student).get(f"/courses/{cast.course.pk}/")

    (line,) = map(json.loads, lines)
    assert line.pop("time")
    assert line.pop("milliseconds") >= 0
    assert line == {
        "level": "INFO",
        "logger": "grading.requests",
        "message": "GET course: 200",
        "request": answer["X-Request-ID"],
        "user": cast.student.pk,
        "address": "127.0.0.1",
        "view": "course",
        "method": "GET",
        "status": 200,
    }


@pytest.mark.parametrize("path", ["/courses/{}/members/", "/no/such/page/"])
def test_a_refusal_leaves_no_trace(
    path: str, cast: Cast, client_of: Callable[[User | None], Client], lines: list[str]
) -> None:
    answer = client_of(cast.student).get(path.format(cast.course.pk))

    assert answer.status_code in {403, 404}
    assert not [line for line in lines if "trace" in json.loads(line) or "\n" in line]
    assert len([line for line in lines if json.loads(line)["logger"] == "django.request"]) == 1


def test_no_line_has_what_a_student_wrote(
    assignment: Assignment,
    cast: Cast,
    client_of: Callable[[User | None], Client],
    lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A database names the whole row in its error, with the text in it."""

    def refuse(**_: object) -> None:
        raise IntegrityError(f"Failing row contains ({SUMMARY}).")

    monkeypatch.setattr("grading.submissions.views.submission_submit", refuse)
    client = client_of(cast.student)
    client.raise_request_exception = False

    answer = client.post(f"/assignments/{assignment.pk}/submit/", {"text": SUMMARY, "final": "on"})

    assert answer.status_code == 500
    assert "IntegrityError" in "".join(lines)
    assert "in refuse" in "".join(lines)
    assert "Cities" not in "".join(lines)


def test_a_failed_job_is_in_the_log_with_its_number(
    assignment: Assignment, cast: Cast, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError(SUMMARY)

    monkeypatch.setitem(handlers(), Job.Kind.BUILD_PYRAMID, fail)
    job = Job.objects.create(
        kind=Job.Kind.BUILD_PYRAMID, assignment=assignment, requested_by=cast.instructor
    )

    assert job_run(job_pk=job.pk)

    (line,) = map(json.loads, lines)
    assert (line["job"], line["user"]) == (job.pk, cast.instructor.pk)
    assert "ValueError" in line["trace"]
    assert "Cities" not in json.dumps(line)
    assert get_caller() == Caller()


def test_a_line_to_read_has_its_trace_without_the_message() -> None:
    formatter = TraceWithoutMessages("{levelname} {message}", style="{")
    try:
        try:
            raise KeyError(SUMMARY)
        except KeyError as error:
            raise ValueError(SUMMARY) from error
    except ValueError:
        record = logging.getLogger("grading").makeRecord(
            "grading", logging.ERROR, __file__, 1, "Failed", (), __import__("sys").exc_info()
        )

    said = formatter.format(record)

    assert said.startswith("ERROR Failed\n")
    assert "builtins.ValueError" in said
    assert "builtins.KeyError" in said
    assert "Cities" not in said


def test_callers_are_nested_and_forgotten() -> None:
    with called_by(Caller(request_id="a")):
        with called_by(Caller(job_pk=7)):
            assert get_caller().job_pk == 7
        assert get_caller().request_id == "a"
    assert get_caller() == Caller()
