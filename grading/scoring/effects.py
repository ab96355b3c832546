"""What publishing a draft would do to the class, found out before it is published."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from grading.jobs.claims import Claim, job_start
from grading.models import Assignment, Draft, Finding, Job, Score, StoredPyramid, Submission, User
from grading.pyramid.effects import Effect, ScoredText, Scores, effect_of, pair_ideas
from grading.pyramid.errors import InputError
from grading.pyramid.formats.findings_json import EFFECT_FORMAT, effect_from_json, effect_to_json
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row
from grading.scoring.corrections import Carrier, corrections_of, report_correct
from grading.scoring.engine import engine_for_assignment, load_engine
from grading.scoring.learnt_curves import engine_for_draft
from grading.scoring.pyramid_readings import kept_scorer
from grading.scoring.readings import FETCHED_TOGETHER, submissions_report
from grading.scoring.results import CreditedUids, credited_uids

# What a worker found out about a draft: one finding of each kind is kept, the latest.


@transaction.atomic
def finding_replace(
    *, draft: Draft, kind: Finding.Kind, document: dict[str, Any], claim: Claim
) -> None:
    """End the job and keep its finding, unless a later state of the draft has one already.

    ``draft`` is as the job loaded it: its revision is the one that the finding is about.
    """
    Draft.objects.select_for_update().only("pk").get(pk=draft.pk)
    claim.finish()
    rows = Finding.objects.filter(draft=draft, kind=kind)
    if rows.filter(revision__gt=draft.revision).exists():
        return
    rows.delete()
    Finding.objects.create(draft=draft, kind=kind, revision=draft.revision, document=document)


ScoredTexts = dict[int, ScoredText]  # by submission


@dataclass(frozen=True, slots=True)
class ClassEffect:
    """The effect, and what it was calculated of: the published version, and the submissions."""

    effect: Effect
    version: int | None
    submissions: frozenset[int]

    @property
    def not_scored(self) -> frozenset[int]:
        """Submissions that cannot be scored."""
        return self.submissions - {text.text for text in self.effect.texts}


def unscorable_reason(pyramid: Pyramid) -> str:
    """Why nobody can be scored with this pyramid; empty if everybody can."""
    if pyramid.counted().scus:
        return ""
    return "No idea in this draft counts. Give an idea a quote or a weight."


def effect_start(*, draft: Draft, requested_by: User) -> Job:
    """Ask a worker what publishing the draft would do, in the state it has when the job runs."""
    return job_start(
        kind=Job.Kind.PREDICT_EFFECT,
        assignment=draft.assignment,
        requested_by=requested_by,
        draft=draft,
    )


def predict_effect(job: Job, claim: Claim) -> None:
    """Score every student's latest attempt with the draft; compare with the newest scores."""
    draft = Draft.objects.select_related("assignment").get(jobs=job)
    pyramid, published = pyramid_from_draft(draft), Pyramid((), ())
    if reason := unscorable_reason(pyramid):
        raise InputError(reason)
    version = StoredPyramid.objects.newest_of(draft.assignment)
    submissions = latest_attempts_of(draft.assignment)
    claim.progress("Loading the language model", 0, len(submissions))
    engine, carrier = load_engine(), Carrier.to_draft(draft, pyramid)
    after_publishing = ClassScorer(engine_for_draft(engine, draft, carrier), claim)
    after, before = after_publishing.scored(pyramid, carrier, submissions), {}
    if version is not None:
        published = pyramid_from_row(version)
        before = ClassScorer(engine_for_assignment(engine, draft.assignment), claim).scored_now(
            version, published, submissions
        )
    # Only a draft that was begun from the version has the same ideas under the same numbers.
    same_numbers = version is not None and draft.based_on_id == version.pk
    ideas = pair_ideas(published.counted(), pyramid.counted(), same_numbers=same_numbers)
    document = {
        "format": EFFECT_FORMAT,
        "version": version.pk if version else None,
        "submissions": sorted(submission.pk for submission in submissions),
        "effect": effect_to_json(effect_of(before, after, ideas)),
    }
    finding_replace(draft=draft, kind=Finding.Kind.EFFECT, document=document, claim=claim)


def latest_effect(*, draft: Draft) -> tuple[Finding, ClassEffect] | None:
    """What was found out last, perhaps of an earlier state of the draft."""
    row = draft.findings.filter(kind=Finding.Kind.EFFECT, document__format=EFFECT_FORMAT).first()
    if row is None:
        return None
    submissions = frozenset(row.document["submissions"])
    effect = effect_from_json(row.document["effect"])
    return row, ClassEffect(effect, row.document["version"], submissions)


def latest_attempts_of(assignment: Assignment) -> list[Submission]:
    latest = assignment.submissions.latest_attempts().select_related("student")
    return list(latest.order_by("pk"))


@dataclass(frozen=True, slots=True)
class ClassScorer:
    """Scores a class on behalf of a job, without keeping the scores."""

    engine: Engine
    claim: Claim

    def scored(
        self, pyramid: Pyramid, carrier: Carrier, submissions: Sequence[Submission]
    ) -> ScoredTexts:
        """Of those submissions that can be scored, with what people corrected."""
        if not submissions:
            return {}
        corrections = corrections_of(submissions)
        texts: ScoredTexts = {}
        with kept_scorer(
            assignment_pk=submissions[0].assignment_id,
            pyramid=pyramid,
            engine=self.engine,
            explained=False,
        ) as scorer:
            for start in range(0, len(submissions), FETCHED_TOGETHER):
                batch = submissions[start : start + FETCHED_TOGETHER]
                self.claim.progress("Comparing the scores of the class", start, len(submissions))
                reports = submissions_report(submissions=batch, scorer=scorer, engine=self.engine)
                for submission, report in zip(batch, reports, strict=True):
                    if report is not None:
                        rows = corrections.get(submission.pk, [])
                        corrected = report_correct(report, pyramid, carrier, rows)
                        texts[submission.pk] = ScoredText.of(corrected)
        return texts

    def scored_now(
        self, version: StoredPyramid, published: Pyramid, submissions: Sequence[Submission]
    ) -> ScoredTexts:
        """The scores that the class has; calculated where a submission has none yet.

        Of a score that it has, only columns and the uids of ideas come from the database: reading
        the documents would take a quarter of an effect.
        """
        scores = Score.objects.filter(
            pyramid=version,
            signature=self.engine.signature,
            submission__in=[submission.pk for submission in submissions],
        ).order_by("revision")  # a later revision, with more corrections, replaces an earlier one
        columns = "submission", "comprehensive", "quality", "coverage"
        stored = {
            pk: ScoredText(Scores.rounded(*numbers), credited_uids(uids))
            for pk, *numbers, uids in scores.values_list(*columns, CreditedUids("document"))
        }
        missing = [submission for submission in submissions if submission.pk not in stored]
        return stored | self.scored(published, Carrier.to_version(version), missing)
