"""Copying, archiving, exporting, importing and deleting, as instructors do it."""

from collections.abc import Callable
from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from grading.housekeeping.deletions import course_delete, student_delete
from grading.jobs.runner import job_run
from grading.models import Assignment, Course, CourseFile, Deletion, Job, Membership, Role, User
from grading.pyramid.pipeline import Engine
from tests.conftest import Cast
from tests.housekeeping.course_scene import content_of, exported, fill
from tests.pages import flat
from tests.scenes import make_scene
from tests.url_table import TITLE

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def course(cast: Cast, assignment: Assignment, engine: Engine) -> Course:
    del engine
    return fill(make_scene(cast, assignment))


def test_a_course_is_exported_and_imported(course: Course, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.instructor)
    page = reverse("course_exports", args=[course.pk])
    assert "Exporting the course" in client.post(page, follow=True).text
    job = Job.objects.filter(course=course).latest("pk")
    panel = reverse("course_job", args=[job.pk])
    assert "Exporting" in client.get(panel, headers={"HX-Request": "true"}).text
    assert job_run(job_pk=job.pk)
    assert client.get(panel, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert f"academic-writing-autumn-{timezone.now():%Y-%m-%d}.zip" in client.get(page).text
    answer = client.get(reverse("course_file", args=[job.file_id]))
    content = answer.getvalue()
    assert len(content) == int(answer.headers["Content-Length"])

    sent = BytesIO(content)
    sent.name = "course.zip"
    look = client.post(reverse("course_import"), {"file": sent}, follow=True)
    assert "Nothing is imported yet" in flat(look.text)
    assert "zoe@example.org" in look.text
    address = look.redirect_chain[-1][0]
    data = {"name": "Again", "term": "Spring"}
    assert "Choose what to do with people" in client.post(address, data).text
    courses = Course.objects.count()
    assert "Importing" in client.post(address, data | {"accounts": "join"}, follow=True).text
    assert Course.objects.count() == courses

    assert job_run(job_pk=Job.objects.latest("pk").pk)

    client.get(address, follow=True)
    again = Course.objects.get(name="Again")
    assert again.memberships.get(user=cast.student).role == Role.STUDENT
    assert client_of(cast.student).get(reverse("course", args=[again.pk])).status_code == 200


@pytest.mark.parametrize("content", [b"PK\x03\x04 nothing", b"Just a text."])
def test_another_file_is_refused_in_words(content: bytes, cast: Cast, client_of: ClientOf) -> None:
    sent = BytesIO(content)
    sent.name = "other.zip"

    response = client_of(cast.instructor).post(reverse("course_import"), {"file": sent})

    assert response.status_code == 422
    assert "“other.zip”: This is not a zip file" in response.text
    assert not CourseFile.objects.exists()


def test_a_file_of_a_course_may_be_larger_than_other_requests(
    cast: Cast, client_of: ClientOf, settings: pytest.FixtureRequest
) -> None:
    settings.LARGEST_REQUEST = 10  # type: ignore[attr-defined]
    client = client_of(cast.instructor)

    assert client.post(reverse("course_import"), {"file": BytesIO(b"x" * 99)}).status_code == 422
    assert client.post(reverse("course_join"), {"code": "x" * 99}).status_code == 413


def test_the_name_is_typed_before_anything_goes(
    course: Course, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    about = course.assignments.get()
    page = reverse("assignment_delete", args=[about.pk])

    assert "Nothing was deleted" in client.post(page, {"typed": "Why cities"}).text
    assert not Deletion.objects.filter(kind=Deletion.Kind.ASSIGNMENT).exists()

    client.post(page, {"typed": f"  {TITLE.upper()} "})
    assert client.get(reverse("assignment", args=[about.pk])).status_code == 404
    listed = client.get(reverse("deletions", args=[course.pk]))
    assert TITLE in listed.text
    client.post(
        reverse(
            "deletion_bring_back",
            args=[Deletion.objects.get(kind=Deletion.Kind.ASSIGNMENT).pk],
        )
    )
    assert client.get(reverse("assignment", args=[about.pk])).status_code == 200


def test_a_deleted_course_is_offered_to_those_who_teach_it(
    course: Course, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    client.post(reverse("course_delete", args=[course.pk]), {"typed": course.name})

    assert "Being deleted" in client.get(reverse("home")).text
    assert course.name not in client_of(cast.ta).get(reverse("home")).text
    deletion = Deletion.objects.get(kind=Deletion.Kind.COURSE)
    back = reverse("deletion_bring_back", args=[deletion.pk])
    assert client_of(cast.ta).post(back).status_code == 403
    assert client_of(cast.outsider).post(back).status_code == 404
    assert client.post(back, follow=True).status_code == 200
    assert client_of(cast.ta).get(reverse("course", args=[course.pk])).status_code == 200


def test_students_are_told_that_their_work_goes(
    course: Course, cast: Cast, client_of: ClientOf
) -> None:
    student_delete(course=course, student=cast.student, asked_by=cast.instructor)

    page = client_of(cast.student).get(reverse("own_data"))

    assert "<bdi>Ines Duarte</bdi> asked to delete it" in page.text
    assert "nothing yet" in page.text

    course_delete(course=course, asked_by=cast.instructor)
    page = client_of(cast.other_student).get(reverse("own_data"))
    assert "The course Academic Writing: <bdi>Ines Duarte</bdi> asked" in flat(page.text)
    assert "none." in flat(page.text)


def test_who_has_left_can_still_be_deleted_and_graders_cannot(
    course: Course, cast: Cast, client_of: ClientOf
) -> None:
    Membership.objects.get(course=course, user=cast.student).delete()
    client = client_of(cast.instructor)
    page = reverse("student_delete", args=[course.pk, cast.student.pk])

    assert page in client.get(reverse("deletions", args=[course.pk])).text
    assert client.get(page).status_code == 200
    for nobody in (cast.ta, cast.outsider):
        page = reverse("student_delete", args=[course.pk, nobody.pk])
        assert client.get(page).status_code == 404


def test_what_is_archived_stands_apart(course: Course, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.instructor)
    client.post(reverse("assignment_archive", args=[course.assignments.get().pk]))
    page = client.get(reverse("course", args=[course.pk])).text
    assert page.index("All assignments are archived") < page.index(TITLE)

    client.post(reverse("course_archive", args=[course.pk]))
    page = client.get(reverse("home")).text
    assert page.index("Archived</h2>") < page.index(course.name)
    assert "Restore" in client.get(reverse("course_edit", args=[course.pk])).text

    client.post(reverse("course_archive", args=[course.pk]), {"archived": "no"})
    assert client.get(reverse("home")).text.count("Archived</h2>") == 0


def test_an_archived_course_can_be_taken_along(
    course: Course, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    Course.objects.filter(pk=course.pk).update(archived_at=timezone.now())
    about = course.assignments.get()
    # There is no other course to copy it to, and none that others teach is offered.
    page = client.get(reverse("assignment_copy", args=[about.pk]))
    assert "No course to copy to" in page.text
    data = {"course": cast.other_course.pk, "due": "none"}
    assert client.post(reverse("assignment_copy", args=[about.pk]), data).status_code == 422

    data = {"name": "Next", "term": "", "due": "moved", "weeks": ""}
    copy = reverse("course_copy", args=[course.pk])
    assert "Enter the number of weeks" in client.post(copy, data).text
    client.post(copy, data | {"weeks": "52"})
    assert Course.objects.get(name="Next").assignments.get().title == TITLE


def test_pages_ask_no_more_for_more(course: Course, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.instructor)
    content = content_of(exported(course, cast.instructor))
    pages = [
        reverse("deletions", args=[course.pk]),
        reverse("course_exports", args=[course.pk]),
        reverse("home"),
    ]

    def counted() -> list[int]:
        result = []
        for page in pages:
            with CaptureQueriesContext(
                connection,
            ) as queries:
                assert client.get(page).status_code == 200
            result.append(len(queries))
        return result

    before = counted()
    for number in range(3):
        user = User.objects.create_user(f"new{number}", name="New")
        Membership.objects.create(course=course, user=user, role=Role.STUDENT)
        student_delete(course=course, student=user, asked_by=cast.instructor)
        other = Course.objects.create(name="Old", archived_at=timezone.now())
        Membership.objects.create(course=other, user=cast.instructor, role=Role.INSTRUCTOR)
        file = CourseFile.objects.create(
            kind="export", course=course, owner=cast.ta, name="x.zip", expires_at=timezone.now()
        )
        file.fill(BytesIO(content))
    assert counted() == before
