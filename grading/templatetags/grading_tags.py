"""Filters for pages."""

from django import template

register = template.Library()


@register.filter
def percent(value: float) -> int:
    """A score from 0 to 1 as whole percent, for the width of a bar."""
    return round(100 * value)
