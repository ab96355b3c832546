"""Courses and their members."""

from django.db import transaction

from grading.models import Course, Membership, Role, User
from grading.models.courses import new_code


def course_join(*, course: Course, user: User) -> Membership:
    """Make the user a student of the course, unless the user belongs to it in some role already."""
    membership, _ = Membership.objects.get_or_create(
        course=course, user=user, defaults={"role": Role.STUDENT}
    )
    return membership


def course_change_code(*, course: Course) -> Course:
    """Give the course another code; the old one lets nobody in any more."""
    course.code = new_code()
    course.save(update_fields=["code"])
    return course


@transaction.atomic
def member_change_role(*, member: Membership, role: Role) -> bool:
    """Give a member another role; False where the course would lose its last instructor."""
    if role != Role.INSTRUCTOR and _is_last_instructor(member):
        return False
    member.role = role
    member.save(update_fields=["role"])
    return True


@transaction.atomic
def member_remove(*, member: Membership) -> bool:
    """Take a member out of the course (submissions stay); False for the last instructor."""
    if _is_last_instructor(member):
        return False
    member.delete()
    return True


def _is_last_instructor(member: Membership) -> bool:
    Course.objects.select_for_update().get(pk=member.course_id)  # two may leave at the same time
    others = member.course.memberships.filter(role=Role.INSTRUCTOR).exclude(pk=member.pk)
    return member.is_instructor and not others.exists()
