"""What news people get, and whether it is still so when the e-mail goes out. Read-only."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Exists, Min, OuterRef, QuerySet
from django.utils import timezone

from grading import access
from grading.models import (
    Assignment,
    MailChoices,
    Membership,
    Notice,
    Role,
    Score,
    SecondLook,
    Submission,
    SubmissionEvent,
    User,
)
from grading.scoring.results import newest_scores

REMINDER = timedelta(hours=24)  # before the due date
ANSWERS_WAIT = timedelta(minutes=10)  # so that several answers go in one e-mail
BETWEEN_DIGESTS = timedelta(hours=1)
DAILY_AT = time(7)  # in the time zone of the course
# A student who submits where results are shown at once reads them on the page.
READ_ON_THE_PAGE = timedelta(hours=1)
KINDS, STATES = Notice.Kind, Notice.State


def active_assignments() -> QuerySet[Assignment]:
    """Assignments about which e-mails may be sent: neither archived nor about to be deleted."""
    return Assignment.objects.filter(
        archived_at=None,
        leaves_at=None,
        course__archived_at=None,
        course__leaves_at=None,
    ).exclude(state=Assignment.State.DRAFT)


def news_of(assignment: Assignment) -> Iterator[Notice]:
    """What has no row yet, as rows that are not saved."""
    yield from _results(assignment)
    yield from _answers(assignment)
    yield from _due(assignment)
    yield from _second_looks(assignment)


def _results(assignment: Assignment) -> Iterator[Notice]:
    """Results that students see, each with a score: released, or shown by the rule."""
    notified = Notice.objects.filter(kind=KINDS.RESULT, submission=OuterRef("pk"))
    counting = assignment.submissions.latest_attempts().of_the_class()
    shown = [row for row in counting.exclude(Exists(notified)).defer("text") if row.is_shown]
    scores = newest_scores(shown) if shown else {}
    ready = [row for row in shown if row.pk in scores and not scores[row.pk].held]
    if not ready:
        return
    first = Score.objects.filter(submission__in=ready).order_by().values("submission")
    scored_at = dict(first.annotate(at=Min("created_at")).values_list("submission", "at"))
    imports = SubmissionEvent.objects.filter(kind=SubmissionEvent.Kind.IMPORTED)
    imported = set(imports.filter(submission__in=ready).values_list("submission", flat=True))
    for row in ready:
        is_by_rule = row.visibility == Submission.Visibility.RULE
        read_on_the_page = (
            assignment.release == Assignment.Release.AT_ONCE
            and is_by_rule
            and row.pk not in imported
            and scored_at[row.pk] - row.submitted_at < READ_ON_THE_PAGE
        )
        yield Notice(
            kind=KINDS.RESULT,
            assignment=assignment,
            user_id=row.student_id,
            submission=row,
            state=STATES.SKIPPED if read_on_the_page else STATES.WAITING,
        )


def _answers(assignment: Assignment) -> Iterator[Notice]:
    notified = Notice.objects.filter(kind=KINDS.ANSWER, second_look=OuterRef("pk"))
    looks = SecondLook.objects.filter(
        submission__assignment=assignment,
        state__in=[SecondLook.State.ACCEPTED, SecondLook.State.DECLINED],
        answered_at__gt=assignment.mails_since,
    ).exclude(Exists(notified))
    for look in looks.select_related("submission"):
        look.submission.assignment = assignment
        if look.submission.is_shown and look.answered_at is not None:
            yield Notice(
                kind=KINDS.ANSWER,
                assignment=assignment,
                user_id=look.submission.student_id,
                second_look=look,
                send_after=look.answered_at + ANSWERS_WAIT,
            )


def _due(assignment: Assignment) -> Iterator[Notice]:
    """Students who have submitted nothing, in the 24 hours before their own due date."""
    now = timezone.now()
    if not assignment.is_open or assignment.due_at is None:
        return
    granted = [due for terms in assignment.student_extensions.values() for due, _ in terms if due]
    if not any(now < due <= now + REMINDER for due in [assignment.due_at, *granted]):
        return
    notified = set(
        assignment.notices.filter(kind=KINDS.DUE, due_at__gt=now).values_list("user", "due_at")
    )
    submitted = assignment.submissions.filter(student=OuterRef("user"))
    students = Membership.objects.filter(course=assignment.course_id, role=Role.STUDENT)
    for student in list(students.exclude(Exists(submitted)).values_list("user", flat=True)):
        due_at = assignment.terms_of(student).due_at
        is_soon = due_at is not None and now < due_at <= now + REMINDER
        if is_soon and (student, due_at) not in notified:
            yield Notice(kind=KINDS.DUE, assignment=assignment, user_id=student, due_at=due_at)


def _second_looks(assignment: Assignment) -> Iterator[Notice]:
    """For each grader what waits for an answer, as a digest."""
    looks = SecondLook.objects.waiting().filter(
        submission__assignment=assignment, created_at__gt=assignment.mails_since
    )
    waiting = list(looks.select_related("submission"))
    if not waiting:
        return
    notified = set(
        assignment.notices.filter(kind=KINDS.SECOND_LOOK).values_list("user", "second_look")
    )
    graders = Membership.objects.filter(course=assignment.course_id).exclude(role=Role.STUDENT)
    for membership in graders.select_related("user"):
        grader = membership.user
        new = [
            look
            for look in waiting
            if (grader.pk, look.pk) not in notified and look.submission.student_id != grader.pk
        ]
        if new:
            send_after = digest_time(assignment, grader, MailChoices.objects.of(grader))
            for look in new:
                yield Notice(
                    kind=KINDS.SECOND_LOOK,
                    assignment=assignment,
                    user=grader,
                    second_look=look,
                    send_after=send_after,
                )


def digest_time(assignment: Assignment, grader: User, choices: MailChoices) -> datetime:
    """When a grader's next digest about an assignment may go out: now, or later."""
    now = timezone.now()
    sent = assignment.notices.filter(user=grader.pk, kind=KINDS.SECOND_LOOK, state=STATES.SENT)
    last = sent.order_by("sent_at").values_list("sent_at", flat=True).last()
    if choices.second_looks == MailChoices.Digest.DAILY:
        zone = ZoneInfo(assignment.course.time_zone)
        today = datetime.combine(now.astimezone(zone).date(), DAILY_AT, zone)
        is_over = last is not None and last >= today
        if now < today or not is_over:
            return max(now, today)
        tomorrow = today.date() + timedelta(days=1)
        return datetime.combine(tomorrow, DAILY_AT, zone)
    return now if last is None else max(now, last + BETWEEN_DIGESTS)


# --- when the e-mail goes out ---


def is_permitted(notice: Notice, choices: MailChoices) -> bool:
    """Do the server, the course, the assignment and the person want such an e-mail?"""
    kind, assignment = KINDS(notice.kind), notice.assignment
    switched_on = {
        KINDS.RESULT: assignment.mails_results,
        KINDS.ANSWER: assignment.mails_results,
        KINDS.DUE: assignment.mails_reminder,
        KINDS.SECOND_LOOK: True,
    }[kind]
    return (
        access.mail_is_set_up()
        and assignment.course.sends_mail
        and switched_on
        and choices.wants(kind)
        and access.can_receive_mail(notice.user)
    )


def is_still_so(notice: Notice, membership: Membership | None) -> bool:
    """Would the e-mail say something true? It may have waited while things changed."""
    if membership is None:
        return False
    kind = KINDS(notice.kind)
    if kind == KINDS.SECOND_LOOK:
        return (
            membership.is_grader and notice.second_look is not None and notice.second_look.is_open
        )
    if not membership.is_student:
        return False
    if kind == KINDS.DUE:
        assignment = notice.assignment
        own = assignment.terms_of(notice.user_id)
        submitted = assignment.submissions.filter(student=notice.user_id).exists()
        return (
            assignment.is_open and own.due_at == notice.due_at and not (own.is_overdue or submitted)
        )
    submission = notice.submission
    if submission is None and notice.second_look is not None:
        submission = notice.second_look.submission
    if submission is None:
        return False
    submission.assignment = notice.assignment
    return submission.is_shown
