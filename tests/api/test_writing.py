"""What programs do, from references to grades: each once, and with its stamp."""

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from grading.access.hidden_names import person_key
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    AuditKind,
    AuditRecord,
    GradebookExport,
    IdempotentAnswer,
    Job,
    ManualGrade,
    MarkingStep,
    Membership,
    Reference,
    StoredPyramid,
    Submission,
)
from grading.models.api import ANSWERS_KEPT
from tests.api.scene import ApiClient, ApiOf, names_of
from tests.conftest import SUMMARY
from tests.scenes import Scene

TEXT = f"{SUMMARY} And more of it."


def _json(response: Any) -> Any:
    return json.loads(response.content)


def _stamp(response: Any) -> dict[str, str]:
    return {"If-Match": response["ETag"]}


# --- from references to a version ---


def test_the_road_to_a_version(api: ApiClient, scene: Scene) -> None:
    course = scene.cast.course.pk
    new = api.post(f"/courses/{course}/assignments", {"title": "Rivers"})
    assert new.status_code == 201
    path = f"/assignments/{_json(new)['id']}"
    texts = [
        {"name": "Ada", "text": "Rivers carry sand to the sea. Dams hold the sand back."},
        {"name": "Ben", "text": "Rivers carry sand to the sea. Fish need gravel to spawn."},
    ]
    assert api.post(f"{path}/references", {"references": texts}).status_code == 201

    job = _json(api.post(f"{path}/builds", {}))
    assert job["state"] == "queued"
    assert job_run(job_pk=job["id"])
    job = api.read(f"/jobs/{job['id']}")
    assert (job["state"], job["error"]) == ("done", "")

    draft = api.get(f"/drafts/{job['draft']}")
    assert _json(draft)["pyramid"]["scus"]
    body = {"note": "First.", "even_if_doubtful": True}
    refused = api.post(f"/drafts/{job['draft']}/publish", body)
    assert refused.status_code == 428
    published = api.post(f"/drafts/{job['draft']}/publish", body, _stamp(draft))
    assert published.status_code == 201
    version = api.read(f"/versions/{_json(published)['id']}")
    assert version["pyramid"] == _json(draft)["pyramid"]
    file = api.get(f"/versions/{_json(published)['id']}/file/pyr")
    assert file.content.startswith(b"<?xml")
    assert api.put(f"{path}/state", {"state": "open"}).status_code == 200

    again = api.post(f"/drafts/{job['draft']}/publish", body, _stamp(draft))
    assert again.status_code == 409
    assert _json(again)["detail"] == "This draft is published already."


def test_a_reference_is_changed_only_as_it_was_read(api: ApiClient, scene: Scene) -> None:
    path = "/references/{reference}".format(**names_of(scene))
    read = api.get(path)

    changed = api.put(path, {"name": "Ada L.", "text": "Roofs are dark."}, _stamp(read))
    late = api.put(path, {"name": "Ada M.", "text": "Roofs are light."}, _stamp(read))

    assert changed.status_code == 200
    assert late.status_code == 412
    assert api.get(path)["ETag"] == changed["ETag"]
    assert Reference.objects.get(name="Ada L.").text == "Roofs are dark."


def test_the_words_are_those_of_the_pages(api: ApiClient, scene: Scene) -> None:
    references = Reference.objects.filter(assignment=scene.assignment)
    same = {"references": [{"text": references[0].text}]}

    response = api.post(f"/assignments/{scene.assignment.pk}/references", same)

    assert response.status_code == 422
    assert "is the same text as “Ada”" in _json(response)["detail"]


def test_settings_are_changed_as_on_the_page(api: ApiClient, scene: Scene) -> None:
    path = f"/assignments/{scene.assignment.pk}"
    read = api.get(path)
    due = "2030-05-04T18:30:00Z"

    changed = api.ask(
        "patch",
        path,
        {"title": "Hot cities", "due_at": due, "release": "after_due", "max_attempts": None},
        _stamp(read),
    )
    late = api.ask("patch", path, {"title": "Cold cities"}, _stamp(read))
    wrong = api.ask("patch", path, {"min_words": 4000}, _stamp(changed))

    assert (changed.status_code, late.status_code, wrong.status_code) == (200, 412, 422)
    assert _json(wrong)["errors"] == [
        {"field": "min_words", "message": "The minimum can't be more than the maximum."}
    ]
    row = Assignment.objects.get(pk=scene.assignment.pk)
    assert (row.title, row.release, row.min_words) == ("Hot cities", "after_due", 5)
    assert row.due_at is not None
    assert row.due_at.isoformat() == "2030-05-04T18:30:00+00:00"
    assert AuditRecord.objects.filter(kind=AuditKind.RELEASE_RULE_CHANGED).exists()
    assert api.get(path)["ETag"] == changed["ETag"]


@pytest.mark.parametrize("due", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_year_that_no_calendar_has_is_refused(due: str, api: ApiClient, scene: Scene) -> None:
    path = f"/assignments/{scene.assignment.pk}"

    response = api.ask("patch", path, {"due_at": due}, _stamp(api.get(path)))

    assert response.status_code == 422
    assert _json(response)["errors"][0]["field"] == "due_at"


# --- submissions ---


def test_submitting_for_students(api: ApiClient, scene: Scene) -> None:
    cast, path = scene.cast, f"/assignments/{scene.assignment.pk}/submissions"
    Membership.objects.filter(user=cast.student).update(student_number="S-1")
    at = timezone.now() - timedelta(days=3)
    sent = [
        {"login": "omar", "text": TEXT, "submitted_at": at.isoformat()},
        {"student_number": "S-1", "text": SUMMARY},
    ]

    response = api.post(path, {"submissions": sent})

    assert response.status_code == 201
    new, same = _json(response)["submissions"]
    row = Submission.objects.get(pk=new["submission"])
    assert (row.student, row.text, new["state"]) == (cast.other_student, TEXT, "imported")
    assert abs(row.submitted_at - at) < timedelta(seconds=1)
    assert (same["state"], same["attempt"]) == ("same", 1)
    assert job_run(job_pk=_json(response)["job"])
    assert api.read(f"/submissions/{row.pk}/result")["scores"]


@pytest.mark.parametrize(
    ("sent", "field", "words"),
    [
        ([{"text": TEXT}], "submissions.0.student", "by one of"),
        ([{"login": "omar", "email": "o@e.org", "text": TEXT}], "submissions.0.student", "one of"),
        ([{"login": "nobody", "text": TEXT}], "submissions.0.login", "No student"),
        ([{"login": "tomasz", "text": TEXT}], "submissions.0.login", "No student"),
        ([{"login": " ", "text": TEXT}], "submissions.0.login", "No student"),
        ([{"login": "omar", "text": TEXT}] * 2, "submissions.1.login", "twice"),
        ([{"login": "omar", "text": " \n"}], "submissions.0.text", "empty"),
        (
            [{"login": "omar", "text": TEXT, "submitted_at": "2099-01-01T00:00:00Z"}],
            "submissions.0.submitted_at",
            "in the future",
        ),
    ],
)
def test_what_cannot_be_submitted(
    sent: list[dict[str, str]], field: str, words: str, api: ApiClient, scene: Scene
) -> None:
    before = Submission.objects.count()

    response = api.post(f"/assignments/{scene.assignment.pk}/submissions", {"submissions": sent})

    assert response.status_code == 422
    assert _json(response)["errors"][0]["field"] == field
    assert words in _json(response)["detail"]
    assert Submission.objects.count() == before


def test_hidden_names_cannot_be_asked_for(api: ApiClient, scene: Scene) -> None:
    """A login with its key in one answer would say whose pseudonym it is."""
    Assignment.objects.filter(pk=scene.assignment.pk).update(names_hidden=True)
    path = f"/assignments/{scene.assignment.pk}/submissions"
    key = person_key(scene.assignment, scene.cast.other_student.pk)

    refused = api.post(path, {"submissions": [{"login": "omar", "text": TEXT}]})
    done = api.post(path, {"submissions": [{"student": key, "text": TEXT}]})

    assert (refused.status_code, done.status_code) == (422, 201)


# --- corrections ---


def test_a_correction_and_its_undo(api: ApiClient, scene: Scene) -> None:
    path = "/submissions/{submission}".format(**names_of(scene))
    read = api.get(f"{path}/result")
    before = _json(read)
    idea = before["matches"][0]["idea"]["id"]

    removed = api.post(f"{path}/corrections", {"action": "remove", "idea": idea}, _stamp(read))
    late = api.post(f"{path}/corrections", {"action": "remove", "idea": idea}, _stamp(read))

    assert removed.status_code == 201
    assert late.status_code == 412
    after = api.get(f"{path}/result")
    assert idea in {missing["id"] for missing in _json(after)["missing"]}
    assert after["ETag"] == removed["ETag"]
    undone = api.post(f"{path}/corrections", {"action": "undo"}, _stamp(after))
    assert undone.status_code == 201
    now = api.read(f"{path}/result")
    assert now["matches"] == before["matches"]
    assert [step["did"] for step in api.read(f"{path}/corrections")["steps"]][-2:] == [
        "removed",
        "undid",
    ]


def test_words_are_counted_as_an_idea(api: ApiClient, scene: Scene) -> None:
    path = "/submissions/{submission}".format(**names_of(scene))
    read = api.get(f"{path}/result")
    missing = _json(read)["missing"][0]["id"]
    body = {"action": "add", "idea": missing, "spans": [[0, 35]]}

    response = api.post(f"{path}/corrections", body, _stamp(read))

    assert response.status_code == 201
    matches = {m["idea"]["id"]: m for m in api.read(f"{path}/result")["matches"]}
    assert matches[missing]["set_manually"]
    assert matches[missing]["spans"] == [[0, 35]]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"action": "remove", "idea": 999}, "not in the pyramid"),
        ({"action": "remove"}, "not in the pyramid"),
        ({"action": "add", "idea": 1}, "Choose words"),
        ({"action": "add", "idea": 1, "spans": [[5, 5]]}, "begins before"),
        ({"action": "add", "idea": 1, "spans": [[0, 9999]]}, "not in the text"),
        ({"action": "redo"}, "nothing to redo"),
    ],
)
def test_corrections_that_cannot_be_made(
    body: dict[str, Any], words: str, api: ApiClient, scene: Scene
) -> None:
    path = "/submissions/{submission}".format(**names_of(scene))
    steps = MarkingStep.objects.count()

    response = api.post(f"{path}/corrections", body, _stamp(api.get(f"{path}/result")))

    assert response.status_code == 422
    assert words in _json(response)["detail"]
    assert MarkingStep.objects.count() == steps


# --- release, grades, exports ---


def test_release_and_hold_back(api: ApiClient, scene: Scene) -> None:
    Assignment.objects.filter(pk=scene.assignment.pk).update(release="by_hand")
    names, submission = names_of(scene), Submission.objects.get()
    path = f"/assignments/{scene.assignment.pk}/release"

    released = api.post(path, {"what": "shown", "students": [names["student"]]})
    assert _json(released) == {"attempts": 1, "students": 1}
    assert api.read(f"/submissions/{submission.pk}")["released"]
    held = api.post(path, {"what": "held", "who": "all"})
    assert _json(held)["attempts"] == 1
    nobody = api.post(path, {"what": "shown"})
    assert nobody.status_code == 422
    assert AuditRecord.objects.filter(kind=AuditKind.RESULTS_RELEASED).count() == 2


def test_a_manual_grade_needs_its_stamp_and_a_reason(api: ApiClient, scene: Scene) -> None:
    path = "/assignments/{assignment}/grades/{student}".format(**names_of(scene))
    read = api.get(path)
    body = {"kind": "points", "points": "70", "reason": "Agreed with the student."}

    saved = api.put(path, body, _stamp(read))
    late = api.put(path, body, _stamp(read))
    too_many = api.put(path, body | {"points": 1000}, _stamp(saved))
    no_reason = api.put(path, {"kind": "excused", "reason": "  "}, _stamp(saved))

    assert (saved.status_code, late.status_code) == (200, 412)
    assert Decimal(_json(saved)["points"]) == 70
    assert _json(saved)["set_manually"]
    assert _json(too_many)["detail"] == "The assignment gives at most 100 points."
    assert _json(no_reason)["errors"][0]["field"] == "reason"
    assert ManualGrade.objects.count() == 1


def test_an_export_is_logged_and_the_same_each_time(api: ApiClient, scene: Scene) -> None:
    made = api.post(f"/assignments/{scene.assignment.pk}/exports", {"kind": "csv"})
    export = _json(made)

    file = api.get(f"/exports/{export['id']}/file")

    assert file.content == bytes(GradebookExport.objects.get(pk=export["id"]).data)
    assert "attachment" in file["Content-Disposition"]
    assert AuditRecord.objects.filter(kind=AuditKind.EXPORTED).count() >= 2


# --- repeated requests ---


def test_a_repeated_request_is_done_once(api: ApiClient, scene: Scene) -> None:
    path, key = f"/courses/{scene.cast.course.pk}/assignments", {"Idempotency-Key": "rivers-1"}

    first = api.post(path, {"title": "Rivers"}, key)
    again = api.post(path, {"title": "Rivers"}, key)
    other = api.post(path, {"title": "Lakes"}, key)

    assert (first.status_code, again.status_code, other.status_code) == (201, 201, 409)
    assert again.content == first.content
    assert again["Idempotency-Replayed"] == "true"
    assert Assignment.objects.filter(title="Rivers").count() == 1
    assert not Assignment.objects.filter(title="Lakes").exists()


def test_a_refusal_is_repeated_too(api: ApiClient, scene: Scene) -> None:
    path, key = f"/assignments/{scene.assignment.pk}/release", {"Idempotency-Key": "r"}

    first = api.post(path, {"what": "shown"}, key)
    again = api.post(path, {"what": "shown"}, key)

    assert (first.status_code, again.status_code) == (422, 422)
    assert again["Content-Type"] == "application/problem+json"


def test_keys_are_each_token_s_own_and_end_after_a_day(
    api: ApiClient, api_of: ApiOf, scene: Scene
) -> None:
    path, key = f"/courses/{scene.cast.course.pk}/assignments", {"Idempotency-Key": "k"}
    api.post(path, {"title": "Rivers"}, key)

    other = api_of(scene.cast.instructor).post(path, {"title": "Lakes"}, key)
    assert other.status_code == 201
    old = timezone.now() - ANSWERS_KEPT - timedelta(minutes=1)
    IdempotentAnswer.objects.update(created_at=old)
    assert api.post(path, {"title": "Seas"}, key).status_code == 201


def test_a_failure_on_our_side_is_not_kept(
    api: ApiClient, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was half done is undone, and the same key may try again."""

    def fail(**_: object) -> None:
        Job.objects.all().delete()
        raise RuntimeError("broken")

    path, key = f"/assignments/{scene.assignment.pk}/builds", {"Idempotency-Key": "b"}
    jobs = Job.objects.count()
    with monkeypatch.context() as patch, transaction.atomic():
        patch.setattr("grading.api.v1.pyramids.pyramid_start_build", fail)
        assert api.post(path, {}, key).status_code == 500
    assert Job.objects.count() == jobs
    assert api.post(path, {}, key).status_code == 202


@pytest.mark.parametrize("key", ["ü", "two words", "x" * 201])
def test_a_key_that_cannot_be_kept_is_refused(api: ApiClient, scene: Scene, key: str) -> None:
    path = f"/courses/{scene.cast.course.pk}/assignments"

    assert api.post(path, {"title": "Rivers"}, {"Idempotency-Key": key}).status_code == 400


def test_a_field_that_nobody_knows_is_a_mistake(api: ApiClient, scene: Scene) -> None:
    path = f"/courses/{scene.cast.course.pk}/assignments"

    response = api.post(path, {"title": "Rivers", "course": 7})

    assert response.status_code == 422
    assert _json(response)["errors"][0]["field"] == "course"


def test_what_is_sent_is_not_repeated_in_errors(api: ApiClient, scene: Scene) -> None:
    body = {"submissions": [{"login": "omar", "text": "Secret words\x00"}]}

    response = api.post(f"/assignments/{scene.assignment.pk}/submissions", body)

    assert response.status_code == 422
    assert b"Secret" not in response.content


def test_versions_are_only_added(api: ApiClient, scene: Scene) -> None:
    before = StoredPyramid.objects.count()
    assert api.ask("delete", "/versions/{version}".format(**names_of(scene))).status_code == 405
    assert StoredPyramid.objects.count() == before
