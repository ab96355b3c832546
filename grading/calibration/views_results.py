"""How far the program and people agree on a sample, and people among themselves."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from django.http import HttpResponse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from grading import access
from grading.calibration.views_learning import advice_on
from grading.models import User
from grading.pyramid.agreement.figures_of_texts import Figure
from grading.pyramid.agreement.sheets import (
    IdeaDifference,
    differences_by_idea,
    pairs_of_people,
    people_among_themselves,
    program_and_people,
)
from grading.pyramid.agreement.two_scores import TwoScores, compare_scores
from grading.pyramid.agreement.verdicts import (
    alpha_in_words,
    correlation_in_words,
    difference_in_words,
)
from grading.pyramid.effects import Measure
from grading.pyramid.figures import points_in_file
from grading.pyramid.formats.gradebook import table_csv
from grading.pyramid.structures import ScoreReport
from grading.scoring.agreement import Sample, SampleText, sample_of
from grading.web.charts_agreement import Point, ScatterPicture, scatter
from grading.web.ideas import Idea, heaviest_of, idea_of
from grading.web.rendering import SignedInRequest, render_page

SHOWN = 15  # ideas; the others can be opened


@dataclass(frozen=True, slots=True)
class ComparedScores:
    """One of the three scores, by two judges of the same texts."""

    name: str
    scores: TwoScores
    order: str
    difference: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people who have annotated the same texts."""

    first: User
    second: User
    alpha: Figure
    words: str
    compared: tuple[ComparedScores, ...]


@dataclass(frozen=True, slots=True)
class DifferingIdea:
    idea: Idea
    counts: IdeaDifference
    program_only: tuple[SampleText, ...]
    people_only: tuple[SampleText, ...]


@require_safe
def calibration_result(request: SignedInRequest, pk: int) -> HttpResponse:
    one, membership = access.get_calibration_result_for(request.user, pk)
    sample = sample_of(one)
    alpha = program_and_people(sample.sheets())
    ideas = list(_differing(sample))
    context = {
        "assignment": one.assignment,
        "membership": membership,
        "sample": sample,
        "round": one,
        "alpha": alpha,
        "alpha_words": alpha_in_words(alpha),
        "compared": _with_program(sample),
        "pairs": list(_pairs(sample)),
        "ideas": ideas[:SHOWN],
        "other_ideas": ideas[SHOWN:],
        "alike": len(sample.uids) - len(ideas),
        "pictures": [_picture(sample, measure) for measure in Measure],
        "advice": advice_on(one.assignment),
        "is_changed_since": one.assignment.threshold_changes.filter(
            created_at__gt=one.created_at
        ).exists(),
        "is_blind_still": _is_in_the_middle(sample, request.user),
    }
    return render_page(request, "grading/calibration/result.html", context)


@require_safe
def calibration_file(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    one, _ = access.get_calibration_result_for(request.user, pk)
    sample = sample_of(one)
    content = _ideas_file(sample) if kind == "ideas" else _scores_file(sample)
    name = slugify(one.assignment.title) or "assignment"
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    filename = f"calibration-{one.number}-{kind}-{name}-{one.assignment_id}.csv"
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _is_in_the_middle(sample: Sample, user: User) -> bool:
    """An instructor may look before being done, and is told what that costs."""
    mine = sum(user.pk in text.by_person for text in sample.texts)
    return 0 < mine < len(sample.texts)


# --- scores ---


def _by_people(text: SampleText, measure: Measure) -> float:
    return fmean(_number(report, measure) for report in text.by_person.values())


def _number(report: ScoreReport, measure: Measure) -> float:
    return float(getattr(report, measure))


def _with_program(sample: Sample) -> list[ComparedScores]:
    texts = sample.annotated
    return [
        ComparedScores(
            measure.capitalize(),
            found,
            correlation_in_words(found.correlation),
            difference_in_words(found.difference, "people do", "the program"),
        )
        for measure in Measure
        if (
            found := compare_scores(
                [_by_people(text, measure) for text in texts],
                [_number(text.by_program, measure) for text in texts],
            )
        )
    ]


def _pairs(sample: Sample) -> Iterator[Pair]:
    sheets = sample.sheets()
    there = pairs_of_people(sheets)
    for first, second in combinations(sample.people, 2):
        if tuple(sorted((first, second))) in there:
            alpha = people_among_themselves(sheets, [first, second])
            compared = tuple(_between(sample, first, second))
            people = sample.people
            words = alpha_in_words(alpha)
            yield Pair(people[first], people[second], alpha, words, compared)


def _between(sample: Sample, first: int, second: int) -> Iterator[ComparedScores]:
    texts = [one for one in sample.texts if {first, second} <= one.by_person.keys()]
    names = sample.people[first].name, sample.people[second].name
    for measure in Measure:
        found = compare_scores(
            [_number(text.by_person[first], measure) for text in texts],
            [_number(text.by_person[second], measure) for text in texts],
        )
        if found:
            yield ComparedScores(
                measure.capitalize(),
                found,
                correlation_in_words(found.correlation),
                difference_in_words(found.difference, f"{names[0]} does", names[1]),
            )


def _picture(sample: Sample, measure: Measure) -> ScatterPicture:
    return scatter(
        measure.capitalize(),
        (
            Point(
                text.place,
                text.row.submission_id,
                _by_people(text, measure),
                _number(text.by_program, measure),
            )
            for text in sample.annotated
        ),
    )


# --- ideas ---


def _differing(sample: Sample) -> Iterator[DifferingIdea]:
    """Ideas on which somebody differs from the program, those with the most of it first."""
    heaviest, by_place = heaviest_of(sample.pyramid), {text.place: text for text in sample.texts}
    for counts in differences_by_idea(sample.sheets(), len(sample.uids)):
        if counts.differences:
            yield DifferingIdea(
                idea_of(sample.pyramid, sample.pyramid.scus[counts.place], heaviest),
                counts,
                tuple(by_place[text] for text in counts.program_only),
                tuple(by_place[text] for text in counts.people_only),
            )


# --- files ---


def _ideas_file(sample: Sample) -> str:
    """A line for each idea of each text; a person who has not annotated it has an empty cell."""
    people = [person.username for person in sample.people.values()]
    columns = ["text", "idea", "label", "weight", "probability", "program", *people]
    rows: list[list[str | int | float | None]] = []
    for text, sheet in zip(sample.texts, sample.sheets(), strict=True):
        known = text.row.probabilities or {}
        for place, scu in enumerate(sample.pyramid.scus):
            told = [sheet.people.get(person) for person in sample.people]
            rows.append(
                [
                    text.place,
                    scu.uid,
                    " ".join(scu.label.split()),
                    scu.weight,
                    known.get(str(scu.uid)),
                    int(sheet.program[place]),
                    *(None if said is None else int(said[place]) for said in told),
                ]
            )
    return table_csv(columns, rows)


def _scores_file(sample: Sample) -> str:
    """A line for each judge of each text."""
    columns = ["text", "judge", "raw", "parts", *Measure]
    rows: list[list[str | int | float | None]] = []
    for text in sample.texts:
        judges = {"the program": text.by_program} | {
            sample.people[person].username: report for person, report in text.by_person.items()
        }
        for judge, report in judges.items():
            numbers = [_number(report, measure) for measure in Measure]
            rows.append([text.place, judge, points_in_file(report.raw), report.scus, *numbers])
    return table_csv(columns, rows)
