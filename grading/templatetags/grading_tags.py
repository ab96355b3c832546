"""Filters for pages."""

import re
from datetime import timedelta

from django import template
from django.utils import timezone

from grading.models import Job
from grading.pyramid.figures import with_minus

register = template.Library()
register.filter(with_minus)

_SOON = timedelta(seconds=30)
_AROUND_BLOCKS = re.compile(r" ?(</?(?:p|div|li|ul|ol|h[1-6]|section|details|summary)\b[^>]*>) ?")


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


@register.filter(is_safe=True)
def folded(html: str) -> str:
    """Leave out the white space that a browser does not show, so that indentation costs no bytes.

    For parts that come many times on a page; not for texts in which white space counts.
    """
    return _AROUND_BLOCKS.sub(r"\1", " ".join(html.split()))
