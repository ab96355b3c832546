"""HTML of texts in which white space counts: in a template every line break would show."""

from django.forms.utils import flatatt
from django.utils.html import format_html
from django.utils.safestring import SafeString


def element(tag: str, content: str, **attributes: str | int | None) -> SafeString:
    """An element with escaped content and attributes; those that are None or empty are left out.

    ``class_`` is the attribute *class*, ``data_start`` is *data-start*.
    """
    named = {
        name.rstrip("_").replace("_", "-"): value
        for name, value in attributes.items()
        if value is not None and value != ""
    }
    return format_html("<{0}{1}>{2}</{0}>", tag, flatatt(named), content)


def hidden(words: str) -> SafeString:
    """Words for screen readers only."""
    return element("span", words, class_="visually-hidden")
