"""Webhooks: find what is to be sent, sign it, send it, and try again.

A worker looks every half minute. What it finds becomes a row, as with e-mails, so that nothing is
sent twice by us; a receiver that answers too late may still get the same delivery again.
"""

import hashlib
import hmac
import json
import logging
import time
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from grading.access.hidden_names import person_key
from grading.api.targets import TargetError, post
from grading.jobs.claims import Claim, job_start
from grading.models import (
    Assignment,
    Job,
    Score,
    SecondLook,
    Submission,
    SubmissionEvent,
    Webhook,
    WebhookDelivery,
)
from grading.scoring.results import newest_scores

logger = logging.getLogger(__name__)

LOOKS_BACK = timedelta(days=1)  # for what was saved late, or while no worker was there
TRIED_AGAIN_AFTER = [timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720)]
LEASE = timedelta(minutes=5)  # while one worker sends it, no other does
KINDS, STATES = WebhookDelivery.Kind, WebhookDelivery.State


# --- find ---


def webhooks_look() -> int:
    """Find what is to be sent, and start jobs that send it; return how many."""
    for webhook in Webhook.objects.filter(
        is_active=True, course__archived_at=None, course__leaves_at=None
    ).select_related("course"):
        WebhookDelivery.objects.bulk_create(news_for(webhook), ignore_conflicts=True)
    waiting = WebhookDelivery.objects.all().waiting().values("assignment")
    assignments = list(Assignment.objects.filter(pk__in=waiting))
    for assignment in assignments:
        job_start(kind=Job.Kind.SEND_WEBHOOKS, assignment=assignment, requested_by=None)
    return len(assignments)


def news_for(webhook: Webhook) -> Iterator[WebhookDelivery]:
    """What was not sent to the webhook yet, as rows that are not saved."""
    since = max(webhook.created_at, timezone.now() - LOOKS_BACK)
    already_sent = WebhookDelivery.objects.filter(webhook=webhook)
    if webhook.scored:
        yield from _scored(webhook, since, already_sent)
    if webhook.released:
        yield from _released(webhook, since, already_sent)
    if webhook.second_looks:
        yield from _second_looks(webhook, since, already_sent)


def _scored(
    webhook: Webhook, since: datetime, already_sent: QuerySet[WebhookDelivery]
) -> Iterator[WebhookDelivery]:
    scores = Score.objects.filter(
        created_at__gte=since,
        submission__assignment__course=webhook.course,
        submission__assignment__leaves_at=None,
    ).exclude(Exists(already_sent.filter(kind=KINDS.SCORED, score=OuterRef("pk"))))
    for pk, submission, assignment in scores.order_by("pk").values_list(
        "pk", "submission", "submission__assignment"
    ):
        yield WebhookDelivery(
            webhook=webhook,
            kind=KINDS.SCORED,
            score_id=pk,
            submission_id=submission,
            assignment_id=assignment,
        )


def _released(
    webhook: Webhook, since: datetime, already_sent: QuerySet[WebhookDelivery]
) -> Iterator[WebhookDelivery]:
    """Results that a person released, or the rule of the assignment, and that have a score."""
    now, rule = timezone.now(), Assignment.Release
    by_hand = SubmissionEvent.objects.filter(
        submission=OuterRef("pk"), kind=SubmissionEvent.Kind.RELEASED, created_at__gte=since
    )
    scored = Score.objects.filter(submission=OuterRef("pk"), created_at__gte=since)
    due = Q(assignment__due_at__range=(since, now)) | Q(
        assignment__extensions__due_at__range=(since, now)
    )
    rows = (
        Submission.objects.filter(assignment__course=webhook.course, assignment__leaves_at=None)
        .filter(Q(Exists(by_hand)) | Q(Exists(scored)) | Q(due, assignment__release=rule.AFTER_DUE))
        .exclude(Exists(already_sent.filter(kind=KINDS.RELEASED, submission=OuterRef("pk"))))
        .select_related("assignment")
        .defer("text")
    )
    submissions = {row.pk: row for row in rows.order_by("pk")}
    scores = newest_scores(submissions.values()) if submissions else {}
    for row in submissions.values():
        score = scores.get(row.pk)
        if score is not None and not score.held and row.is_shown:
            yield WebhookDelivery(
                webhook=webhook,
                kind=KINDS.RELEASED,
                submission=row,
                assignment_id=row.assignment_id,
            )


def _second_looks(
    webhook: Webhook, since: datetime, already_sent: QuerySet[WebhookDelivery]
) -> Iterator[WebhookDelivery]:
    looks = SecondLook.objects.filter(
        submission__assignment__course=webhook.course, submission__assignment__leaves_at=None
    )
    answered = [SecondLook.State.ACCEPTED, SecondLook.State.DECLINED]
    looks_by_kind = {
        KINDS.REQUESTED: looks.filter(created_at__gte=since),
        KINDS.ANSWERED: looks.filter(answered_at__gte=since, state__in=answered),
    }
    for kind, rows in looks_by_kind.items():
        new = rows.exclude(Exists(already_sent.filter(kind=kind, second_look=OuterRef("pk"))))
        for look in new.select_related("submission").defer("submission__text").order_by("pk"):
            yield WebhookDelivery(
                webhook=webhook,
                kind=kind,
                second_look=look,
                submission=look.submission,
                assignment_id=look.submission.assignment_id,
            )


# --- send ---


def webhooks_send(job: Job, claim: Claim) -> None:
    """Send what waits about an assignment. An address that does not answer waits as a whole."""
    rows = WebhookDelivery.objects.filter(assignment=job.assignment).waiting()
    deliveries = list(
        rows.select_related("webhook", "submission", "assignment")
        .defer("submission__text")
        .order_by("pk")
    )
    silent: set[int] = set()
    for done, delivery in enumerate(deliveries):
        claim.progress("Sending webhooks", done, len(deliveries))
        if delivery.webhook_id not in silent and not _send(delivery):
            silent.add(delivery.webhook_id)
    claim.finish()


def _send(delivery: WebhookDelivery) -> bool:
    """False where it has to be tried again."""
    rows = WebhookDelivery.objects.filter(pk=delivery.pk)
    waiting = rows.filter(state=STATES.WAITING, tries=delivery.tries)
    if not waiting.update(tries=F("tries") + 1, send_after=timezone.now() + LEASE):
        return True  # another worker has it
    body = json.dumps(event_of(delivery)).encode()
    try:
        status = post(delivery.webhook.url, body, headers_of(delivery, body))
    except TargetError as error:
        problem = str(error)
    else:
        problem = "" if 200 <= status < 300 else f"Answered {status}."
    if not problem:
        rows.update(state=STATES.SENT, sent_at=timezone.now(), problem="")
        return True
    logger.warning("Webhook %s: %s", delivery.webhook_id, problem)
    tried = delivery.tries  # before this time
    is_last = tried >= len(TRIED_AGAIN_AFTER)
    rows.update(
        problem=problem[:200],
        state=STATES.FAILED if is_last else STATES.WAITING,
        send_after=timezone.now() + (LEASE if is_last else TRIED_AGAIN_AFTER[tried]),
    )
    return False


def event_of(delivery: WebhookDelivery) -> dict[str, object]:
    """What happened, in numbers: names, texts and scores are for the API to say."""
    assignment = delivery.assignment
    return {
        "id": delivery.pk,
        "event": delivery.kind,
        "created_at": delivery.created_at.isoformat(timespec="seconds"),
        "course": assignment.course_id,
        "assignment": assignment.pk,
        "submission": delivery.submission_id,
        "student": person_key(assignment, delivery.submission.student_id),
        "second_look": delivery.second_look_id,
    }


def headers_of(delivery: WebhookDelivery, body: bytes) -> dict[str, str]:
    at = str(int(time.time()))
    return {
        "Content-Type": "application/json",
        "User-Agent": "PyrEval-Classroom",
        "X-PyrEval-Event": delivery.kind,
        "X-PyrEval-Delivery": str(delivery.pk),
        "X-PyrEval-Timestamp": at,
        "X-PyrEval-Signature": f"v1={signature(delivery.webhook.secret, at, body)}",
    }


def signature(secret: str, at: str, body: bytes) -> str:
    """HMAC-SHA256 over time and body, so that neither can be exchanged."""
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
