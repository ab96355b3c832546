"""Who launches comes to the right page, in the right role."""

from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt
from django.test import Client
from django.urls import reverse

from grading.lti.actions import context_link, link_choose
from grading.models import (
    Assignment,
    AuditRecord,
    Course,
    LtiContext,
    LtiDeployment,
    LtiEnrolment,
    LtiLink,
    LtiPerson,
    LtiPlatform,
    Membership,
    RemovedMember,
    Role,
    User,
)
from tests.conftest import Cast
from tests.lti.lms import STUDENT, TA, Lms, Person
from tests.lti.visitor import TOOL, Visitor

LogIn = Callable[[User | None], Client]

pytestmark = pytest.mark.usefixtures("platform")


@pytest.fixture
def linked(lms: Lms, platform: LtiPlatform, cast: Cast, assignment: Assignment) -> LtiLink:
    """The LMS's course leads to the cast's, and its link to the assignment."""
    context = LtiContext.objects.create(
        deployment=platform.deployments.get(), context_id="course-1", title="Biology"
    )
    context_link(context=context, course=cast.course, instructor=cast.instructor)
    link = LtiLink.objects.create(context=context, resource_link_id="link-0")
    link_choose(link=link, assignment=assignment, sends_grades=True, author=cast.instructor)
    return link


def _role(user: str, course: Course | None) -> str:
    return Membership.objects.get(course=course, user__lti_people__subject=user).role


def test_an_instructor_makes_a_course_and_an_assignment_on_the_way(lms: Lms) -> None:
    irma = Visitor(lms, "i-1")
    page = irma.follow(irma.launch())
    assert b"Link \xe2\x80\x9cBiology\xe2\x80\x9d" in page.content

    response = irma.client.post(page.request["PATH_INFO"], {"course": ""})
    page = irma.follow(response)
    response = irma.client.post(page.request["PATH_INFO"], {"title": "Cells", "assignment": ""})

    course = Course.objects.get()
    assignment = Assignment.objects.get()
    assert (course.name, assignment.title, assignment.course) == ("Biology", "Cells", course)
    assert response["Location"] == f"/assignments/{assignment.pk}/"
    assert _role("i-1", course) == Role.INSTRUCTOR
    kinds = set(AuditRecord.objects.values_list("kind", flat=True))
    assert {"course.created", "lti.linked", "lti.launched"} <= kinds


def test_an_instructor_links_a_course_that_they_teach_already(
    lms: Lms, platform: LtiPlatform, cast: Cast
) -> None:
    LtiPerson.objects.create(platform=platform, subject="i-1", user=cast.instructor)
    irma = Visitor(lms, "i-1")
    page = irma.follow(irma.launch())

    foreign = irma.client.post(page.request["PATH_INFO"], {"course": str(cast.other_course.pk)})
    assert foreign.status_code == 422
    irma.client.post(page.request["PATH_INFO"], {"course": str(cast.course.pk)})

    assert LtiContext.objects.get().course == cast.course
    assert Course.objects.count() == 2


@pytest.mark.parametrize(
    ("person", "role", "page"),
    [
        ("i-1", Role.INSTRUCTOR, "/assignments/{}/"),
        ("t-1", Role.TA, "/assignments/{}/queue/"),
        ("s-1", Role.STUDENT, "/assignments/{}/"),
    ],
)
def test_everybody_comes_to_their_page(
    person: str, role: Role, page: str, lms: Lms, linked: LtiLink
) -> None:
    visitor = Visitor(lms, person)
    response = visitor.launch()

    assert response["Location"] == page.format(linked.assignment_id)
    assert _role(person, linked.context.course) == role
    assert visitor.follow(response).status_code == 200


def test_a_second_launch_finds_the_same_account(lms: Lms, linked: LtiLink) -> None:
    Visitor(lms, "s-1").launch()
    Visitor(lms, "s-1").launch()

    assert LtiPerson.objects.filter(subject="s-1").count() == 1
    user = LtiPerson.objects.get(subject="s-1").user
    assert (user.name, user.email, user.has_usable_password()) == ("Sam Student", "", False)


def test_the_role_follows_the_lms_down_and_up(lms: Lms, linked: LtiLink) -> None:
    Visitor(lms, "t-1").launch()
    lms.courses["course-1"].people["t-1"].roles = STUDENT
    Visitor(lms, "t-1").launch()
    assert _role("t-1", linked.context.course) == Role.STUDENT

    lms.courses["course-1"].people["t-1"].roles = TA
    Visitor(lms, "t-1").launch()
    assert _role("t-1", linked.context.course) == Role.TA


@pytest.mark.parametrize(
    "roles",
    [
        [],
        ["http://purl.imsglobal.org/vocab/lis/v2/membership#Mentor"],
        ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"],
        ["http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"],
    ],
)
def test_who_has_no_role_in_the_lms_course_has_none_here(
    roles: list[str], lms: Lms, linked: LtiLink
) -> None:
    lms.courses["course-1"].people["o-1"].roles = roles
    before = (User.objects.count(), Membership.objects.count())

    assert Visitor(lms, "o-1").launch().status_code == 403
    assert (User.objects.count(), Membership.objects.count()) == before


def test_a_student_of_a_course_that_nobody_linked_is_told_to_wait(lms: Lms) -> None:
    response = Visitor(lms, "s-1").launch()

    assert response.status_code == 403
    assert "set up this course" in response.content.decode()
    assert not User.objects.exists()


def test_whom_an_instructor_removed_a_launch_does_not_let_in(lms: Lms, linked: LtiLink) -> None:
    Visitor(lms, "s-1").launch()
    course = linked.context.course
    assert course is not None
    member = course.memberships.get(user__lti_people__subject="s-1")
    RemovedMember.objects.create(course=course, user=member.user)
    member.delete()

    assert Visitor(lms, "s-1").launch().status_code == 403
    assert not course.memberships.filter(user__lti_people__subject="s-1").exists()


def test_a_course_keeps_its_last_instructor(lms: Lms, platform: LtiPlatform) -> None:
    irma = Visitor(lms, "i-1")
    page = irma.follow(irma.launch())
    irma.client.post(page.request["PATH_INFO"], {"course": ""})
    lms.courses["course-1"].people["i-1"].roles = STUDENT

    assert Visitor(lms, "i-1").launch().status_code == 403
    assert _role("i-1", Course.objects.get()) == Role.INSTRUCTOR


def test_accounts_are_never_joined_by_address(lms: Lms, linked: LtiLink, cast: Cast) -> None:
    """Zoë of the cast is in the course with this address: whoever launches is not let in as her."""
    lms.courses["course-1"].people["x"] = Person("x", "Zoë", STUDENT, cast.student.email)
    visitor = Visitor(lms, "x")
    response = visitor.launch()

    assert response["Location"].startswith("/lti/connect/")
    assert "_auth_user_id" not in visitor.client.session
    assert b"Log in to connect" in visitor.follow(response).content
    assert not LtiPerson.objects.filter(subject="x").exists()


def test_an_address_of_another_course_means_nothing(lms: Lms, linked: LtiLink, cast: Cast) -> None:
    lms.courses["course-1"].people["x"] = Person("x", "Olga", STUDENT, cast.outsider.email)
    Visitor(lms, "x").launch()

    assert LtiPerson.objects.get(subject="x").user != cast.outsider


def test_the_owner_connects_an_account_once_and_the_lms_opens_it(
    lms: Lms, linked: LtiLink, cast: Cast, client_of: LogIn
) -> None:
    lms.courses["course-1"].people["x"] = Person("x", "Zoë", STUDENT, cast.student.email)
    address = Visitor(lms, "x").launch()["Location"]

    for user, person in ((cast.other_student, None), (cast.student, cast.student)):
        client_of(user).post(address)
        lti_person = LtiPerson.objects.filter(subject="x").first()
        assert (lti_person.user if lti_person else None) == person

    assert Visitor(lms, "x").launch()["Location"] == f"/assignments/{linked.assignment_id}/"


@pytest.mark.parametrize("right", ["is_staff", "is_superuser"])
def test_no_launch_opens_an_account_with_rights_over_the_site(
    right: str, lms: Lms, linked: LtiLink
) -> None:
    Visitor(lms, "s-1").launch()
    User.objects.filter(lti_people__subject="s-1").update(**{right: True})
    visitor = Visitor(lms, "s-1")

    assert visitor.launch().status_code == 403
    assert "_auth_user_id" not in visitor.client.session


def test_a_second_factor_is_asked_for(lms: Lms, linked: LtiLink) -> None:
    Visitor(lms, "s-1").launch()
    user = User.objects.get(lti_people__subject="s-1")
    Authenticator.objects.create(
        user=user, type=Authenticator.Type.TOTP, data={"secret": encrypt("secret")}
    )
    sam = Visitor(lms, "s-1")
    response = sam.launch()

    assert response["Location"] == reverse("mfa_authenticate")
    page = sam.follow(response)
    assert page.status_code == 200
    assert f"frame-ancestors 'self' {lms.url}" in page["Content-Security-Policy"]
    assert "_auth_user_id" not in sam.client.session


def test_a_deployment_waits_until_an_administrator_allows_it(
    lms: Lms, platform: LtiPlatform, linked: LtiLink
) -> None:
    lms.registration.set_deployment_id("deployment-2")
    assert Visitor(lms, "s-1").launch().status_code == 403
    assert not LtiDeployment.objects.get(deployment_id="deployment-2").is_allowed
    assert not LtiEnrolment.objects.exists()


# --- frames and cookies ---


def test_launched_pages_are_framed_by_the_lms_alone(lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")
    response = sam.launch()
    page = sam.follow(response)

    assert f"frame-ancestors 'self' {lms.url};" in f"{page['Content-Security-Policy']};"
    assert "X-Frame-Options" not in page
    for cookie in response.cookies.values():
        if cookie.value:
            assert (cookie["samesite"], cookie["secure"]) == ("None", True)
            assert "Partitioned" in cookie.OutputString()


def test_what_was_done_is_said_in_the_frame_too(lms: Lms, linked: LtiLink) -> None:
    """Of a cookie that the browser does not send from a frame, nobody reads the message."""
    irma = Visitor(lms, "i-1")
    irma.launch()

    response = irma.client.post(f"/lti/courses/{linked.context_id}/unlink/")

    cookie = response.cookies["messages"]
    assert (cookie["samesite"], cookie["secure"], cookie["partitioned"]) == ("None", True, True)
    shown = irma.client.get(response["Location"])
    assert "is no longer linked" in shown.content.decode()
    assert shown.cookies["messages"].value == ""
    assert shown.cookies["messages"]["partitioned"]


def test_in_a_tab_nothing_is_framed_and_cookies_are_as_ever(lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")
    sent = lms.authorize(sam.begin())
    response = sam.client.post("/lti/launch/", sent, headers={"sec-fetch-dest": "document"})
    page = sam.follow(response)

    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "DENY"
    assert response.cookies["sessionid"]["samesite"] == "Lax"


def test_pages_of_others_are_framed_by_nobody(
    cast: Cast, linked: LtiLink, client_of: LogIn
) -> None:
    page = client_of(cast.student).get("/")

    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]


def test_once_a_platform_is_stopped_its_frames_are_empty(
    lms: Lms, platform: LtiPlatform, linked: LtiLink
) -> None:
    sam = Visitor(lms, "s-1")
    response = sam.launch()
    LtiPlatform.objects.update(is_active=False)

    assert "frame-ancestors 'none'" in sam.follow(response)["Content-Security-Policy"]
    again = sam.client.get(lms.initiation("course-1", "s-1", "link-0").removeprefix(TOOL))
    assert again.status_code == 403


def test_a_blocked_page_is_shown_in_the_frame(lms: Lms, linked: LtiLink) -> None:
    """Without the cookie: a way to a new tab, which begins once more."""
    sam = Visitor(lms, "s-1")
    sent = lms.authorize(sam.begin())
    sam.client.cookies.clear()
    response = sam.bring(sent)

    assert response.status_code == 403
    assert f"frame-ancestors 'self' {lms.url}" in response["Content-Security-Policy"]
    assert "/lti/login/?iss=" in response.content.decode()
