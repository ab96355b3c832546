"""Ideas that many students wrote and the pyramid lacks: a worker looks for them and keeps them."""

import uuid
from collections.abc import Iterator, Sequence

from django.db import transaction
from django.utils import timezone

from grading.class_figures.queries import new_ideas_of
from grading.drafts.log import Outcome, Sender, draft_edit
from grading.jobs.claims import Claim, job_start
from grading.models import Assignment, ClassFinding, Draft, Job, StoredPyramid, Submission, User
from grading.pyramid.analysis.quality import drawn_by_lot
from grading.pyramid.analysis.students import Trial, enough_of, new_wordings
from grading.pyramid.class_figures import NewIdea, NewIdeas
from grading.pyramid.editing.commands import NewScu
from grading.pyramid.errors import InputError
from grading.pyramid.formats.findings_json import new_ideas_to_json
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Pyramid, SegmentedText, Spans
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row
from grading.scoring.engine import engine_for_assignment, load_engine
from grading.scoring.readings import FETCHED_TOGETHER, MOST_STUDENTS, readings_get_possible


def new_ideas_start(*, assignment: Assignment, requested_by: User) -> Job:
    """Ask a worker to look at what the class has submitted by the time the job begins."""
    return job_start(kind=Job.Kind.FIND_NEW_IDEAS, assignment=assignment, requested_by=requested_by)


def new_ideas_find(job: Job, claim: Claim) -> None:
    """Take wordings from some students, look for them in all, and keep what many express."""
    version = StoredPyramid.objects.newest_of(job.assignment)
    if version is None:
        raise InputError("There is no published pyramid yet. Publish one first.")
    claim.progress("Loading the language model", 0, 0)
    engine = engine_for_assignment(load_engine(), job.assignment)
    latest = job.assignment.submissions.latest_attempts()
    submissions = list(latest.select_related("student").order_by("pk"))
    new_ideas = _search(submissions, pyramid_from_row(version), engine, claim)
    with transaction.atomic():
        Assignment.objects.select_for_update().only("pk").get(pk=version.assignment_id)
        claim.finish()
        ClassFinding.objects.update_or_create(
            assignment_id=version.assignment_id,
            defaults={
                "version": version,
                "document": new_ideas_to_json(new_ideas),
                "created_at": timezone.now(),
            },
        )


def new_idea_take(*, draft: Draft, label: str, author: User) -> Outcome | None:
    """Add it to the draft by an edit that can be undone like any other.

    None where the draft has it already, or the newest finding lacks it.
    """
    finding = new_ideas_of(draft.assignment)
    labels = {idea.label for idea in finding[1].ideas} if finding else set()
    if label not in labels - {scu.label for scu in pyramid_from_draft(draft).scus}:
        return None
    command = NewScu(draft.next_uid, label, given_weight=1)
    sender = Sender(author, draft.revision, uuid.uuid4())
    return draft_edit(draft=draft, command=command, sender=sender)


def _search(
    submissions: Sequence[Submission], pyramid: Pyramid, engine: Engine, claim: Claim
) -> NewIdeas:
    def read(rows: Sequence[Submission], doing: str) -> Iterator[tuple[int, SegmentedText]]:
        """In batches: the engine remembers the vectors of the newest texts only."""
        for start in range(0, len(rows), FETCHED_TOGETHER):
            claim.progress(doing, start, len(rows))
            batch = rows[start : start + FETCHED_TOGETHER]
            yield from readings_get_possible(submissions=batch, engine=engine).items()

    drawn = drawn_by_lot(submissions, lambda submission: submission.text, MOST_STUDENTS)
    some = [text for _, text in read(drawn, "Reading what students wrote")]
    trial = Trial(pyramid, new_wordings(pyramid, some, engine), engine)
    searched: set[int] = set()
    spans_of: dict[str, dict[int, Spans]] = {label: {} for label in trial.labels}
    for pk, text in read(submissions, "Finding who else wrote it"):
        searched.add(pk)
        for label, spans in trial.spans_in(text).items():
            spans_of[label][pk] = spans
    least = enough_of(len(searched))
    common = [
        NewIdea(label, spans_in) for label, spans_in in spans_of.items() if len(spans_in) >= least
    ]
    common.sort(key=lambda idea: (-len(idea.spans), idea.label))
    return NewIdeas(frozenset(searched), tuple(common))
