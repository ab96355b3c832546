"""Suggestions about a draft, and how good its pyramid is: found by a worker, shown by pages."""

from dataclasses import dataclass

from django.db import transaction

from grading.drafts.log import Outcome, Sender, draft_edit
from grading.editor.actions_reference_changes import reference_changes
from grading.jobs.claims import Claim, job_start
from grading.models import Dismissal, Draft, Finding, Job, User
from grading.pyramid.analysis import Analysis, Kind, Suggestion, analyse, with_new_uids
from grading.pyramid.analysis.analysis_json import (
    ANALYSIS_FORMAT,
    analysis_from_json,
    analysis_to_json,
)
from grading.pyramid.analysis.by_lot import drawn_by_lot
from grading.pyramid.editing.errors import EditError
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Pyramid, SegmentedText
from grading.scoring.conversion import pyramid_from_draft
from grading.scoring.corrections import Carrier
from grading.scoring.engine import load_engine
from grading.scoring.learnt_curves import tuned_to_draft
from grading.scoring.readings import FETCHED_TOGETHER, readings_get_possible

MOST_STUDENTS = 80  # of a larger class so many are looked at: enough to see what many say


@dataclass(frozen=True, slots=True)
class FoundAnalysis:
    """What was found out last; perhaps of an earlier state of the draft or of the class."""

    analysis: Analysis
    revision: int  # of the draft that was looked at
    is_current: bool


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Those that can be taken now, and those that somebody dismissed."""

    open: tuple[Suggestion, ...]
    dismissed: tuple[Suggestion, ...]


def analysis_start(*, draft: Draft, requested_by: User) -> Job:
    """Ask a worker to look at the draft as it is when he comes to it."""
    return job_start(
        kind=Job.Kind.ANALYSE_DRAFT,
        assignment=draft.assignment,
        requested_by=requested_by,
        draft=draft,
    )


def draft_analyse(job: Job, claim: Claim) -> None:
    """Look at the draft, and at what a class has handed in."""
    draft = Draft.objects.select_related("assignment").get(jobs=job)
    claim.progress("Loading the language model", 0, 0)
    pyramid = pyramid_from_draft(draft)
    engine = tuned_to_draft(load_engine(), draft, Carrier.to_draft(draft, pyramid))
    submitted = _submitted(draft)
    students = _students(draft, engine)
    found = analyse(pyramid, students, engine, progress=claim.progress)
    _keep(draft, {"submitted": submitted, **analysis_to_json(found)}, claim)


def _submitted(draft: Draft) -> int:
    """Tells whether somebody has handed in since."""
    return draft.assignment.submissions.count()


def _students(draft: Draft, engine: Engine) -> list[SegmentedText]:
    """The latest attempts of some students."""
    latest = draft.assignment.submissions.latest_attempts().select_related("student")
    drawn = drawn_by_lot(latest.order_by("pk"), lambda one: one.text, MOST_STUDENTS)
    return [
        text
        for start in range(0, len(drawn), FETCHED_TOGETHER)
        for text in readings_get_possible(
            submissions=drawn[start : start + FETCHED_TOGETHER], engine=engine
        ).values()
    ]


@transaction.atomic
def _keep(draft: Draft, document: dict[str, object], claim: Claim) -> None:
    """In the place of what was found before, unless that was of a later state of the draft."""
    Draft.objects.select_for_update().only("pk").get(pk=draft.pk)
    claim.finish()
    rows = Finding.objects.filter(draft=draft, kind=Finding.Kind.ANALYSIS)
    if rows.filter(revision__gt=draft.revision).exists():
        return
    rows.delete()
    Finding.objects.create(
        draft=draft,
        kind=Finding.Kind.ANALYSIS,
        revision=draft.revision,
        document={"format": ANALYSIS_FORMAT, **document},
    )


def analysis_found(*, draft: Draft) -> FoundAnalysis | None:
    row = draft.findings.filter(
        kind=Finding.Kind.ANALYSIS, document__format=ANALYSIS_FORMAT
    ).first()
    if row is None:
        return None
    same_class = row.document["submitted"] == _submitted(draft)
    is_current = row.revision == draft.revision and same_class
    return FoundAnalysis(analysis_from_json(row.document), row.revision, is_current)


def analysis_job(*, draft: Draft) -> Job | None:
    """The newest, if it is going on or has failed."""
    newest = draft.jobs.filter(kind=Job.Kind.ANALYSE_DRAFT).first()
    return None if newest is None or newest.is_done else newest


def suggestions_of(*, draft: Draft, found: FoundAnalysis | None) -> Suggestions:
    """What fits the draft as it is; changes of the assignment's references come first."""
    pyramid = pyramid_from_draft(draft)
    stored = found.analysis.suggestions if found else ()
    fitting = [
        one
        for one in (*reference_changes(draft=draft, pyramid=pyramid), *stored)
        if _still_fits(one, pyramid, draft.next_uid)
    ]
    dismissed = set(draft.dismissals.values_list("key", flat=True))
    return Suggestions(
        open=tuple(one for one in fitting if one.key not in dismissed),
        dismissed=tuple(one for one in fitting if one.key in dismissed),
    )


def suggestion_take(*, draft: Draft, key: str, sender: Sender) -> Outcome:
    """Make the edit of a suggestion, dismissed or not, if it still fits the draft."""
    found = suggestions_of(draft=draft, found=analysis_found(draft=draft))
    commands = (
        with_new_uids(one.command, draft.next_uid)
        for one in (*found.open, *found.dismissed)
        if one.key == key
    )
    return draft_edit(draft=draft, command=next(commands, _Gone()), sender=sender)


@dataclass(frozen=True, slots=True)
class _Gone:
    """What is left of a suggestion that does not fit any more: an edit that is refused in words.

    One that was taken, and whose answer was lost, is known by its token before.
    """

    def apply(self, pyramid: Pyramid) -> Pyramid:
        del pyramid
        raise EditError("This suggestion does not fit the draft any more.")

    def words(self, pyramid: Pyramid) -> str:
        del pyramid
        return ""


def suggestion_dismiss(*, draft: Draft, key: str, author: User) -> None:
    Dismissal.objects.get_or_create(draft=draft, key=key, defaults={"author": author})


def suggestion_bring_back(*, draft: Draft, key: str) -> None:
    Dismissal.objects.filter(draft=draft, key=key).delete()


def _still_fits(suggestion: Suggestion, pyramid: Pyramid, next_uid: int) -> bool:
    """Can it be made, does it change anything, and is what it would make not there already?"""
    try:
        after = with_new_uids(suggestion.command, next_uid).apply(pyramid)
    except EditError:
        return False
    known = {scu.uid for scu in pyramid.scus}
    made = {scu.label for scu in after.scus if scu.uid not in known}
    is_there = made.intersection(scu.label for scu in pyramid.scus)
    return after != pyramid and (suggestion.kind is Kind.SPLIT or not is_there)
