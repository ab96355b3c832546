"""What happened to a submission, by whom and when, as far as the reader may see it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from grading.models import MarkingStep, Missed, Score, Sight, Submission, SubmissionEvent, User
from grading.pyramid.corrections import Verdict
from grading.pyramid.editing.wording import shortened
from grading.scoring.results import scores_of

Kind = SubmissionEvent.Kind
LONGEST_COMMENT = 200  # characters of a comment that the timeline quotes
FOR_GRADERS = (
    Kind.RELEASED,
    Kind.HELD_BACK,
    Kind.BY_RULE,
    Kind.LOOKED,
    Kind.NOT_LOOKED,
    Kind.COMMENT,
)
DESCRIPTIONS = {  # of events that need nothing of their document
    Kind.RELEASED: "released the result",
    Kind.HELD_BACK: "held the result back",
    Kind.BY_RULE: "applied the assignment's rule to the result",
    Kind.ASKED: "requested a second look",
    Kind.WITHDRAWN: "withdrew a request for a second look",
    Kind.LOOKED: "reviewed it",
    Kind.NOT_LOOKED: "marked it as not reviewed",
    Kind.IMPORTED: "imported this from a file",
}


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """``what`` continues ``who`` (“Ana counted …”); without ``who`` it is a whole sentence.

    ``before`` and ``after`` are comprehensive scores; without ``before``, ``after`` is the first.
    """

    when: datetime
    who: User | None
    what: str
    detail: str = ""
    before: float | None = None
    after: float | None = None
    is_correction: bool = False  # a person corrected what the program found


def events_of(submissions: Iterable[Submission]) -> "QuerySet[SubmissionEvent]":
    """What was logged of submissions, the earliest first, with authors."""
    rows = SubmissionEvent.objects.filter(submission__in=[row.pk for row in submissions])
    return rows.select_related("author").order_by("pk")


def timeline_of(
    submission: Submission,
    sight: Sight,
    scores: Iterable[Score] | None = None,
    events: Iterable[SubmissionEvent] | None = None,
) -> tuple[TimelineEntry, ...]:
    """The earliest first, in two queries; of a hidden result, only that it was submitted.

    ``scores`` (all of the submission's, perhaps others') and ``events`` (see ``events_of``) are
    given where the caller has read them.
    """
    return timelines_of([(submission, sight)], scores, events)[submission.pk]


def timelines_of(
    submissions: Sequence[tuple[Submission, Sight]],
    all_scores: Iterable[Score] | None = None,
    logged: Iterable[SubmissionEvent] | None = None,
) -> dict[int, tuple[TimelineEntry, ...]]:
    """The timelines of several submissions by their key, also in two queries."""
    shown = [submission for submission, sight in submissions if sight.shown]
    scores: defaultdict[int, list[Score]] = defaultdict(list)
    events: defaultdict[int, list[SubmissionEvent]] = defaultdict(list)
    if shown:
        rows = scores_of(shown).filter(revision=0) if all_scores is None else all_scores
        for score in sorted(rows, key=lambda row: row.pk):
            if not score.revision:  # a score that a correction made belongs to the correction
                scores[score.submission_id].append(score)
        for event in events_of(shown) if logged is None else logged:
            events[event.submission_id].append(event)
    return {
        submission.pk: tuple(
            sorted(
                [
                    _submitted_entry(submission),
                    *map(_score_entry, scores[submission.pk]),
                    *_event_entries(
                        events[submission.pk] if sight.shown else (), submission, sight
                    ),
                ],
                key=lambda entry: entry.when,
            )
        )
        for submission, sight in submissions
    }


def _submitted_entry(submission: Submission) -> TimelineEntry:
    sentence = "submitted the summary" if submission.is_final else "submitted a draft"
    late = ", after the due date" if submission.late else ""
    return TimelineEntry(submission.submitted_at, submission.student, f"{sentence}{late}")


def _score_entry(score: Score) -> TimelineEntry:
    version = f"version {score.pyramid.number} of the pyramid"
    if score.held:
        sentence = f"Held when it was compared with {version}: {score.held_because}"
        return TimelineEntry(score.created_at, None, sentence)
    sentence = f"The program scored it with {version}"
    return TimelineEntry(score.created_at, None, sentence, after=score.comprehensive)


def _event_entries(
    events: Iterable[SubmissionEvent], submission: Submission, sight: Sight
) -> Iterator[TimelineEntry]:
    for event in events:
        # The answer to a second look says what was corrected by it.
        is_in_answer = event.kind == Kind.CORRECTED and "second_look" in event.document
        if is_in_answer or (event.kind in FOR_GRADERS and not sight.full):
            continue
        by_student = event.author_id == submission.student_id
        what = _describe(event)
        yield TimelineEntry(
            when=event.created_at,
            # The submission's own row has the pseudonym where names are hidden.
            who=submission.student if by_student else event.author,
            what=what if event.author else f"Somebody {what}",
            detail=_detail(event, sight),
            before=event.comprehensive("before"),
            after=event.comprehensive("after"),
            is_correction=event.kind in {Kind.CORRECTED, Kind.ANSWERED},
        )


def _describe(event: SubmissionEvent) -> str:
    document = event.document
    if event.kind == Kind.COMMENT:
        return f"{document['did']} a {'note for graders' if document['private'] else 'comment'}"
    if event.kind == Kind.CORRECTED and "did" in document:
        # A step of the review desk; undoing and redoing name the step that they are about.
        step = MarkingStep.Did(document["root"]).label
        verbs = {MarkingStep.Did.UNDID: "undid", MarkingStep.Did.REDID: "did again"}
        verb = verbs.get(MarkingStep.Did(document["did"]))
        return f"{verb}: {step}" if verb else str(step)
    if event.kind == Kind.CORRECTED:
        is_match = document.get("verdict") == Verdict.MATCHED
        return "counted an idea manually" if is_match else "removed an idea that had counted"
    if event.kind == Kind.ANSWERED:
        verb = "changed the answer to" if document.get("again") else "answered"
        is_accepted = document.get("state") == "accepted"
        if document.get("disputes_match"):
            outcome = "the match was removed" if is_accepted else "the match counts"
        else:
            outcome = "it counts" if is_accepted else "it does not count"
        return f"{verb} a request for a second look: {outcome}"
    return DESCRIPTIONS[Kind(event.kind)]


def _detail(event: SubmissionEvent, sight: Sight) -> str:
    """Quote a comment (a changed one as it was, too), or name the idea.

    Only those who may read the ideas that a text lacks get the name: it may lack this one by now.
    """
    document = event.document
    if event.kind == Kind.COMMENT:
        texts = [document["text"]]
        if document["did"] == "changed":
            texts.insert(0, document["text_before"])
        return " → ".join(shortened(text, LONGEST_COMMENT) for text in texts)
    return str(document.get("label", "")) if sight.missed >= Missed.LABELS else ""
