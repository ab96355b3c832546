"""What is drawn, annotated and tried in an assignment. Read-only."""

from dataclasses import dataclass

from django.db.models import Count, Q

from grading.models import (
    Assignment,
    CalibrationRound,
    Score,
    StoredPyramid,
    ThresholdChange,
    ThresholdTrial,
    User,
)
from grading.pyramid.agreement import CurveAdvice, advise_curve
from grading.pyramid.figures import number_of
from grading.pyramid.formats.findings_json import EFFECT_FORMAT, advice_from_json, effect_from_json
from grading.pyramid.formats.learnt_curve_json import curve_from_json
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.pipeline import Engine
from grading.scoring.effects import ClassEffect
from grading.scoring.engine import knows_probabilities, with_learnt_curve, with_match_probability
from grading.scoring.learnt_curves import Learnt
from grading.scoring.marks import samples_of
from grading.scoring.results import newest_scores

USUAL = LearntCurve().cut  # the program's own rule: the probability from which a match counts


@dataclass(frozen=True, slots=True)
class MatchRule:
    """From when a match counts: by a set probability, a learnt curve, or neither (the usual)."""

    match_probability: float | None = None
    learnt_curve: Learnt | None = None

    @classmethod
    def of(cls, row: Assignment | ThresholdTrial) -> "MatchRule":
        return cls(row.match_probability, row.learnt_curve)

    @classmethod
    def before(cls, change: ThresholdChange) -> "MatchRule":
        return cls(change.before, change.learnt_before)

    @classmethod
    def after(cls, change: ThresholdChange) -> "MatchRule":
        return cls(change.after, change.learnt_after)

    @property
    def cut(self) -> float:
        """The probability from which a match counts."""
        if self.learnt_curve is not None:
            return curve_from_json(self.learnt_curve).cut
        return USUAL if self.match_probability is None else self.match_probability

    def apply_to(self, engine: Engine) -> Engine:
        if self.learnt_curve is not None:
            return with_learnt_curve(engine, curve_from_json(self.learnt_curve))
        return with_match_probability(engine, self.match_probability)

    def __str__(self) -> str:
        """As a page says it; it may begin a sentence or follow a colon."""
        if self.learnt_curve is not None:
            texts = number_of(self.learnt_curve["texts"], "text")
            origin = f"learnt from {self.learnt_curve['labels']} marks on {texts}"
        elif self.match_probability is None:
            origin = "the program\N{RIGHT SINGLE QUOTATION MARK}s own rule"
        else:
            origin = "set manually"
        return f"{origin}. A match counts at {round(100 * self.cut)}\u202f% or more."


@dataclass(frozen=True, slots=True)
class TrialResult:
    """What a rule would do in place of the one ``before``; advice only where it was learnt."""

    effect: ClassEffect
    before: MatchRule
    advice: CurveAdvice | None


def trial_result(trial: ThresholdTrial) -> TrialResult | None:
    """None while a worker is at it, or where an earlier version of the program wrote it."""
    document = trial.document
    if document is None or document["format"] != EFFECT_FORMAT or "advice" not in document:
        return None
    submissions = frozenset(document["submissions"])
    return TrialResult(
        ClassEffect(effect_from_json(document["effect"]), document["version"], submissions),
        MatchRule(document["before"], document["learnt_before"]),
        advice_from_json(document["advice"]) if document["advice"] else None,
    )


def usual_curve(assignment: Assignment) -> LearntCurve:
    """The rule that the assignment would have if nothing were learnt."""
    return LearntCurve(cut=MatchRule(assignment.match_probability).cut)


def newest_version_pk(assignment: Assignment) -> int | None:
    versions = StoredPyramid.objects.filter(assignment=assignment).order_by("-number")
    return versions.values_list("pk", flat=True).first()


@dataclass(frozen=True, slots=True)
class SampleAdvice:
    """What the samples of the newest sampled version say about learning from them."""

    advice: CurveAdvice
    is_read: bool  # has a worker read all texts?
    version: int
    is_newest: bool


def sample_advice(assignment: Assignment) -> SampleAdvice | None:
    """None where there is no sample, or the method knows no probabilities."""
    samples = samples_of(assignment) if knows_probabilities() else []
    if not samples:
        return None
    version = samples[0].round.pyramid
    texts = [text for sample in samples for text in sample.labelled()]
    annotated = [text for sample in samples for text in sample.annotated]
    return SampleAdvice(
        advice=advise_curve(texts, usual_curve(assignment)),
        is_read=all(text.row.probabilities is not None for text in annotated),
        version=version.number,
        is_newest=newest_version_pk(assignment) == version.pk,
    )


def drawable_scores(assignment: Assignment) -> list[Score]:
    """Scores by the newest version of the final texts that count and were never drawn.

    While a class is being scored again, only those with the newest signature.
    """
    finals = assignment.submissions.of_the_class().latest_attempts().filter(is_final=True)
    fresh = finals.exclude(calibration_texts__round__assignment=assignment).only("assignment")
    version = StoredPyramid.objects.newest_of(assignment)
    scores = [score for score in newest_scores(fresh).values() if score.pyramid == version]
    newest = max(scores, key=lambda score: score.pk, default=None)
    return sorted(
        (score for score in scores if newest and score.signature == newest.signature),
        key=lambda score: score.submission_id,
    )


def places_in(sample: CalibrationRound, user: User) -> list[tuple[int, bool]]:
    """All texts of the sample by their numbers, with whether the user is done with them."""
    done_by_user = Q(annotations__annotator=user, annotations__is_done=True)
    texts = sample.texts.annotate(done=Count("annotations", filter=done_by_user))
    return [(place, bool(done)) for place, done in texts.values_list("place", "done")]
