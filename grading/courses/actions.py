"""Courses and their members."""

from django.db import transaction

from grading.models import AuditKind, Course, Membership, RemovedMember, Role, User, record
from grading.models.courses import new_code


@transaction.atomic
def course_join(*, course: Course, user: User) -> Membership | None:
    """Make the user a student of the course, unless the user belongs to it in some role already.

    None for somebody whom an instructor took out: the code does not let them in again.
    """
    Course.objects.select_for_update().get(pk=course.pk)  # nobody is removed in this moment
    if course.removed_members.filter(user=user).exists():
        return None
    membership, is_new = Membership.objects.get_or_create(
        course=course, user=user, defaults={"role": Role.STUDENT}
    )
    if is_new:
        record(AuditKind.MEMBER_JOINED, "Joined with the code.", course=course, person=user)
    return membership


@transaction.atomic
def course_change_code(*, course: Course) -> Course:
    """Give the course another code; the old one lets nobody in any more."""
    course.code = new_code()
    course.save(update_fields=["code"])
    record(AuditKind.CODE_CHANGED, "Replaced the join code.", course=course)
    return course


@transaction.atomic
def member_change_role(*, member: Membership, role: Role) -> bool:
    """Give a member another role; False where the course would lose its last instructor."""
    if role != Role.INSTRUCTOR and _is_last_instructor(member):
        return False
    before, member.role = member.get_role_display(), role
    member.save(update_fields=["role"])
    record(
        AuditKind.ROLE_CHANGED,
        f"Changed the role from {before.lower()} to {role.label.lower()}.",
        course=member.course,
        person=member.user,
    )
    return True


@transaction.atomic
def member_remove(*, member: Membership) -> bool:
    """Take a member out of the course (submissions stay); False for the last instructor."""
    if _is_last_instructor(member):
        return False
    record(
        AuditKind.MEMBER_REMOVED,
        f"Removed a member ({member.get_role_display().lower()}).",
        course=member.course,
        person=member.user,
    )
    RemovedMember.objects.get_or_create(course=member.course, user=member.user)
    member.delete()
    return True


@transaction.atomic
def member_leave(*, member: Membership) -> bool:
    """End a place that the LMS no longer gives; False for the last instructor.

    Unlike a removal by an instructor, it keeps nobody from coming back.
    """
    if _is_last_instructor(member):
        return False
    record(
        AuditKind.MEMBER_REMOVED,
        f"Left the LMS ({member.get_role_display().lower()}).",
        course=member.course,
        person=member.user,
    )
    member.delete()
    return True


@transaction.atomic
def member_restore(*, removed: RemovedMember) -> Membership:
    """Take somebody back as a student, with what they have submitted."""
    membership, _ = Membership.objects.get_or_create(
        course=removed.course, user=removed.user, defaults={"role": Role.STUDENT}
    )
    sentence = "Let a removed member in again."
    record(AuditKind.MEMBER_JOINED, sentence, course=removed.course, person=removed.user)
    removed.delete()
    return membership


def _is_last_instructor(member: Membership) -> bool:
    Course.objects.select_for_update().get(pk=member.course_id)  # two may leave at the same time
    others = member.course.memberships.filter(role=Role.INSTRUCTOR).exclude(pk=member.pk)
    return member.is_instructor and not others.exists()
