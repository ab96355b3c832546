"""Courses and their members."""

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from grading.access.visits import enter_course, get_visit, only_read
from grading.models import (
    Membership,
    RemovedMember,
    SavedComment,
    User,
)


def get_membership_even_if_archived(user: User, course_pk: int) -> Membership:
    """The user's place in a course. Only for what works with archived courses, too."""
    enter_course(course_pk)
    memberships = Membership.objects.select_related("course").filter(course__leaves_at=None)
    membership = memberships.filter(course=course_pk, user=user.pk).first()
    if membership is None:
        raise Http404("No such course.")
    membership.user = user  # pages show the name, and need not fetch it again
    return membership


def check_instructor(membership: Membership) -> None:
    """Refuse with 403 anybody who does not teach the course."""
    if not membership.is_instructor:
        raise PermissionDenied("Only instructors of this course can do this.")


def check_grader(membership: Membership) -> None:
    """Refuse with 403 anybody but instructors and TAs."""
    if not membership.is_grader:
        raise PermissionDenied("Only instructors and teaching assistants can see this page.")


def get_membership_for(user: User, course_pk: int) -> Membership:
    """The user's place in the course."""
    membership = get_membership_even_if_archived(user, course_pk)
    if membership.course.is_archived:
        only_read("course")
    return membership


def get_grader_membership_for(user: User, course_pk: int) -> Membership:
    """The same for instructors and TAs only."""
    membership = get_membership_for(user, course_pk)
    check_grader(membership)
    return membership


def get_saved_comment_for(user: User, saved_pk: int) -> tuple[SavedComment, Membership]:
    """A saved comment of a course that the user grades in."""
    saved = SavedComment.objects.filter(pk=saved_pk).first()
    if saved is None:
        raise Http404("No such comment.")
    membership = get_grader_membership_for(user, saved.course_id)
    saved.course = membership.course
    return saved, membership


def get_instructor_membership_for(user: User, course_pk: int) -> Membership:
    """The same for instructors only."""
    membership = get_membership_for(user, course_pk)
    check_instructor(membership)
    return membership


def get_member_for(user: User, course_pk: int, member_pk: int) -> Membership:
    """Somebody's place in a course that the user teaches."""
    teaching = get_instructor_membership_for(user, course_pk)
    member = (
        teaching.course.memberships.select_related("user", "course").filter(pk=member_pk).first()
    )
    if member is None:
        raise Http404("No such member.")
    return member


def get_removed_member_for(user: User, course_pk: int, removed_pk: int) -> RemovedMember:
    """Somebody who was taken out of a course that the user teaches."""
    teaching = get_instructor_membership_for(user, course_pk)
    removed = teaching.course.removed_members.select_related("user", "course").filter(pk=removed_pk)
    if (row := removed.first()) is None:
        raise Http404("No such person was removed.")
    return row


def get_course_creator(user: User) -> User:
    """The user, if the right to create courses was given to them."""
    if not user.may_create_courses or get_visit().course is not None:
        raise PermissionDenied("Your account cannot create courses. Ask the administrator.")
    return user


def get_memberships_of(user: User) -> QuerySet[Membership]:
    """All places of the user, newest course first."""
    places = user.memberships.filter(course__leaves_at=None).select_related("course")
    if (only := get_visit().course) is not None:
        places = places.filter(course=only)
    return places.order_by("-course__created_at", "-pk")
