"""Ideas that many students wrote and the pyramid lacks: looked for by a worker, and kept."""

import uuid
from collections.abc import Iterator, Sequence

from django.db import transaction
from django.utils import timezone

from grading.drafts.log import Outcome, Sender, draft_edit
from grading.editor.actions_analyses import MOST_STUDENTS
from grading.jobs.claims import Claim, job_start
from grading.models import Assignment, ClassFinding, Draft, Job, StoredPyramid, Submission, User
from grading.pyramid.analysis.by_lot import drawn_by_lot
from grading.pyramid.analysis.students import Trial, enough_of, new_wordings
from grading.pyramid.class_figures.new_ideas import NewIdea, NewIdeas
from grading.pyramid.editing.commands import NewScu
from grading.pyramid.errors import InputError
from grading.pyramid.formats.new_ideas_json import (
    NEW_IDEAS_FORMAT,
    new_ideas_from_json,
    new_ideas_to_json,
)
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Pyramid, SegmentedText, Spans
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row
from grading.scoring.engine import load_engine, tuned
from grading.scoring.readings import FETCHED_TOGETHER, readings_get_possible


def new_ideas_start(*, assignment: Assignment, requested_by: User) -> Job:
    """Ask a worker to look at what the class has handed in when he comes to it."""
    return job_start(kind=Job.Kind.FIND_NEW_IDEAS, assignment=assignment, requested_by=requested_by)


def new_ideas_find(job: Job, claim: Claim) -> None:
    """Wordings are taken from some students; who tells them is asked of all."""
    version = StoredPyramid.objects.newest_of(job.assignment)
    if version is None:
        raise InputError("There is no pyramid yet that could lack something. Publish one first.")
    claim.progress("Loading the language model", 0, 0)
    engine = tuned(load_engine(), job.assignment)
    found = _Search(pyramid_from_row(version), engine, claim).among(
        list(job.assignment.submissions.latest_attempts().select_related("student").order_by("pk"))
    )
    _keep(version, found, claim)


def new_ideas_found(*, assignment: Assignment) -> tuple[ClassFinding, NewIdeas] | None:
    """What was found last, perhaps of another version or of other attempts."""
    row = ClassFinding.objects.filter(
        assignment=assignment, document__format=NEW_IDEAS_FORMAT
    ).first()
    return None if row is None else (row, new_ideas_from_json(row.document))


def new_ideas_job(*, assignment: Assignment) -> Job | None:
    """The newest, if it is going on or has failed."""
    newest = Job.objects.filter(assignment=assignment, kind=Job.Kind.FIND_NEW_IDEAS).first()
    return None if newest is None or newest.is_done else newest


def new_idea_take(*, draft: Draft, label: str, author: User) -> Outcome | None:
    """Into the draft as it is now, by an edit that can be undone like any other.

    None where the draft has it already, or where it is not among what was found (any more).
    """
    found = new_ideas_found(assignment=draft.assignment)
    labels = {idea.label for idea in found[1].ideas} if found else set()
    if label not in labels - {scu.label for scu in pyramid_from_draft(draft).scus}:
        return None
    command = NewScu(draft.next_uid, label, given_weight=1)
    sender = Sender(author, draft.revision, uuid.uuid4())
    return draft_edit(draft=draft, command=command, sender=sender)


class _Search:
    """Looking on behalf of a job."""

    def __init__(self, pyramid: Pyramid, engine: Engine, claim: Claim) -> None:
        self._pyramid = pyramid
        self._engine = engine
        self._claim = claim

    def among(self, submissions: Sequence[Submission]) -> NewIdeas:
        drawn = drawn_by_lot(submissions, lambda one: one.text, MOST_STUDENTS)
        some = [text for _, text in self._read(drawn, "Looking at what students say")]
        trial = Trial(self._pyramid, new_wordings(self._pyramid, some, self._engine), self._engine)
        looked_at: set[int] = set()
        told: dict[str, dict[int, Spans]] = {label: {} for label in trial.labels}
        for pk, text in self._read(submissions, "Asking who else says it"):
            looked_at.add(pk)
            for label, spans in trial.told_in(text).items():
                told[label][pk] = spans
        least = enough_of(len(looked_at))
        many = [NewIdea(label, where) for label, where in told.items() if len(where) >= least]
        many.sort(key=lambda idea: (-len(idea.told), idea.label))
        return NewIdeas(frozenset(looked_at), tuple(many))

    def _read(
        self, submissions: Sequence[Submission], doing: str
    ) -> Iterator[tuple[int, SegmentedText]]:
        """Those that can be read; the engine remembers the vectors of the newest only."""
        for start in range(0, len(submissions), FETCHED_TOGETHER):
            self._claim.progress(doing, start, len(submissions))
            batch = submissions[start : start + FETCHED_TOGETHER]
            yield from readings_get_possible(submissions=batch, engine=self._engine).items()


@transaction.atomic
def _keep(version: StoredPyramid, found: NewIdeas, claim: Claim) -> None:
    """In the place of what was found before."""
    Assignment.objects.select_for_update().only("pk").get(pk=version.assignment_id)
    claim.finish()
    ClassFinding.objects.update_or_create(
        assignment_id=version.assignment_id,
        defaults={
            "version": version,
            "document": new_ideas_to_json(found),
            "created_at": timezone.now(),
        },
    )
