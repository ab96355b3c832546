"""The e-mails: what they say, their links and their headers.

An e-mail has a link instead of a text, a score or a name: those are read after logging in.
"""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse

from grading.models import Notice, User
from grading.web.assignment_rules import format_time

_SALT = "grading.notifications.switch_off"


def mail_of(notices: Sequence[Notice]) -> EmailMessage:
    """One e-mail for notices of one kind to one person about one assignment."""
    first = notices[0]
    kind, assignment, user = Notice.Kind(first.kind), first.assignment, first.user
    zone = ZoneInfo(assignment.course.time_zone)
    switch_off = _link("mail_switch_off", token=switch_off_token(user, kind))
    context = {
        "assignment": assignment,
        "course": assignment.course,
        "number": len(notices),
        "due": format_time(first.due_at, zone) if first.due_at else "",
        "page": _page(notices),
        "choices": _link("mail_choices"),
        "switch_off": switch_off,
    }
    subject = render_to_string(f"grading/notifications/mail/{kind}_subject.txt", context)
    return EmailMessage(
        subject=" ".join(subject.split()),
        body=render_to_string(f"grading/notifications/mail/{kind}.txt", context).strip() + "\n",
        to=[user.email],
        headers={
            "List-Unsubscribe": f"<{switch_off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def _page(notices: Sequence[Notice]) -> str:
    """The page on which to read what the e-mail does not say."""
    first = notices[0]
    about = first.submission_id
    if first.kind == Notice.Kind.ANSWER:
        submissions = {notice.second_look.submission_id for notice in notices if notice.second_look}
        about = submissions.pop() if len(submissions) == 1 else None
    if about is not None:
        return _link("submission", pk=about)
    page = "second_looks" if first.kind == Notice.Kind.SECOND_LOOK else "assignment"
    return _link(page, pk=first.assignment_id)


def _link(name: str, **kwargs: object) -> str:
    return f"{settings.SITE_URL}{reverse(name, kwargs=kwargs)}"


# --- switching off without logging in ---


def switch_off_token(user: User, kind: Notice.Kind) -> str:
    return signing.dumps([user.pk, str(kind)], salt=_SALT)


def read_switch_off_token(token: str) -> tuple[int, Notice.Kind] | None:
    """The person and the kind of e-mail; None for what this server did not sign."""
    try:
        user, kind = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    return int(user), Notice.Kind(kind)
