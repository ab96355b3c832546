"""Fixtures of the API's tests."""

import pytest
from django.core.cache import cache

from grading.models import User
from tests.api.scene import ApiClient, ApiOf, make_token
from tests.scenes import Scene


@pytest.fixture(autouse=True)
def _no_limits_from_before(db: None) -> None:
    cache.clear()


@pytest.fixture
def api_of(scene: Scene) -> ApiOf:
    """A program of this user in the cast's course; of nobody: without a token."""

    def client(user: User | None, *, can_write: bool = True) -> ApiClient:
        if user is None:
            return ApiClient(None)
        return ApiClient(make_token(user, scene.cast.course, can_write=can_write))

    return client


@pytest.fixture
def api(scene: Scene, api_of: ApiOf) -> ApiClient:
    """The instructor's, who can do everything."""
    return api_of(scene.cast.instructor)
