"""Filters for pages."""

from datetime import timedelta

from django import template
from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.html import format_html

from grading.models import Job
from grading.pyramid.agreement.figures_of_texts import Figure
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


@register.filter
def with_interval(figure: Figure) -> str:
    """“0.81 (0.70 to 0.92)”; a dash where there is no number."""
    if figure.value is None:
        return "\N{EN DASH}"
    value, low, high = (
        with_minus(floatformat(number, 2)) for number in (figure.value, figure.low, figure.high)
    )
    if figure.low is None:
        return value
    return format_html('{} <span class="muted nowrap">({} to {})</span>', value, low, high)
