"""A course goes to a file and comes back as it was; other files are refused, nothing written."""

import json
import tracemalloc
import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.apps import apps

from grading.housekeeping.course_export import export_start
from grading.housekeeping.course_import import course_preview
from grading.models import Course, Job, Membership, Role, Score, User
from grading.pyramid.errors import InputError
from tests.conftest import Cast
from tests.housekeeping.course_scene import (
    Change,
    content_of,
    exported,
    fill,
    forged,
    imported,
    row_changed,
    tables_of,
)
from tests.scenes import Scene
from tests.web.test_file_reader import reading_elsewhere


@pytest.fixture(scope="module")
def content(shared_scene: Scene) -> bytes:
    """The file of a course with something in each of its tables."""
    course = fill(shared_scene)
    return content_of(exported(course, shared_scene.cast.instructor))


@pytest.fixture
def cast(scene: Scene) -> Cast:
    return scene.cast


@pytest.fixture
def course(content: bytes, cast: Cast) -> Course:
    del content  # made of this course
    return cast.course


def counts() -> dict[str, int]:
    """Of all rows but what belongs to the import itself."""
    models = apps.get_app_config("grading").get_models()
    ours = {"CourseFile", "CourseFilePart", "Job"}
    return {
        model.__name__: model._base_manager.count()
        for model in models
        if model.__name__ not in ours
    }


def test_what_comes_back_is_what_went_out(course: Course, content: bytes, cast: Cast) -> None:
    before = tables_of(content)
    assert all(before.values()), "something in every table, or nothing is shown of it"

    job = imported(content, cast.instructor, joins_accounts=True)

    assert job.is_done, job.error
    assert job.course is not None
    assert job.course != course
    assert tables_of(content_of(exported(job.course, cast.instructor))) == before
    assert Score.objects.filter(submission__assignment__course=job.course).exists()
    # What is in no file is calculated again.
    again = Job.objects.filter(assignment__course=job.course, kind=Job.Kind.SECOND_OPINIONS)
    assert again.get().state == Job.State.QUEUED


def test_elsewhere_everybody_is_new_and_has_no_rights(content: bytes, cast: Cast) -> None:
    for user in User.objects.all():
        email = f"x-{user.email}" if user.email else ""
        User.objects.filter(pk=user.pk).update(username=f"x-{user.username}", email=email)
    before = set(User.objects.values_list("pk", flat=True))

    job = imported(content, cast.outsider)

    assert job.course is not None, job.error
    made = User.objects.exclude(pk__in=before)
    assert {user.username for user in made} == {"ines", "tomasz", "zoe", "omar", "spare", "rosa"}
    rights = ("is_staff", "is_superuser", "may_create_courses")
    assert not any(getattr(user, right) for user in made for right in rights)
    assert not made.get(username="zoe").check_password("")
    roles = {member.user.username: member.role for member in job.course.memberships.all()}
    # Whoever imports it teaches it; whoever taught it before assists, until told otherwise.
    assert roles["x-olga"] == Role.INSTRUCTOR
    assert roles["ines"] == roles["tomasz"] == Role.TA
    assert roles["zoe"] == Role.STUDENT
    assert set(Membership.objects.filter(user__in=made).values_list("course", flat=True)) == {
        job.course.pk
    }


def test_nobody_joins_whom_the_instructor_did_not_let_in(content: bytes, cast: Cast) -> None:
    job = imported(content, cast.outsider, joins_accounts=False)

    assert job.course is not None
    members = set(job.course.memberships.values_list("user", flat=True))
    assert members & {cast.instructor.pk, cast.ta.pk, cast.student.pk} == set()
    assert job.course.memberships.filter(user__username="zoe-2", user__email="").exists()


def test_logins_of_two_servers_are_of_two_people(content: bytes, cast: Cast) -> None:
    User.objects.filter(pk=cast.student.pk).update(email="another@example.org")

    preview = course_preview(BytesIO(content), cast.outsider)

    assert "zoe" in {person.login for person in preview.people.new}
    assert "omar" in {person.login for person in preview.people.known}


def _drop(name: str) -> Change:
    return lambda parts: parts.__delitem__(name)


def _put(name: str, content: bytes) -> Change:
    return lambda parts: parts.update({name: content})


def _manifest(**values: object) -> Change:
    def change(parts: dict[str, bytes]) -> None:
        parts["manifest.json"] = json.dumps(json.loads(parts["manifest.json"]) | values).encode()

    return change


@pytest.mark.parametrize(
    ("change", "resealed", "said"),
    [
        (_drop("manifest.json"), False, "no manifest.json"),
        (
            _manifest(format="other"),
            False,
            "This zip is not an exported course of PyrEval Classroom.",
        ),
        (_manifest(number=2), False, "written in form 2"),
        (_manifest(rows={"secrets": 1}), False, "a table “secrets” that is not known here"),
        (_drop("tables/scores.jsonl"), False, "“tables/scores.jsonl” is missing"),
        (
            _put("tables/scores.jsonl", b""),
            False,
            "differs from its hash: the file is damaged, or was changed.",
        ),
        (_put("../../etc/passwd", b"x"), False, "but not in its manifest"),
        (row_changed("people", is_staff=True), True, "line 1: “is_staff” is not a known field"),
        (row_changed("people", password="x"), True, "line 1: “password” is not a known field"),
        (row_changed("people", email="zoe@example.org"), True, "two people have the same “email”"),
        (row_changed("people", time_zone="Mars/X"), True, "is not a time zone"),
    ],
)
def test_a_file_that_is_no_course_is_refused_at_once(
    content: bytes, cast: Cast, change: Change, resealed: bool, said: str
) -> None:
    before = counts()

    with pytest.raises(InputError, match=said):
        course_preview(BytesIO(forged(content, change, resealed=resealed)), cast.outsider)

    assert counts() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (row_changed("submissions", assignment=99), "“assignment” refers to nothing in this file"),
        (row_changed("members", course=2), "“course” refers to nothing in this file"),
        (row_changed("submissions", student=None), "“student” refers to nothing in this file"),
        (row_changed("members", role="owner"), "members.jsonl, line 1: “role”: Value 'owner'"),
        (row_changed("course", code="AAAAAAA"), "“code” is not a known field"),
        (row_changed("assignments", title="x" * 201), "“title”: Ensure this value has at most"),
        (row_changed("assignments", due_at="2026-05-01"), "“due_at”: this time has no zone"),
        (row_changed("assignments", min_words="5"), "“min_words”: this value isn't allowed"),
        (row_changed("submissions", text="\0"), "line 1: this can't be stored"),
        (row_changed("submissions", text=...), "“text” is missing"),
        (row_changed("submissions", attempt=10**30), "t be stored."),
        (row_changed("scores", quality=float("inf")), "t be stored."),
        (row_changed("scores", quality=1e30), "“quality”: this number is out of range"),
        (row_changed("grade_rules", document={}), "what is kept here is no grade rule"),
        (row_changed("drafts", undo_top=9), "the next undo has no step."),
        (row_changed("edits", below=1), "it undoes a later step."),
        (row_changed("sample_texts", probabilities=[1]), "are no probabilities"),
        (row_changed("annotations", ideas=[]), "what is kept here are no ideas"),
        (row_changed("events", kind="comment", document={}), "what is kept here is not what"),
        (row_changed("events", document=[]), "what is kept here is not what should be"),
        (row_changed("scores", held_for="no reason"), "scores.jsonl, line 1: “held_for” is none"),
        (row_changed("opinion_settings", methods={"a": 1}), "“methods” is not a list of names"),
        (row_changed("opinion_settings", methods=[7]), "“methods” is not a list of names"),
        (row_changed("opinion_settings", least_difference=9.0), "“least_difference”: "),
        (row_changed("scores", held="yes"), "“held”: this value isn't allowed"),
        (row_changed("scores", contradicted=-1), "scores.jsonl, line 1: “contradicted”: "),
        (
            row_changed("assignments", learnt_curve={"format": 1}),
            "line 1: curve: “ideas” is missing",
        ),
        (row_changed("assignments", learnt_curve=[]), "assignments.jsonl, line 1: "),
        (row_changed("threshold_changes", learnt_after=7), "threshold_changes.jsonl, line 1: "),
        (row_changed("scores", document={"format": 1}), "scores.jsonl, line 1: "),
        (row_changed("versions", document={}), "versions.jsonl, line 1: "),
        (row_changed("versions", content_hash="0" * 64), "changed after it was published"),
        (row_changed("references", id=2), "its “id” is missing, or another row has it"),
        (row_changed("assignments", min_words=60, max_words=5), "Two rows of the file conflict"),
    ],
)
def test_a_forged_file_writes_nothing(
    content: bytes, cast: Cast, change: Change, said: str
) -> None:
    before = counts()

    job = imported(forged(content, change), cast.outsider)

    assert job.is_failed
    assert said in job.error
    assert counts() == before


@pytest.mark.parametrize("content", [b"", b"PK", b"text", b"PK\x05\x06" + b"\xff" * 18])
def test_what_is_no_zip_is_said_so(content: bytes, cast: Cast) -> None:
    with pytest.raises(InputError):
        course_preview(BytesIO(content), cast.outsider)


def test_a_file_that_unpacks_to_too_much_is_not_unpacked(
    content: bytes, cast: Cast, settings: Any
) -> None:
    settings.LARGEST_COURSE_UNPACKED = 1_000

    with pytest.raises(InputError, match="at most 0 MB can be imported"):
        course_preview(BytesIO(content), cast.outsider)


def bomb(**parts: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


EMPTY_LISTS = b"[" + b"[]," * 15_000_000 + b"[]]"  # 45 MB, and 44 kB in a zip; 1.2 GB as objects


@pytest.mark.parametrize(
    "parts_of_bomb",  # made when the test runs: every process of a run collects this file
    [
        lambda: {"manifest.json": EMPTY_LISTS},
        lambda: {f"{number}": b"" for number in range(60_000)},
        lambda: {"manifest.json": b'{"files": ' + b'{"a":' * 5_000_000},
    ],
    ids=["values", "list", "depth"],
)
def test_a_bomb_costs_this_process_no_memory(
    parts_of_bomb: Callable[[], dict[str, bytes]], cast: Cast
) -> None:
    content = bomb(**parts_of_bomb())
    tracemalloc.start()
    try:
        with pytest.raises(InputError):
            course_preview(BytesIO(content), cast.outsider)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 10_000_000


def test_what_takes_all_memory_ends_its_reader_only(
    content: bytes, cast: Cast, settings: Any
) -> None:
    """The limits let it through; the process that reads it has 512 MB and no more."""
    settings.COURSE_FILE_PARTS = 1_000_000

    with pytest.raises(InputError, match=r"takes too long to read|can't be stored|too long"):
        course_preview(BytesIO(bomb(**{"manifest.json": EMPTY_LISTS})), cast.outsider)
    assert course_preview(BytesIO(content), cast.outsider).people.all


def test_limits_are_settings_and_say_which(content: bytes, cast: Cast, settings: Any) -> None:
    for name in ("COURSE_FILE_ROWS", "COURSE_FILE_PEOPLE"):
        setattr(settings, name, 3)
        with pytest.raises(InputError, match=f"more than 3 .*{name}"):
            course_preview(BytesIO(content), cast.outsider)
        setattr(settings, name, 1_000)
    settings.COURSE_FILE_PARTS = 3
    with pytest.raises(InputError, match="more than 3 files"):
        course_preview(BytesIO(content), cast.outsider)


@pytest.mark.parametrize(("table", "field"), [("references", "text"), ("submissions", "text")])
def test_texts_longer_than_people_can_submit_are_refused(
    content: bytes, cast: Cast, table: str, field: str
) -> None:
    job = imported(forged(content, row_changed(table, **{field: "a" * 60_001})), cast.outsider)

    assert job.is_failed
    assert f"tables/{table}.jsonl, line 1: “text” has more than 60,000 characters" in job.error


def test_a_source_text_has_its_limit(content: bytes, cast: Cast, settings: Any) -> None:
    settings.SOURCE_TEXT_CHARACTERS = 100
    changed = forged(content, row_changed("assignments", source_text="a" * 101))

    job = imported(changed, cast.outsider)

    assert "The source text has 101 characters; at most 100 can be used" in job.error


def test_a_course_is_imported_while_its_importer_has_another_file_read(
    content: bytes, cast: Cast
) -> None:
    with reading_elsewhere(cast.instructor.pk):
        job = imported(content, cast.instructor)

    assert job.is_done, job.error


def test_one_export_at_a_time(course: Course, cast: Cast) -> None:
    job = export_start(course=course, requested_by=cast.instructor)

    assert export_start(course=course, requested_by=cast.instructor) == job


def test_people_find_what_they_wrote_in_the_file(content: bytes) -> None:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        names = archive.namelist()
        text = archive.read("files/01-why-cities-are-hotter/submissions/zoe.attempt-1.txt")

    assert text.startswith(b"Cities are hotter")
    assert "files/01-why-cities-are-hotter/version-1.pyr" in names
