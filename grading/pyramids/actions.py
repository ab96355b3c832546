"""References are added and changed, drafts are built by a worker, and drafts are published."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from enum import StrEnum

from django.conf import settings as django_settings
from django.db import transaction
from django.utils import timezone

from grading.drafts.doubts import doubts_keep, doubts_of
from grading.drafts.log import draft_create
from grading.jobs.claims import Claim, job_start
from grading.models import (
    Assignment,
    AuditKind,
    Dismissal,
    Draft,
    Job,
    Reference,
    StoredPyramid,
    User,
    record,
)
from grading.models.summaries import MOST_REFERENCES, count_words
from grading.pyramid.analysis.doubts import doubtful_ideas
from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import content_hash
from grading.pyramid.pipeline import build_pyramid
from grading.pyramid.registry import BuildSettings, Method, settings_of, with_settings
from grading.pyramid.stamps import stamp_of
from grading.pyramid.structures import Text
from grading.pyramids.queries import heaviest_first
from grading.scoring.conversion import (
    pyramid_fields,
    pyramid_from_draft,
    pyramid_from_row,
    reference_to_text,
)
from grading.scoring.effects import unscorable_reason
from grading.scoring.engine import load_engine
from grading.scoring.learnt_curves import learnt_curve_carry
from grading.scoring.scores import submissions_start_scoring
from grading.scoring.second_opinions import opinions_start

_BUILDER_LABELS = {
    "mutual": "by closest links",
    "edua-g": "quick (EDUA-G)",
    "edua-c-shaped": "most consistent (EDUA-C, in shape)",
    "edua-c": "most consistent, to the letter (EDUA-C)",
}


# --- references ---


def references_problem(*, assignment: Assignment, texts: Sequence[Text]) -> str:
    """Say why these texts cannot be added as references; "" where they can.

    The same text twice would double the weight of each of its ideas.
    """
    references = list(assignment.references.all())
    names = {reference.text: reference.name for reference in references}
    for text in texts:
        if text.content in names:
            return (
                f"“{text.name or 'The pasted text'}” is the same text as "
                f"“{names[text.content]}”. Each reference needs its own text."
            )
        names[text.content] = text.name or "the pasted text"
    if len(references) + len(texts) > MOST_REFERENCES:
        return (
            f"An assignment takes at most {MOST_REFERENCES} references; there are "
            f"{len(references)} already and these are {len(texts)} more."
        )
    return ""


@transaction.atomic
def references_add(*, assignment: Assignment, texts: Sequence[Text]) -> list[Reference]:
    """Add reference summaries; a name that is taken, or empty, gets a number.

    The limit is checked under the lock: two people, or two clicks, may add at the same time.
    """
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    if problem := references_problem(assignment=assignment, texts=texts):
        raise InputError(problem)
    taken = set(assignment.references.values_list("name", flat=True))
    added = []
    for text in texts:
        name = _free_name(text.name, taken)
        taken.add(name)
        added.append(
            Reference.objects.create(
                assignment=assignment,
                name=name,
                text=text.content,
                words=count_words(text.content),
            )
        )
    opinions_start(assignment=assignment, requested_by=None)
    return added


def _free_name(wanted: str, taken: set[str]) -> str:
    wanted = wanted.strip()[:90]
    if wanted and wanted not in taken:
        return wanted
    number = 2 if wanted else len(taken) + 1
    stem = wanted or "Reference"
    while f"{stem} {number}" in taken:
        number += 1
    return f"{stem} {number}"


def reference_stamp(reference: Reference) -> str:
    """Differs once the name or the text has changed."""
    return stamp_of(reference.name, reference.text)


@transaction.atomic
def reference_change(*, reference: Reference, name: str, text: str, stamp: str) -> Reference | None:
    """Change the name and the text of a reference.

    Returns None, and changes nothing, where the reference is no longer as its author saw it
    (``stamp``). Raises ``InputError`` where another reference has the name by now.
    """
    Assignment.objects.select_for_update().get(pk=reference.assignment_id)
    references = Reference.objects.filter(assignment=reference.assignment_id)
    current = references.filter(pk=reference.pk).first()
    if current is None or reference_stamp(current) != stamp:
        return None
    if references.exclude(pk=reference.pk).filter(name=name).exists():
        raise InputError(f"Another reference is named “{name}” already.")
    current.name, current.text, current.words = name, text, count_words(text)
    current.save(update_fields=["name", "text", "words"])
    opinions_start(assignment=current.assignment, requested_by=None)
    return current


@transaction.atomic
def reference_delete(*, reference: Reference) -> None:
    """Delete a reference; versions that were built from it stay."""
    reference.delete()
    opinions_start(assignment=reference.assignment, requested_by=None)


# --- building ---


@transaction.atomic
def pyramid_start_build(
    *,
    assignment: Assignment,
    requested_by: User,
    settings: BuildSettings | None = None,
    publish: bool = False,
) -> Job:
    """Ask a worker to build a draft. Returns the unfinished job instead where there is one.

    Without settings it is built as the configured method does. With ``publish``, which only the
    demonstration course uses, the draft is published and scores at once.
    """
    Assignment.objects.select_for_update().get(pk=assignment.pk)  # one start at a time
    kind = Job.Kind.BUILD_PYRAMID
    running = assignment.jobs.filter(kind=kind).filter(pk__in=Job.objects.unfinished()).first()
    if running is not None:
        return running
    _check_quota(requested_by)
    job = job_start(kind=kind, assignment=assignment, requested_by=requested_by)
    job.options = asdict(settings) if settings else {}
    if publish:
        job.options["publish"] = True
    job.save(update_fields=["options"])
    return job


def _check_quota(person: User) -> None:
    """InputError where the person has started as many builds as an hour allows."""
    builds = Job.objects.filter(kind=Job.Kind.BUILD_PYRAMID, requested_by=person)
    recent = builds.filter(created_at__gt=timezone.now() - timedelta(hours=1))
    most = django_settings.BUILDS_AN_HOUR
    newest = list(recent.order_by("-created_at").values_list("created_at", flat=True)[:most])
    if len(newest) == most:
        again = timezone.localtime(newest[-1] + timedelta(hours=1))
        raise InputError(
            f"You have started {most} builds in an hour; that is the limit. Build again after "
            f"{again:%H:%M}."
        )


def is_built_with(job: Job, settings: BuildSettings) -> bool:
    """Was this job started with the same settings?"""
    return bool(job.options == asdict(settings))


def pyramid_build(job: Job, claim: Claim) -> None:
    """Build a draft from the references as they are now; other drafts stay as they are."""
    assignment = job.assignment
    references = [reference_to_text(reference) for reference in assignment.references.all()]
    claim.progress("Loading the language model", 0, 0)
    engine = load_engine()
    usual = settings_of(engine.method)
    engine = replace(engine, method=_method_of_job(engine.method, job.options))
    pyramid = build_pyramid(references, engine, progress=claim.progress)
    doubtful = doubtful_ideas(pyramid, engine.similarity)
    with transaction.atomic():
        # A submission that comes in now waits for this lock, or is seen when the class is scored.
        Assignment.objects.select_for_update().get(pk=assignment.pk)
        claim.finish()  # here, so that a worker that lost the job leaves no second draft
        draft = draft_create(
            assignment=assignment,
            pyramid=pyramid,
            origin=Draft.Origin.BUILT,
            origin_note=describe_settings(settings_of(engine.method), usual),
            author=job.requested_by,
        )
        Job.objects.filter(pk=job.pk).update(draft=draft)
        doubts_keep(draft=draft, ideas=doubtful)
        if job.options.get("publish"):
            draft_publish(
                draft=draft,
                revision=draft.revision,
                note="",
                author=job.requested_by,
                even_if_doubtful=True,
            )


def _method_of_job(method: Method, options: Mapping[str, object]) -> Method:
    """The method with the settings of a job, which another version of the app may have written."""
    if "builder" not in options:
        return method
    builder, percentile = options["builder"], options.get("edge_percentile")
    beta = options.get("beta")
    if not isinstance(percentile, int | float | None) or not isinstance(beta, int | float):
        raise InputError("The settings of this build are damaged. Start another build.")
    return with_settings(method, BuildSettings(str(builder), percentile, beta))


def describe_settings(settings: BuildSettings, usual: BuildSettings) -> str:
    """The settings in the words of the list of drafts. Usual ones are not spelled out."""
    if settings == usual:
        return "usual settings"
    percentile = settings.edge_percentile
    edges = "length of the texts" if percentile is None else f"percentile {percentile:g}"
    return f"{_BUILDER_LABELS[settings.builder]}; {edges}; β {settings.beta:g}"


# --- versions ---


class PublishResult(StrEnum):
    DONE = "done"
    STALE = "stale"  # the draft has changed since the revision that was looked at
    REFUSED = "refused"  # it cannot score anybody, or is not open; the message says so
    SAME = "same"  # the newest version has the same content
    DOUBTFUL = "doubtful"  # ideas may be wrong, and nobody chose to publish them anyway


@dataclass(frozen=True, slots=True)
class Publication:
    """What became of the wish to publish a draft."""

    result: PublishResult
    draft: Draft
    version: StoredPyramid | None = None
    message: str = ""


@transaction.atomic
def draft_publish(
    *,
    draft: Draft,
    revision: int,
    note: str,
    author: User | None,
    even_if_same: bool = False,
    even_if_doubtful: bool = False,
) -> Publication:
    """Freeze the draft as the next version, and score the class with it.

    Publishes only the state that its author looked at (``revision``), and a state that is the same
    as the newest version, or has doubtful ideas, only where the author insists.
    """
    # A submission that comes in now waits for this lock, or is seen when the class is scored.
    assignment = Assignment.objects.select_for_update().get(pk=draft.assignment_id)
    locked = Draft.objects.select_for_update().get(pk=draft.pk)
    if not locked.is_open:
        state = locked.get_state_display().lower()
        return Publication(PublishResult.REFUSED, locked, message=f"This draft is {state} already.")
    if locked.revision != revision:
        return Publication(PublishResult.STALE, locked)
    pyramid = heaviest_first(pyramid_from_draft(locked))
    if reason := unscorable_reason(pyramid):
        return Publication(PublishResult.REFUSED, locked, message=reason)
    newest = StoredPyramid.objects.newest_of(assignment)
    if newest and newest.content_hash == content_hash(pyramid) and not even_if_same:
        message = f"Not published: nothing has changed since version {newest.number}."
        return Publication(PublishResult.SAME, locked, newest, message)
    if not even_if_doubtful and doubts_of(draft=locked, pyramid=pyramid).ideas:
        message = "Not published: some ideas may be wrong. They are listed below."
        return Publication(PublishResult.DOUBTFUL, locked, message=message)
    version = StoredPyramid.objects.create(
        assignment=assignment,
        number=newest.number + 1 if newest else 1,
        note=note,
        created_by=author,
        **pyramid_fields(pyramid),
    )
    sentence = f"Published version {version.number} of the pyramid."
    record(AuditKind.PYRAMID_PUBLISHED, sentence, assignment=assignment, actor=author)
    locked.state, locked.published_as = Draft.State.PUBLISHED, version
    locked.save(update_fields=["state", "published_as"])
    learnt_curve_carry(version=version)
    submissions_start_scoring(assignment=assignment, requested_by=author)
    return Publication(PublishResult.DONE, locked, version)


@transaction.atomic
def draft_from_version(*, version: StoredPyramid, author: User) -> Draft:
    """Begin a draft with the content of the version, or return one that is not edited yet.

    Suggestions that were dismissed in the draft of the version stay dismissed.
    """
    Assignment.objects.select_for_update().get(pk=version.assignment_id)  # a double click is one
    unedited = version.drafts.filter(
        origin=Draft.Origin.VERSION, state=Draft.State.OPEN, revision=0, created_by=author
    ).first()
    if unedited is not None:
        return unedited
    draft = draft_create(
        assignment=version.assignment,
        pyramid=pyramid_from_row(version),
        origin=Draft.Origin.VERSION,
        origin_note=f"version {version.number}",
        author=author,
        based_on=version,
    )
    dismissed = Dismissal.objects.filter(draft__published_as=version).order_by("pk")
    Dismissal.objects.bulk_create(
        Dismissal(draft=draft, key=dismissal.key, author_id=dismissal.author_id)
        for dismissal in dismissed
    )
    return draft
