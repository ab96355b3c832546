"""A worker analyses a draft; what it suggests is accepted, dismissed, or restored."""

from dataclasses import dataclass

from grading.drafts.log import Outcome, Sender, draft_edit
from grading.editor.queries import draft_suggestions, latest_analysis
from grading.jobs.claims import Claim, job_start
from grading.models import Dismissal, Draft, Finding, Job, User
from grading.pyramid.analysis.analysing import ANALYSIS_FORMAT, analyse, analysis_to_json
from grading.pyramid.analysis.quality import drawn_by_lot
from grading.pyramid.analysis.suggestions import with_new_uids
from grading.pyramid.errors import EditError
from grading.pyramid.structures import Pyramid, SegmentedText
from grading.scoring.conversion import pyramid_from_draft
from grading.scoring.corrections import Carrier
from grading.scoring.effects import finding_replace
from grading.scoring.engine import load_engine
from grading.scoring.learnt_curves import engine_for_draft
from grading.scoring.readings import FETCHED_TOGETHER, MOST_STUDENTS, readings_get_possible


def analysis_start(*, draft: Draft, requested_by: User) -> Job:
    """Ask a worker to analyse the draft in the state that it has when the job runs."""
    return job_start(
        kind=Job.Kind.ANALYSE_DRAFT,
        assignment=draft.assignment,
        requested_by=requested_by,
        draft=draft,
    )


def draft_analyse(job: Job, claim: Claim) -> None:
    """Find suggestions for the draft, from its references and from what the class submitted."""
    draft = Draft.objects.select_related("assignment").get(jobs=job)
    claim.progress("Loading the language model", 0, 0)
    pyramid = pyramid_from_draft(draft)
    engine = engine_for_draft(load_engine(), draft, Carrier.to_draft(draft, pyramid))
    # Counted first: a text that is submitted later makes the analysis outdated.
    submitted = draft.assignment.submissions.count()
    latest = draft.assignment.submissions.latest_attempts().select_related("student")
    sample = drawn_by_lot(latest.order_by("pk"), lambda submission: submission.text, MOST_STUDENTS)
    texts: list[SegmentedText] = []
    for start in range(0, len(sample), FETCHED_TOGETHER):
        batch = sample[start : start + FETCHED_TOGETHER]
        texts += readings_get_possible(submissions=batch, engine=engine).values()
    analysis = analyse(pyramid, texts, engine, progress=claim.progress)
    document = {
        "format": ANALYSIS_FORMAT,
        "submitted": submitted,
        **analysis_to_json(analysis),
    }
    finding_replace(draft=draft, kind=Finding.Kind.ANALYSIS, document=document, claim=claim)


@dataclass(frozen=True, slots=True)
class _OutdatedSuggestion:
    """The edit of a suggestion that fits no more: it is refused, with a message.

    Going through ``draft_edit`` all the same lets it answer an edit that is sent twice: the second
    time its suggestion does not fit any more, but its token is known.
    """

    def apply(self, pyramid: Pyramid) -> Pyramid:
        del pyramid
        raise EditError("This suggestion no longer fits the draft.")

    def words(self, pyramid: Pyramid) -> str:
        del pyramid
        return ""


def suggestion_accept(*, draft: Draft, key: str, sender: Sender) -> Outcome:
    """Make the edit of a suggestion, dismissed or not, if it still fits the draft."""
    suggestions = draft_suggestions(draft=draft, stored=latest_analysis(draft=draft))
    commands = (
        with_new_uids(suggestion.command, draft.next_uid)
        for suggestion in (*suggestions.open, *suggestions.dismissed)
        if suggestion.key == key
    )
    return draft_edit(draft=draft, command=next(commands, _OutdatedSuggestion()), sender=sender)


def suggestion_dismiss(*, draft: Draft, key: str, author: User) -> None:
    Dismissal.objects.get_or_create(draft=draft, key=key, defaults={"author": author})


def suggestion_restore(*, draft: Draft, key: str) -> None:
    Dismissal.objects.filter(draft=draft, key=key).delete()
