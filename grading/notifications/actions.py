"""Find news, send it, and switch e-mails on and off.

Every five minutes a worker looks at all assignments (``mails_look``). What it finds becomes a row
for each person and thing, and a job sends what waits. A release starts the job at once.

A row is claimed before its e-mail is sent. If the mail server refuses, the row waits and is tried
again; if the worker dies in that moment, the e-mail may have gone out, and it is not sent again.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone

from grading.jobs.claims import Claim, job_start
from grading.models import Assignment, Job, MailChoices, Membership, Notice, User
from grading.notifications.mails import mail_of
from grading.notifications.queries import (
    active_assignments,
    digest_time,
    is_permitted,
    is_still_so,
    news_of,
)

logger = logging.getLogger(__name__)

# Until an e-mail is tried again; after the last it has failed.
TRIED_AGAIN_AFTER = [timedelta(minutes=minutes) for minutes in (5, 15, 60, 240)]
MAILS_A_CONNECTION = 50
NEVER = 500  # from which code on a mail server means that it will never take an e-mail
STATES = Notice.State


# --- find ---


def notices_find(*, assignment: Assignment) -> None:
    """Add a row for each piece of news.

    The first look at an assignment tells nobody anything: what is there by then is no news. That
    is so after an upgrade, and after the import of a course.
    """
    is_first = assignment.mails_since is None
    if is_first:
        assignment.mails_since = timezone.now()
    news = list(news_of(assignment))
    if not is_first:
        Notice.objects.bulk_create(news, ignore_conflicts=True)
        return
    for notice in news:
        if notice.kind == Notice.Kind.RESULT:
            notice.state = STATES.SKIPPED
    with transaction.atomic():
        Assignment.objects.filter(pk=assignment.pk).update(mails_since=assignment.mails_since)
        assignment.notices.filter(state=STATES.WAITING).update(state=STATES.SKIPPED)
        Notice.objects.bulk_create(news, ignore_conflicts=True)


def mails_look() -> int:
    """Find news in all courses, and start jobs that send it; return how many."""
    for assignment in active_assignments().select_related("course"):
        try:
            notices_find(assignment=assignment)
        except Exception:  # of one assignment: the others go on
            logger.exception("No e-mails could be found for assignment %s.", assignment.pk)
    waiting = Notice.objects.waiting().values("assignment")
    assignments = list(active_assignments().filter(pk__in=waiting))
    for assignment in assignments:
        job_start(kind=Job.Kind.SEND_MAIL, assignment=assignment, requested_by=None)
    return len(assignments)


# --- send ---


def mails_send(job: Job, claim: Claim) -> None:
    """Send what waits about an assignment, one e-mail a person and kind."""
    assignments = active_assignments().filter(pk=job.assignment.pk)
    assignment = assignments.select_related("course").first()
    if assignment is not None:
        notices_find(assignment=assignment)
        members = {row.user_id: row for row in assignment.course.memberships.select_related("user")}
        rows = assignment.notices.all().waiting()
        groups: dict[tuple[int, str], list[Notice]] = {}
        for notice in rows.select_related("user", "submission", "second_look__submission"):
            notice.assignment = assignment
            groups.setdefault((notice.user_id, notice.kind), []).append(notice)
        connection = get_connection()
        for done, notices in enumerate(groups.values()):
            claim.progress("Sending e-mails", done, len(groups))
            if done % MAILS_A_CONNECTION == 0 and not _reconnect(connection):
                break
            wanted = _wanted(notices, members.get(notices[0].user_id))
            if wanted and not _send(wanted, connection):
                break  # the mail server is away: what is left waits for the next look
        connection.close()
    claim.finish()


def _reconnect(connection: BaseEmailBackend) -> bool:
    """Servers take so many e-mails in one connection. False where none answers: all waits."""
    connection.close()
    try:
        connection.open()
    except OSError:
        logger.warning("The mail server does not answer; e-mails wait.", exc_info=True)
        return False
    return True


def _wanted(notices: Sequence[Notice], membership: Membership | None) -> list[Notice]:
    """Notices to send now. Marks the others as not to be sent, or leaves them for later."""
    first = notices[0]
    choices = MailChoices.objects.of(first.user)
    pks = [notice.pk for notice in notices]
    if not is_permitted(first, choices):
        Notice.objects.filter(pk__in=pks).update(state=STATES.SKIPPED)
        return []
    true = [notice for notice in notices if is_still_so(notice, membership)]
    # Deleted, not skipped: what is held back again may be released once more.
    Notice.objects.filter(pk__in=pks).exclude(pk__in=[notice.pk for notice in true]).delete()
    if true and first.kind == Notice.Kind.SECOND_LOOK:
        send_after = digest_time(first.assignment, first.user, choices)
        if send_after > timezone.now():
            Notice.objects.filter(pk__in=[notice.pk for notice in true]).update(
                send_after=send_after
            )
            return []
    return true


def _send(notices: Sequence[Notice], connection: BaseEmailBackend) -> bool:
    """Send one e-mail; False where the mail server seems to be away."""
    rows = Notice.objects.filter(pk__in=[notice.pk for notice in notices])
    if not rows.all().claim():
        return True  # another worker has them
    mail = mail_of(notices)
    mail.connection = connection
    try:
        mail.send()
    except SMTPRecipientsRefused as error:
        logger.warning("The mail server refused the address of user %s.", notices[0].user_id)
        if all(code >= NEVER for code, _ in error.recipients.values()):
            rows.update(state=STATES.FAILED)
        else:
            _try_later(notices)
        return True
    except OSError:  # of the network, and all others of smtplib
        logger.warning("An e-mail could not be sent.", exc_info=True)
        _try_later(notices)
        return False
    rows.update(state=STATES.SENT, sent_at=timezone.now())
    return True


def _try_later(notices: Sequence[Notice]) -> None:
    for notice in notices:
        notice.tries += 1
        notice.state = STATES.FAILED
        if notice.tries <= len(TRIED_AGAIN_AFTER):
            notice.state = STATES.WAITING
            notice.send_after = timezone.now() + TRIED_AGAIN_AFTER[notice.tries - 1]
        notice.save(update_fields=["tries", "state", "send_after"])


# --- choose ---


def mail_switch_off(*, user: User, kind: Notice.Kind) -> None:
    """Send this person no more e-mails of a kind."""
    choices, _ = MailChoices.objects.get_or_create(user=user)
    choices.switch_off(kind)
    choices.save()
