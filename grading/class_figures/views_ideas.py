"""Idea by idea: what a class tells, what it misses, and who says what."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from grading.class_figures.forms import OrderForm
from grading.class_figures.page import FOLDER, ClassPage, class_page
from grading.class_figures.page_words import (
    ADVICE,
    FLAGS,
    percent,
    percent_between,
    signed,
    telling_in_words,
)
from grading.models import Score, Submission
from grading.pyramid.class_figures.ideas import IdeaFigures, ideas_of
from grading.pyramid.figures import hundredths
from grading.pyramid.formats.gradebook import table_csv
from grading.pyramid.intervals import Interval
from grading.scoring.conversion import report_from_row, submission_to_text
from grading.scoring.results import StudentResult
from grading.web.charts_class import bars_of, strip_of
from grading.web.ideas import Idea, heaviest_of, idea_of
from grading.web.rendering import SignedInRequest, render_page

STUDENTS_A_PAGE = 50
_FIRST = 10  # ideas to teach again that are drawn, and whose experts are quoted at once


@dataclass(frozen=True, slots=True)
class Row:
    """An idea with its number in the order of the pyramid, as tables and pictures call it."""

    number: int
    figures: IdeaFigures
    idea: Idea

    @property
    def share(self) -> str:
        return percent(self.figures.share)

    @property
    def missed_share(self) -> str:
        return percent(self.figures.missed_share)

    @property
    def missed_between(self) -> str:
        told = self.figures.interval
        return percent_between(Interval(1 - told.high, 1 - told.low))

    @property
    def between(self) -> str:
        return percent_between(self.figures.interval)

    @property
    def expected(self) -> str:
        return percent(self.figures.expected)

    @property
    def telling(self) -> str:
        return telling_in_words(self.figures)

    @property
    def correlation(self) -> str:
        """“0.13 (0.02 to 0.33)”; nothing where there is none."""
        figures, around = self.figures, self.figures.correlation_interval
        if figures.correlation is None:
            return ""
        between = f" ({signed(around.low)} to {signed(around.high)})" if around else ""
        return f"{signed(figures.correlation)}{between}"

    @property
    def flags(self) -> list[tuple[str, str]]:
        """Each with what can be done about it."""
        return [(FLAGS[flag], ADVICE[flag]) for flag in self.figures.flags]


@require_safe
def class_ideas(request: SignedInRequest, pk: int) -> HttpResponse:
    page, order = class_page(request, pk, "class_ideas"), OrderForm(request.GET)
    ideas = page.ideas()
    rows = _rows(page, ideas.ideas)
    context = page.context(
        figures=ideas,
        level=percent(ideas.level),
        rows=sorted(rows, key=_ORDERS[order.chosen]),
        flagged=[row for row in rows if row.flags],
        sort=order.chosen,
        picture=strip_of([(row.number, row.figures) for row in rows]),
    )
    return render_page(request, f"{FOLDER}/ideas.html", context)


@require_safe
def class_ideas_file(request: SignedInRequest, pk: int) -> HttpResponse:
    page = class_page(request, pk, "class_ideas")
    section = slugify(page.form.chosen or "")
    name = "-".join(filter(None, ["ideas", slugify(page.assignment.title), str(pk), section]))
    rows = map(_cells, _rows(page, page.ideas().ideas))
    response = HttpResponse(table_csv(_COLUMNS, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


@require_safe
def class_missed(request: SignedInRequest, pk: int) -> HttpResponse:
    page = class_page(request, pk, "class_missed")
    rows = _rows(page, page.ideas().to_teach)
    most = max((row.figures.lost for row in rows), default=0) or 1
    drawn = (
        (f"{row.number}. {row.figures.label}", _points(row), row.figures.lost / most, None)
        for row in rows[:_FIRST]
    )
    context = page.context(first=rows[:_FIRST], others=rows[_FIRST:], picture=bars_of(drawn))
    return render_page(request, f"{FOLDER}/missed.html", context)


@dataclass(frozen=True, slots=True)
class Saying:
    """A student's words for an idea."""

    result: StudentResult
    words: list[str]


@require_safe
def class_idea(request: SignedInRequest, pk: int, uid: int) -> HttpResponse:
    """Who tells an idea, in which words, and who does not."""
    page = class_page(request, pk, "class_ideas")
    texts = page.texts_with_ideas()
    ideas = ideas_of(page.pyramid(), texts).ideas
    row = next((one for one in _rows(page, ideas) if one.idea.uid == uid), None)
    if row is None:
        raise Http404("This idea is not in the newest version.")
    told = {text.key: text.told for text in texts}
    telling = [one for key, one in page.results.items() if uid in told[key]]
    shown = Paginator(telling, STUDENTS_A_PAGE).get_page(request.GET.get("page"))
    context = page.context(
        row=row,
        page=shown,
        sayings=_sayings(shown, uid),
        missing=[one for key, one in page.results.items() if uid not in told[key]],
    )
    return render_page(request, f"{FOLDER}/idea.html", context)


def _rows(page: ClassPage, ideas: Sequence[IdeaFigures]) -> list[Row]:
    """In the order of ``ideas``."""
    pyramid = page.pyramid()
    heaviest = heaviest_of(pyramid)
    scus = {scu.uid: (number, scu) for number, scu in enumerate(pyramid.scus, start=1)}
    return [
        Row(number, figures, idea_of(pyramid, scu, heaviest))
        for figures in ideas
        for number, scu in [scus[figures.uid]]
    ]


def _by_weight(row: Row) -> tuple[float, float, int]:
    return -row.figures.weight, 0, row.number


def _by_share(row: Row) -> tuple[float, float, int]:
    return row.figures.share, -row.figures.weight, row.number


def _by_telling(row: Row) -> tuple[float, float, int]:
    """The worst first; of which nothing is known last."""
    known = row.figures.correlation
    return (2 if known is None else known), -row.figures.weight, row.number


_ORDERS = {
    OrderForm.WEIGHT: _by_weight,
    OrderForm.SHARE: _by_share,
    OrderForm.TELLING: _by_telling,
}


def _points(row: Row) -> str:
    return f"{hundredths(row.figures.lost)} points"


def _sayings(shown: "Page[StudentResult]", uid: int) -> list[Saying]:
    """The words of one page of students, in two queries."""
    scores = Score.objects.in_bulk([one.score.pk for one in shown if one.score])
    keys = [one.submission.pk for one in shown if one.submission]
    written = Submission.objects.select_related("student").in_bulk(keys)
    sayings = []
    for one in shown:
        if one.score is not None and one.submission is not None:
            text = submission_to_text(written[one.submission.pk])
            matches = report_from_row(scores[one.score.pk]).evidence.credited
            words = [text.quoted(match.spans) for match in matches if match.scu == uid]
            sayings.append(Saying(one, words))
    return sayings


# --- the file ---

_COLUMNS = (
    "number", "uid", "idea", "weight", "texts", "told_by", "share", "share_low", "share_high",
    "expected_share", "than_expected", "correlation", "correlation_low", "correlation_high",
    "tells_strong_from_weak", "points_lost", "remarks",
)  # fmt: skip


def _cells(row: Row) -> list[str | int | float | None]:
    one = row.figures
    around = one.correlation_interval
    return [
        row.number, one.uid, one.label, one.weight, one.texts, one.told, one.share,
        one.interval.low, one.interval.high, one.expected, str(one.than), one.correlation,
        around.low if around else None, around.high if around else None, row.telling,
        one.lost, "; ".join(flag for flag, _ in row.flags),
    ]  # fmt: skip
