"""The roster of a course: what a file would change, and applying exactly that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Lower

from grading.models import (
    AuditKind,
    Course,
    Membership,
    RemovedMember,
    Role,
    RosterAccount,
    User,
    record,
)
from grading.models.rosters import unclaimed_accounts
from grading.pyramid.formats.roster_csv import Roster, RosterLine
from grading.pyramid.formats.roster_diff import (
    ChangedPerson,
    Known,
    RosterDiff,
    changes_to,
    diff_roster,
    logins_for,
)
from grading.scoring.lateness import sections_mark_late


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
    memberships = course.memberships.select_related("user__roster_account").annotate(
        is_elsewhere=Exists(Membership.objects.filter(user=OuterRef("user")).exclude(course=course))
    )
    members = [_known_member(member, course) for member in memberships]
    inside = {member.pk for member in members}
    others = [known for known in _known_elsewhere(course, roster) if known.pk not in inside]
    # Logins that new people could get, and that somebody has already.
    wanted = {login.lower() for line in roster.lines for login in logins_for(line)}
    users = User.objects.annotate(low=Lower("username"))
    return diff_roster(
        roster,
        members,
        others,
        frozenset(users.filter(low__in=wanted).values_list("low", flat=True)),
    )


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


def _known_member(membership: Membership, course: Course) -> Known:
    """``is_ours``: this course's roster made the account, nobody has used it, and it leads into
    no other course."""
    user = membership.user
    account: RosterAccount | None = getattr(user, "roster_account", None)
    is_ours = False
    if account is not None and account.course_id == course.pk:
        account.user = user  # spares a query
        is_ours = account.is_untouched and not getattr(membership, "is_elsewhere", False)
    return Known(
        user.pk,
        user.name,
        user.verified_email,
        user.username,
        role=membership.role,
        section=membership.section,
        student_number=membership.student_number,
        lms_id=membership.lms_id,
        lms_login=membership.lms_login,
        roster_email=membership.roster_email,
        is_ours=is_ours,
    )


def _known_elsewhere(course: Course, roster: Roster) -> list[Known]:
    """Accounts that an address of the file leads to, and those that this course's rosters made.

    An address leads to whoever has verified it. Where nobody has, it leads to the account that
    another course's roster made for it: only its owner can open that.
    """
    addresses = {line.email.lower() for line in roster.lines if line.email}
    logins = {line.login.lower() for line in roster.lines if line.login}
    verified = User.objects.annotate(address=Lower("email")).filter(address__in=addresses)
    unclaimed = unclaimed_accounts().annotate(address=Lower("email"), low=Lower("user__username"))
    known_by_pk = {
        user.pk: Known(user.pk, user.name, user.email, user.username) for user in verified
    }
    have = {known.email.casefold() for known in known_by_pk.values()}
    for account in unclaimed.filter(
        Q(address__in=addresses - have) | Q(course=course, low__in=logins)
    ).order_by("pk"):
        user, address = account.user, account.email
        if address.casefold() in have:
            address = ""
        have.add(address.casefold())
        is_ours = account.course_id == course.pk
        known_by_pk[user.pk] = Known(user.pk, user.name, address, user.username, is_ours=is_ours)
    former = User.objects.annotate(low=Lower("username")).filter(
        roster_account__course=course, low__in=logins
    )
    for user in former.exclude(pk__in=known_by_pk):
        known_by_pk[user.pk] = Known(user.pk, user.name, user.email, user.username, is_ours=True)
    return list(known_by_pk.values())


def _apply(course: Course, diff: RosterDiff, answers: RosterAnswers, author: User) -> RosterApplied:
    """Do what the preview showed, and nothing about questions without an answer."""
    new = [
        *((person.line, person.login) for person in diff.new),
        *(
            (question.line, question.login)
            for question in diff.questions
            if question.line.line in answers.new
        ),
    ]
    same = [question for question in diff.questions if question.line.line in answers.same]
    changed = [
        *diff.changed,
        *(changes_to(question.line, question.known) for question in same if question.known.role),
    ]
    joining = [(person.line, person.known.pk) for person in diff.joining]
    joining += [(person.line, person.known.pk) for person in same if not person.known.role]
    users = _create_accounts(course, new, author)
    _enrol(course, [(line, user.pk) for (line, _), user in zip(new, users, strict=True)])
    _enrol(course, joining)
    _change(course, changed)
    known = [*(person.known for person in diff.joining), *(person.known for person in changed)]
    sections_mark_late(course=course, students=[person.pk for person in known])
    # What they have submitted stays, and comes back with them.
    leaving = {known.pk for known in diff.gone} & answers.leaving
    members = course.memberships.filter(user__in=leaving, role=Role.STUDENT)
    left = len(members)
    RemovedMember.objects.bulk_create(
        [RemovedMember(course=course, user_id=member.user_id) for member in members],
        ignore_conflicts=True,
    )
    members.delete()
    record(
        AuditKind.ROSTER_IMPORTED,
        f"Applied a roster: {len(new)} new accounts, {len(joining)} joined, "
        f"{len(changed)} changed, {left} removed.",
        course=course,
        actor=author,
    )
    return RosterApplied(len(new), len(joining), len(changed), left)


def _create_accounts(
    course: Course, new: Sequence[tuple[RosterLine, str]], author: User
) -> list[User]:
    users = User.objects.bulk_create(
        User(
            username=login,
            name=line.name,
            time_zone=course.time_zone,
            password=make_password(None),
        )
        for line, login in new
    )
    RosterAccount.objects.bulk_create(
        RosterAccount(user=user, course=course, made_by=author, email=line.email)
        for user, (line, _) in zip(users, new, strict=True)
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
            roster_email=line.email,
        )
        for line, user in people
    )
    # An instructor has them in again.
    course.removed_members.filter(user__in=[user for _, user in people]).delete()


def _change(course: Course, changed: Sequence[ChangedPerson]) -> None:
    values: Mapping[int, dict[str, str]] = {
        person.known.pk: {change.field: change.after for change in person.changes}
        for person in changed
    }
    ours = {person.known.pk for person in changed if person.known.is_ours}
    memberships = list(course.memberships.filter(user__in=values).select_related("user"))
    for membership in memberships:
        for field, value in values[membership.user_id].items():
            setattr(membership.user if field == "name" else membership, field, value)
    of_members = ["section", "student_number", "lms_id", "lms_login", "roster_email"]
    Membership.objects.bulk_update(memberships, of_members, batch_size=100)
    users = [member.user for member in memberships if "name" in values[member.user_id]]
    User.objects.bulk_update(users, ["name"], batch_size=100)
    # The mailed link of an account that nobody has used goes where the roster says.
    addresses = {
        member.user_id: member.roster_email
        for member in memberships
        if member.user_id in ours and "roster_email" in values[member.user_id]
    }
    accounts = list(RosterAccount.objects.filter(user__in=addresses))
    for account in accounts:
        account.email = addresses[account.user_id]
    RosterAccount.objects.bulk_update(accounts, ["email"], batch_size=100)
