"""What programs read: pages of lists, stamps, hidden names, archives, and few queries."""

import io
import json
import zipfile

import pytest
from django.db import connection
from django.http import HttpResponse
from django.utils import timezone

from grading.access.hidden_names import pseudonym
from grading.models import (
    Annotation,
    Assignment,
    CalibrationText,
    Course,
    Membership,
    Role,
    Submission,
    User,
)
from tests.api.api_table import ROWS, ApiRow
from tests.api.scene import ApiClient, names_of
from tests.query_count import QueryCount
from tests.scenes import Scene

READS = [row for row in ROWS if row.method == "get"]


# What the pages let an instructor do with an archived course: restore, copy, export, delete.
EVEN_IF_ARCHIVED = {
    "put /courses/{course}/archived",
    "put /assignments/{assignment}/archived",
    "post /courses/{course}/exports",
    "post /courses/{course}/deletion",
    "post /assignments/{assignment}/deletion",
    "post /courses/{course}/people/{member}/deletion",
    "post /deletions/{deletion}/restore",
}


def _ids(scene: Scene) -> dict[str, object]:
    return names_of(scene)


def test_the_result_has_its_evidence(api: ApiClient, scene: Scene) -> None:
    submission = Submission.objects.get()

    result = api.read(f"/submissions/{submission.pk}/result")

    score = submission.scores.get()
    assert result["scores"]["comprehensive"] == pytest.approx(score.comprehensive)
    assert result["matches"]
    for match in result["matches"]:
        [[start, end], *_] = match["spans"]
        assert submission.text[start:end] in match["words"]
    ideas = {match["idea"]["id"] for match in result["matches"]}
    assert not ideas & {idea["id"] for idea in result["missing"]}


def test_numbers_of_ideas_are_those_of_the_pages(api: ApiClient, scene: Scene) -> None:
    version = api.read("/versions/{version}".format(**_ids(scene)))
    result = api.read("/submissions/{submission}/result".format(**_ids(scene)))

    for match in result["matches"]:
        assert version["numbers"][str(match["idea"]["id"])] == match["idea"]["number"]


def test_lists_come_in_pages(api: ApiClient, scene: Scene) -> None:
    path = f"/courses/{scene.cast.course.pk}/people"
    whole = api.read(path)["items"]

    result, after = [], ""
    while True:
        page = api.read(f"{path}?limit=2&after={after}")
        result += page["items"]
        assert len(page["items"]) <= 2
        after = page["next"]
        if after is None:
            break

    assert result == whole
    assert len(whole) > 4


@pytest.mark.parametrize(
    "cursor", ["x", "====", "YWZ0ZXIgeA", "ü", "YWZ0ZXIgOTk5OTk5OTk5OTk5OTk5OTk5OTk"]
)
def test_a_made_up_cursor_is_refused(api: ApiClient, scene: Scene, cursor: str) -> None:
    response = api.get(f"/courses/{scene.cast.course.pk}/people?after={cursor}")

    assert response.status_code == 400


@pytest.mark.parametrize("row", READS, ids=lambda row: row.name)
def test_what_one_has_is_not_sent_again(row: ApiRow, api: ApiClient, scene: Scene) -> None:
    path = row.path.format(**_ids(scene))
    first = api.get(path)

    again = api.get(path, **{"If-None-Match": first["ETag"]})

    assert again.status_code == 304
    assert again.content == b""
    assert first["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("row", READS, ids=lambda row: row.name)
def test_hidden_names_are_hidden(row: ApiRow, api: ApiClient, scene: Scene) -> None:
    """But for people of the course, whom nobody can find in the assignment by it, and for the
    export of a course: it holds all of it, its page says so, and instructors alone get it."""
    Assignment.objects.filter(pk=scene.assignment.pk).update(names_hidden=True)
    student = scene.cast.student
    Membership.objects.filter(user=student).update(student_number="S-4711")

    response = api.get(row.path.format(**_ids(scene)))

    if row.path.startswith("/courses/{course}/people") or row.path == "/course-files/{file}":
        return
    if "export" in row.path and not row.path.startswith("/courses"):
        assert response.status_code == 403
        return
    assert response.status_code == 200
    content = _unpacked(response)
    for secret in (student.name, student.username, student.email, "S-4711", f'"{student.pk}"'):
        assert json.dumps(secret).strip('"') not in content
    if "submissions/{submission}" in row.path and row.path.endswith("}"):
        assert pseudonym(scene.assignment, student) in content


def _unpacked(response: HttpResponse) -> str:
    """The content, and of a zip its names and files."""
    if response["Content-Type"] != "application/zip":
        return response.content.decode()
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        return "\n".join(f"{name}\n{archive.read(name).decode()}" for name in archive.namelist())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_an_archived_course_is_only_read(row: ApiRow, api: ApiClient, scene: Scene) -> None:
    Course.objects.filter(pk=scene.cast.course.pk).update(archived_at=timezone.now())

    response = api.ask_row(row, _ids(scene))

    if row.name in EVEN_IF_ARCHIVED:
        assert response.status_code == row.statuses[0]
        return
    if row.name == "post /assignments/{assignment}/copy":  # only into a course that is not archived
        assert "Choose one of your courses" in json.loads(response.content)["detail"]
        return
    assert response.status_code == (200 if row.method == "get" else 403)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_course_that_leaves_is_not_there(row: ApiRow, api: ApiClient, scene: Scene) -> None:
    Course.objects.filter(pk=scene.cast.course.pk).update(leaves_at=timezone.now())

    response = api.ask_row(row, _ids(scene))

    assert response.status_code == (200 if row.path in {"/token", "/courses"} else 404)


@pytest.mark.parametrize(
    "path",
    [
        "/courses/{course}/people",
        "/courses/{course}/assignments",
        "/assignments/{assignment}/submissions",
        "/assignments/{assignment}/grades",
        "/assignments/{assignment}/references",
    ],
)
def test_queries_do_not_grow_with_the_class(path: str, api: ApiClient, scene: Scene) -> None:
    def count() -> int:
        queries = QueryCount()
        with connection.execute_wrapper(queries):
            api.read(path.format(**_ids(scene)))
        return queries.total

    api.read("/token")  # what is noted of a token's use is noted once a minute
    before = count()
    for number in range(12):
        user = User.objects.create_user(f"more{number}", name=f"More {number}")
        Membership.objects.create(course=scene.cast.course, user=user, role=Role.STUDENT)
        Submission.objects.create(
            assignment=scene.assignment, student=user, text="Heat stays.", words=2
        )
        Assignment.objects.create(course=scene.cast.course, title=f"Another {number}")

    assert count() == before


def test_errors_are_problems_wherever_they_come_from(api: ApiClient, scene: Scene) -> None:
    got = {
        404: api.get("/nothing/here"),
        405: api.ask("patch", "/courses"),
        422: api.get(f"/courses/{scene.cast.course.pk}/people?limit=0"),
    }
    got[413] = api.post("/courses/1/assignments", {"title": "x" * 2_600_000})
    for status, response in got.items():
        assert response.status_code == status
        assert response["Content-Type"] == "application/problem+json"
        problem = json.loads(response.content)
        assert problem["status"] == status
        assert problem["detail"].endswith(".")
    assert json.loads(got[422].content)["errors"][0]["field"] == "limit"


def test_a_text_that_is_annotated_blind_is_not_shown(api: ApiClient, scene: Scene) -> None:

    text = CalibrationText.objects.get()
    Annotation.objects.filter(text=text).delete()
    Annotation.objects.create(text=text, annotator=scene.cast.instructor, is_done=False)

    response = api.get(f"/submissions/{text.submission_id}/result")

    assert response.status_code == 403
    assert "blind" in json.loads(response.content)["detail"]
