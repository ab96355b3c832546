"""An error that nothing handles is our mistake, or that of what the program runs on."""

import errno
import sqlite3

import psycopg
import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.models import Session
from django.db import InterfaceError, OperationalError
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from grading.accounts.middleware import SessionMiddleware
from grading.models import Assignment
from grading.outages import outage_of
from tests.conftest import Cast, log_in

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


@pytest.fixture
def unsaved(client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Somebody's session, whose use is to be noted on a disk that is full."""
    log_in(client, cast.student)
    session = client.session
    session.pop("used_at", None)
    session.save()

    def fail(*_: object, **__: object) -> None:
        raise _caused_by(_sqlite_error(sqlite3.SQLITE_FULL))

    monkeypatch.setattr(Session, "save", fail)
    monkeypatch.setattr(QuerySet, "update", fail)
    client.raise_request_exception = False
    return client


def test_a_page_is_read_though_its_session_cannot_be_saved(unsaved: Client) -> None:
    answer = unsaved.get(reverse("home"))

    assert answer.status_code == 200
    assert "Log out" in answer.content.decode()


def test_what_is_sent_is_refused_in_words_where_the_session_cannot_be_saved(
    unsaved: Client, assignment: Assignment
) -> None:
    answer = unsaved.post(reverse("submit", args=[assignment.pk]), {"text": "", "kind": "final"})

    assert answer.status_code == 503
    assert "disk is full" in answer.content.decode()


def test_a_session_that_was_ended_meanwhile_is_no_outage(client: Client, cast: Cast) -> None:
    log_in(client, cast.student)
    request = RequestFactory().get("/")
    request.session = SessionStore(client.session.session_key)
    request.session["used_at"] = 1
    Session.objects.all().delete()

    with pytest.raises(SessionInterrupted):
        SessionMiddleware(lambda _: HttpResponse()).process_response(request, HttpResponse())
