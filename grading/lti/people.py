"""Who launches, and as what: accounts by platform and subject, places in courses by the LMS's role.

An e-mail address of a launch finds nobody and is nobody's verified address. It is only the address
that the course's roster has, as a file's would be.
"""

from dataclasses import dataclass

from allauth.utils import generate_unique_username
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone

from grading.courses.actions import member_change_role, member_leave
from grading.models import (
    AuditKind,
    Course,
    LtiContext,
    LtiEnrolment,
    LtiPerson,
    LtiPlatform,
    Membership,
    RemovedMember,
    Role,
    User,
    record,
)
from grading.models.users import check_name
from grading.scoring.lateness import sections_mark_late

UNNAMED = "Unnamed person"


@dataclass(frozen=True, slots=True)
class Told:
    """What an LMS says of a person: in a launch, or in its roster."""

    subject: str
    role: Role
    name: str = ""
    email: str = ""
    section: str = ""
    student_number: str = ""

    @property
    def plain_name(self) -> str:
        """A name that can be shown; empty where there is none."""
        name = " ".join(self.name.split())[:200]
        try:
            check_name(name)
        except ValidationError:
            return ""
        return name

    @property
    def plain_email(self) -> str:
        try:
            validate_email(self.email)
        except ValidationError:
            return ""
        return self.email[:254]


@transaction.atomic
def person_find_or_make(*, platform: LtiPlatform, told: Told, time_zone: str = "UTC") -> LtiPerson:
    """The account of a subject; a new one, with no password and no address, for a new subject."""
    people = LtiPerson.objects.select_related("user").filter(
        platform=platform, subject=told.subject
    )
    if (known := people.first()) is not None:
        _name(known.user, told)
        return known
    try:
        with transaction.atomic():
            user = User(
                username=generate_unique_username([told.plain_name, "student"]),
                name=told.plain_name or UNNAMED,
                time_zone=time_zone,
            )
            user.set_unusable_password()
            user.save()
            person = LtiPerson.objects.create(platform=platform, subject=told.subject, user=user)
    except IntegrityError:  # two launches of one person in the same moment
        return people.get()
    record(AuditKind.LAUNCHED, "Made an account for somebody of an LMS.", person=user)
    return person


def _name(user: User, told: Told) -> None:
    """An account without a name gets one as soon as the LMS tells it."""
    if user.name == UNNAMED and told.plain_name:
        user.name = told.plain_name
        user.save(update_fields=["name"])


def enrolment_note(*, context: LtiContext, person: LtiPerson, told: Told) -> LtiEnrolment:
    """Keep what the LMS said of a person's place in its course."""
    values = {"role": told.role, "seen_at": timezone.now(), "left_at": None}
    if told.section:
        values["section"] = told.section[:200]
    enrolment, _ = LtiEnrolment.objects.update_or_create(
        context=context, person=person, defaults=values
    )
    return enrolment


@transaction.atomic
def enrolment_end(*, enrolment: LtiEnrolment) -> None:
    """The LMS no longer names somebody. Students keep their place and their work, and are marked.

    Graders lose their place: who has no role in the LMS has none here, and a place as a student
    would be a role that nobody gave them. What they did stays, and a launch brings them back.
    """
    enrolment.left_at = timezone.now()
    enrolment.save(update_fields=["left_at"])
    course = enrolment.context.course
    elsewhere = LtiEnrolment.objects.filter(
        context__course=course, person__user=enrolment.person.user_id, left_at=None
    )
    if course is None or elsewhere.exists():
        return
    member = course.memberships.filter(user=enrolment.person.user_id).first()
    if member is not None and member.is_grader:
        member_leave(member=member)


@transaction.atomic
def membership_follow(*, course: Course, user: User, told: Told) -> Membership | None:
    """Give the account the place in our course that the LMS gives it in its own.

    None where an instructor here removed the person, or where the course would lose its last
    instructor. Nothing changes in an archived course.
    """
    Course.objects.select_for_update().get(pk=course.pk)  # nobody is removed in this moment
    if RemovedMember.objects.filter(course=course, user=user).exists():
        return None
    member = course.memberships.select_related("user", "course").filter(user=user).first()
    if course.is_archived:
        return member
    if member is None:
        member = Membership.objects.create(course=course, user=user, role=told.role)
        sentence = f"Joined from the LMS ({told.role.label.lower()})."
        record(AuditKind.MEMBER_JOINED, sentence, course=course, person=user)
    elif member.role != told.role and not member_change_role(member=member, role=told.role):
        return None
    _update(member, told)
    return member


def _update(member: Membership, told: Told) -> None:
    """What the LMS says of its own people; what it does not say stays."""
    said = {
        "section": told.section[:200],
        "student_number": told.student_number[:100],
        "roster_email": told.plain_email,
    }
    changed = {field: value for field, value in said.items() if value}
    changed = {name: value for name, value in changed.items() if getattr(member, name) != value}
    for field, value in changed.items():
        setattr(member, field, value)
    if changed:
        member.save(update_fields=list(changed))
    if "section" in changed:
        sections_mark_late(course=member.course, students=[member.user_id])
