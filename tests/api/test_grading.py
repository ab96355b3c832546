"""What programs do as graders: claims, reviews, comments, second looks, grade rules."""

import json
from typing import Any

import pytest
from django.http import HttpResponse

from grading.access.hidden_names import person_key
from grading.models import (
    Assignment,
    AuditKind,
    AuditRecord,
    Comment,
    GradebookExport,
    Membership,
    Review,
    Role,
    SavedComment,
    SecondLook,
    StoredGradeRule,
    Submission,
)
from grading.pyramid.structures import Span
from grading.second_looks.actions import Subject, second_look_ask
from tests.api.api_table import RULE
from tests.api.scene import ApiClient, ApiOf, names_of
from tests.scenes import Scene


def _json(response: HttpResponse) -> Any:
    return json.loads(response.content)


def _stamp(response: HttpResponse) -> dict[str, str]:
    return {"If-Match": response["ETag"]}


# --- claims and reviews ---


def test_two_programs_never_claim_one_submission(
    api: ApiClient, api_of: ApiOf, scene: Scene
) -> None:
    path = f"/assignments/{scene.assignment.pk}"
    claim = {"action": "claim", "submissions": [Submission.objects.get().pk]}

    first = _json(api_of(scene.cast.ta).post(f"{path}/reviews", claim))
    second = _json(api.post(f"{path}/reviews", claim))

    assert (first, second) == ({"done": 1, "skipped": 0}, {"done": 0, "skipped": 1})
    [row] = api.read(f"{path}/submissions")["items"]
    assert row["claimed_by"]["name"] == scene.cast.ta.name
    marked = {"action": "mark_reviewed", "submissions": claim["submissions"]}
    assert _json(api.post(f"{path}/reviews", marked)) == {"done": 0, "skipped": 1}

    took = api.post(f"/submissions/{row['id']}/take-over", {"holder": row["claimed_by"]["key"]})
    late = api.post(f"/submissions/{row['id']}/take-over", {"holder": row["claimed_by"]["key"]})
    assert (took.status_code, late.status_code) == (204, 409)
    assert _json(api.post(f"{path}/reviews", marked))["done"] == 1
    assert Review.objects.get(student=scene.cast.student).reviewed_by == scene.cast.instructor
    [row] = api.read(f"{path}/submissions")["items"]
    assert (row["state"], row["claimed_by"]) == ("reviewed", None)
    back = {"action": "mark_not_reviewed", "submissions": claim["submissions"]}
    assert _json(api.post(f"{path}/reviews", back))["done"] == 1


def test_a_submission_of_another_assignment_is_not_reviewed(api: ApiClient, scene: Scene) -> None:
    other = Assignment.objects.create(course=scene.cast.other_course, title="Other")
    foreign = Submission.objects.create(
        assignment=other, student=scene.cast.outsider, text="Heat.", words=1
    )
    body = {"action": "claim", "submissions": [foreign.pk]}

    response = api.post(f"/assignments/{scene.assignment.pk}/reviews", body)

    assert response.status_code == 422
    assert not Review.objects.filter(student=scene.cast.outsider).exists()


# --- comments ---


def test_comments_and_notes(api: ApiClient, api_of: ApiOf, scene: Scene) -> None:
    submission = Submission.objects.get()
    path = f"/submissions/{submission.pk}/comments"
    idea = api.read(f"/submissions/{submission.pk}/result")["matches"][0]["idea"]["id"]

    words = api.post(path, {"audience": "student", "text": "Here.", "spans": [[0, 12]]})
    note = api.post(path, {"audience": "graders", "text": "Ask him.", "idea": idea})

    assert (words.status_code, note.status_code) == (201, 201)
    assert _json(words)["spans"] == [[0, 12]]
    assert _json(note)["idea"] == idea
    assert _json(note)["audience"] == "graders"
    assert Comment.objects.to_the_student().filter(text="Ask him.").count() == 0
    mine = f"/comments/{_json(words)['id']}"
    assert _json(api.put(mine, {"text": "There."}))["text"] == "There."
    assert api_of(scene.cast.ta).put(mine, {"text": "Mine."}).status_code == 403
    assert api.ask("delete", mine).status_code == 204
    assert "There." not in {row["text"] for row in api_of(scene.cast.ta).read(path)}
    assert _json(api.post(f"{mine}/restore", None))["deleted"] is False
    assert {"There.", "Ask him.", "Good."} == {row["text"] for row in api.read(path)}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"audience": "student", "text": "  "}, "Write something first."),
        ({"audience": "student", "text": "x", "spans": [[3, 3]]}, "begins before"),
        ({"audience": "student", "text": "x", "spans": [[0, 9999]]}, "not in the text"),
        ({"audience": "student", "text": "x", "idea": 999}, "not in the pyramid"),
    ],
)
def test_comments_that_cannot_be_made(
    body: dict[str, Any], words: str, api: ApiClient, scene: Scene
) -> None:
    before = Comment.objects.count()

    response = api.post(f"/submissions/{Submission.objects.get().pk}/comments", body)

    assert response.status_code == 422
    assert words in _json(response)["detail"]
    assert Comment.objects.count() == before


def test_saved_comments_have_a_key_each(api: ApiClient, scene: Scene) -> None:
    path = f"/courses/{scene.cast.course.pk}/saved-comments"

    made = api.post(path, {"key": "/Own-Words", "text": "In your own words, please."})
    twice = api.post(path, {"key": "well", "text": "Again."})
    wrong = api.post(path, {"key": "two words", "text": "No."})

    assert (made.status_code, twice.status_code, wrong.status_code) == (201, 409, 422)
    assert _json(made)["key"] == "own-words"
    assert _json(twice)["detail"] == "“/well” is in use. Choose another key."
    assert {row["key"] for row in api.read(path)["items"]} == {"well", "own-words"}
    address = f"/saved-comments/{_json(made)['id']}"
    assert _json(api.put(address, {"key": "own", "text": "Yours."}))["text"] == "Yours."
    assert api.ask("delete", address).status_code == 204
    SavedComment.objects.bulk_create(
        SavedComment(course=scene.cast.course, key=f"k{number}", text="x") for number in range(300)
    )
    assert "300 saved comments" in _json(api.post(path, {"key": "one", "text": "x"}))["detail"]


# --- second looks ---


def test_a_second_look_is_counted_as_on_the_page(api: ApiClient, scene: Scene) -> None:
    submission = Submission.objects.get()
    path = "/second-looks/{look}".format(**names_of(scene))
    result = api.read(f"/submissions/{submission.pk}/result")
    missing = result["missing"][0]["id"]
    read = api.get(path)
    assert (_json(read)["state"], _json(read)["spans"]) == ("open", [[0, 20]])

    answer = {"verdict": "count", "idea": missing, "spans": [[0, 20]], "answer": "You are right."}
    silent = api.post(f"{path}/answer", {"verdict": "decline"}, _stamp(read))
    no_words = api.post(f"{path}/answer", answer | {"spans": []}, _stamp(read))
    wrong_verdict = api.post(f"{path}/answer", {"verdict": "remove"}, _stamp(read))
    done = api.post(f"{path}/answer", answer, _stamp(read))
    late = api.post(f"{path}/answer", {"verdict": "decline", "answer": "No."}, _stamp(read))

    assert (silent.status_code, no_words.status_code, wrong_verdict.status_code) == (422, 422, 422)
    assert _json(silent)["errors"] == [
        {"field": "answer", "message": "Tell the student why it does not count."}
    ]
    assert (done.status_code, late.status_code) == (201, 412)
    assert (_json(done)["state"], _json(done)["answer"]) == ("accepted", "You are right.")
    after = api.read(f"/submissions/{submission.pk}/result")
    assert missing in {match["idea"]["id"] for match in after["matches"]}
    assert SecondLook.objects.get().answered_by == scene.cast.instructor


def test_a_disputed_match_is_removed(api: ApiClient, scene: Scene) -> None:
    submission = Submission.objects.get()
    score = submission.scores.get()
    uid = api.read(f"/submissions/{submission.pk}/result")["matches"][0]["idea"]["id"]
    subject = Subject((Span(0, 12),), uid, "it", disputes_match=True)
    look = second_look_ask(score=score, subject=subject, reason="Wrong.")
    path = f"/second-looks/{look.pk}"

    done = api.post(f"{path}/answer", {"verdict": "remove"}, _stamp(api.get(path)))

    assert done.status_code == 201
    after = api.read(f"/submissions/{submission.pk}/result")
    assert uid in {idea["id"] for idea in after["missing"]}


def test_nobody_answers_their_own_request(api_of: ApiOf, scene: Scene) -> None:
    Membership.objects.filter(user=scene.cast.student, course=scene.cast.course).update(
        role=Role.TA
    )
    api = api_of(scene.cast.student)
    path = "/second-looks/{look}".format(**names_of(scene))

    response = api.post(
        f"{path}/answer", {"verdict": "decline", "answer": "No."}, _stamp(api.get(path))
    )

    assert response.status_code == 403
    assert "Somebody else must answer it" in _json(response)["detail"]


# --- grade rules ---


def test_a_grade_rule_is_written_as_it_is_read(api: ApiClient, scene: Scene) -> None:
    path = f"/assignments/{scene.assignment.pk}/grade-rule"
    read = api.get(path)
    assert _json(read)["is_default"]

    shown = _json(api.post(f"{path}/preview", RULE))
    assert StoredGradeRule.objects.count() == 0
    saved = api.put(path, RULE, _stamp(read))
    late = api.put(path, RULE, _stamp(read))

    assert (saved.status_code, late.status_code) == (200, 412)
    [change] = shown["changes"]
    grades = api.read(f"/assignments/{scene.assignment.pk}/grades")["items"]
    now = {row["student"]["key"]: row["points"] for row in grades}
    assert now[change["student"]["key"]] == change["after"]
    assert _json(saved)["students_see"]
    assert any("50" in line for line in _json(saved)["in_words"])
    # What was read can be sent back as it is.
    again = api.put(path, {"rule": _json(saved)["rule"], "students_see": False}, _stamp(saved))
    assert again.status_code == 200
    assert _json(again)["rule"] == _json(saved)["rule"]
    assert AuditRecord.objects.filter(kind=AuditKind.GRADE_RULE_CHANGED).count() == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"points": "0"}, "more than 0"),
        ({"points": "12.3"}, "12.3"),
        ({"rounding": "0.3"}, "Round to 0.01, 0.1, 0.5 or 1."),
        ({"weights": {"comprehensive": 50, "quality": 0, "coverage": 0}}, "100"),
        ({"passes_from": "51"}, "0 to 50"),
        ({"scale": {"bands": [["A", "0.5", "50"]]}}, "0"),
        ({"scale": {"bands": [["A\nB | 0 | 0", "0.5", "50"]]}}, "Some fields"),
        ({"points": "NaN"}, "Some fields"),
        ({"points": "1e999999"}, "Some fields"),
        ({"late": {"amount": "0", "unit": "points", "per_day": True}}, "more than 0"),
    ],
)
def test_rules_that_cannot_be(
    change: dict[str, Any], words: str, api: ApiClient, scene: Scene
) -> None:
    path = f"/assignments/{scene.assignment.pk}/grade-rule"
    body = RULE | {"rule": RULE["rule"] | change}  # type: ignore[operator]

    response = api.put(path, body, _stamp(api.get(path)))

    assert response.status_code == 422
    assert words in _json(response)["detail"]
    assert not StoredGradeRule.objects.exists()


# --- files ---


def test_an_lms_file_is_filled_in(api: ApiClient, scene: Scene) -> None:
    submission = Submission.objects.get()
    Submission.objects.update(visibility=Submission.Visibility.SHOWN)
    student = scene.cast.student
    Membership.objects.filter(user=student).update(lms_id="4711")
    content = (
        f"Student,ID,SIS Login ID,Section,Essay (1)\n    Points Possible,,,,100\n"
        f"{student.name},4711,{student.username},A,\n"
    )
    path = f"/assignments/{scene.assignment.pk}/exports/filled"

    made = api.send_files(path, ("file", "grades.csv", content), column="Essay")
    wrong = api.send_files(path, ("file", "grades.csv", content), column="Other")
    none = api.send_files(path, ("file", "grades.csv", "hello"))

    assert made.status_code == 201, made.content
    file = api.get(f"/exports/{_json(made)['id']}/file").content.decode()
    grade = api.read(
        f"/assignments/{scene.assignment.pk}/grades/"
        + person_key(scene.assignment, submission.student_id)
    )
    assert f"{float(grade['points']):g}" in file
    assert (wrong.status_code, none.status_code) == (422, 422)
    assert "Name the column to fill: “Essay”." in _json(wrong)["detail"]
    assert GradebookExport.objects.filter(kind=GradebookExport.Kind.FILLED).count() == 1
