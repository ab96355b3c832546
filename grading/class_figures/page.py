"""What all pages of a class have: whose work is looked at, how much of it counts, where to go."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from grading import access
from grading.class_figures.forms import SectionForm
from grading.models import Assignment, Membership
from grading.pyramid.class_figures.ideas import ClassIdeas, ideas_of
from grading.pyramid.class_figures.texts import FEW, ClassText
from grading.pyramid.structures import Pyramid
from grading.scoring.class_work import ClassWork, class_work, told_ideas
from grading.scoring.conversion import class_texts, pyramid_from_row
from grading.scoring.results import StudentResult
from grading.web.rendering import SignedInRequest

FOLDER = "grading/class_figures"
_PAGES = (
    ("class_figures", "Scores"),
    ("class_ideas", "Idea by idea"),
    ("class_missed", "To teach again"),
    ("class_help", "Who needs help"),
    ("class_new_ideas", "What the pyramid lacks"),
    ("class_sections", "Sections"),
)


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the class, in the row of links below the tabs."""

    address: str
    title: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class ClassPage:
    """The class, and the part of it that was asked for."""

    name: str
    assignment: Assignment
    membership: Membership
    whole: ClassWork
    work: ClassWork
    form: SectionForm

    @property
    def query(self) -> str:
        """What keeps the section when one goes on to another page."""
        return "" if self.form.chosen is None else section_query(self.form.chosen)

    def address_of(self, name: str) -> str:
        """Of another page of the class, with the same section."""
        return reverse(name, args=[self.assignment.pk]) + self.query

    @property
    def results(self) -> dict[int, StudentResult]:
        """Those that count, by submission."""
        return {one.submission.pk: one for one in self.work.counted if one.submission}

    def texts(self) -> list[ClassText]:
        return class_texts(self.work.counted, {})

    def texts_with_ideas(self) -> list[ClassText]:
        """The same with the ideas that they tell, which are read out of their scores."""
        return class_texts(self.work.counted, told_ideas(self.work.counted))

    def pyramid(self) -> Pyramid:
        """What the class was scored by."""
        version = self.whole.version
        return pyramid_from_row(version).counted() if version else Pyramid((), ())

    def ideas(self) -> ClassIdeas:
        return ideas_of(self.pyramid(), self.texts_with_ideas())

    def context(self, **more: Any) -> dict[str, Any]:
        work = self.work
        counted = len(work.counted)
        return {
            "assignment": self.assignment,
            "membership": self.membership,
            "version": self.whole.version,
            "places": [
                Place(self.address_of(name), title, name == self.name) for name, title in _PAGES
            ],
            "section_form": self.form,
            "section": self.form.chosen,
            "section_is_gone": not self.form.is_valid(),
            "section_query": self.query,
            "sort_rest": self.query.replace("?", "&", 1),
            "has_sections": any(self.whole.sections),
            "students": len(work.results),
            "handed_in": len(work.results) - len(work.absent),
            "counted": counted,
            "outdated": len(work.outdated),
            "waiting": len(work.waiting),
            "held": len(work.held),
            "few": 0 < counted < FEW,
        } | more


def class_page(request: SignedInRequest, pk: int, name: str) -> ClassPage:
    """For graders; ``name`` is that of the URL."""
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    whole = class_work(assignment)
    form = SectionForm(request.GET, sections=whole.sections)
    work = whole if form.chosen is None else whole.of_section(form.chosen)
    return ClassPage(name, assignment, membership, whole, work, form)


def section_query(section: str) -> str:
    """What leads to the figures of a section; the empty one is of those who are in none."""
    return f"?{urlencode({'section': SectionForm.value_of(section)})}"
