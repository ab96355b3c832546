"""Courses: made, joined, and kept in order."""

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from grading.jobs.runner import job_run
from grading.models import Assignment, Course, Job, Membership, Role, Submission, User
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import pyramid_start_build
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.pages import flat

ClientOf = Callable[[User | None], Client]


def test_making_a_course_makes_one_its_instructor(cast: Cast, client_of: ClientOf) -> None:
    data = {"name": "History", "term": "", "time_zone": "Europe/Madrid"}

    client_of(cast.outsider).post(reverse("course_new"), data)

    course = Course.objects.get(name="History")
    assert course.memberships.get().role == Role.INSTRUCTOR


@pytest.mark.parametrize(
    ("address", "whom"), [("", "the administrator"), ("it@example.org", "it@example.org")]
)
def test_who_may_not_create_courses_reads_whom_to_ask(
    cast: Cast, client_of: ClientOf, settings: Settings, address: str, whom: str
) -> None:
    settings.ADMINISTRATOR_EMAIL = address
    user = User.objects.create_user("new", "new@example.org", name="New")

    page = flat(client_of(user).get("/").text)

    asked = re.sub("<[^>]+>", "", page.partition("Are you teaching? ")[2].partition("</p>")[0])
    assert asked.strip() == (
        f"Ask {whom} to tick May create courses for your account, new, at /admin/."
    )
    assert bool(address) == (f'href="mailto:{address}"' in page)


def test_people_are_listed_by_role_graders_first(cast: Cast, client_of: ClientOf) -> None:
    shown = client_of(cast.instructor).get(reverse("members", args=[cast.course.pk]))

    roles = [person.role for person in shown.context["people"]]
    assert roles == sorted(roles, key=list(Role).index)
    assert len(set(roles)) == 3


@pytest.mark.parametrize("typed", ["CDEFGH3", "cdefgh3", " CDE FGH3 "])
def test_a_code_is_taken_as_people_type_it(cast: Cast, client_of: ClientOf, typed: str) -> None:
    client_of(cast.student).post(reverse("course_join"), {"code": typed})

    assert cast.other_course.memberships.get(user=cast.student).role == Role.STUDENT


def test_joining_again_changes_nothing(cast: Cast, client_of: ClientOf) -> None:
    client_of(cast.instructor).post(reverse("course_join"), {"code": cast.course.code})

    assert cast.course.memberships.get(user=cast.instructor).role == Role.INSTRUCTOR


def test_a_wrong_code_is_said_so(cast: Cast, client_of: ClientOf) -> None:
    response = client_of(cast.student).post(reverse("course_join"), {"code": "NOPE"})

    assert response.status_code == 422
    assert "No course has this code" in response.text


def test_the_last_instructor_stays(cast: Cast, client_of: ClientOf) -> None:
    own = Membership.objects.get(course=cast.course, user=cast.instructor)
    kwargs = {"pk": cast.course.pk, "member_pk": own.pk}
    client = client_of(cast.instructor)

    client.post(reverse("member_role", kwargs=kwargs), {"role": "student"})
    client.post(reverse("member_delete", kwargs=kwargs))

    own.refresh_from_db()
    assert own.role == Role.INSTRUCTOR


def test_a_member_of_another_course_is_not_reached_through_ours(
    cast: Cast, client_of: ClientOf
) -> None:
    foreign = Membership.objects.get(user=cast.outsider)
    kwargs = {"pk": cast.course.pk, "member_pk": foreign.pk}

    response = client_of(cast.instructor).post(reverse("member_delete", kwargs=kwargs))

    assert response.status_code == 404
    assert Membership.objects.filter(pk=foreign.pk).exists()


def test_a_new_code_ends_the_old_one(cast: Cast, client_of: ClientOf) -> None:
    old = cast.course.code
    client_of(cast.instructor).post(reverse("course_code", args=[cast.course.pk]))
    cast.course.refresh_from_db()
    assert cast.course.code != old

    client = client_of(cast.outsider)
    assert client.post(reverse("course_join"), {"code": old}).status_code == 422
    client.post(reverse("course_join"), {"code": cast.course.code})
    assert cast.course.memberships.filter(user=cast.outsider).exists()


@pytest.mark.parametrize("number", [9 * 10**17, 10**18, 10**30])
def test_numbers_that_no_database_holds_are_just_not_there(
    cast: Cast, client_of: ClientOf, number: int
) -> None:
    assert client_of(cast.student).get(f"/courses/{number}/").status_code == 404


def test_no_cache_keeps_a_persons_pages(cast: Cast, client_of: ClientOf) -> None:
    page = client_of(cast.student).get(reverse("course", args=[cast.course.pk]))

    assert "no-store" in page.headers["Cache-Control"]


def test_students_do_not_see_drafts(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    assignment.state = Assignment.State.DRAFT
    assignment.save()

    assert assignment.title not in client_of(cast.student).get(f"/courses/{cast.course.pk}/").text
    assert assignment.title in client_of(cast.ta).get(f"/courses/{cast.course.pk}/").text
    assert client_of(cast.student).get(f"/assignments/{assignment.pk}/").status_code == 404


def test_a_student_is_told_of_feedback_only_where_it_is_shown(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client, address = client_of(cast.student), reverse("course", args=[cast.course.pk])

    def says() -> bool:
        return "Read the feedback" in client.get(address).text

    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    assert not says()
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    while job := Job.objects.filter(state=Job.State.QUEUED).last():
        assert job_run(job_pk=job.pk)
    assert says()
    Submission.objects.update(visibility=Submission.Visibility.HELD_BACK)
    with CaptureQueriesContext(connection) as captured:
        assert not says()
    assert not [query for query in captured.captured_queries if "grading_score" in query["sql"]]
    assert "Read the feedback" not in client_of(cast.other_student).get(address).text


# --- who may join ---


def test_whom_an_instructor_took_out_does_not_come_back_with_the_code(
    cast: Cast, client_of: ClientOf
) -> None:
    member = cast.course.memberships.get(user=cast.student)
    instructor, student = client_of(cast.instructor), client_of(cast.student)
    instructor.post(reverse("member_delete", args=[cast.course.pk, member.pk]))

    answer = student.post(reverse("course_join"), {"code": cast.course.code})

    assert answer.status_code == 422
    assert "You were removed from this course. Ask its instructor to add you again." in answer.text
    assert not cast.course.memberships.filter(user=cast.student).exists()
    # Only an instructor takes them back.
    removed = cast.course.removed_members.get()
    assert cast.student.name in instructor.get(reverse("members", args=[cast.course.pk])).text
    restore = reverse("member_restore", args=[cast.course.pk, removed.pk])
    assert student.post(restore).status_code == 404
    instructor.post(restore)
    assert cast.course.memberships.get(user=cast.student).role == Role.STUDENT
    assert not cast.course.removed_members.exists()


def test_a_code_can_expire(cast: Cast, client_of: ClientOf) -> None:
    instructor, outsider = client_of(cast.instructor), client_of(cast.outsider)
    address = reverse("course_code_expiry", args=[cast.course.pk])

    instructor.post(address, {"code_expires_at": "2020-01-01T12:00"})
    assert outsider.post(reverse("course_join"), {"code": cast.course.code}).status_code == 422

    instructor.post(address, {"code_expires_at": "2999-01-01T12:00"})
    outsider.post(reverse("course_join"), {"code": cast.course.code})
    assert cast.course.memberships.filter(user=cast.outsider).exists()


def test_codes_are_not_guessed(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.outsider)

    answers = [
        client.post(reverse("course_join"), {"code": f"WRONG{n:02}"}).status_code for n in range(12)
    ]

    assert answers == [422] * 10 + [429] * 2
    # Not even the right one gets through now; others are let in.
    assert client.post(reverse("course_join"), {"code": cast.course.code}).status_code == 429
    other = client_of(cast.student)
    assert other.post(reverse("course_join"), {"code": cast.other_course.code}).status_code == 302


def test_a_class_joins_from_one_address(cast: Cast, client_of: ClientOf) -> None:
    for number in range(60):
        user = User.objects.create_user(f"student{number}", name=f"Student {number}")
        answer = client_of(user).post(reverse("course_join"), {"code": cast.course.code})
        assert answer.status_code == 302
