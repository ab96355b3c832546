"""Filters for pages."""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.forms import Form
from django.template.defaultfilters import date, floatformat
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join

from grading.models import Assignment, Job, Membership, Submission, User
from grading.models.reviews import Numbers
from grading.pyramid.agreement import Figure
from grading.pyramid.figures import with_minus
from grading.web.assignment_rules import terms_for

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


@register.filter
def running_since(job: Job) -> str:
    """“20 November, 09:31:04, 3 of 12, try 2”: how far a running job is, if that is known."""
    facts = [date(timezone.localtime(job.started_at), "j F, H:i:s")]
    if job.progress_total:
        facts.append(f"{job.progress_done} of {job.progress_total}")
    if job.tries > 1:
        facts.append(f"try {job.tries}")
    return ", ".join(facts)


@register.simple_tag
def listed(*facts: object) -> str:
    """Those that are not empty, with commas between them."""
    return ", ".join(str(fact) for fact in facts if fact)


@register.simple_tag
def column_heads(*titles: str) -> str:
    """The head of a table: ``{% column_heads "Student" "# Words" %}``.

    “# ” before a title says that the column has numbers.
    """
    numeric, other = '<th scope="col" class="numeric">{}</th>', '<th scope="col">{}</th>'
    heads = (
        format_html(numeric if title.startswith("# ") else other, title.removeprefix("# "))
        for title in titles
    )
    return format_html("<thead><tr>{}</tr></thead>", format_html_join("", "{}", zip(heads)))


@register.simple_tag
def score_cell(title: str, numbers: Numbers | None) -> str:
    """The cell of a student's quality, coverage or comprehensive score; a dash without a score."""
    value = floatformat(getattr(numbers, title.lower()), 2) if numbers else "\N{EN DASH}"
    return format_html('<td class="numeric" data-label="{}">{}</td>', title, value)


@register.filter
def names(people: Iterable[User]) -> str:
    """The names of several people, with commas; each keeps the direction of its own script."""
    return format_html_join(", ", "<bdi>{}</bdi>", ([person.name] for person in people))


@register.simple_tag
def attempt_link(submission: Submission) -> str:
    """“attempt 2”, leading to it; “, a draft” follows where it is one."""
    return format_html(
        '<a href="{}">attempt {}</a>{}',
        reverse("submission", args=[submission.pk]),
        submission.attempt,
        "" if submission.is_final else ", a draft",
    )


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


@register.filter
def error_count(form: Form) -> str:
    """“this” or “these 3 things”, as one is asked to correct them."""
    count = sum(len(errors) for errors in form.errors.values())
    return "this" if count == 1 else f"these {count} things"


@register.filter
def state_badge(assignment: Assignment, membership: Membership) -> str:
    """Whether it is open for this reader: a due date can pass without closing it."""
    kind, words = assignment.state, assignment.get_state_display()
    if assignment.is_archived or assignment.course.is_archived:
        kind, words = "closed", "Archived"
    elif assignment.is_draft:
        words = "Not open yet"
    elif assignment.is_open and terms_for(assignment, membership).is_overdue:
        if assignment.accepts_late:
            words = "Open for late work"
        else:
            kind, words = "closed", "Due date has passed"
    return format_html('<span class="badge badge-{}">{}</span>', kind, words)


@register.simple_tag(takes_context=True)
def due_date(context: dict[str, Any], assignment: Assignment) -> str:
    """When work is due on the reader's clocks; for graders also on those of the course."""
    membership = context["membership"]
    due_at = terms_for(assignment, membership).due_at
    if due_at is None:
        return "No due date"
    shape = "j F Y, H:i"
    here = date(timezone.localtime(due_at), shape)
    text = f"Due {here} ({context['request'].user.time_zone})"
    zone = assignment.course.time_zone
    there = date(timezone.localtime(due_at, ZoneInfo(zone)), shape)
    if membership.is_grader and here != there:
        text += f", which is {there} ({zone}) in the course's time zone"
    if due_at != assignment.due_at:
        text += ", with your extension"
    return text


@register.filter(is_safe=True)
def folded(html: str) -> str:
    """Leave out the white space that a browser does not show, so that indentation costs no bytes.

    For parts that come many times on a page; not for texts in which white space counts.
    """
    return _AROUND_BLOCKS.sub(r"\1", " ".join(html.split()))
