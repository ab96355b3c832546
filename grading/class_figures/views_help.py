"""Who needs help, and why; and who has handed nothing in."""

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading.class_figures.page import FOLDER, ClassPage, class_page
from grading.class_figures.page_words import ground_in_words, reason_rows
from grading.pyramid.class_figures.needing_help import NeedsHelp, limits_of, needing_help
from grading.scoring.class_work import scores_before
from grading.scoring.results import StudentResult
from grading.web.charts_class import bars_of, scatter_of
from grading.web.rendering import SignedInRequest, render_page

STUDENTS_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Needing:
    """A student with the reasons in words."""

    result: StudentResult
    reasons: list[str]


@require_safe
def class_help(request: SignedInRequest, pk: int) -> HttpResponse:
    page = class_page(request, pk, "class_help")
    needing = needing_help_in(page)
    limits = limits_of(page.texts(), min_words=page.assignment.min_words)
    reasons = reason_rows(needing)
    most = max((count for _, count in reasons), default=0) or 1
    low = frozenset(one.text.key for one in needing)
    context = page.context(
        limits=limits,
        needing=len(needing),
        page=Paginator(rows_of(page, needing), STUDENTS_A_PAGE).get_page(request.GET.get("page")),
        absent=page.work.absent,
        reasons=reasons,
        scatter=scatter_of(page.texts(), limits, low),
        bars=bars_of((words, str(count), count / most, None) for words, count in reasons),
    )
    return render_page(request, f"{FOLDER}/help.html", context)


def needing_help_in(page: ClassPage) -> list[NeedsHelp]:
    texts = page.texts()
    limits = limits_of(texts, min_words=page.assignment.min_words)
    return needing_help(texts, limits, scores_before(page.work))


def rows_of(page: ClassPage, needing: list[NeedsHelp]) -> list[Needing]:
    results = page.results
    return [
        Needing(results[one.text.key], [ground_in_words(ground) for ground in one.grounds])
        for one in needing
    ]
