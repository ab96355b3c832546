"""The roster of the LMS: who is known by a launch or an earlier roster follows it on its own.

Of the others, those who are surely new get an account and a place. Whoever may be somebody who has
an account here already is a question to an instructor, on the page on which a file's are answered.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from celery import current_app
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from grading.lti.people import (
    LmsMember,
    enrolment_end,
    enrolment_note,
    membership_follow,
    person_find_or_make,
)
from grading.lti.services import LmsRoster, roster_fetch
from grading.models import AuditKind, Course, LtiContext, LtiEnrolment, LtiPerson, Role, record
from grading.pyramid.errors import PyramidError
from grading.pyramid.formats.roster_csv import Roster, RosterLine, RosterProblem
from grading.roster.actions import roster_diff

logger = logging.getLogger(__name__)

SYNC_ROSTER: Final = "grading.sync_lms_roster"
LEASE: Final = timedelta(minutes=10)  # one worker at a time
BETWEEN_LAUNCHES: Final = timedelta(hours=1)  # of an instructor, until it is synchronised again
EVERY: Final = timedelta(hours=20)
LONGEST_WITHOUT: Final = timedelta(hours=36)
NIGHT: Final = range(1, 5)  # hours, in the time zone of the course


@dataclass(slots=True)
class Synced:
    """How many people were added, followed and marked as gone, and who is a question."""

    added: int = 0
    followed: int = 0
    left: int = 0
    open_people: list[LmsMember] = field(default_factory=list)


def context_sync(*, context_pk: int) -> Synced | None:
    """Let our course follow the LMS's. None where another worker is at it, or it went wrong."""
    now = timezone.now()
    free = Q(sync_began_at=None) | Q(sync_began_at__lt=now - LEASE)
    rows = LtiContext.objects.filter(pk=context_pk).exclude(course=None)
    if not rows.filter(free).update(sync_began_at=now):
        return None
    context = rows.select_related("course", "deployment__platform").get()
    try:
        synced = _follow(context, roster_fetch(context))
    except PyramidError as error:
        LtiContext.objects.filter(pk=context_pk).update(
            sync_began_at=None, sync_problem=str(error)[:500]
        )
        return None
    LtiContext.objects.filter(pk=context_pk).update(
        sync_began_at=None, synced_at=now, sync_problem=""
    )
    return synced


def contexts_due() -> list[int]:
    """Those to synchronise in this hour: nightly, and earlier where a night was missed."""
    now = timezone.now()
    contexts = LtiContext.objects.exclude(memberships_url="").filter(
        Q(synced_at=None) | Q(synced_at__lt=now - EVERY),
        course__archived_at=None,
        course__leaves_at=None,
        deployment__is_allowed=True,
        deployment__platform__is_active=True,
    )
    return [
        context.pk
        for context in contexts.exclude(course=None).select_related("course")
        if context.synced_at is None
        or context.synced_at < now - LONGEST_WITHOUT
        or _local_hour(context, now) in NIGHT
    ]


def _local_hour(context: LtiContext, now: datetime) -> int:
    zone = context.course.time_zone if context.course else "UTC"
    return now.astimezone(ZoneInfo(zone)).hour


def sync_start(context: LtiContext) -> None:
    """Let a worker do it. Without a message the next night does."""
    try:
        current_app.send_task(SYNC_ROSTER, [context.pk])
    except (OperationalError, OSError):
        logger.warning("No message broker: the roster of context %s waits.", context.pk)


def wants_sync(context: LtiContext) -> bool:
    """At the launch of an instructor: was it long ago?"""
    if not context.memberships_url or context.course_id is None:
        return False
    return context.synced_at is None or context.synced_at < timezone.now() - BETWEEN_LAUNCHES


@transaction.atomic
def _follow(context: LtiContext, roster: LmsRoster) -> Synced:
    """Bring the people of the course in line with the LMS's roster.

    Nobody is deleted: whoever left the LMS is marked. Students who may have an account here already
    are not enrolled but listed, until somebody says whether they are the same person.
    """
    course, platform = context.course, context.deployment.platform
    synced = Synced()
    if course is None or course.is_archived or not roster.people:
        return synced  # an empty answer is rather a fault than an empty course
    people = {
        person.subject: person
        for person in LtiPerson.objects.filter(
            platform=platform, subject__in=[lms_member.subject for lms_member in roster.people]
        ).select_related("user")
    }
    unknown = [lms_member for lms_member in roster.people if lms_member.subject not in people]
    new = _surely_new(course, unknown)
    for lms_member in roster.people:
        is_new = lms_member.subject in new
        if lms_member.subject in people or is_new:
            person = person_find_or_make(
                platform=platform, lms_member=lms_member, time_zone=course.time_zone
            )
            if (
                membership_follow(course=course, user=person.user, lms_member=lms_member)
                is not None
            ):
                enrolment_note(context=context, person=person, lms_member=lms_member)
                synced.added += is_new
                synced.followed += not is_new
        elif lms_member.role == Role.STUDENT:
            synced.open_people.append(lms_member)
    gone = LtiEnrolment.objects.filter(context=context, left_at=None).exclude(
        person__subject__in={lms_member.subject for lms_member in roster.people}
    )
    ended = list(gone.select_related("person", "context__course"))
    for enrolment in ended:
        enrolment_end(enrolment=enrolment)
    synced.left = len(ended)
    record(
        AuditKind.ROSTER_SYNCED,
        f"Followed the LMS's roster: {synced.added} joined, {synced.left} left the LMS.",
        course=course,
    )
    return synced


def _surely_new(course: Course, unknown: Iterable[LmsMember]) -> set[str]:
    """Students who are like nobody here: not by address, number or name. Of others in the LMS's
    course the first launch makes the account."""
    students = [
        lms_member
        for lms_member in unknown
        if lms_member.role == Role.STUDENT and lms_member.plain_name
    ]
    roster, subjects = as_file(students)
    lines = {person.line.line for person in roster_diff(course=course, roster=roster).new}
    # Whom a file could not tell from others is known by the subject here, if the name is new.
    names = {
        " ".join(name.casefold().split())
        for name in course.memberships.values_list("user__name", flat=True)
    }
    nameless = {
        student.subject
        for student in students
        if not student.plain_email
        and not student.student_number
        and student.plain_name.casefold() not in names
    }
    return {subjects[line] for line in lines} | nameless


def as_file(people: Iterable[LmsMember]) -> tuple[Roster, dict[int, str]]:
    """Students as a file would name them, and by line whom the LMS means."""
    lines, problems, subjects = [], [], {}
    for number, lms_member in enumerate(people, start=1):
        subjects[number] = lms_member.subject
        if lms_member.plain_name:
            lines.append(
                RosterLine(
                    line=number,
                    name=lms_member.plain_name,
                    email=lms_member.plain_email,
                    student_number=lms_member.student_number[:100],
                    section=lms_member.section[:200],
                )
            )
        else:
            problems.append(RosterProblem(number, "the LMS gives no name"))
    columns = (("Name", "name"), ("E-mail", "email"), ("SIS id", "student_number"))
    return Roster(tuple(lines), tuple(problems), (*columns, ("Section", "section"))), subjects


def open_people(context: LtiContext) -> tuple[Roster, set[int]]:
    """Students of the LMS who are nobody's account for sure, as a file; and the users of the
    others. PlatformError where the LMS does not answer."""
    roster = roster_fetch(context)
    known = dict(
        LtiPerson.objects.filter(platform=context.deployment.platform_id).values_list(
            "subject", "user"
        )
    )
    students = [person for person in roster.people if person.role == Role.STUDENT]
    unknown = [student for student in students if student.subject not in known]
    present = {known[student.subject] for student in students if student.subject in known}
    return as_file(unknown)[0], present
