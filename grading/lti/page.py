"""What the pages about LMSs show."""

from dataclasses import dataclass
from typing import Any

from grading.access.hidden_names import displayed_members
from grading.lti.keys import usable_keys
from grading.lti.logins import site_address
from grading.models import Assignment, LtiContext, LtiGrade, LtiPlatform, Membership

FAILED_SHOWN = 100


def platforms_context() -> dict[str, Any]:
    """All registered LMSs, and what to type into a new one."""
    return {
        "platforms": LtiPlatform.objects.prefetch_related("deployments"),
        "keys": usable_keys(),
        "addresses": [
            ("Log-in (OpenID Connect initiation) URL", site_address("lti_login")),
            ("Launch, redirect and target link URL", site_address("lti_launch")),
            ("Second redirect URL", site_address("lti_launch_stored")),
            ("Public keyset (JWKS) URL", site_address("lti_jwks")),
            ("Canvas: JSON configuration", site_address("lti_canvas")),
        ],
    }


def platform_context(platform: LtiPlatform) -> dict[str, Any]:
    return {
        "platform": platform,
        "deployments": platform.deployments.all(),
        "people": platform.people.count(),
        "contexts": LtiContext.objects.filter(deployment__platform=platform).exclude(course=None),
    }


@dataclass(frozen=True, slots=True)
class UnsentGrade:
    name: str
    grade: LtiGrade


@dataclass(frozen=True, slots=True)
class GradeState:
    """How far an assignment's grades have come to the LMS."""

    assignment: Assignment
    sent: int
    waiting: int
    failed: int
    unsent: tuple[UnsentGrade, ...]


def course_lms_context(membership: Membership) -> dict[str, Any]:
    course = membership.course
    contexts = course.lti_contexts.select_related("deployment__platform")
    linked = course.assignments.filter(leaves_at=None, lti_links__sends_grades=True).distinct()
    return {
        "membership": membership,
        "course": course,
        "contexts": contexts.prefetch_related("links__assignment"),
        "grade_states": [_state_of(assignment) for assignment in linked],
    }


def _state_of(assignment: Assignment) -> GradeState:
    rows = list(
        LtiGrade.objects.filter(link__assignment=assignment).select_related("enrolment__person")
    )
    unsent = [row for row in rows if row.state == LtiGrade.State.FAILED or row.problem]
    # As graders may see them: pseudonyms while names are hidden.
    users = [row.enrolment.person.user_id for row in unsent[:FAILED_SHOWN]]
    members = Membership.objects.filter(course=assignment.course_id, user__in=users)
    shown = displayed_members(assignment, members.select_related("user"))
    names = {member.user_id: str(member.user) for member in shown}
    return GradeState(
        assignment,
        sent=sum(row.state == LtiGrade.State.SENT for row in rows),
        waiting=sum(row.state == LtiGrade.State.WAITING for row in rows),
        failed=sum(row.state == LtiGrade.State.FAILED for row in rows),
        unsent=tuple(
            UnsentGrade(names.get(row.enrolment.person.user_id, "Former member"), row)
            for row in unsent[:FAILED_SHOWN]
        ),
    )
