"""Create, use and revoke tokens; add and delete webhooks; forget what is old."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from grading.caller import get_caller
from grading.models import (
    ApiToken,
    AuditKind,
    Course,
    IdempotentAnswer,
    User,
    Webhook,
    WebhookDelivery,
    record,
)
from grading.models.api import token_digest
from grading.pyramid.errors import InputError

BEGINNING = "pyreval_"  # so that scanners for secrets know one when they see it
HINT = 12  # characters of a token that are kept to tell tokens apart
MOST_TOKENS = 20  # usable ones of one person
MOST_WEBHOOKS = 10  # of a course
NOTED_EVERY = timedelta(minutes=1)


@transaction.atomic
def token_create(
    *, user: User, course: Course, name: str, can_write: bool, days: int
) -> tuple[ApiToken, str]:
    """Returns the row and the token itself, which is kept nowhere."""
    User.objects.select_for_update().get(pk=user.pk)
    if user.api_tokens.all().usable().count() >= MOST_TOKENS:
        raise InputError(f"You have {MOST_TOKENS} tokens. Revoke one first.")
    token = BEGINNING + secrets.token_urlsafe(32)
    row = ApiToken.objects.create(
        user=user,
        course=course,
        name=name,
        digest=token_digest(token),
        hint=token[:HINT],
        can_write=can_write,
        expires_at=timezone.now() + timedelta(days=days),
    )
    scope = "read and write" if can_write else "read"
    sentence = f"Created API token {row.pk}: {scope}, for {days} days."
    record(AuditKind.TOKEN_CREATED, sentence, course=course, actor=user)
    return row, token


@transaction.atomic
def token_revoke(*, token: ApiToken) -> bool:
    """False where it was revoked before."""
    revoked = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    if revoked:
        sentence = f"Revoked API token {token.pk}."
        record(AuditKind.TOKEN_REVOKED, sentence, course=token.course, actor=token.user)
    return bool(revoked)


def token_note_use(*, token: ApiToken) -> None:
    """Note the time once a minute; in the audit log once a day and address."""
    now, address = timezone.now(), get_caller().address[:64]
    last = token.last_used_at
    is_same = last is not None and last.date() == now.date() and token.last_used_from == address
    if is_same and last is not None and now - last < NOTED_EVERY:
        return
    with transaction.atomic():
        rows = ApiToken.objects.filter(pk=token.pk, last_used_at=last)
        noted = rows.update(last_used_at=now, last_used_from=address)
        if noted and not is_same:
            sentence = f"Used API token {token.pk}."
            record(AuditKind.TOKEN_USED, sentence, course=token.course, actor=token.user)


@transaction.atomic
def webhook_add(
    *, course: Course, url: str, kinds: frozenset[str], author: User
) -> tuple[Webhook, str]:
    """Returns the row and its secret, which the pages show once."""
    Course.objects.select_for_update().get(pk=course.pk)
    if course.webhooks.count() >= MOST_WEBHOOKS:
        raise InputError(f"A course can have {MOST_WEBHOOKS} webhooks. Delete one first.")
    webhook = Webhook.objects.create(
        course=course,
        url=url,
        secret=secrets.token_urlsafe(32),
        created_by=author,
        **{kind: kind in kinds for kind in ("scored", "released", "second_looks")},
    )
    sentence = f"Added webhook {webhook.pk}."
    record(AuditKind.WEBHOOK_CHANGED, sentence, course=course, actor=author)
    return webhook, webhook.secret


@transaction.atomic
def webhook_delete(*, webhook: Webhook, author: User) -> None:
    sentence = f"Deleted webhook {webhook.pk}."
    record(AuditKind.WEBHOOK_CHANGED, sentence, course=webhook.course, actor=author)
    webhook.delete()


def old_answers_forget() -> None:
    """Delete answers after a day, and notes of deliveries after a month."""
    IdempotentAnswer.objects.all().stale().delete()
    WebhookDelivery.objects.all().old().delete()
