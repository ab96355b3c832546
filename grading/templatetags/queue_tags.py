"""The bar of the queue, above any page about one submission."""

from typing import Any

from django import template
from django.template.context import RequestContext

from grading.queue import page

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
