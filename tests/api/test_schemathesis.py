"""The OpenAPI document is true: schemathesis makes requests of it, valid ones and others.

Each example runs in a savepoint, with the addresses of rows that are there in most of them.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.conf import LazySettings
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from grading.api.v1.api import api as ninja_api
from pyreval_site.wsgi import application
from tests.api.scene import make_token, names_of
from tests.scenes import Scene

EXAMPLES = 8  # of each operation and mode; all together take about half a minute
DOCUMENT = dict(ninja_api.get_openapi_schema(path_prefix="/api/v1/"))
# Examples can be larger than what is read at all.
REFUSALS = [400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 428]
CONFIG = schemathesis.Config.from_dict(
    {"checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}}
)
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT, config=CONFIG)
SCHEMA.app = application
OPERATIONS: list[Any] = [operation.ok() for operation in SCHEMA.get_all_operations()]  # type: ignore[union-attr]
# The rules of an assignment refuse what a schema cannot know of; tokens have tests of their own.
LEFT_OUT = [positive_data_acceptance, ignored_auth]


@pytest.fixture(autouse=True)
def _connection_stays() -> Iterator[None]:
    """As Django's own client does: the tests are in a transaction, which a closed one would end."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def token(scene: Scene, settings: LazySettings) -> str:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"api": "1000000/m/key"}
    return make_token(scene.cast.instructor, scene.cast.course)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_requests_of_the_document(
    operation: Any, mode: GenerationMode, scene: Scene, token: str
) -> None:
    names, statuses = names_of(scene), set()

    @settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), is_there=st.integers(0, 3))
    def ask(case: Any, is_there: int) -> None:
        if is_there and mode is GenerationMode.POSITIVE:
            known = {name: names[name] for name in case.path_parameters or {} if name in names}
            case.path_parameters = (case.path_parameters or {}) | known
        headers = {"Authorization": f"Bearer {token}"}
        with transaction.atomic():
            response = case.call_and_validate(headers=headers, excluded_checks=LEFT_OUT)
            statuses.add(response.status_code)
            transaction.set_rollback(True)

    ask()
    # Were rows found, so that answers were looked at and not only errors?
    assert 200 in statuses or operation.method != "get" or mode is GenerationMode.NEGATIVE
