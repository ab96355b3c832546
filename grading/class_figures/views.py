"""The class in figures: scores, ideas, who needs help, what the pyramid lacks, and sections."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.class_figures.actions import new_idea_take, new_ideas_start
from grading.class_figures.forms import MethodPairForm, OrderForm
from grading.class_figures.page import (
    ADVICE,
    FLAGS,
    FOLDER,
    ClassPage,
    class_page,
    discrimination_in_words,
    ground_in_words,
    percent,
    percent_between,
    reason_rows,
    section_query,
    signed,
)
from grading.class_figures.queries import new_ideas_job, new_ideas_of
from grading.drafts.log import Result
from grading.models import ClassFinding, Draft, Job, Score, Submission
from grading.pyramid.class_figures import (
    IdeaFigures,
    Measure,
    NeedsHelp,
    NewIdeas,
    by_section,
    differences,
    ideas_of,
    spread_of,
)
from grading.pyramid.figures import hundredths, number_of, with_minus
from grading.pyramid.formats.gradebook import table_csv
from grading.pyramid.intervals import Interval
from grading.pyramid.method_words import MAIN, score_text, title_of
from grading.pyramid.opinions import correlation, standard_differences
from grading.scoring.conversion import (
    class_texts,
    pyramid_from_draft,
    report_from_row,
    submission_to_text,
)
from grading.scoring.second_opinions import (
    chosen_methods,
    opinion_setting_of,
    opinions_job,
    opinions_of_class,
)
from grading.web.charts import bar_chart, box_chart, histogram_of, idea_chart, quality_chart
from grading.web.downloads import CSV, render_file
from grading.web.ideas import Idea, Ideas
from grading.web.rendering import SignedInRequest, render_page
from grading.web.scatter_charts import method_chart

STUDENTS_A_PAGE = 50
_FIRST_OF_PAGE = 3  # of what other pages list, on the first page
_FIRST_TO_TEACH = 10  # ideas that are drawn, and whose experts are quoted at once
_MOST_DIFFERENCES = 15
_EXAMPLES = 3  # students who are quoted for a new idea
WITHOUT = "Without a section"


@require_safe
def class_figures(request: SignedInRequest, pk: int) -> HttpResponse:
    page = class_page(request, pk, "class_figures")
    job = Job.objects.latest_to_show(page.assignment)
    ideas, texts = page.ideas(), page.texts()
    needing, _ = page.needing_help()
    spreads = [(measure, spread_of(texts, measure)) for measure in Measure]
    context = page.context(
        job=job,
        measures=[
            {
                "measure": measure,
                "name": measure.capitalize(),
                "spread": spread,
                "picture": histogram_of(spread),
            }
            for measure, spread in spreads
            if spread
        ],
        ideas=len(ideas.ideas),
        flagged=len(ideas.flagged),
        to_teach=ideas.to_teach[:_FIRST_OF_PAGE],
        needing=len(needing),
        first_needing=_with_reasons(page, needing[:_FIRST_OF_PAGE]),
    )
    return render_page(request, f"{FOLDER}/scores.html", context)


@require_safe
def class_sections(request: SignedInRequest, pk: int) -> HttpResponse:
    """Sections beside each other, whichever of them was chosen on another page."""
    chosen = class_page(request, pk, "class_sections")
    page = replace(chosen, work=chosen.whole)
    rows: list[dict[str, Any]] = []
    drawn = []
    for name in page.whole.sections:
        work = page.whole.of_section(name)
        spread = spread_of(class_texts(work.counted, {}), Measure.COMPREHENSIVE)
        rows.append(
            {
                "label": name or WITHOUT,
                "query": section_query(name),
                "students": len(work.results),
                "handed_in": len(work.results) - len(work.absent),
                "spread": spread,  # None where nothing counts yet
            }
        )
        if spread:
            figure = f"{number_of(spread.texts, 'text')}, median {hundredths(spread.median)}"
            drawn.append((name or WITHOUT, figure, spread))
    apart = []
    if len(rows) > 1:
        apart = differences(page.pyramid(), by_section(page.texts_with_ideas()))
    shown = [
        {
            "idea": difference.most,
            "most": f"{difference.most_in or WITHOUT}: {percent(difference.most.share)}",
            "least": f"{difference.least_in or WITHOUT}: {percent(difference.least.share)}",
        }
        for difference in apart[:_MOST_DIFFERENCES]
    ]
    context = page.context(rows=rows, picture=box_chart(drawn), differences=shown)
    return render_page(request, f"{FOLDER}/sections.html", context)


@require_safe
def class_help(request: SignedInRequest, pk: int) -> HttpResponse:
    """Students who may need help, with the reasons, and students who have submitted nothing."""
    page = class_page(request, pk, "class_help")
    needing, limits = page.needing_help()
    reasons = reason_rows(needing)
    most = max((count for _, count in reasons), default=0) or 1
    low = frozenset(student.text.key for student in needing)
    listed = Paginator(needing, STUDENTS_A_PAGE).get_page(request.GET.get("page"))
    context = page.context(
        limits=limits,
        needing=len(needing),
        page=listed,
        listed=_with_reasons(page, listed),
        absent=page.work.absent,
        reasons=reasons,
        scatter=quality_chart(page.texts(), limits, low),
        bars=bar_chart((words, str(count), count / most, None) for words, count in reasons),
    )
    return render_page(request, f"{FOLDER}/help.html", context)


def _with_reasons(page: ClassPage, needing: Sequence[NeedsHelp]) -> list[dict[str, Any]]:
    results = page.results
    return [
        {
            "result": results[student.text.key],
            "reasons": [ground_in_words(ground) for ground in student.grounds],
        }
        for student in needing
    ]


# --- idea by idea ---


@dataclass(frozen=True, slots=True)
class IdeaFiguresRow:
    """An idea with its figures."""

    figures: IdeaFigures
    idea: Idea

    @property
    def number(self) -> int:
        return self.idea.number

    @property
    def share(self) -> str:
        return percent(self.figures.share)

    @property
    def missed_share(self) -> str:
        return percent(self.figures.missed_share)

    @property
    def missed_between(self) -> str:
        interval = self.figures.interval
        return percent_between(Interval(1 - interval.high, 1 - interval.low))

    @property
    def between(self) -> str:
        return percent_between(self.figures.interval)

    @property
    def expected(self) -> str:
        return percent(self.figures.expected)

    @property
    def discrimination(self) -> str:
        return discrimination_in_words(self.figures)

    @property
    def correlation(self) -> str:
        """“0.13 (0.02 to 0.33)”; empty where there is none."""
        figures, around = self.figures, self.figures.correlation_interval
        if figures.correlation is None:
            return ""
        between = f" ({signed(around.low)} to {signed(around.high)})" if around else ""
        return f"{signed(figures.correlation)}{between}"

    @property
    def flags(self) -> list[tuple[str, str]]:
        """Each with what can be done about it."""
        return [(FLAGS[flag], ADVICE[flag]) for flag in self.figures.flags]

    def sort_key(self, order: str) -> tuple[float, float, int]:
        if order == OrderForm.SHARE:
            return self.figures.share, -self.figures.weight, self.number
        if order == OrderForm.DISCRIMINATION:  # the worst first, and the unknown last
            known = self.figures.correlation
            return 2 if known is None else known, -self.figures.weight, self.number
        return -self.figures.weight, 0, self.number


def _idea_rows(page: ClassPage, ideas: Sequence[IdeaFigures]) -> list[IdeaFiguresRow]:
    """In the order of ``ideas``."""
    pyramid = page.pyramid()
    shown = Ideas(pyramid)
    scus = {scu.uid: scu for scu in pyramid.scus}
    return [IdeaFiguresRow(figures, shown.of(scus[figures.uid])) for figures in ideas]


@require_safe
def class_ideas(request: SignedInRequest, pk: int) -> HttpResponse:
    page, order = class_page(request, pk, "class_ideas"), OrderForm(request.GET).chosen
    ideas = page.ideas()
    rows = _idea_rows(page, ideas.ideas)
    context = page.context(
        figures=ideas,
        level=percent(ideas.level),
        rows=sorted(rows, key=lambda row: row.sort_key(order)),
        flagged=[row for row in rows if row.flags],
        sort=order,
        picture=idea_chart([(row.number, row.figures) for row in rows]),
    )
    return render_page(request, f"{FOLDER}/ideas.html", context)


_COLUMNS = (
    "number", "uid", "idea", "weight", "texts", "told_by", "share", "share_low", "share_high",
    "expected_share", "than_expected", "correlation", "correlation_low", "correlation_high",
    "tells_strong_from_weak", "points_lost", "remarks",
)  # fmt: skip


@require_safe
def class_ideas_file(request: SignedInRequest, pk: int) -> HttpResponse:
    page = class_page(request, pk, "class_ideas")
    rows: list[list[str | int | float | None]] = []
    for row in _idea_rows(page, page.ideas().ideas):
        idea, around = row.figures, row.figures.correlation_interval
        rows.append([
            row.number, idea.uid, idea.label, idea.weight, idea.texts, idea.matched, idea.share,
            idea.interval.low, idea.interval.high, idea.expected, str(idea.than),
            idea.correlation, around.low if around else None, around.high if around else None,
            row.discrimination, idea.lost, "; ".join(flag for flag, _ in row.flags),
        ])  # fmt: skip
    section = slugify(page.form.chosen or "")
    name = "-".join(filter(None, ["ideas", slugify(page.assignment.title), str(pk), section]))
    return render_file(table_csv(_COLUMNS, rows), f"{name}.csv", CSV)


@require_safe
def class_missed(request: SignedInRequest, pk: int) -> HttpResponse:
    """What to teach again: what costs the class most points first."""
    page = class_page(request, pk, "class_missed")
    rows = _idea_rows(page, page.ideas().to_teach)
    first, others = rows[:_FIRST_TO_TEACH], rows[_FIRST_TO_TEACH:]
    most = max((row.figures.lost for row in rows), default=0) or 1
    picture = bar_chart(
        (
            f"{row.number}. {row.figures.label}",
            f"{hundredths(row.figures.lost)} points",
            row.figures.lost / most,
            None,
        )
        for row in first
    )
    context = page.context(first=first, others=others, picture=picture)
    return render_page(request, f"{FOLDER}/missed.html", context)


@require_safe
def class_idea(request: SignedInRequest, pk: int, uid: int) -> HttpResponse:
    """Students who express an idea, with their words, and students who do not."""
    page = class_page(request, pk, "class_ideas")
    texts = page.texts_with_ideas()
    rows = _idea_rows(page, ideas_of(page.pyramid(), texts).ideas)
    row = next((row for row in rows if row.idea.uid == uid), None)
    if row is None:
        raise Http404("This idea is not in the newest version.")
    expressing = {text.key for text in texts if uid in text.matched}
    results = page.results.items()
    matched = [result for key, result in results if key in expressing]
    listed = Paginator(matched, STUDENTS_A_PAGE).get_page(request.GET.get("page"))
    # The words of one page of students for an idea, in two queries.
    scores = Score.objects.in_bulk([result.score.pk for result in listed if result.score])
    keys = [result.submission.pk for result in listed if result.submission]
    submissions = Submission.objects.select_related("student").in_bulk(keys)
    quotes = []
    for result in listed:
        if result.score is not None and result.submission is not None:
            text = submission_to_text(submissions[result.submission.pk])
            matches = report_from_row(scores[result.score.pk]).evidence.credited
            words = [text.quoted(match.spans) for match in matches if match.scu_uid == uid]
            quotes.append({"result": result, "words": words})
    context = page.context(
        row=row,
        page=listed,
        quotes=quotes,
        missing=[result for key, result in results if key not in expressing],
    )
    return render_page(request, f"{FOLDER}/idea.html", context)


# --- what the pyramid lacks ---


@require_http_methods(["GET", "HEAD", "POST"])
def class_new_ideas(request: SignedInRequest, pk: int) -> HttpResponse:
    """What many students wrote and the pyramid lacks; a POST has a worker look for it."""
    if request.method == "POST":
        assignment, _ = access.get_graded_assignment_for(request.user, pk)
        new_ideas_start(assignment=assignment, requested_by=request.user)
        return redirect("class_new_ideas", pk)
    page = class_page(request, pk, "class_new_ideas")
    # The job before the finding: a worker may end between the two queries.
    job = new_ideas_job(page.assignment)
    finding = new_ideas_of(page.assignment)
    draft = None
    if page.membership.is_instructor:
        drafts = Draft.objects.filter(assignment=page.assignment, state=Draft.State.OPEN)
        draft = drafts.defer("first").first()
    shown = _new_ideas_context(page, *finding, draft) if finding else None
    context = page.context(job=job, shown=shown, draft=draft)
    return render_page(request, f"{FOLDER}/new_ideas.html", context)


@require_POST
def class_new_idea_take(request: SignedInRequest, pk: int) -> HttpResponse:
    """Add it to a draft, and go back to the list: there may be more to take."""
    draft, _ = access.get_editable_draft_for(request.user, pk)
    label = request.POST.get("label", "")
    outcome = new_idea_take(draft=draft, label=label, author=request.user)
    if outcome is None:
        messages.info(request, "The draft has this idea already.")
    elif outcome.result is Result.DONE:
        messages.success(request, f"“{label}” was added to draft {draft.number} with weight 1.")
    else:
        messages.error(request, outcome.message or "The draft has just changed. Try again.")
    address = reverse("class_new_ideas", args=[draft.assignment_id])
    return redirect(f"{address}?{request.GET.urlencode()}" if request.GET else address)


def _new_ideas_context(
    page: ClassPage, finding: ClassFinding, all_new_ideas: NewIdeas, draft: Draft | None
) -> dict[str, Any]:
    """The new ideas of the part of the class that the page is about, with students' words."""
    results = {result.submission.pk: result for result in page.work.results if result.submission}
    new_ideas = all_new_ideas.among(results)
    pyramid = pyramid_from_draft(draft) if draft else page.pyramid()
    labels = {scu.label for scu in pyramid.scus}
    quoted = {idea.label: sorted(idea.spans)[:_EXAMPLES] for idea in new_ideas.ideas}
    keys = {key for several in quoted.values() for key in several}
    submissions = Submission.objects.select_related("student").in_bulk(keys)
    texts = {key: submission_to_text(row) for key, row in submissions.items()}
    ideas, bars = [], []
    for idea in new_ideas.ideas:
        share, interval = new_ideas.share(idea), new_ideas.interval(idea)
        ideas.append(
            {
                "label": idea.label,
                "count": len(idea.spans),
                "share": percent(share),
                "between": percent_between(interval),
                "examples": [
                    {"result": results[key], "words": texts[key].quoted(idea.spans[key])}
                    for key in quoted[idea.label]
                ],
                "is_taken": idea.label in labels,
            }
        )
        bars.append((idea.label, percent(share), share, interval))
    reasons = []
    newest = page.whole.version
    if newest is not None and newest.pk != finding.version_id:
        reasons.append(f"Version {newest.number} of the pyramid has been published since.")
    submitted = {result.submission.pk for result in page.whole.results if result.submission}
    if new := len(submitted - all_new_ideas.texts):
        subject = "1 summary has" if new == 1 else f"{new} summaries have"
        reasons.append(f"{subject} been submitted since.")
    return {
        "found_at": finding.created_at,
        "version": finding.version.number,
        "texts": len(new_ideas.texts),
        "outdated": reasons,
        "ideas": ideas,
        "picture": bar_chart(bars),
    }


# --- other methods ---

_FEW_PAIRS = 50  # texts: of fewer, the interval of a correlation is too wide to rank methods


@require_safe
def class_opinions(request: SignedInRequest, pk: int) -> HttpResponse:
    """How far the methods go together, and two of them text by text."""
    page = class_page(request, pk, "class_opinions")
    setting = opinion_setting_of(page.assignment)
    methods = chosen_methods(setting)
    opinions = opinions_of_class(page.work, page.assignment, methods)
    scores = {MAIN: opinions.main, **opinions.by_method}
    rows = [
        {
            "title": title_of(method),
            "cells": [correlation(scores[method], scores[other]) for other in [*scores][:place]],
            "empty": [*scores][place:-1],
        }
        for place, method in enumerate(scores)
        if place
    ]
    context = page.context(
        job=opinions_job(page.assignment),
        titles=[title_of(method) for method in [*scores][:-1]],
        rows=rows,
        few_pairs=len(opinions.main) < _FEW_PAIRS,
    )
    if methods:
        form = MethodPairForm(request.GET, methods=[*scores])
        context |= _pair_context(request, page, form, scores, setting.least_difference)
    return render_page(request, f"{FOLDER}/opinions.html", context)


def _pair_context(
    request: SignedInRequest,
    page: ClassPage,
    form: MethodPairForm,
    scores: Mapping[str, Mapping[int, float]],
    least: float,
) -> dict[str, Any]:
    """The scatter plot of two methods and its table, the texts that differ most first."""
    x, y = form.pair
    across, up = scores[x], scores[y]
    apart = standard_differences(across, up)
    both = sorted(
        across.keys() & up.keys(), key=lambda text: (-round(abs(apart.get(text, 0)), 6), text)
    )
    results = page.results
    listed = Paginator(both, STUDENTS_A_PAGE).get_page(request.GET.get("page"))
    return {
        "pair_form": form,
        "x_title": title_of(x),
        "y_title": title_of(y),
        "correlation": correlation(across, up),
        "chart": method_chart(
            [(across[text], up[text], abs(apart.get(text, 0)) >= least) for text in both]
        )
        if both
        else None,
        "page": listed,
        "listed": [
            {
                "result": results[text],
                "x": score_text(x, across[text]),
                "y": score_text(y, up[text]),
                "apart": _signed_tenths(apart[text]) if text in apart else "",
                "is_flagged": abs(apart.get(text, 0)) >= least,
            }
            for text in listed
        ],
    }


def _signed_tenths(number: float) -> str:
    """With its sign, but for a zero."""
    shown = f"{number:+.1f}"
    return "0.0" if float(shown) == 0 else with_minus(shown)
