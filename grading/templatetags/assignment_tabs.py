"""The tabs of an assignment: which there are, and which one a page belongs to."""

from dataclasses import dataclass
from typing import Final

from django import template
from django.template.context import RequestContext
from django.urls import reverse

register = template.Library()

# Title, name of its URL, and beginnings of the names of pages that belong to it.
_TABS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("Overview", "assignment", ()),
    ("References", "references", ("reference_",)),
    ("Pyramid", "pyramid", ("draft_", "version", "pyramid_")),
    (
        "Submissions",
        "queue",
        ("queue_", "submission_import", "work_import", "import_", "annotation"),
    ),
    ("Class", "class_figures", ("class_",)),
    ("Gradebook", "gradebook", ("gradebook_", "grade_")),
    ("Release", "release", ()),
    ("Second looks", "second_looks", ("second_look",)),
    ("Calibration", "calibration", ("calibration_",)),
)
_SETTINGS: Final = ("Settings", "assignment_edit", ())


@dataclass(frozen=True, slots=True)
class Tab:
    """``current`` is a value of aria-current: the page itself, one below it, or neither."""

    title: str
    address: str
    current: str


@register.simple_tag(takes_context=True)
def assignment_tabs(context: RequestContext) -> list[Tab]:
    match = context["request"].resolver_match
    here = match.url_name if match else ""
    tabs = (*_TABS, _SETTINGS) if context["membership"].is_instructor else _TABS
    return [
        Tab(title, reverse(name, args=[context["assignment"].pk]), _current(here, name, below))
        for title, name, below in tabs
    ]


def _current(here: str, name: str, below: tuple[str, ...]) -> str:
    if here == name:
        return "page"
    return "true" if here.startswith(below) else ""
