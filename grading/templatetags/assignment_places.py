"""The five places of an assignment, the pages of each, and where a page belongs."""

from dataclasses import dataclass
from typing import Final

from django import template
from django.template.context import RequestContext
from django.urls import reverse

register = template.Library()

# Title, name of its URL, and beginnings of the names of the pages below it.
_Page = tuple[str, str, tuple[str, ...]]

_PLACES: Final[tuple[tuple[str, tuple[_Page, ...]], ...]] = (
    (
        "Set-up",
        (
            ("Overview", "assignment", ()),
            ("References", "references", ("reference_",)),
            ("Extensions", "extensions", ("extension_",)),
            ("Settings", "assignment_edit", ("second_opinions", "opinion_")),
        ),
    ),
    ("Pyramid", (("Pyramid", "pyramid", ("draft_", "version", "pyramid_")),)),
    (
        "Submissions",
        (
            ("Queue", "queue", ("queue_", "annotation")),
            ("Second looks", "second_looks", ("second_look",)),
            ("Import", "submission_import", ("work_import", "import_")),
        ),
    ),
    (
        "Insights",
        (
            ("Scores", "class_figures", ()),
            ("Ideas", "class_ideas", ("class_idea",)),
            ("Teach again", "class_missed", ()),
            ("Who needs help", "class_help", ()),
            ("New ideas", "class_new_ideas", ()),
            ("Sections", "class_sections", ()),
            ("Second opinions", "class_opinions", ()),
            ("Calibration", "calibration", ("calibration_",)),
        ),
    ),
    (
        "Grades",
        (
            ("Gradebook", "gradebook", ("manual_grade", "score_changes")),
            ("Grade rule", "grade_rule", ()),
            ("Export", "gradebook_export", ("gradebook_",)),
            ("Release", "release", ()),
        ),
    ),
)
_INSTRUCTORS_ONLY: Final = "assignment_edit"
_NOT_WHEN_ARCHIVED: Final = "submission_import"
_NAMES_STUDENTS: Final = "gradebook_export"
_OF_A_SECTION: Final = "class_"  # these pages keep the section that the reader chose


@dataclass(frozen=True, slots=True)
class PlacePage:
    """A page of a place; ``current`` is a value of aria-current: itself, one below, or neither."""

    title: str
    address: str
    current: str


@dataclass(frozen=True, slots=True)
class Place:
    """One of the five; a place of a single page is that page."""

    title: str
    pages: tuple[PlacePage, ...]

    @property
    def address(self) -> str:
        return self.pages[0].address

    @property
    def current(self) -> str:
        if len(self.pages) == 1:
            return self.pages[0].current
        return "true" if any(page.current for page in self.pages) else ""


@register.simple_tag(takes_context=True)
def assignment_places(context: RequestContext) -> list[Place]:
    """``{% assignment_places as places %}``, on pages of graders."""
    match = context["request"].resolver_match
    here = match.url_name if match else ""
    # Pages that this reader would be refused.
    hidden = set()
    if not context["membership"].is_instructor:
        hidden.add(_INSTRUCTORS_ONLY)
    if context.get("only_read"):
        hidden.add(_NOT_WHEN_ARCHIVED)
    if context["assignment"].names_hidden:
        hidden.add(_NAMES_STUDENTS)
    return [
        Place(title, tuple(_page(context, page, here) for page in pages if page[1] not in hidden))
        for title, pages in _PLACES
    ]


def _page(context: RequestContext, page: _Page, here: str) -> PlacePage:
    title, name, below = page
    address = reverse(name, args=[context["assignment"].pk])
    if name.startswith(_OF_A_SECTION) and here.startswith(_OF_A_SECTION):
        address += str(context.get("section_query", ""))
    current = "page" if here == name else "true" if here.startswith(below) else ""
    return PlacePage(title, address, current)


@register.filter
def current_place(places: list[Place]) -> Place | None:
    """The place where the reader is, if it has several pages to choose from."""
    return next((place for place in places if place.current and len(place.pages) > 1), None)
