"""What programs do as instructors of a course: roster, extensions, imports, exports, deletions."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.http import HttpResponse
from django.utils import timezone

from grading.access.hidden_names import person_key
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    AuditKind,
    AuditRecord,
    Course,
    CourseFile,
    Deletion,
    Extension,
    ImportUpload,
    Job,
    Membership,
    Role,
    Submission,
    User,
    WorkImport,
)
from tests.api.scene import ApiClient, ApiOf
from tests.query_count import QueryCount
from tests.scenes import Scene

TEXT = "Asphalt stores heat. Trees cool the city."


def _json(response: HttpResponse) -> Any:
    return json.loads(response.content)


def _stamp(response: HttpResponse) -> dict[str, str]:
    return {"If-Match": response["ETag"]}


# --- the course and its people ---


def test_settings_of_a_course(api: ApiClient, scene: Scene) -> None:
    path = f"/courses/{scene.cast.course.pk}"

    changed = api.ask("patch", path, {"term": "Spring"})
    wrong = api.ask("patch", path, {"time_zone": "Mars/Olympus"})

    assert (changed.status_code, wrong.status_code) == (200, 422)
    course = Course.objects.get(pk=scene.cast.course.pk)
    assert (course.term, course.name) == ("Spring", scene.cast.course.name)
    assert _json(wrong)["errors"][0]["field"] == "time_zone"


def test_roles_and_the_last_instructor(api: ApiClient, scene: Scene) -> None:
    course = scene.cast.course
    mine = course.memberships.get(user=scene.cast.instructor)
    student = course.memberships.get(user=scene.cast.student)
    path = f"/courses/{course.pk}/people"

    last = api.ask("patch", f"{path}/{mine.pk}", {"role": "ta"})
    gone = api.ask("delete", f"{path}/{mine.pk}")
    raised = api.ask("patch", f"{path}/{student.pk}", {"role": "ta"})

    assert (last.status_code, gone.status_code) == (409, 409)
    assert "A course needs an instructor" in _json(last)["detail"]
    assert _json(raised)["role"] == "ta"
    assert AuditRecord.objects.filter(kind=AuditKind.ROLE_CHANGED).exists()


def test_a_person_is_removed_and_let_in_again(api: ApiClient, scene: Scene) -> None:
    course = scene.cast.course
    member = course.memberships.get(user=scene.cast.student)

    assert api.ask("delete", f"/courses/{course.pk}/people/{member.pk}").status_code == 204
    removed = api.read(f"/courses/{course.pk}/removed-people")
    [row] = [row for row in removed if row["login"] == scene.cast.student.username]
    back = api.post(f"/courses/{course.pk}/removed-people/{row['id']}/restore", None)

    assert back.status_code == 201
    assert course.memberships.get(user=scene.cast.student).role == Role.STUDENT
    assert Submission.objects.filter(student=scene.cast.student).exists()


ROSTER = "Name,Login,Student number,Section\n{name},{login},S-1,B\nNia New,nia,S-2,B\n"


def test_a_roster_is_applied_as_it_was_shown(api: ApiClient, scene: Scene) -> None:
    course, student = scene.cast.course, scene.cast.student
    path = f"/courses/{course.pk}/roster"
    csv = {"csv": ROSTER.format(name=student.name, login=student.username)}
    users = User.objects.count()

    shown = api.post(f"{path}/preview", csv)
    diff = _json(shown)

    assert User.objects.count() == users
    assert [row["name"] for row in diff["new"]] == ["Nia New"]
    [changed] = diff["changed"]
    assert changed["member"] == course.memberships.get(user=student).pk
    assert {"field": "section", "before": "", "after": "B"} in changed["changes"]
    other = course.memberships.get(user=scene.cast.other_student)
    assert other.pk in {row["member"] for row in diff["gone"]}

    unstamped = api.post(path, csv)
    applied = api.post(path, csv | {"leaving": [other.pk]}, _stamp(shown))
    late = api.post(path, csv, _stamp(shown))

    assert (unstamped.status_code, applied.status_code, late.status_code) == (428, 201, 412)
    assert _json(applied) == {"new_accounts": 1, "joined": 0, "changed": 1, "removed": 1}
    people = {row["login"]: row for row in api.read(f"/courses/{course.pk}/people")["items"]}
    assert people["nia"]["section"] == people[student.username]["section"] == "B"
    assert scene.cast.other_student.username not in people


@pytest.mark.parametrize(
    ("csv", "field"),
    [("hello", "file"), ("Price,Colour\n1,red\n", "file")],
)
def test_a_roster_that_cannot_be_read(csv: str, field: str, api: ApiClient, scene: Scene) -> None:
    response = api.post(f"/courses/{scene.cast.course.pk}/roster/preview", {"csv": csv})

    assert response.status_code == 422
    assert _json(response)["errors"][0]["field"] == field


def test_only_people_of_the_course_are_removed_by_a_roster(api: ApiClient, scene: Scene) -> None:
    foreign = scene.cast.other_course.memberships.first()
    assert foreign is not None
    path = f"/courses/{scene.cast.course.pk}/roster"
    csv = {"csv": "Name,Login\nNia New,nia\n"}

    response = api.post(
        path, csv | {"leaving": [foreign.pk]}, _stamp(api.post(f"{path}/preview", csv))
    )

    assert response.status_code == 422
    assert Membership.objects.filter(pk=foreign.pk).exists()


# --- extensions ---


@pytest.fixture
def due(scene: Scene) -> Assignment:
    Extension.objects.all().delete()
    Assignment.objects.filter(pk=scene.assignment.pk).update(
        due_at=timezone.now() - timedelta(days=1), max_attempts=1
    )
    Submission.objects.update(late=True)
    return Assignment.objects.get(pk=scene.assignment.pk)


def test_an_extension_is_granted_changed_and_removed(
    api: ApiClient, scene: Scene, due: Assignment
) -> None:
    path = f"/assignments/{due.pk}/extensions"
    student = person_key(due, scene.cast.student.pk)
    until = (timezone.now() + timedelta(days=2)).isoformat()
    body = {"student": student, "due_at": until, "reason": "Ill."}

    granted = api.post(path, body)
    twice = api.post(path, body)

    assert (granted.status_code, twice.status_code) == (201, 422)
    assert "There is already an extension." in _json(twice)["detail"]
    assert not Submission.objects.get().late
    extension = _json(granted)
    assert api.read(path) == [extension]
    first, stamp = f"/extensions/{extension['id']}", {"If-Match": extension["stamp"]}
    more = {"due_at": until, "max_attempts": 3, "reason": "Ill for long."}
    changed, late = api.put(first, more, stamp), api.put(first, more, stamp)
    assert (changed.status_code, late.status_code) == (200, 412)
    assert _json(changed)["max_attempts"] == 3
    assert api.ask("delete", first).status_code == 204
    assert Submission.objects.get().late


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"max_attempts": 3, "reason": "Ill."}, "Name a student or a section."),
        ({"section": "Z", "max_attempts": 3, "reason": "Ill."}, "in this section"),
        ({"student": "0" * 32, "max_attempts": 3, "reason": "Ill."}, "No student"),
        ({"student": "{student}", "reason": "Ill."}, "Choose a later due date"),
        ({"student": "{student}", "max_attempts": 3, "reason": "  "}, "required"),
    ],
)
def test_extensions_that_cannot_be(
    body: dict[str, Any], words: str, api: ApiClient, scene: Scene, due: Assignment
) -> None:
    if body.get("student") == "{student}":
        body = body | {"student": person_key(due, scene.cast.student.pk)}

    response = api.post(f"/assignments/{due.pk}/extensions", body)

    assert response.status_code == 422
    assert words in _json(response)["detail"]
    assert not Extension.objects.exists()


def test_hidden_names_are_not_extended_one_by_one(
    api: ApiClient, scene: Scene, due: Assignment
) -> None:
    Membership.objects.filter(user=scene.cast.student).update(section="A")
    body = {"student": person_key(due, scene.cast.student.pk), "max_attempts": 3, "reason": "x"}
    path = f"/assignments/{due.pk}/extensions"
    assert api.post(path, body).status_code == 201
    Assignment.objects.update(names_hidden=True)
    Extension.objects.update(reason="Zoe was ill.")

    refused = api.post(path, body | {"student": person_key(due, scene.cast.other_student.pk)})
    section = api.post(path, {"section": "A", "max_attempts": 4, "reason": "Bus strike."})

    assert (refused.status_code, section.status_code) == (422, 201)
    assert "student:" not in refused.content.decode()  # the account's number
    assert {row["reason"] for row in api.read(path)} == {None}
    assert api.ask("delete", f"/extensions/{Extension.objects.first().pk}").status_code == 403  # type: ignore[union-attr]


# --- imports of files ---


def _zip(**files: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.txt", text)
    return out.getvalue()


def _send(api: ApiClient, assignment: Assignment, *files: tuple[str, str | bytes]) -> Any:
    sent = [("files", name, content) for name, content in files]
    return api.send_files(f"/assignments/{assignment.pk}/imports", *sent)


def test_a_zip_is_read_by_a_worker_and_imported(api: ApiClient, scene: Scene) -> None:
    other = scene.cast.other_student
    sent = _send(api, scene.assignment, ("essays.zip", _zip(**{other.username: TEXT, "who": TEXT})))
    assert sent.status_code == 202
    path = f"/imports/{_json(sent)['id']}"
    early = api.get(path)
    assert (_json(early)["state"], _json(early)["rows"]) == ("reading", [])
    assert api.post(f"{path}/apply", {}, _stamp(early)).status_code == 409
    assert job_run(job_pk=_json(sent)["job"])

    read = api.get(path)
    rows = {row["path"]: row for row in _json(read)["rows"]}
    known, unknown = rows[f"{other.username}.txt"], rows["who.txt"]
    key = person_key(scene.assignment, other.pk)
    assert (known["student"]["key"], known["ticked"], known["state"]) == (key, True, "new")
    assert (unknown["student"], unknown["state"]) == (None, "open")

    zoe = person_key(scene.assignment, scene.cast.student.pk)
    choices = {"given": {str(unknown["number"]): zoe}}
    chosen = api.put(f"{path}/choices", choices, _stamp(read))
    assert chosen.status_code == 200
    stale = api.post(f"{path}/apply", {}, _stamp(read))
    ticked = [row["number"] for row in _json(chosen)["rows"]]
    applied = api.post(f"{path}/apply", {"ticked": ticked}, _stamp(chosen))

    assert (stale.status_code, applied.status_code) == (412, 201)
    assert (_json(applied)["state"], _json(applied)["attempts"]) == ("applied", 2)
    assert Submission.objects.filter(text=TEXT).count() == 2
    assert Job.objects.get(pk=_json(applied)["scoring_job"]).kind == Job.Kind.SCORE_SUBMISSIONS
    assert api.ask("delete", path).status_code == 409
    assert not ImportUpload.objects.filter(work_import=_json(sent)["id"]).exists()


def test_hidden_names_are_hidden_in_imports(api: ApiClient, scene: Scene) -> None:
    Assignment.objects.update(names_hidden=True)
    other = scene.cast.other_student
    sent = _send(api, scene.assignment, (f"{other.username}.txt", TEXT))
    assert job_run(job_pk=_json(sent)["job"])

    read = api.get(f"/imports/{_json(sent)['id']}")

    [row] = _json(read)["rows"]
    assert (row["student"], row["path"], row["others"]) == (None, "", [])
    assert person_key(scene.assignment, other.pk) not in read.content.decode()
    assert other.username not in read.content.decode()
    assert api.post(f"/imports/{_json(sent)['id']}/apply", {}, _stamp(read)).status_code == 201


def test_a_choice_that_makes_no_sense(api: ApiClient, scene: Scene) -> None:
    upload = WorkImport.objects.get()
    path = f"/imports/{upload.pk}"

    for given in ({"99": None}, {"x": None}, {"0": "0" * 32}):
        response = api.put(f"{path}/choices", {"given": given}, _stamp(api.get(path)))
        assert response.status_code == 422, given
    assert WorkImport.objects.get().choices == upload.choices


def test_too_much_at_once_is_refused_before_it_is_read(
    api: ApiClient, scene: Scene, settings: LazySettings
) -> None:
    path = f"/assignments/{scene.assignment.pk}"
    before = WorkImport.objects.count()
    settings.LARGEST_REQUEST, settings.LARGEST_WORK_UPLOAD = 10_000, 20_000

    large = api.send_files(f"{path}/imports", ("files", "a.txt", "x" * 1_100_000))
    elsewhere = api.send_files(f"{path}/builds", ("files", "a.txt", "x" * 30_000))

    assert (large.status_code, elsewhere.status_code) == (413, 413)
    assert large["Content-Type"] == "application/problem+json"
    assert WorkImport.objects.count() == before


def test_files_are_sent_once_with_a_key(api: ApiClient, scene: Scene) -> None:
    path, key = f"/assignments/{scene.assignment.pk}/imports", {"Idempotency-Key": "week-1"}
    before = WorkImport.objects.count()

    first = api.send_files(path, ("files", "a.txt", TEXT), headers=key)
    again = api.send_files(path, ("files", "a.txt", TEXT), headers=key)
    other = api.send_files(path, ("files", "a.txt", TEXT + "!"), headers=key)
    renamed = api.send_files(path, ("files", "b.txt", TEXT), headers=key)

    assert (first.status_code, again.status_code) == (202, 202)
    assert again["Idempotency-Replayed"] == "true"
    assert again.content == first.content
    assert (other.status_code, renamed.status_code) == (409, 409)
    assert WorkImport.objects.count() == before + 1
    assert bytes(ImportUpload.objects.get(name="a.txt").data) == TEXT.encode()


# --- archives, exports, deletions ---


def test_archived_work_is_read_only_until_it_is_restored(api: ApiClient, scene: Scene) -> None:
    path = f"/assignments/{scene.assignment.pk}"

    assert _json(api.put(f"{path}/archived", {"archived": True}))["archived"]
    refused = api.put(f"{path}/state", {"state": "closed"})
    assert (refused.status_code, "archived" in _json(refused)["detail"]) == (403, True)
    assert not _json(api.put(f"{path}/archived", {"archived": False}))["archived"]
    assert api.put(f"{path}/state", {"state": "closed"}).status_code == 200


def test_a_copy_stays_in_the_course_of_the_token(api: ApiClient, scene: Scene) -> None:
    copied = api.post(f"/assignments/{scene.assignment.pk}/copy", {"weeks": 52})

    assert copied.status_code == 201
    row = Assignment.objects.get(pk=_json(copied)["id"])
    assert (row.course, row.state) == (scene.cast.course, Assignment.State.DRAFT)
    assert row.references.count() == scene.assignment.references.count()


def test_a_course_is_exported(api: ApiClient, api_of: ApiOf, scene: Scene) -> None:
    CourseFile.objects.all().delete()
    path = f"/courses/{scene.cast.course.pk}/exports"
    started = api.post(path, None)
    assert (started.status_code, api.read(path)) == (202, [])
    assert job_run(job_pk=_json(started)["id"])
    assert api.read(f"/course-jobs/{_json(started)['id']}")["state"] == "done"
    [file] = api.read(path)

    got = api.get(f"/course-files/{file['id']}")
    content = b"".join(got.streaming_content)  # type: ignore[attr-defined]

    assert len(content) == file["size"]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "manifest.json" in archive.namelist()
    again = api.get(f"/course-files/{file['id']}", **{"If-None-Match": got["ETag"]})
    assert again.status_code == 304
    reads = api_of(scene.cast.instructor, can_write=False)
    assert reads.get(f"/course-files/{file['id']}").status_code == 403
    assert api_of(scene.cast.ta).get(f"/course-files/{file['id']}").status_code == 403


def test_an_assignment_is_deleted_and_restored(api: ApiClient, scene: Scene) -> None:
    path = f"/assignments/{scene.assignment.pk}"
    wrong = api.post(f"{path}/deletion", {"name": "Not this"})
    deleted = api.post(f"{path}/deletion", {"name": scene.assignment.title})

    assert (wrong.status_code, deleted.status_code) == (422, 201)
    assert _json(wrong)["errors"][0]["message"] == "The names don't match. Nothing was deleted."
    assert api.get(path).status_code == 404
    kinds = {row["kind"] for row in api.read(f"/courses/{scene.cast.course.pk}/deletions")}
    assert kinds == {"assignment", "student"}
    days = Deletion.objects.get(pk=_json(deleted)["id"]).leaves_at - timezone.now()
    assert timedelta(days=6) < days <= timedelta(days=7)
    restored = api.post(f"/deletions/{_json(deleted)['id']}/restore", None)
    assert restored.status_code == 200
    assert api.get(path).status_code == 200
    assert api.post(f"/deletions/{_json(deleted)['id']}/restore", None).status_code == 404


def test_a_course_is_deleted_and_its_token_restores_it(api: ApiClient, scene: Scene) -> None:
    course = scene.cast.course
    deleted = api.post(f"/courses/{course.pk}/deletion", {"name": course.name})
    assert deleted.status_code == 201
    assert api.get(f"/courses/{course.pk}").status_code == 404

    assert api.post(f"/deletions/{_json(deleted)['id']}/restore", None).status_code == 200
    assert api.get(f"/courses/{course.pk}").status_code == 200


def test_a_student_s_data_are_deleted_and_restored(api: ApiClient, scene: Scene) -> None:
    course, student = scene.cast.course, scene.cast.student
    member = course.memberships.get(user=student)
    grader = course.memberships.get(user=scene.cast.ta)
    path = f"/courses/{course.pk}/people"

    none = api.post(f"{path}/{grader.pk}/deletion", {"name": scene.cast.ta.name})
    deleted = api.post(f"{path}/{member.pk}/deletion", {"name": student.name})

    assert (none.status_code, deleted.status_code) == (404, 201)
    assert not Submission.objects.filter(student=student).exists()
    assert api.post(f"/deletions/{_json(deleted)['id']}/restore", None).status_code == 200
    assert Submission.objects.filter(student=student).exists()


@pytest.mark.parametrize(
    "path",
    [
        "/assignments/{assignment}/extensions",
        "/assignments/{assignment}/imports",
        "/courses/{course}/saved-comments",
        "/courses/{course}/deletions",
        "/courses/{course}/removed-people",
    ],
)
def test_queries_do_not_grow(path: str, api: ApiClient, scene: Scene) -> None:
    def count() -> int:
        queries = QueryCount()
        with connection.execute_wrapper(queries):
            api.read(path.format(assignment=scene.assignment.pk, course=scene.cast.course.pk))
        return queries.total

    api.read("/token")
    before = count()
    course = scene.cast.course
    for number in range(8):
        user = User.objects.create_user(f"more{number}", name=f"More {number}")
        Membership.objects.create(course=course, user=user, role=Role.STUDENT)
        Extension.objects.create(assignment=scene.assignment, student=user, max_attempts=9)
        WorkImport.objects.create(assignment=scene.assignment, name="x")
        course.saved_comments.create(key=f"k{number}", text="x")
        gone = User.objects.create_user(f"gone{number}", name=f"Gone {number}")
        course.removed_members.create(user=gone)
        Deletion.objects.create(
            kind="student",
            number=gone.pk,
            course=course,
            course_number=course.pk,
            student=gone,
            leaves_at=timezone.now(),
        )

    assert count() == before
