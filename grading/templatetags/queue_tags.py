"""What other pages show of the queue: its bar, and how much in it is not reviewed."""

from typing import Any

from django import template
from django.template.context import RequestContext
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from grading.models import Assignment
from grading.queue import page
from grading.scoring.queue_rows import Unreviewed

register = template.Library()


@register.inclusion_tag("grading/queue/_bar.html", takes_context=True)
def queue_bar(context: RequestContext, more_keys: str = "") -> dict[str, Any]:
    """``{% queue_bar %}``, first in the header: the place in the queue, claims and the review.

    Only on pages for graders, with ``submission`` in the context as grading.access gave it. The
    page links ``css/pages/queue-bar.css`` in its styles and ``js/queue-bar.js`` in its scripts; the
    keys j, k, d, l and ? belong to the bar. ``more_keys`` is a template with those of the page.
    """
    bar = page.queue_bar(
        context["request"],
        context["submission"],
        context.get("score"),
        context.get("submitted_attempts"),
    )
    return bar | {"more_keys": more_keys}


@register.simple_tag
def links_to_unreviewed(assignment: Assignment, unreviewed: Unreviewed) -> str:
    """“12 not reviewed, 3 of them flagged”, each leading to exactly these in the queue."""
    queue = reverse("queue", args=[assignment.pk])
    verb = "contradicts" if unreviewed.contradicting == 1 else "contradict"
    parts = [
        (unreviewed.flagged, "any", "flagged"),
        (unreviewed.contradicting, "contradicts", f"{verb} the experts"),
    ]
    total = format_html(
        '<strong><a href="{}?state=todo">{} not reviewed</a></strong>', queue, unreviewed.total
    )
    return total + format_html_join(
        "",
        ', <a href="{}?state=todo&amp;flag={}">{} of them {}</a>',
        ((queue, flag, count, words) for count, flag, words in parts if count),
    )
