"""A scene that the tests of a module share: a plugin of tests/conftest.py.

Making a scene takes longer than most tests that look at it. It is made once a module, in a
transaction around the module's tests; each test runs in a savepoint of it and gets its own copy
of the objects, so that no test sees what another did. A module that uses ``scene`` must not ask
for the ``cast`` of tests/conftest.py, whose rows are in the scene already, nor for a transactional
database.
"""

from collections.abc import Iterator
from copy import deepcopy

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import make_assignment, make_cast, use_fake_engine
from tests.scenes import Scene, make_scene


@pytest.fixture(scope="module")
def module_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What is written from here on is there for all tests of the module, and then undone."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def shared_scene(module_rows: None) -> Iterator[Scene]:
    """A module that needs more in its scene overrides this and adds to it."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        use_fake_engine(monkeypatch)
        cast = make_cast()
        yield make_scene(cast, make_assignment(cast))


@pytest.fixture
def scene(db: None, shared_scene: Scene) -> Scene:
    return deepcopy(shared_scene)
