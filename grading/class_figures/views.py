"""The class in figures: how its scores are spread, and how sections compare."""

from dataclasses import dataclass, replace

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading.class_figures.page import FOLDER, ClassPage, class_page, section_query
from grading.class_figures.page_words import percent
from grading.class_figures.views_help import needing_help_in, rows_of
from grading.models import Job
from grading.pyramid.class_figures.sections import Difference, by_section, differences
from grading.pyramid.class_figures.spreads import Spread, spread_of
from grading.pyramid.class_figures.texts import ClassText, Measure
from grading.pyramid.figures import hundredths, number_of
from grading.scoring.conversion import class_texts
from grading.web.charts_class import Boxes, Histogram, boxes_of, histogram_of
from grading.web.rendering import SignedInRequest, render_page

_FIRST = 3  # of what the other pages list
_MOST_DIFFERENCES = 15
WITHOUT = "Without a section"


@dataclass(frozen=True, slots=True)
class Measured:
    """One of the three scores of the class, with its picture."""

    measure: Measure
    spread: Spread
    picture: Histogram

    @property
    def name(self) -> str:
        return self.measure.capitalize()


@require_safe
def class_figures(request: SignedInRequest, pk: int) -> HttpResponse:
    page = class_page(request, pk, "class_figures")
    job = Job.objects.latest_to_show(page.assignment)
    ideas, needing = page.ideas(), needing_help_in(page)
    context = page.context(
        job=job,
        measures=_measures(page.texts()),
        ideas=len(ideas.ideas),
        flagged=len(ideas.flagged),
        to_teach=ideas.to_teach[:_FIRST],
        needing=len(needing),
        first_needing=rows_of(page, needing[:_FIRST]),
    )
    return render_page(request, f"{FOLDER}/scores.html", context)


def _measures(texts: list[ClassText]) -> list[Measured]:
    spreads = [(measure, spread_of(texts, measure)) for measure in Measure]
    return [Measured(measure, one, histogram_of(one)) for measure, one in spreads if one]


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section in the table; without a spread where nothing of it counts yet."""

    name: str
    query: str  # leads to its figures
    students: int
    handed_in: int
    spread: Spread | None


@dataclass(frozen=True, slots=True)
class ToldApart:
    """An idea that sections tell differently, in words."""

    difference: Difference

    @property
    def most(self) -> str:
        return f"{self.difference.most_in or WITHOUT}: {percent(self.difference.most.share)}"

    @property
    def least(self) -> str:
        return f"{self.difference.least_in or WITHOUT}: {percent(self.difference.least.share)}"


@require_safe
def class_sections(request: SignedInRequest, pk: int) -> HttpResponse:
    found = class_page(request, pk, "class_sections")
    page = replace(found, work=found.whole)
    rows = [_section_row(page, name) for name in page.whole.sections]
    context = page.context(rows=rows, picture=_boxes(rows), differences=[])
    if len(rows) > 1:
        apart = differences(page.pyramid(), by_section(page.texts_with_ideas()))
        context |= {"differences": [ToldApart(one) for one in apart[:_MOST_DIFFERENCES]]}
    return render_page(request, f"{FOLDER}/sections.html", context)


def _section_row(page: ClassPage, name: str) -> SectionRow:
    work = page.whole.of_section(name)
    spread = spread_of(class_texts(work.counted, {}), Measure.COMPREHENSIVE)
    handed_in = len(work.results) - len(work.absent)
    return SectionRow(name, section_query(name), len(work.results), handed_in, spread)


def _boxes(rows: list[SectionRow]) -> Boxes:
    drawn = [(row.name or WITHOUT, row.spread) for row in rows if row.spread]
    return boxes_of(
        [
            (name, f"{number_of(one.texts, 'text')}, median {hundredths(one.median)}", one)
            for name, one in drawn
        ]
    )
