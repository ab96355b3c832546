"""What the tests of this folder share."""

import os
from pathlib import Path

import pytest

from tests.faults.planning import Faults

# The embedded shape is SQLite's, the other one PostgreSQL's and Redis's.
_IS_POSTGRESQL = os.environ.get("TEST_DATABASE_URL", "").startswith("postgres")
_OF_OTHER_SHAPE = "test_embedded.py" if _IS_POSTGRESQL else "test_services_away.py"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """``collect_ignore`` would not do: the Makefile names the files, and named files are read."""
    others = [item for item in items if item.path == Path(__file__).parent / _OF_OTHER_SHAPE]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]


@pytest.fixture
def faults(tmp_path: Path) -> Faults:
    return Faults(tmp_path)
