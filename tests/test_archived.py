"""What is archived is only read, what is being deleted is not there: over all URLs, also new ones.

Whoever adds a URL to ``url_table`` has it tested here, too.
"""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from grading.models import Assignment, Course, User
from tests.conftest import Cast
from tests.rows import all_rows
from tests.scenes import Scene
from tests.url_table import OF_ACCOUNTS, OF_LINKED_COURSE, OF_LMS, ROWS, WHO, Row

# What works with archived ones: to bring them back, to take them along, to be rid of them.
KEPT = {
    "assignment_archive",
    "assignment_copy",
    "assignment_delete",
    "course_archive",
    "course_copy",
    "course_delete",
    "course_exports",
    "course_job_try_again",
    "deletion_bring_back",
    "student_delete",
}
OF_NO_COURSE = {"", "import", "any job", "mail link", *OF_ACCOUNTS, *OF_LMS}
OF_THE_COURSE = {"course", "member", "roster member", "student's data", "deletion", "export"}
OF_THE_COURSE |= {"export job", "queue view", "saved comment", "removed member", "webhook"}
OF_THE_COURSE |= OF_LINKED_COURSE
IN_IT = [row for row in ROWS if row.about not in OF_NO_COURSE]
WRITING = [row for row in IN_IT if row.method == "post" and row.name not in KEPT]
# A form that is not shown (static/css/forms.css) with something to read in it.
HIDDEN_LIST = re.compile(
    r'<form(?![^>]*data-holds-list)(?![^>]*data-when-archived)[^>]*method="post"[^>]*>'
    r"(?:(?!</form>).)*<table",
    re.DOTALL,
)
PLANS = {"work_import"}  # what would be done, which nobody can do
READING = [row for row in IN_IT if row.method == "get"]


@pytest.fixture
def cast(scene: Scene) -> Cast:
    return scene.cast


def _marked(field: str, what: str, scene: Scene, rows: list[Row]) -> list[Row]:
    """Mark the course, or its assignment; gives the rows that are about it."""
    if what == "course":
        Course.objects.filter(pk=scene.cast.course.pk).update(**{field: timezone.now()})
        return rows
    Assignment.objects.update(**{field: timezone.now()})
    return [row for row in rows if row.about not in OF_THE_COURSE]


def _ask(scene: Scene, row: Row, client: Client) -> int:
    ask = client.post if row.method == "post" else client.get
    return int(ask(scene.url(row), row.data).status_code)


def _hides_a_list(scene: Scene, row: Row, clients: dict[str, Client]) -> bool:
    page = clients["instructor"].get(scene.url(row), row.data)
    is_page = page.headers.get("Content-Type", "").startswith("text/html")
    return is_page and HIDDEN_LIST.search(page.text) is not None


@pytest.mark.parametrize("what", ["course", "assignment"])
def test_nobody_writes_where_it_is_archived(
    what: str, scene: Scene, client_of: Callable[[User | None], Client]
) -> None:
    rows = _marked("archived_at", what, scene, WRITING)
    clients = {who: client_of(scene.user(who)) for who in WHO}
    before = all_rows()

    wrong = {}
    for row in rows:
        expected = dict(zip(WHO, row.statuses, strict=True))
        for who in ("instructor", "ta", "student", "other_student", "outsider"):
            status = _ask(scene, row, clients[who])
            if status != (404 if expected[who] == 404 else 403):
                wrong[f"{row.name} {row.about} as {who}"] = status

    assert wrong == {}
    assert all_rows() == before


@pytest.mark.parametrize("what", ["course", "assignment"])
def test_everybody_reads_on_where_it_is_archived(
    what: str, scene: Scene, client_of: Callable[[User | None], Client]
) -> None:
    rows = _marked("archived_at", what, scene, READING)
    clients = {who: client_of(scene.user(who)) for who in ("instructor", "student")}

    wrong = {}
    for row in rows:
        expected = dict(zip(WHO, row.statuses, strict=True))
        for who, client in clients.items():
            if (status := _ask(scene, row, client)) != expected[who]:
                wrong[f"{row.name} {row.about} as {who}"] = status

    assert wrong == {}
    hidden = {
        row.name for row in rows if row.name not in PLANS and _hides_a_list(scene, row, clients)
    }
    assert hidden == set()
    page = clients["student"].get(f"/assignments/{Assignment.objects.get().pk}/")
    assert f"This {what} can only be read" in page.text


@pytest.mark.parametrize("what", ["course", "assignment"])
def test_nobody_finds_what_is_being_deleted(
    what: str, scene: Scene, client_of: Callable[[User | None], Client]
) -> None:
    rows = _marked("leaves_at", what, scene, IN_IT)
    clients = {who: client_of(scene.user(who)) for who in ("instructor", "student")}

    there = {}
    for row in rows:
        for who, client in clients.items():
            if (status := _ask(scene, row, client)) != 404:
                there[f"{row.name} {row.about} as {who}"] = status

    assert there == {}
    name = scene.cast.course.name if what == "course" else Assignment.objects.get().title
    listed = "/" if what == "course" else f"/courses/{scene.cast.course.pk}/"
    assert name not in clients["student"].get(listed).text
    assert b"Cities are hotter" not in clients["student"].get("/accounts/data/my-work.zip").content


@pytest.mark.parametrize("mark", ["archived_at", "leaves_at"])
def test_nobody_joins_it(mark: str, cast: Cast, client_of: Callable[[User | None], Client]) -> None:
    Course.objects.filter(pk=cast.course.pk).update(**{mark: timezone.now()})

    response = client_of(cast.outsider).post("/courses/join/", {"code": cast.course.code})

    assert response.status_code == 422
    assert not cast.course.memberships.filter(user=cast.outsider).exists()
