"""Second opinions of a class: asking a worker for them, and reading what it found.

The worker's part is in ``grading/second_opinions/actions.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grading.jobs.claims import job_start
from grading.models import (
    Assignment,
    Job,
    OpinionSetting,
    SecondOpinion,
    StoredContentModel,
    User,
)
from grading.pyramid.flags.text_flags import Flag, FlagKind
from grading.pyramid.method_words import title_of
from grading.pyramid.opinions import Disagreement, disagreements
from grading.pyramid.registry import CONTENT_METHODS
from grading.scoring.results import ClassWork, counted_scores


def opinion_setting_of(assignment: Assignment) -> OpinionSetting:
    """The setting, not saved yet where nobody has chosen a method."""
    try:
        return assignment.opinion_setting
    except OpinionSetting.DoesNotExist:
        return OpinionSetting(assignment=assignment)


def chosen_methods(setting: OpinionSetting) -> list[str]:
    """The chosen methods that this version knows, in the order of the registry."""
    return [name for name in CONTENT_METHODS if name in setting.methods]


def opinions_start(*, assignment: Assignment, requested_by: User | None) -> Job | None:
    """Have a worker bring second opinions up to date; None where no method gives any."""
    if not chosen_methods(opinion_setting_of(assignment)):
        return None
    return job_start(
        kind=Job.Kind.SECOND_OPINIONS, assignment=assignment, requested_by=requested_by
    )


def opinions_job(assignment: Assignment) -> Job | None:
    """The newest job, if it is still to be done or has failed."""
    newest = Job.objects.filter(assignment=assignment, kind=Job.Kind.SECOND_OPINIONS).first()
    return None if newest is None or newest.is_done else newest


def signatures_of(assignment: Assignment, methods: Sequence[str]) -> dict[str, str]:
    """By method the signature of opinions that hold: others are about to be replaced."""
    rows = StoredContentModel.objects.filter(assignment=assignment, method__in=methods)
    return {row.method: row.opinion_signature for row in rows.defer("document")}


@dataclass(frozen=True, slots=True)
class ClassOpinions:
    """By submission that counts, the main method's score and those of each other method."""

    main: Mapping[int, float]
    by_method: Mapping[str, Mapping[int, float]]


def opinions_of_class(
    work: ClassWork, assignment: Assignment, methods: Sequence[str]
) -> ClassOpinions:
    """Of the texts that count in a class, or in a part of it; in two queries."""
    main = {
        result.submission.pk: result.numbers.comprehensive
        for result in work.counted
        if result.submission is not None and result.numbers is not None
    }
    return _opinions_beside(main, assignment, methods)


def _opinions_beside(
    main: Mapping[int, float], assignment: Assignment, methods: Sequence[str]
) -> ClassOpinions:
    by_method: dict[str, dict[int, float]] = {name: {} for name in methods}
    signatures = signatures_of(assignment, methods)
    rows = SecondOpinion.objects.filter(submission__assignment=assignment, method__in=methods)
    for submission, method, signature, score in rows.values_list(
        "submission", "method", "signature", "score"
    ):
        if submission in main and signature == signatures.get(method):
            by_method[method][submission] = score
    return ClassOpinions(main, by_method)


def disagreement_flags(setting: OpinionSetting) -> dict[int, Flag]:
    """By submission the flag *methods disagree*; in three queries.

    There is no query where no method gives opinions.
    """
    methods = chosen_methods(setting)
    if not methods:
        return {}
    assignment = setting.assignment
    opinions = _opinions_beside(counted_scores(assignment), assignment, methods)
    disagreeing = disagreements(opinions.main, opinions.by_method, setting.least_difference)
    return {
        submission: Flag(FlagKind.METHODS_DISAGREE, _reason(of_text))
        for submission, of_text in disagreeing.items()
    }


def _reason(disagreements_of_text: Sequence[Disagreement]) -> str:
    """A sentence about the method that differs most; the others in short."""
    most, *others = disagreements_of_text
    sentence = (
        f"{title_of(most.method)} puts this text {abs(most.difference):.1f} standard deviations "
        f"{_where(most)} what the main method does."
    )
    if not others:
        return sentence
    listed = "; ".join(
        f"{title_of(disagreement.method)} {abs(disagreement.difference):.1f} {_where(disagreement)}"
        for disagreement in others
    )
    return f"{sentence} Also: {listed}."


def _where(disagreement: Disagreement) -> str:
    return "above" if disagreement.difference > 0 else "below"
