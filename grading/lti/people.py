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
class LmsMember:
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
def person_find_or_make(
    *, platform: LtiPlatform, lms_member: LmsMember, time_zone: str = "UTC"
) -> LtiPerson:
    """The account of a subject; a new one, with no password and no address, for a new subject."""
    people = LtiPerson.objects.select_related("user").filter(
        platform=platform, subject=lms_member.subject
    )
    if (known := people.first()) is not None:
        # An account without a name gets one as soon as the LMS tells it.
        if known.user.name == UNNAMED and lms_member.plain_name:
            known.user.name = lms_member.plain_name
            known.user.save(update_fields=["name"])
        return known
    try:
        with transaction.atomic():
            user = User(
                username=generate_unique_username([lms_member.plain_name, "student"]),
                name=lms_member.plain_name or UNNAMED,
                time_zone=time_zone,
            )
            user.set_unusable_password()
            user.save()
            person = LtiPerson.objects.create(
                platform=platform, subject=lms_member.subject, user=user
            )
    except IntegrityError:  # two launches of one person in the same moment
        return people.get()
    record(AuditKind.LAUNCHED, "Made an account for somebody of an LMS.", person=user)
    return person


def enrolment_note(
    *, context: LtiContext, person: LtiPerson, lms_member: LmsMember
) -> LtiEnrolment:
    """Keep what the LMS reports of a person's place in its course."""
    values = {"role": lms_member.role, "seen_at": timezone.now(), "left_at": None}
    if lms_member.section:
        values["section"] = lms_member.section[:200]
    enrolment, _ = LtiEnrolment.objects.update_or_create(
        context=context, person=person, defaults=values
    )
    return enrolment


@transaction.atomic
def enrolment_end(*, enrolment: LtiEnrolment) -> None:
    """The LMS no longer names somebody. Students keep their place and their work, and are marked.

    Graders lose theirs: people without a role in the LMS have none here, and a place as a student
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
def membership_follow(*, course: Course, user: User, lms_member: LmsMember) -> Membership | None:
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
        member = Membership.objects.create(course=course, user=user, role=lms_member.role)
        sentence = f"Joined from the LMS ({lms_member.role.label.lower()})."
        record(AuditKind.MEMBER_JOINED, sentence, course=course, person=user)
    elif member.role != lms_member.role and not member_change_role(
        member=member, role=lms_member.role
    ):
        return None
    # The LMS's values replace ours; values that it does not send stay.
    from_lms = {
        "section": lms_member.section[:200],
        "student_number": lms_member.student_number[:100],
        "roster_email": lms_member.plain_email,
    }
    changed = {field: value for field, value in from_lms.items() if value}
    changed = {name: value for name, value in changed.items() if getattr(member, name) != value}
    for field, value in changed.items():
        setattr(member, field, value)
    if changed:
        member.save(update_fields=list(changed))
    if "section" in changed:
        sections_mark_late(course=member.course, students=[member.user_id])
    return member
