"""What the pages of second opinions show."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from grading.models import Assignment, Score, SecondOpinion, Submission
from grading.pyramid.figures import points_as_shown
from grading.pyramid.formats.opinion_json import opinion_from_json
from grading.pyramid.method_words import MAIN, MAIN_TITLE, METHOD_WORDS, score_text
from grading.pyramid.opinions import rank_of, standard_differences
from grading.pyramid.registry import CONTENT_METHODS
from grading.pyramid.structures import Text
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.results import class_work
from grading.scoring.second_opinions import chosen_methods, opinion_setting_of, opinions_of_class
from grading.second_opinions.forms import OpinionSettingForm
from grading.second_opinions.opinion_text import text_html
from grading.second_opinions.queries import calculated_counts, opinions_of
from grading.web.ideas import band_of, heaviest_of


def method_rows(form: OpinionSettingForm, assignment: Assignment) -> list[dict[str, Any]]:
    """The methods to choose from, with how far each is calculated."""
    counts = calculated_counts(assignment, opinion_setting_of(assignment).methods)
    ticked = form.ticked
    return [
        {
            "name": name,
            "words": METHOD_WORDS[name],
            "is_ticked": name in ticked and name not in form.unavailable,
            "reason": form.unavailable.get(name, ""),
            "calculated": counts[name],
        }
        for name in CONTENT_METHODS
    ]


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A unit that a text has: its label, what it earns, and its words in the text."""

    label: str
    points: str
    words: str


@dataclass(frozen=True, slots=True)
class MethodView:
    """What one method says of a text. ``score`` is empty where it has not been calculated yet."""

    key: str
    title: str
    number: str  # what the score is
    score: str = ""
    rank: str = ""
    compared: str = ""  # with the main method
    disagrees: bool = False
    text: SafeString | str = ""
    found: tuple[FoundRow, ...] = ()
    notes: tuple[str, ...] = ()  # how it was calculated

    @property
    def is_main(self) -> bool:
        return self.key == MAIN


def submission_views(submission: Submission, score: Score | None) -> list[MethodView]:
    """The main method first; empty where no method gives second opinions."""
    setting = opinion_setting_of(submission.assignment)
    methods = chosen_methods(setting)
    if not methods:
        return []
    opinions = opinions_of(submission, methods)
    of_class = opinions_of_class(class_work(submission.assignment), submission.assignment, methods)
    views = [_main_view(submission, score, of_class.main)]
    for name in methods:
        in_class = of_class.by_method[name]
        apart = standard_differences(of_class.main, in_class).get(submission.pk)
        views.append(
            _opinion_view(
                name,
                submission.text,
                opinions.get(name),
                rank=_rank(submission.pk, in_class),
                compared=_compared(apart),
                disagrees=apart is not None and abs(apart) >= setting.least_difference,
            )
        )
    return views


def _rank(submission: int, scores: Mapping[int, float]) -> str:
    """“3 of 24”; empty for an attempt that does not count."""
    if submission not in scores:
        return ""
    return f"{rank_of(scores[submission], list(scores.values()))} of {len(scores)}"


def _compared(apart: float | None) -> str:
    if apart is None:
        return ""
    if abs(apart) < 0.05:
        return "the same"
    return f"{abs(apart):.1f} {'higher' if apart > 0 else 'lower'}"


def _main_view(
    submission: Submission, score: Score | None, scores: Mapping[int, float]
) -> MethodView:
    view = MethodView(MAIN, MAIN_TITLE, "comprehensive, from 0 to 1", text=submission.text)
    if score is None:
        return view
    pyramid = pyramid_from_row(score.pyramid).counted()
    report = report_from_row(score)
    heaviest = heaviest_of(pyramid)
    weights = {scu.uid: scu.weight for scu in pyramid.scus}
    marks = [
        (match.spans, band_of(weights[match.scu_uid], heaviest))
        for match in report.evidence.credited
        if match.scu_uid in weights
    ]
    scus = {scu.uid: scu for scu in pyramid.scus}
    matches = [match for match in report.evidence.credited if match.scu_uid in scus]
    text = Text("", submission.text)
    matches.sort(key=lambda match: (-scus[match.scu_uid].weight, match.spans))
    return MethodView(
        view.key,
        view.title,
        view.number,
        score="held" if score.held else score_text(MAIN, score.comprehensive),
        rank=_rank(submission.pk, scores),
        text=text_html(submission.text, marks),
        found=tuple(
            FoundRow(
                scus[match.scu_uid].label,
                f"weight {scus[match.scu_uid].weight}",
                text.quoted(match.spans),
            )
            for match in matches
        ),
    )


def _opinion_view(
    name: str,
    content: str,
    row: SecondOpinion | None,
    *,
    rank: str,
    compared: str,
    disagrees: bool,
) -> MethodView:
    words = METHOD_WORDS[name]
    if row is None:
        return MethodView(name, words.title, words.number, text=content)
    opinion = opinion_from_json(row.document)
    text, heaviest = Text("", content), max(1, round(opinion.heaviest))
    marks = [(unit.spans, band_of(round(unit.weight), heaviest)) for unit in opinion.found]
    return MethodView(
        key=name,
        title=words.title,
        number=words.number,
        score=score_text(name, row.score),
        rank=rank,
        compared=compared,
        disagrees=disagrees,
        text=text_html(content, marks),
        found=tuple(
            FoundRow(unit.label, _points(unit.points), text.quoted(unit.spans))
            for unit in opinion.found
        ),
        notes=(*opinion.remarks, *opinion.explanation),
    )


def _points(points: float) -> str:
    shown = points_as_shown(points)
    return f"{shown} point" if shown == "1" else f"{shown} points"
