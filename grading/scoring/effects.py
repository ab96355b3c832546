"""What publishing a draft would do to the class, found out before it is published."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import transaction

from grading.jobs.claims import Claim, job_start
from grading.models import Assignment, Draft, Finding, Job, Score, StoredPyramid, Submission, User
from grading.pyramid.effects import Effect, effect_of, pair_ideas
from grading.pyramid.errors import InputError
from grading.pyramid.formats.effect_json import EFFECT_FORMAT, effect_from_json, effect_to_json
from grading.pyramid.pipeline import Engine, prepare_scorer
from grading.pyramid.structures import Pyramid, ScoreReport
from grading.pyramids.actions_versions import reason_against
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row, report_from_row
from grading.scoring.corrections import Carrier, corrections_of, report_correct
from grading.scoring.engine import load_engine, tuned
from grading.scoring.learnt_curves import tuned_to_draft
from grading.scoring.readings import FETCHED_TOGETHER, submissions_report

Reports = dict[int, ScoreReport]


def effect_start(*, draft: Draft, requested_by: User) -> Job:
    """Ask a worker what publishing the draft, as it is when he comes to it, would do."""
    return job_start(
        kind=Job.Kind.FORETELL_EFFECT,
        assignment=draft.assignment,
        requested_by=requested_by,
        draft=draft,
    )


def effect_foretell(job: Job, claim: Claim) -> None:
    """Score the latest attempt of every student with the draft, and compare with what holds now."""
    draft = Draft.objects.select_related("assignment").get(jobs=job)
    pyramid, published = pyramid_from_draft(draft), Pyramid((), ())
    if reason := reason_against(pyramid):
        raise InputError(reason)
    version = StoredPyramid.objects.newest_of(draft.assignment)
    submissions = latest_attempts_of(draft.assignment)
    claim.progress("Loading the language model", 0, len(submissions))
    engine, carrier = load_engine(), Carrier.to_draft(draft, pyramid)
    then = ClassWork(tuned_to_draft(engine, draft, carrier), claim)
    after, before = then.reports(pyramid, carrier, submissions), {}
    if version is not None:
        published = pyramid_from_row(version)
        now = ClassWork(tuned(engine, draft.assignment), claim)
        before = now.reports_now(version, published, submissions)
    made_of_it = version is not None and draft.based_on_id == version.pk
    ideas = pair_ideas(published.counted(), pyramid.counted(), same_numbers=made_of_it)
    effect = effect_of(before, after, ideas)
    students = frozenset(one.pk for one in submissions)
    _keep(draft, FoundEffect(effect, version.pk if version else None, students), claim)


@dataclass(frozen=True, slots=True)
class FoundEffect:
    """The effect, and what it was found of: the published version, and the submissions."""

    effect: Effect
    version: int | None
    submissions: frozenset[int]

    @property
    def left_out(self) -> frozenset[int]:
        """Submissions that cannot be scored."""
        return self.submissions - {one.text for one in self.effect.texts}


def effect_found(*, draft: Draft) -> tuple[Finding, FoundEffect] | None:
    """What was found out last, perhaps of an earlier state of the draft."""
    row = draft.findings.filter(kind=Finding.Kind.EFFECT, document__format=EFFECT_FORMAT).first()
    if row is None:
        return None
    told = row.document
    found = FoundEffect(
        effect_from_json(told["effect"]), told["version"], frozenset(told["submissions"])
    )
    return row, found


def latest_attempts_of(assignment: Assignment) -> list[Submission]:
    latest = assignment.submissions.latest_attempts().select_related("student")
    return list(latest.order_by("pk"))


def _stored(version: StoredPyramid, submissions: Sequence[Submission], signature: str) -> Reports:
    """The scores that the class has now, with what people corrected."""
    scores = Score.objects.filter(
        pyramid=version, signature=signature, submission__in=[one.pk for one in submissions]
    ).order_by("revision")
    return {score.submission_id: report_from_row(score) for score in scores}


@dataclass(frozen=True, slots=True)
class ClassWork:
    """Scoring on behalf of a job."""

    engine: Engine
    claim: Claim

    def reports(
        self, pyramid: Pyramid, carrier: Carrier, submissions: Sequence[Submission]
    ) -> Reports:
        """Of those submissions that can be scored, with what people corrected."""
        if not submissions:
            return {}
        scorer = prepare_scorer(pyramid, self.engine)
        corrected = corrections_of(submissions)
        found: Reports = {}
        for done, batch in _batches(submissions):
            self.claim.progress("Comparing the scores of the class", done, len(submissions))
            reports = submissions_report(submissions=batch, scorer=scorer, engine=self.engine)
            pairs = zip(batch, reports, strict=True)
            found |= {
                one.pk: report_correct(report, pyramid, carrier, corrected.get(one.pk, []))
                for one, report in pairs
                if report is not None
            }
        return found

    def reports_now(
        self, version: StoredPyramid, published: Pyramid, submissions: Sequence[Submission]
    ) -> Reports:
        """The scores that the class has, and those that it would have by now."""
        stored = _stored(version, submissions, self.engine.signature)
        missing = [one for one in submissions if one.pk not in stored]
        return stored | self.reports(published, Carrier.to_version(version), missing)


def _batches(submissions: Iterable[Submission]) -> Iterator[tuple[int, list[Submission]]]:
    left, done = iter(submissions), 0
    while batch := list(islice(left, FETCHED_TOGETHER)):
        yield done, batch
        done += len(batch)


@transaction.atomic
def _keep(draft: Draft, found: FoundEffect, claim: Claim) -> None:
    """In the place of what was found before, unless that was of a later state of the draft."""
    Draft.objects.select_for_update().only("pk").get(pk=draft.pk)
    claim.finish()
    rows = Finding.objects.filter(draft=draft, kind=Finding.Kind.EFFECT)
    if rows.filter(revision__gt=draft.revision).exists():
        return
    rows.delete()
    Finding.objects.create(
        draft=draft,
        kind=Finding.Kind.EFFECT,
        revision=draft.revision,
        document={
            "format": EFFECT_FORMAT,
            "version": found.version,
            "submissions": sorted(found.submissions),
            "effect": effect_to_json(found.effect),
        },
    )
