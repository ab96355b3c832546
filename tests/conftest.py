"""One cast for all tests: an instructor, a TA, two students, an outsider who teaches elsewhere."""

import gc
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pytest
from _pytest.runner import runtestprotocol
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations
from django.test import Client
from hypothesis import HealthCheck, settings

from grading.models import Assignment, Course, Membership, Role, User
from grading.models.append_only import erasing_allowed
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Text
from grading.pyramids.actions import references_add
from tests.fakes import fake_engine

# Machines are shared: how long an example took says nothing of what it tests. Every run draws the
# same examples, so that a failure comes from a change; --hypothesis-profile=exploring draws others.
settings.register_profile("exploring", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeatable", settings.get_profile("exploring"), derandomize=True)
settings.load_profile("repeatable")

pytest_plugins = ["tests.shared_scene"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--only-services",
        action="store_true",
        help="run only tests that use the database or start workers",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On other servers, leave out what gives the same answer without them."""
    if not config.getoption("--only-services"):
        return
    uses = [
        "db" in getattr(item, "fixturenames", ())
        or item.get_closest_marker("django_db") is not None
        or item.get_closest_marker("workers") is not None
        for item in items
    ]
    config.hook.pytest_deselected(
        items=[item for item, used in zip(items, uses, strict=True) if not used]
    )
    items[:] = [item for item, used in zip(items, uses, strict=True) if used]
    # Real workers mostly wait, for minutes: beside other tests, not alone in the end.
    items.sort(key=lambda item: item.get_closest_marker("workers") is None)


def pytest_collection_finish() -> None:
    """Spare the collector what lives as long as the run: measured, a tenth of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """What pytest does itself, in a frame that takes a large chunk of CPython's frame stack.

    CPython 3.11 maps 16 KB when a call crosses the end of a chunk and unmaps them when it returns.
    In a deep test that happens hundreds of thousands of times: measured, a sixth of its time.
    """
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    runtestprotocol(item, nextitem=nextitem)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


_code = pytest_runtest_protocol.__code__
pytest_runtest_protocol.__code__ = _code.replace(co_stacksize=100_000)  # slots of 8 bytes

_flush = type(connection.ops).execute_sql_flush


def _flush_past_the_triggers(operations: BaseDatabaseOperations, statements: Iterable[str]) -> None:
    """Tests with transactions of their own empty all tables, the audit log among them."""
    with erasing_allowed():
        _flush(operations, statements)


type(connection.ops).execute_sql_flush = _flush_past_the_triggers  # type: ignore[assignment,method-assign]

PASSWORD = "a-long-passphrase-7"

REFERENCES = (
    Text(
        "Ada",
        "Cities are hotter than the country. Dark roofs store the heat of the sun. "
        "Trees cool the streets because their leaves give off water.",
    ),
    Text(
        "Ben",
        "Towns are warmer than the country around them. Dark roofs store heat. "
        "Old people suffer most in hot nights.",
    ),
    Text(
        "Chi",
        "Cities are hotter than the land around. Trees cool streets. "
        "Air conditioning makes the streets hotter.",
    ),
)
SUMMARY = (
    "Cities are hotter than the country. Dark roofs store the heat. "
    "My uncle has a green bicycle and rides it every day."
)


@dataclass(frozen=True)
class Cast:
    course: Course
    other_course: Course
    instructor: User
    ta: User
    student: User
    other_student: User
    outsider: User


def _user(username: str, name: str) -> User:
    return User.objects.create_user(
        username, f"{username}@example.org", PASSWORD, name=name, may_create_courses=False
    )


def make_cast() -> Cast:
    course = Course.objects.create(name="Academic Writing", term="Autumn", code="CDEFGH2")
    other_course = Course.objects.create(name="Chemistry", code="CDEFGH3")
    people = {
        "instructor": _user("ines", "Ines Duarte"),
        "ta": _user("tomasz", "Tomasz Okoye"),
        "student": _user("zoe", "Zoë Brânză"),
        "other_student": _user("omar", "عمر حداد"),
        "outsider": _user("olga", "Olga Other"),
    }
    roles = {"instructor": Role.INSTRUCTOR, "ta": Role.TA}
    for what, user in people.items():
        if what != "outsider":
            role = roles.get(what, Role.STUDENT)
            Membership.objects.create(course=course, user=user, role=role)
    Membership.objects.create(course=other_course, user=people["outsider"], role=Role.INSTRUCTOR)
    User.objects.filter(pk__in=[people["instructor"].pk, people["outsider"].pk]).update(
        may_create_courses=True
    )
    return Cast(course, other_course, **people)


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


def make_assignment(cast: Cast) -> Assignment:
    """Open, results shown at once, no limit on finals; with three references, no pyramid yet."""
    assignment = Assignment.objects.create(
        course=cast.course,
        title="Why cities are hotter",
        min_words=5,
        max_words=60,
        max_attempts=None,
        release=Assignment.Release.AT_ONCE,
        state=Assignment.State.OPEN,
    )
    references_add(assignment=assignment, texts=REFERENCES)
    return assignment


@pytest.fixture
def assignment(cast: Cast) -> Assignment:
    return make_assignment(cast)


def use_fake_engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Put a tiny engine in the place of the real one."""
    engine = fake_engine()
    monkeypatch.setattr("grading.scoring.engine._loaded", lambda *_: engine)
    return engine


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    return use_fake_engine(monkeypatch)


def log_in(client: Client, user: User) -> None:
    """As somebody who has just typed the password, so that nothing asks for it again."""
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    session = client.session
    session["account_authentication_methods_user"] = str(user.pk)
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session.save()


@pytest.fixture
def client_of() -> Callable[[User | None], Client]:
    """A browser in which this user is logged in (None: nobody)."""

    def logged_in(user: User | None) -> Client:
        client = Client()
        if user is not None:
            log_in(client, user)
        return client

    return logged_in
