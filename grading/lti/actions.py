"""Linking courses and assignments with those of an LMS, and connecting accounts."""

from dataclasses import dataclass

from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from grading.models import (
    Assignment,
    AuditKind,
    Course,
    LtiContext,
    LtiLink,
    LtiPerson,
    LtiPlatform,
    Membership,
    User,
    record,
)

_SALT = "grading.lti.connect"
CONNECT_WITHIN = 30 * 60  # seconds


@transaction.atomic
def context_link(*, context: LtiContext, course: Course | None, instructor: User) -> Course:
    """Let a course of the LMS lead to one that its instructor teaches here, or to a new one."""
    locked = LtiContext.objects.select_for_update().get(pk=context.pk)
    if locked.course is not None:
        raise PermissionDenied("Another instructor has already linked this course.")
    if course is None:
        title = context.title or "Course of the LMS"
        course = Course(name=title[:200], time_zone=instructor.time_zone)
        course.save_with_instructor(instructor)
        sentence = "Created the course from a launch of an LMS."
        record(AuditKind.COURSE_CREATED, sentence, course=course, actor=instructor)
    locked.course = context.course = course
    locked.save(update_fields=["course"])
    sentence = f"Linked the course with course {context.pk} of an LMS."
    record(AuditKind.LINKED, sentence, course=course, actor=instructor)
    return course


@transaction.atomic
def context_unlink(*, context: LtiContext, author: User) -> None:
    """End it: launches lead nowhere, and no grade is sent, until an instructor links again."""
    course = context.course
    LtiLink.objects.filter(context=context).update(assignment=None)
    LtiContext.objects.filter(pk=context.pk).update(course=None, synced_at=None)
    record(AuditKind.LINKED, "Unlinked a course of an LMS.", course=course, actor=author)


@transaction.atomic
def assignment_make(*, course: Course, title: str, author: User) -> Assignment:
    """A draft, as a new assignment begins."""
    assignment = Assignment.objects.create(course=course, title=title, mails_since=timezone.now())
    sentence = "Created the assignment for a link of an LMS."
    record(AuditKind.LINKED, sentence, assignment=assignment, actor=author)
    return assignment


@transaction.atomic
def link_choose(
    *,
    link: LtiLink,
    assignment: Assignment,
    sends_grades: bool,
    sends_comments: bool = False,
    author: User,
) -> None:
    """Let a link of the LMS open this assignment."""
    link.assignment, link.sends_grades = assignment, sends_grades
    link.sends_comments = sends_comments
    link.grades_looked_at = None  # so that the next look sends what is chosen now
    link.save(update_fields=["assignment", "sends_grades", "sends_comments", "grades_looked_at"])
    sentence = f"Link {link.pk} of an LMS opens the assignment."
    record(AuditKind.LINKED, sentence, assignment=assignment, actor=author)


# --- an account that somebody has here already ---


@dataclass(frozen=True, slots=True)
class Unconnected:
    """Somebody who launched, and whose address is one of these members'."""

    platform: LtiPlatform
    subject: str
    course: Course
    members: tuple[Membership, ...]


def connect_token(platform: LtiPlatform, subject: str, course: Course, email: str) -> str:
    """For whoever launched just now."""
    return signing.dumps([platform.pk, subject, course.pk, email], salt=_SALT)


def connect_read(token: str) -> Unconnected | None:
    """What a launch was about; None for what is too old, or not ours."""
    try:
        platform_pk, subject, course_pk, email = signing.loads(
            token, salt=_SALT, max_age=CONNECT_WITHIN
        )
    except signing.BadSignature:
        return None
    platform = LtiPlatform.objects.filter(pk=platform_pk, is_active=True).first()
    course = Course.objects.filter(pk=course_pk, leaves_at=None).first()
    if platform is None or course is None:
        return None
    members = possible_accounts(platform, course, str(email))
    return Unconnected(platform, str(subject), course, tuple(members))


def possible_accounts(platform: LtiPlatform, course: Course, email: str) -> list[Membership]:
    """Who of the course has this address, by the roster or verified: perhaps who launched."""
    if not email:
        return []
    connected = LtiPerson.objects.filter(platform=platform).values("user")
    members = course.memberships.exclude(user__in=connected).select_related("user")
    return [row for row in members if row.known_email.casefold() == email.casefold()]


@transaction.atomic
def person_connect(*, platform: LtiPlatform, subject: str, user: User) -> LtiPerson | None:
    """Let launches of a subject open this account; None where they open another already.

    The caller knows that the account's owner, logged in, asks for it.
    """
    person, _ = LtiPerson.objects.get_or_create(
        platform=platform, subject=subject, defaults={"user": user}
    )
    if person.user_id != user.pk:
        return None
    sentence = "Connected the account with a person of an LMS."
    record(AuditKind.LAUNCHED, sentence, person=user, actor=user)
    return person
