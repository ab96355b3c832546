"""An error that nothing handles is our mistake, or that of what the program runs on."""

import errno
import sqlite3

import psycopg
import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client

from grading.outages import outage_of

DISK_FULL = "The server's disk is full."
DATABASE_AWAY = "The database doesn't answer."


def _caused_by(cause: Exception) -> Exception:
    """As Django raises its own error from the database's."""
    error = OperationalError("not said")
    error.__cause__ = cause
    return error


def _sqlite_error(code: int) -> Exception:
    error = sqlite3.OperationalError("not said")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), DISK_FULL),
        (_caused_by(_sqlite_error(sqlite3.SQLITE_FULL)), DISK_FULL),
        (_caused_by(_sqlite_error(sqlite3.SQLITE_BUSY)), DATABASE_AWAY),
        (_caused_by(psycopg.errors.DiskFull("not said")), DISK_FULL),
        (_caused_by(psycopg.errors.AdminShutdown("not said")), DATABASE_AWAY),
        (InterfaceError("the connection is closed"), DATABASE_AWAY),
        (OSError(errno.ENOENT, "No such file"), ""),
        (sqlite3.InterfaceError("of our own making"), ""),
        (ValueError(), ""),
        (None, ""),
    ],
)
def test_what_is_missing(error: Exception | None, sentence: str) -> None:
    assert outage_of(error) == sentence


@pytest.fixture
def broken(client: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    def fail(*_: object) -> None:
        raise OperationalError("a secret address")

    client.raise_request_exception = False
    monkeypatch.setattr("grading.web.middleware.VisitMiddleware.__call__", fail)
    return client


def test_a_page_says_that_it_can_be_tried_again(broken: Client, db: None) -> None:
    answer = broken.get("/accounts/login/")

    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert "The database doesn&#x27;t answer." in answer.content.decode()
    assert "secret" not in answer.content.decode()


def test_so_does_the_api(broken: Client, db: None) -> None:
    answer = broken.get("/api/v1/courses")

    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"] == "The server can't do this right now. Try again in a minute."
