"""Filters for pages."""

from datetime import timedelta

from django import template
from django.utils import timezone

from grading.models import Job
from grading.pyramid.figures import with_minus

register = template.Library()
register.filter(with_minus)

_SOON = timedelta(seconds=30)


@register.filter
def percent(value: float) -> int:
    """A score from 0 to 1 as whole percent, for the width of a bar."""
    return round(100 * value)


@register.filter
def waits_long(job: Job) -> bool:
    """Has nobody begun with it for longer than one expects?

    A sweeper puts waiting jobs into the queue again and again, so the first time counts; but not of
    a job that was begun before, which is tried once more.
    """
    since = job.enqueued_at if job.started_at else job.created_at
    return job.state == Job.State.QUEUED and timezone.now() - since > _SOON
