"""What a launch does: which account it opens, what it links, and which page it leads to."""

from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.urls import reverse

from grading.lti.actions import connect_token, possible_accounts
from grading.lti.messages import (
    CLAIM,
    GRADE_SERVICE,
    GROUP_SERVICE,
    NAMES_AND_ROLES,
    Launch,
    LaunchRefusedError,
    one_line,
    strings,
)
from grading.lti.outgoing import address_problem
from grading.lti.people import (
    LmsMember,
    enrolment_end,
    enrolment_note,
    membership_follow,
    person_find_or_make,
)
from grading.models import (
    Course,
    LtiContext,
    LtiDeployment,
    LtiEnrolment,
    LtiLink,
    LtiPerson,
    LtiPlatform,
    Membership,
    Role,
    User,
)

ASSIGNMENT: Final = "assignment"  # our parameter of a link, as deep linking made it
SECTIONS: Final = "sections"  # our parameter for what an LMS puts in its place
MOST_WAITING: Final = 20  # deployments of one platform that nobody has allowed


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who came, and the page that the launch leads to."""

    user: User | None  # None: whoever it is shall first say whose account an address is
    address: str
    context: LtiContext
    membership: Membership | None = None
    then: str = ""  # the page after a course was linked


def launch_enter(*, launch: Launch) -> Arrival:
    """Do what a verified launch asks for, or refuse it and change nothing but what is noted."""
    deployment = _allowed_deployment(launch.platform, launch.deployment_id)
    role = launch.role
    if role is None and not launch.is_test_user:
        # People who had a role in this course of the LMS have none now.
        present = LtiEnrolment.objects.select_related("person", "context__course").filter(
            context__deployment=deployment,
            context__context_id=str(launch.context.get("id", "")),
            person__subject=launch.subject,
            left_at=None,
        )
        for enrolment in present:
            enrolment_end(enrolment=enrolment)
    if role is None or launch.is_test_user:
        raise LaunchRefusedError(
            "Your role in this course of your LMS can't be used here. You need to be an "
            "instructor, a teaching assistant or a student of the course."
        )
    if launch.is_deep_link and role != Role.INSTRUCTOR:
        raise LaunchRefusedError("Only instructors can choose what a link in the course opens.")
    return _enter(launch, deployment, _lms_member(launch, role))


@transaction.atomic
def _enter(launch: Launch, deployment: LtiDeployment, lms_member: LmsMember) -> Arrival:
    """Find or make the account and the membership that the launch speaks of."""
    context = _context(launch, deployment)
    course = context.course
    if course is None and lms_member.role != Role.INSTRUCTOR:
        raise LaunchRefusedError(
            "Your instructor has not set up this course here yet. Try again later."
        )
    if course is not None and course.leaves_at is not None:
        raise LaunchRefusedError("This course was deleted here. Ask your instructor.")
    if course is not None and _may_have_an_account(launch.platform, course, lms_member):
        token = connect_token(launch.platform, lms_member.subject, course, lms_member.plain_email)
        return Arrival(None, reverse("lti_connect", args=[token]), context)
    zone = course.time_zone if course is not None else "UTC"
    person = person_find_or_make(platform=launch.platform, lms_member=lms_member, time_zone=zone)
    # The word of an LMS opens no account that has rights over this site.
    if not person.user.is_active:
        raise LaunchRefusedError("Your account here was closed. Ask the administrator.")
    if person.user.is_staff or person.user.is_superuser:
        raise LaunchRefusedError(
            "Your account here can only be opened with its own log-in. Log in on this site."
        )
    enrolment_note(context=context, person=person, lms_member=lms_member)
    link = None if launch.is_deep_link else _link(launch, context)
    membership = None
    if course is not None:
        membership = membership_follow(course=course, user=person.user, lms_member=lms_member)
        if membership is None:
            raise LaunchRefusedError(
                "An instructor removed you from this course, or the course would have no "
                "instructor without you. Ask an instructor of the course."
            )
    page = _page(context, link, membership)
    if membership is None:
        return Arrival(person.user, reverse("lti_course", args=[context.pk]), context, None, page)
    return Arrival(person.user, page, context, membership)


def _may_have_an_account(platform: LtiPlatform, course: Course, lms_member: LmsMember) -> bool:
    """Is this a new person, with the address of somebody of the course? The LMS's word for an
    address opens no account: its owner logs in and connects the two."""
    if LtiPerson.objects.filter(platform=platform, subject=lms_member.subject).exists():
        return False
    return bool(possible_accounts(platform, course, lms_member.plain_email))


def _allowed_deployment(platform: LtiPlatform, deployment_id: str) -> LtiDeployment:
    """One that an administrator has allowed; others are noted for them, and refused."""
    deployments = platform.deployments.select_related("platform")
    deployment = deployments.filter(deployment_id=deployment_id).first()
    if deployment is None and platform.deployments.filter(is_allowed=False).count() < MOST_WAITING:
        LtiDeployment.objects.get_or_create(platform=platform, deployment_id=deployment_id)
    if deployment is None or not deployment.is_allowed:
        raise LaunchRefusedError(
            "This part of your LMS is not allowed here yet. Ask the administrator of this site "
            f"to allow the deployment “{deployment_id}”."
        )
    return deployment


def _lms_member(launch: Launch, role: Role) -> LmsMember:
    claims = launch.claims
    names = [claims.get("given_name"), claims.get("family_name")]
    whole = claims.get("name") or " ".join(str(name) for name in names if name)
    sourced = launch.part(f"{CLAIM}lis").get("person_sourcedid")
    return LmsMember(
        subject=launch.subject,
        role=role,
        name=one_line(whole, 200),
        email=one_line(claims.get("email"), 254),
        section=section_of(launch.custom.get(SECTIONS)),
        student_number=one_line(sourced, 100),
    )


def section_of(value: object) -> str:
    """The first section that an LMS names. What it could not fill in begins with “$”."""
    section = one_line(value, 1000)
    if section.startswith("["):  # Canvas writes a list
        section = section.strip("[]").split(",")[0].strip().strip('"')
    return "" if section.startswith("$") else section[:200]


def _context(launch: Launch, deployment: LtiDeployment) -> LtiContext:
    """The course in the LMS, with the addresses that its services have now."""
    names = launch.part(NAMES_AND_ROLES)
    grades = launch.part(GRADE_SERVICE)
    groups = launch.part(GROUP_SERVICE)
    values: dict[str, Any] = {
        "title": one_line(launch.context.get("title") or launch.context.get("label"), 200),
        "memberships_url": _service(names.get("context_memberships_url")),
        "groups_url": _service(groups.get("context_groups_url")),
        "line_items_url": _service(grades.get("lineitems")),
        "scopes": strings(grades.get("scope"))[:20],
    }
    context, _ = LtiContext.objects.update_or_create(
        deployment=deployment,
        context_id=str(launch.context["id"]),
        defaults={name: value for name, value in values.items() if value},
    )
    return context


def _service(address: object) -> str:
    url = address if isinstance(address, str) and len(address) <= 1000 else ""
    return "" if address_problem(url) else url


def _link(launch: Launch, context: LtiContext) -> LtiLink:
    """The link, with the assignment that deep linking gave it: one of this very course."""
    grades = launch.part(GRADE_SERVICE)
    link, _ = LtiLink.objects.select_related("assignment").get_or_create(
        context=context, resource_link_id=str(launch.resource_link["id"])
    )
    before = (link.title, link.line_item_url, link.assignment_id)
    link.title = one_line(launch.resource_link.get("title"), 200) or link.title
    link.line_item_url = _service(grades.get("lineitem")) or link.line_item_url
    assignment_pk = str(launch.custom.get(ASSIGNMENT, ""))
    if link.assignment is not None and link.assignment.course_id != context.course_id:
        link.assignment = None
    if link.assignment is None and context.course is not None and assignment_pk.isdecimal():
        own = context.course.assignments.filter(leaves_at=None)
        link.assignment = own.filter(pk=int(assignment_pk[:18])).first()
    if before != (link.title, link.line_item_url, link.assignment_id):
        link.save()
    return link


def _page(context: LtiContext, link: LtiLink | None, membership: Membership | None) -> str:
    if link is None:
        return reverse("lti_deep_link", args=[context.pk])
    if membership is None:
        return reverse("lti_link", args=[link.pk])
    if link.assignment is None:
        assignment = None
    else:
        visible = membership.course.assignments.visible_to(membership)
        assignment = visible.filter(pk=link.assignment.pk).first()
    if assignment is not None:
        page = "queue" if membership.role == Role.TA else "assignment"
        return reverse(page, args=[assignment.pk])
    if membership.is_instructor and link.assignment is None:
        return reverse("lti_link", args=[link.pk])
    return reverse("course", args=[membership.course_id])
