"""What an LMS leads to: its courses and links, for those whom the LMS calls instructors; and the
registrations, for administrators."""

from django.core.exceptions import PermissionDenied
from django.http import Http404

from grading.access.courses import get_instructor_membership_for
from grading.access.operators import get_operator
from grading.models import (
    LtiContext,
    LtiDeployment,
    LtiEnrolment,
    LtiLink,
    LtiPlatform,
    Membership,
    Role,
    User,
)


def get_lti_context_for(user: User, context_pk: int) -> LtiContext:
    """A course of an LMS in which the user is an instructor now, linked here or not."""
    enrolments = LtiEnrolment.objects.select_related(
        "context__course", "context__deployment__platform"
    ).filter(
        context=context_pk,
        person__user=user.pk,
        left_at=None,
        context__deployment__is_allowed=True,
        context__deployment__platform__is_active=True,
    )
    roles = {enrolment.role: enrolment.context for enrolment in enrolments}
    if not roles:
        raise Http404("No such course of an LMS.")
    if Role.INSTRUCTOR not in roles:
        raise PermissionDenied("Only instructors of the course in the LMS can do this.")
    return roles[Role.INSTRUCTOR]


def get_lti_link_for(user: User, link_pk: int) -> tuple[LtiLink, Membership]:
    """A link in a course of an LMS that leads to a course which the user teaches here."""
    links = LtiLink.objects.select_related("context__deployment__platform", "assignment")
    link = links.filter(pk=link_pk).exclude(context__course=None).first()
    if link is None or link.context.course_id is None:
        raise Http404("No such link.")
    return link, get_instructor_membership_for(user, link.context.course_id)


def get_course_lti_context_for(user: User, context_pk: int) -> tuple[LtiContext, Membership]:
    """The same of a whole course of an LMS."""
    contexts = LtiContext.objects.select_related("deployment__platform", "course")
    context = contexts.filter(pk=context_pk).exclude(course=None).first()
    if context is None or context.course_id is None:
        raise Http404("No such course of an LMS.")
    return context, get_instructor_membership_for(user, context.course_id)


def get_lti_platform_for(user: User, platform_pk: int) -> LtiPlatform:
    """A registered LMS, for administrators of the site."""
    get_operator(user)
    platform = LtiPlatform.objects.filter(pk=platform_pk).first()
    if platform is None:
        raise Http404("No such LMS.")
    return platform


def get_lti_deployment_for(user: User, deployment_pk: int) -> LtiDeployment:
    """A place in a registered LMS, for administrators of the site."""
    get_operator(user)
    deployments = LtiDeployment.objects.select_related("platform")
    if (deployment := deployments.filter(pk=deployment_pk).first()) is None:
        raise Http404("No such deployment.")
    return deployment
