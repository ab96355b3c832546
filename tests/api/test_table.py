"""Every operation as every one of the cast, with tokens that read and with none."""

import json
import re

import pytest

from grading.api.v1.api import api as ninja_api
from tests.api.api_table import ROWS, ApiRow
from tests.api.scene import ApiClient, ApiOf, make_token, names_of
from tests.scenes import Scene
from tests.url_table import WHO

WRITES = [row for row in ROWS if row.method != "get"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_operation(row: ApiRow, scene: Scene, api_of: ApiOf) -> None:
    # Those with the fewest rights first, so that what others do changes nothing for them.
    got = {}
    for who in reversed(WHO):
        response = api_of(scene.user(who)).ask_row(row, names_of(scene))
        got[who] = response.status_code
        if response.status_code >= 400:
            assert response["Content-Type"] == "application/problem+json"
            assert json.loads(response.content)["detail"]

    assert got == dict(zip(WHO, row.statuses, strict=True)), response.content


def test_every_operation_is_listed() -> None:
    document = ninja_api.get_openapi_schema(path_prefix="")
    there = {
        f"{method} {path}"
        for path, operations in document["paths"].items()
        for method in operations
    }
    assert there == {row.name for row in ROWS}


@pytest.mark.parametrize("row", WRITES, ids=lambda row: row.name)
def test_a_token_that_reads_does_not_write(row: ApiRow, scene: Scene, api_of: ApiOf) -> None:
    client = api_of(scene.cast.instructor, can_write=False)

    response = client.ask_row(row, names_of(scene))

    assert response.status_code == 403
    assert "can only read" in json.loads(response.content)["detail"]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if re.search("{", row.path)], ids=lambda row: row.name
)
def test_a_token_of_another_course_finds_nothing(row: ApiRow, scene: Scene) -> None:
    """Though its owner teaches both courses."""
    scene.cast.other_course.memberships.create(user=scene.cast.instructor, role="instructor")
    client = ApiClient(make_token(scene.cast.instructor, scene.cast.other_course))

    response = client.ask_row(row, names_of(scene))

    assert response.status_code == 404
