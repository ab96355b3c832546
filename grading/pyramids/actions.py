"""Building pyramids: a worker makes a draft of the references, with the settings asked for."""

from collections.abc import Mapping
from dataclasses import asdict, replace

from django.db import transaction

from grading.drafts.doubts import doubts_keep
from grading.drafts.log import draft_create
from grading.jobs.claims import Claim, job_start
from grading.models import Assignment, Draft, Job, User
from grading.pyramid.analysis.doubts import doubtful_ideas
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import build_pyramid
from grading.pyramid.registry import BuildSettings, Method, settings_of, with_settings
from grading.pyramid.structures import Pyramid
from grading.pyramids.actions_versions import draft_publish
from grading.scoring.conversion import reference_to_text
from grading.scoring.engine import load_engine

_BUILDERS = {
    "mutual": "by closest links",
    "edua-g": "quick (EDUA-G)",
    "edua-c-shaped": "holding together best (EDUA-C, in shape)",
    "edua-c": "holding together best, to the letter (EDUA-C)",
}


@transaction.atomic
def pyramid_start_build(
    *,
    assignment: Assignment,
    requested_by: User,
    settings: BuildSettings | None = None,
    publish: bool = False,
) -> Job:
    """Ask a worker to build a draft; while one is being built, that one is meant.

    Without settings it is built as the configured method does. With ``publish``, which the
    demonstration alone asks for, it scores at once.
    """
    Assignment.objects.select_for_update().get(pk=assignment.pk)  # one start at a time
    kind = Job.Kind.BUILD_PYRAMID
    running = assignment.jobs.filter(kind=kind).filter(pk__in=Job.objects.unfinished()).first()
    if running is not None:
        return running
    job = job_start(kind=kind, assignment=assignment, requested_by=requested_by)
    job.options = {
        **(asdict(settings) if settings else {}),
        **({"publish": True} if publish else {}),
    }
    job.save(update_fields=["options"])
    return job


def is_built_with(job: Job, settings: BuildSettings) -> bool:
    """Was this job asked for the same?"""
    return bool(job.options == asdict(settings))


def pyramid_build(job: Job, claim: Claim) -> None:
    """Build a draft from the references as they are now, beside the drafts that there are."""
    assignment = job.assignment
    references = [reference_to_text(reference) for reference in assignment.references.all()]
    claim.progress("Loading the language model", 0, 0)
    engine = load_engine()
    usual = settings_of(engine.method)
    engine = replace(engine, method=_method_asked_for(engine.method, job.options))
    pyramid = build_pyramid(references, engine, progress=claim.progress)
    doubtful = doubtful_ideas(pyramid, engine.similarity)
    note = settings_in_words(settings_of(engine.method), usual)
    with transaction.atomic():
        # Who hands in right now waits for us, or we see it: nobody falls between.
        Assignment.objects.select_for_update().get(pk=assignment.pk)
        claim.finish()
        draft = _keep(job, pyramid, note)
        doubts_keep(draft=draft, ideas=doubtful)
        if job.options.get("publish"):
            draft_publish(
                draft=draft,
                revision=draft.revision,
                note="",
                author=job.requested_by,
                even_if_doubtful=True,
            )


def _keep(job: Job, pyramid: Pyramid, note: str) -> Draft:
    draft = draft_create(
        assignment=job.assignment,
        pyramid=pyramid,
        origin=Draft.Origin.BUILT,
        origin_note=note,
        author=job.requested_by,
    )
    Job.objects.filter(pk=job.pk).update(draft=draft)
    return draft


def settings_in_words(settings: BuildSettings, usual: BuildSettings) -> str:
    """For the list of drafts; most people want to know no more than whether they are the usual."""
    first = "usual settings; " if settings == usual else ""
    percentile = settings.edge_percentile
    edges = "length of the texts" if percentile is None else f"percentile {percentile:g}"
    return f"{first}{_BUILDERS[settings.builder]}; {edges}; β {settings.beta:g}"


def _method_asked_for(method: Method, options: Mapping[str, object]) -> Method:
    """As the job says; it may have been put there by another version, or by hand."""
    if "builder" not in options:
        return method
    builder, percentile = options["builder"], options.get("edge_percentile")
    beta = options.get("beta")
    if not isinstance(percentile, int | float | None) or not isinstance(beta, int | float):
        raise InputError("The settings of this build are damaged. Start another with new ones.")
    return with_settings(method, BuildSettings(str(builder), percentile, beta))
