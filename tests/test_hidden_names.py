"""While names are hidden no grader is told who a student is, by any byte of any page or file.

Every address of ``url_table`` that belongs to an assignment is asked as its graders, so that a page
that somebody adds is asked as well. The course's own list of people shows names, as it must.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any
from urllib.parse import quote

import pytest
from django.db import transaction
from django.db.models.signals import pre_save
from django.test import Client
from django.urls import reverse

from grading.access.hidden_names import person_key, pseudonym
from grading.editor.actions import analysis_start
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    Job,
    Membership,
    SecondLook,
    Submission,
    SubmissionEvent,
    User,
)
from grading.scoring.effects import effect_start
from grading.second_looks.actions import second_look_withdraw
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY
from tests.scenes import Scene
from tests.url_table import OF_ACCOUNTS, OF_LINKED_COURSE, OF_LMS, ROWS

OF_THE_COURSE = {"", *OF_ACCOUNTS, *OF_LMS, *OF_LINKED_COURSE, "mail link", "course", "member"}
OF_THE_COURSE |= {"student's data", "deletion", "export", "import", "export job"}
OF_THE_COURSE |= {"roster member", "removed member"}
ASKED = tuple(row for row in ROWS if row.about not in OF_THE_COURSE)
GRADERS = ("instructor", "ta")
FIRST_ID = 731_955_001
Ask = Callable[[User | None], Client]


@pytest.fixture(scope="module")
def module_rows(module_rows: None) -> Iterator[None]:
    """Accounts have ids that are like no other number of any page."""
    ids = count(FIRST_ID)

    def give_id(instance: User, **_: Any) -> None:
        instance.pk = instance.pk or next(ids)

    pre_save.connect(give_id, sender=User)
    yield
    pre_save.disconnect(give_id, sender=User)


@pytest.fixture(scope="module")
def shared_scene(shared_scene: Scene) -> Scene:
    """Both students have submitted, one copied from the other; events, and flags about it."""
    scene, assignment, cast = shared_scene, shared_scene.assignment, shared_scene.cast
    submission_submit(assignment=assignment, student=cast.other_student, text=f"{SUMMARY} So.")
    for job in Job.objects.unfinished().filter(kind=Job.Kind.SCORE_SUBMISSIONS):
        job_run(job_pk=job.pk)
    look = SecondLook.objects.get()
    look.pk = None
    look.save()
    second_look_withdraw(second_look=look, author=cast.student)
    SubmissionEvent.objects.create(
        submission=look.submission, kind=SubmissionEvent.Kind.ASKED, author=cast.student,
        document={"second_look": look.pk},
    )  # fmt: skip
    draft = assignment.drafts.latest("pk")
    for start in (effect_start, analysis_start):
        job_run(job_pk=start(draft=draft, requested_by=cast.instructor).pk)
    Membership.objects.filter(user=cast.student).update(
        student_number="S-0042-17",
        lms_id="lms98761",
        lms_login="zoe.lms",
        roster_email="zoe@roster.example",
    )
    assignment.names_hidden = True
    assignment.save()
    return scene


@pytest.fixture
def assignment(scene: Scene) -> Assignment:
    return scene.assignment


def telling(scene: Scene) -> re.Pattern[str]:
    """All that says who the students are; also in an address, or with its letters escaped."""
    names, logins = ["S-0042-17", "lms98761", "zoe.lms", "zoe@roster.example"], ""
    for student in (scene.cast.student, scene.cast.other_student):
        names += [student.name, *student.name.split(), student.email]
        logins += rf"|\b{student.username}\b"
    written = {form for name in names for form in (name, json.dumps(name)[1:-1], quote(name))}
    return re.compile("|".join(map(re.escape, sorted(written))) + logins, re.IGNORECASE)


def telling_or_ids(scene: Scene) -> re.Pattern[str]:
    """Also the id of any account: lists of the course show it beside the name."""
    ids = f"{str(FIRST_ID)[:-2]}[0-9]{{2}}"
    return re.compile(f"{telling(scene).pattern}|{ids}", re.IGNORECASE)


def answer_text(response: Any) -> str:
    """Headers and body, with what an archive holds."""
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    body = b"".join(response) if response.streaming else response.content
    return f"{headers}\n{_readable(body)}"


def _readable(body: bytes) -> str:
    if not body.startswith(b"PK"):
        return body.decode("utf-16" if body.startswith(b"\xff\xfe") else "utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        files = (f"{name}\n{_readable(archive.read(name))}" for name in archive.namelist())
        return "\n".join(files)


@pytest.mark.parametrize("who", GRADERS)
def test_no_page_of_the_assignment_says_who_a_student_is(
    scene: Scene, client_of: Ask, who: str
) -> None:
    client, names = client_of(scene.user(who)), telling_or_ids(scene)

    leaks = {
        f"{row.name} ({row.about})": result.group()
        for row in ASKED
        if row.method == "get"
        if (result := names.search(answer_text(client.get(scene.url(row), row.data))))
    }

    assert leaks == {}


def test_no_answer_and_no_message_says_who_a_student_is(scene: Scene, client_of: Ask) -> None:
    client, names = client_of(scene.cast.instructor), telling_or_ids(scene)
    leaks = {}

    for row in (row for row in ASKED if row.method == "post"):
        with transaction.atomic():  # each begins where the others began
            answer = client.post(scene.url(row), row.data, follow=True)
            transaction.set_rollback(True)
        if result := names.search(answer_text(answer)):
            leaks[row.name] = result.group()

    assert leaks == {}


def test_an_address_with_the_id_of_an_account_is_none(
    scene: Scene, assignment: Assignment, client_of: Ask
) -> None:
    client, student = client_of(scene.cast.ta), scene.cast.student
    grades = f"/assignments/{assignment.pk}/grades"

    assert client.get(f"{grades}/{student.pk}/").status_code == 404
    assert client.get(f"{grades}/{'0' * 32}/").status_code == 404
    assert client.get(f"{grades}/{person_key(assignment, student.pk)}/").status_code == 200


def test_the_key_of_a_person_is_another_in_each_assignment(
    scene: Scene, assignment: Assignment
) -> None:
    other = Assignment.objects.create(course=assignment.course, title="Other")
    student, neighbour = scene.cast.student, scene.cast.other_student

    keys = {
        person_key(assignment, student.pk),
        person_key(assignment, neighbour.pk),
        person_key(other, student.pk),
    }

    assert len(keys) == 3


def test_names_are_there_once_they_are_shown(
    scene: Scene, assignment: Assignment, client_of: Ask
) -> None:
    Assignment.objects.update(names_hidden=False)
    client = client_of(scene.cast.ta)

    pages = [answer_text(client.get(scene.url(row))) for row in ASKED if row.name in {
        "queue", "gradebook", "submission", "release", "second_looks", "likeness",
    }]  # fmt: skip

    assert all(telling(scene).search(page) for page in pages)


def test_every_grader_page_says_that_names_are_hidden(scene: Scene, client_of: Ask) -> None:
    client = client_of(scene.cast.ta)

    for name in ("queue", "submission", "second_look", "release", "submission_as_student"):
        row = next(row for row in ROWS if row.name == name and row.method == "get")
        assert b"Names are hidden" in client.get(scene.url(row)).content, name


def test_the_gradebook_file_is_refused_and_says_what_to_do(scene: Scene, client_of: Ask) -> None:
    row = next(row for row in ROWS if row.name == "gradebook_file")

    answer = client_of(scene.cast.instructor).get(scene.url(row))

    assert answer.status_code == 403
    assert b"An instructor can show the names again" in answer.content


def test_students_see_their_own_name(scene: Scene, client_of: Ask) -> None:
    submission = Submission.objects.filter(student=scene.cast.student).latest("pk")

    page = client_of(scene.cast.student).get(reverse("submission", args=[submission.pk]))

    assert scene.cast.student.name in page.content.decode()
    assert b"Names are hidden" not in page.content


def test_a_search_does_not_find_a_hidden_name(
    scene: Scene, assignment: Assignment, client_of: Ask
) -> None:
    client, address = client_of(scene.cast.ta), reverse("queue", args=[assignment.pk])
    called = pseudonym(assignment, scene.cast.student)

    for word in ("Zoë", "zoe@example.org", "S-0042-17"):
        assert called not in client.get(address, {"q": word}).content.decode()
    assert called in client.get(address, {"q": called}).content.decode()


def test_the_order_by_name_is_that_of_the_pseudonyms(
    scene: Scene, assignment: Assignment, client_of: Ask
) -> None:
    students = (scene.cast.student, scene.cast.other_student)
    expected = sorted(pseudonym(assignment, student) for student in students)

    page = client_of(scene.cast.ta).get(reverse("queue", args=[assignment.pk]), {"sort": "name"})

    text = page.content.decode()
    assert text.index(expected[0]) < text.index(expected[1])


def test_only_instructors_hide_and_show_names(
    scene: Scene, assignment: Assignment, client_of: Ask
) -> None:
    address = reverse("queue_names", args=[assignment.pk])

    assert client_of(scene.cast.ta).post(address, {"names": "shown"}).status_code == 403
    client_of(scene.cast.instructor).post(address, {"names": "shown"})

    assignment.refresh_from_db()
    assert not assignment.names_hidden
