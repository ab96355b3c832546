"""The roster of a course: what a file would change, and applying exactly that."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.hashers import make_password
from django.contrib.auth.tokens import default_token_generator
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from grading.models import Course, Membership, Role, RosterAccount, User
from grading.pyramid.formats.roster_csv import Roster, RosterLine
from grading.pyramid.formats.roster_diff import (
    ChangedPerson,
    Known,
    RosterDiff,
    changes_to,
    diff_roster,
    logins_for,
)

_OF_USERS = ("name", "email")


@dataclass(frozen=True, slots=True)
class RosterAnswers:
    """Answers to the difference that was shown.

    ``same`` and ``new`` are lines about which there was a question; ``leaving`` are users.
    """

    stamp: str
    same: frozenset[int] = frozenset()
    new: frozenset[int] = frozenset()
    leaving: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class RosterApplied:
    made: int
    joined: int
    changed: int
    left: int


def roster_diff(*, course: Course, roster: Roster) -> RosterDiff:
    """What the file would change now, in a number of queries that does not grow with it."""
    addresses = {line.email.lower() for line in roster.lines if line.email}
    memberships = course.memberships.select_related("user__roster_account")
    members = [_known(member.user, course, member) for member in memberships]
    inside = {member.pk for member in members}
    logins = {line.login.lower() for line in roster.lines if line.login}
    accounts = User.objects.annotate(address=Lower("email"), low=Lower("username")).filter(
        Q(address__in=addresses) | Q(roster_account__course=course, low__in=logins)
    )
    others = [
        _known(user, course)
        for user in accounts.select_related("roster_account")
        if user.pk not in inside
    ]
    return diff_roster(roster, members, others, _taken_logins(roster.lines))


def roster_apply(
    *, course: Course, roster: Roster, answers: RosterAnswers, author: User
) -> RosterApplied | None:
    """Apply what was shown; None, and nothing is done, where it would no longer be the same."""
    try:
        with transaction.atomic():
            Course.objects.select_for_update().get(pk=course.pk)  # one roster at a time
            diff = roster_diff(course=course, roster=roster)
            if diff.stamp != answers.stamp:
                return None
            return _apply(course, diff, answers, author)
    except IntegrityError:
        return None  # somebody signed up with a login or address of the file in that moment


def password_link(*, member: Membership) -> str:
    """The path of a page on which this person sets a password; whoever has it has the account."""
    uid = urlsafe_base64_encode(force_bytes(member.user_id))
    token = default_token_generator.make_token(member.user)
    return reverse("password_reset_confirm", kwargs={"uidb64": uid, "token": token})


def _known(user: User, course: Course, membership: Membership | None = None) -> Known:
    """``is_ours``: this course's roster made the account and, for members, nobody has used it."""
    account: RosterAccount | None = getattr(user, "roster_account", None)
    is_ours = account is not None and account.course_id == course.pk
    known = Known(user.pk, user.name, user.email, user.username, is_ours=is_ours)
    if membership is None:
        return known
    if account is not None and is_ours:
        account.user = user  # spares a query
        is_ours = account.is_untouched
    return replace(
        known,
        role=membership.role,
        section=membership.section,
        student_number=membership.student_number,
        lms_id=membership.lms_id,
        lms_login=membership.lms_login,
        is_ours=is_ours,
    )


def _taken_logins(lines: Iterable[RosterLine]) -> frozenset[str]:
    """Logins that new people could get, and that somebody has as login or address already."""
    wanted = {login.lower() for line in lines for login in logins_for(line)}
    users = User.objects.annotate(low=Lower("username"), address=Lower("email"))
    logins = users.filter(low__in=wanted).values_list("low", flat=True)
    addresses = users.filter(address__in=wanted).values_list("address", flat=True)
    return frozenset({*logins, *addresses})


def _apply(course: Course, diff: RosterDiff, answers: RosterAnswers, author: User) -> RosterApplied:
    new = [
        *((person.line, person.login) for person in diff.new),
        *(
            (question.line, question.login)
            for question in diff.questions
            if question.line.line in answers.new
        ),
    ]
    changed = [
        *diff.changed,
        *(
            changes_to(question.line, question.known)
            for question in diff.questions
            if question.line.line in answers.same
        ),
    ]
    users = _create_accounts(course, new, author)
    _enrol(course, [(line, user.pk) for (line, _), user in zip(new, users, strict=True)])
    _enrol(course, [(person.line, person.known.pk) for person in diff.joining])
    _change(course, changed)
    # What they have submitted stays, and comes back with them.
    leaving = {known.pk for known in diff.gone} & answers.leaving
    members = course.memberships.filter(user__in=leaving, role=Role.STUDENT)
    left = len(members)
    members.delete()
    return RosterApplied(len(new), len(diff.joining), len(changed), left)


def _create_accounts(
    course: Course, new: Sequence[tuple[RosterLine, str]], author: User
) -> list[User]:
    users = User.objects.bulk_create(
        User(
            username=login,
            name=line.name,
            email=User.objects.normalize_email(line.email),
            time_zone=course.time_zone,
            password=make_password(None),
        )
        for line, login in new
    )
    RosterAccount.objects.bulk_create(
        RosterAccount(user=user, course=course, made_by=author) for user in users
    )
    return users


def _enrol(course: Course, people: Sequence[tuple[RosterLine, int]]) -> None:
    Membership.objects.bulk_create(
        Membership(
            course=course,
            user_id=user,
            role=Role.STUDENT,
            section=line.section,
            student_number=line.student_number,
            lms_id=line.lms_id,
            lms_login=line.login,
        )
        for line, user in people
    )


def _change(course: Course, changed: Sequence[ChangedPerson]) -> None:
    values: Mapping[int, dict[str, str]] = {
        person.known.pk: {change.field: change.after for change in person.changes}
        for person in changed
    }
    memberships = list(course.memberships.filter(user__in=values).select_related("user"))
    for membership in memberships:
        for field, value in values[membership.user_id].items():
            setattr(membership.user if field in _OF_USERS else membership, field, value)
    of_members = ["section", "student_number", "lms_id", "lms_login"]
    Membership.objects.bulk_update(memberships, of_members, batch_size=100)
    users = [
        membership.user
        for membership in memberships
        if any(field in values[membership.user_id] for field in _OF_USERS)
    ]
    User.objects.bulk_update(users, _OF_USERS, batch_size=100)
