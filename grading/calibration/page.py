"""What the pages and files of calibration show: samples, agreement, and a rule that was tried."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from django.urls import reverse

from grading.access.hidden_names import hide_names
from grading.calibration.queries import (
    USUAL,
    MatchRule,
    TrialResult,
    newest_version_pk,
    sample_advice,
    trial_result,
)
from grading.models import (
    Annotation,
    Assignment,
    CalibrationRound,
    CalibrationText,
    Job,
    Membership,
    StoredPyramid,
    Submission,
    ThresholdTrial,
    User,
)
from grading.pyramid.agreement import (
    alpha_in_words,
    compare_scores,
    correlation_in_words,
    difference_in_words,
    differences_by_idea,
    pairs_of_people,
    people_among_themselves,
    program_and_people,
)
from grading.pyramid.effects import Measure
from grading.pyramid.figures import points_in_file, with_minus
from grading.pyramid.formats.gradebook import table_csv
from grading.pyramid.stamps import stamp_of
from grading.pyramid.structures import ScoreReport
from grading.scoring.conversion import pyramid_from_row
from grading.scoring.engine import knows_probabilities
from grading.scoring.marks import Sample, sample_of
from grading.web.effect import show_effect
from grading.web.ideas import Ideas
from grading.web.scatter_charts import AgreementChart, AgreementPoint

SHOWN_IDEAS = 15  # of those that people and the program differ on; the others can be opened
MOST_MOVED = 5  # ideas shown that a learnt rule counts more readily, and as many less readily
_LEAST_MOVE = 0.05  # of a probability; smaller moves are not worth a line


# --- the samples of an assignment ---


@dataclass(slots=True)
class AnnotationProgress:
    """How many texts of a sample somebody has started and finished."""

    person: User
    begun: int = 0
    done: int = 0


@dataclass(frozen=True, slots=True)
class ListedSample:
    row: CalibrationRound
    texts: int
    mine: AnnotationProgress
    others: Sequence[AnnotationProgress]
    next_place: int | None  # of the texts that the user is not done with
    may_see: bool  # the result


def listed_samples(assignment: Assignment, membership: Membership) -> list[ListedSample]:
    """The newest first, with everybody's progress: three queries, however many there are."""
    rows = list(
        assignment.calibration_rounds.select_related("created_by", "pyramid").defer(
            "pyramid__document"
        )
    )
    places: dict[int, list[int]] = {row.pk: [] for row in rows}
    texts = CalibrationText.objects.filter(round__in=places).order_by("place")
    for round_pk, place in texts.values_list("round", "place"):
        places[round_pk].append(place)
    progress: dict[int, dict[int, AnnotationProgress]] = {row.pk: {} for row in rows}
    done_by_me = set()
    annotations = Annotation.objects.filter(text__round__in=places)
    for annotation in annotations.select_related("annotator", "text").order_by(
        "annotator__name", "annotator"
    ):
        text, person = annotation.text, annotation.annotator
        theirs = progress[text.round_id].setdefault(person.pk, AnnotationProgress(person))
        theirs.begun += 1
        theirs.done += annotation.is_done
        if annotation.is_done and person.pk == membership.user_id:
            done_by_me.add((text.round_id, text.place))
    listed = []
    for row in rows:
        mine = progress[row.pk].pop(membership.user_id, AnnotationProgress(membership.user))
        others = list(progress[row.pk].values())
        total = len(places[row.pk])
        left = [place for place in places[row.pk] if (row.pk, place) not in done_by_me]
        anybody = any(person.done for person in (mine, *others))
        may_see = anybody and (membership.is_instructor or mine.done >= total)
        listed.append(ListedSample(row, total, mine, others, next(iter(left), None), may_see))
    return listed


# --- how far people and the program agree ---


def result_context(row: CalibrationRound, user: User) -> dict[str, Any]:
    """What the page of a result shows, without the membership."""
    sample = sample_of(row)
    alpha = program_and_people(sample.sheets())
    # Ideas on which somebody differs from the program, those with most differences first.
    all_ideas, by_place = Ideas(sample.pyramid), {text.place: text for text in sample.texts}
    ideas = [
        {
            "idea": all_ideas.of(sample.pyramid.scus[counts.place]),
            "counts": counts,
            "program_only": [by_place[place] for place in counts.program_only],
            "people_only": [by_place[place] for place in counts.people_only],
        }
        for counts in differences_by_idea(sample.sheets(), len(sample.uids))
        if counts.differences
    ]
    annotated_by_user = sum(user.pk in text.by_person for text in sample.texts)
    changes = row.assignment.threshold_changes
    return {
        "assignment": row.assignment,
        "sample": sample,
        "round": row,
        "alpha": alpha,
        "alpha_words": alpha_in_words(alpha),
        "compared": _compared_scores(
            [(list(text.by_person.values()), text.by_program) for text in sample.annotated],
            "people do",
            "the program",
        ),
        "pairs": list(_pairs(sample)),
        "ideas": ideas[:SHOWN_IDEAS],
        "other_ideas": ideas[SHOWN_IDEAS:],
        "alike": len(sample.uids) - len(ideas),
        "pictures": [_agreement_chart(sample, measure) for measure in Measure],
        "advice": sample_advice(row.assignment),
        "is_changed_since": changes.filter(created_at__gt=row.created_at).exists(),
        # An instructor may look before being done; the page says what that costs.
        "is_blind_still": 0 < annotated_by_user < len(sample.texts),
    }


def _score(report: ScoreReport, measure: Measure) -> float:
    return float(getattr(report, measure))


def _mean_score(reports: Sequence[ScoreReport], measure: Measure) -> float:
    return fmean(_score(report, measure) for report in reports)


def _compared_scores(
    texts: Sequence[tuple[Sequence[ScoreReport], ScoreReport]], first: str, second: str
) -> list[dict[str, Any]]:
    """Each of the three scores by two judges, of whom the first may be several people."""
    rows = []
    for measure in Measure:
        scores = compare_scores(
            [_mean_score(reports, measure) for reports, _ in texts],
            [_score(report, measure) for _, report in texts],
        )
        if scores:
            rows.append(
                {
                    "name": measure.capitalize(),
                    "scores": scores,
                    "order": correlation_in_words(scores.correlation),
                    "difference": difference_in_words(scores.difference, first, second),
                    "has_limits": scores.difference.is_known and scores.low_limit is not None,
                }
            )
    return rows


def _pairs(sample: Sample) -> Iterator[dict[str, Any]]:
    """Everybody who annotated the same texts as somebody else, two by two."""
    sheets, people = sample.sheets(), sample.people
    with_common_texts = pairs_of_people(sheets)
    for first, second in combinations(people, 2):
        if tuple(sorted((first, second))) in with_common_texts:
            alpha = people_among_themselves(sheets, [first, second])
            by_both = [
                ([text.by_person[first]], text.by_person[second])
                for text in sample.texts
                if {first, second} <= text.by_person.keys()
            ]
            yield {
                "first": people[first],
                "second": people[second],
                "alpha": alpha,
                "words": alpha_in_words(alpha),
                "compared": _compared_scores(
                    by_both, f"{people[first].name} does", people[second].name
                ),
            }


def _agreement_chart(sample: Sample, measure: Measure) -> AgreementChart:
    points = [
        AgreementPoint(
            text.place,
            text.row.submission_id,
            _mean_score(list(text.by_person.values()), measure),
            _score(text.by_program, measure),
        )
        for text in sample.annotated
    ]
    return AgreementChart(measure.capitalize(), points)


def ideas_csv(sample: Sample) -> str:
    """A line for each idea of each text; empty where a person has not annotated the text."""
    people = [person.username for person in sample.people.values()]
    columns = ["text", "idea", "label", "weight", "probability", "program", *people]
    rows: list[list[str | int | float | None]] = []
    numbers = sample.pyramid.numbers()
    for text, sheet in zip(sample.texts, sample.sheets(), strict=True):
        known = text.row.probabilities or {}
        ticks = [sheet.people.get(person) for person in sample.people]
        for place, scu in enumerate(sample.pyramid.scus):
            rows.append(
                [
                    text.place,
                    numbers[scu.uid],
                    " ".join(scu.label.split()),
                    scu.weight,
                    known.get(str(scu.uid)),
                    int(sheet.program[place]),
                    *(None if theirs is None else int(theirs[place]) for theirs in ticks),
                ]
            )
    return table_csv(columns, rows)


def scores_csv(sample: Sample) -> str:
    """A line for each judge of each text."""
    columns = ["text", "judge", "raw", "parts", *Measure]
    rows: list[list[str | int | float | None]] = []
    for text in sample.texts:
        judges = {"the program": text.by_program} | {
            sample.people[person].username: report for person, report in text.by_person.items()
        }
        for judge, report in judges.items():
            scores = [_score(report, measure) for measure in Measure]
            rows.append([text.place, judge, points_in_file(report.raw), report.statements, *scores])
    return table_csv(columns, rows)


# --- learning from marks ---


def learning_context(assignment: Assignment, membership: Membership) -> dict[str, Any]:
    """What the page and its part show while a rule is tried and once it has been."""
    job = assignment.jobs.filter(kind=Job.Kind.CALIBRATE).first()
    trial = ThresholdTrial.objects.filter(assignment=assignment).first()
    result = trial_result(trial) if trial else None
    version = newest_version_pk(assignment)
    of_class = Job.objects.unfinished().filter(submission=None, assignment=assignment)
    return {
        "assignment": assignment,
        "membership": membership,
        "rule": MatchRule.of(assignment),
        "usual": USUAL,
        "knows_probabilities": knows_probabilities(),
        "ideas_at": reverse("version", args=[version]) if version else "",
        "handed_in": assignment.submissions.exists(),
        "job": job if job is not None and not job.is_done else None,
        "scoring": of_class.filter(kind=Job.Kind.SCORE_SUBMISSIONS).first(),
        "trial": _trial_context(assignment, trial, result) if trial and result else None,
        "changes": [
            {"row": row, "before": MatchRule.before(row), "after": MatchRule.after(row)}
            for row in assignment.threshold_changes.select_related("author")
        ],
    }


def trial_stamp(trial: ThresholdTrial) -> str:
    return stamp_of(trial.created_at)


def _trial_context(
    assignment: Assignment, trial: ThresholdTrial, result: TrialResult
) -> dict[str, Any]:
    """The rule that was tried, with its effect on the class."""
    existing = Submission.objects.select_related("student").defer("text")
    submissions = existing.in_bulk(result.effect.submissions)
    hide_names(assignment, submissions.values())
    effect, rule = result.effect.effect, MatchRule.of(trial)
    more_readily, less_readily = _moved_ideas(result)
    # Of the comprehensive score, with its sign; empty where there is nothing to compare.
    moves = [
        text.after.comprehensive - text.before.comprehensive for text in effect.texts if text.before
    ]
    reasons = []
    if result.before != MatchRule.of(assignment):
        reasons.append("The rule has changed since.")
    if result.effect.version != newest_version_pk(assignment):
        reasons.append("A new version was published since.")
    latest = assignment.submissions.latest_attempts().values_list("pk", flat=True)
    if set(latest) != result.effect.submissions:
        reasons.append("Summaries have been submitted or deleted since.")
    return {
        "row": trial,
        "rule": rule,
        "stamp": trial_stamp(trial),
        "advice": result.advice,
        "effect": show_effect(result.effect, submissions, trial.created_at, reasons),
        "mean_change": (with_minus(f"{sum(moves) / len(moves):+.2f}") if moves else ""),
        "gained": sum(len(text.gained) for text in effect.texts),
        "lost": sum(len(text.lost) for text in effect.texts),
        "more_readily": more_readily,
        "less_readily": less_readily,
        "is_in_use": rule == MatchRule.of(assignment),
    }


def _moved_ideas(result: TrialResult) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Ideas that count more readily than by the program's own rule, and less, the most first.

    Each comes with the percent from which of the program's own probabilities it counts.
    """
    version = StoredPyramid.objects.filter(pk=result.effect.version or 0).first()
    if result.advice is None or version is None:
        return [], []
    pyramid, curve = pyramid_from_row(version), result.advice.curve
    shown = Ideas(pyramid)
    ideas = {scu.uid: shown.of(scu) for scu in pyramid.counted().scus}
    cuts = {uid: curve.base_cut(uid) for uid, _ in curve.idea_shifts if uid in ideas}
    lowest_first = sorted(cuts, key=lambda uid: (cuts[uid], uid))
    more = [uid for uid in lowest_first if cuts[uid] <= USUAL - _LEAST_MOVE]
    less = [uid for uid in reversed(lowest_first) if cuts[uid] >= USUAL + _LEAST_MOVE]
    more_readily, less_readily = (
        [{"idea": ideas[uid], "percent": round(100 * cuts[uid])} for uid in uids[:MOST_MOVED]]
        for uids in (more, less)
    )
    return more_readily, less_readily
