"""What happened to a submission, by whom and when, as far as the reader may see it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from grading.models import MarkingStep, Missed, Score, Sight, Submission, SubmissionEvent, User
from grading.pyramid.corrections import Verdict
from grading.web.word_spans import shortened

KINDS = SubmissionEvent.Kind
_FOR_GRADERS = (
    KINDS.RELEASED,
    KINDS.HELD,
    KINDS.BY_RULE,
    KINDS.LOOKED,
    KINDS.NOT_LOOKED,
    KINDS.COMMENT,
)


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """``what`` goes on from ``who`` (“Ana counted …”); without anybody it is a sentence.

    ``before`` and ``after`` are comprehensive scores; without ``before``, ``after`` is the first.
    """

    when: datetime
    who: User | None
    what: str
    detail: str = ""
    before: float | None = None
    after: float | None = None
    corrects: bool = False  # somebody's word on what the program found


def timeline_of(submission: Submission, sight: Sight) -> tuple[TimelineEntry, ...]:
    """In the order of time, in two queries; of a result that is withheld, only the handing in."""
    return timelines_of([(submission, sight)])[submission.pk]


def timelines_of(
    seen: Sequence[tuple[Submission, Sight]],
) -> dict[int, tuple[TimelineEntry, ...]]:
    """The same of several by submission, in as many queries."""
    shown = [submission.pk for submission, sight in seen if sight.shown]
    scores, events = (_scores_of(shown), _events_of(shown)) if shown else ({}, {})
    return {
        submission.pk: tuple(
            sorted(
                [
                    _handed_in(submission),
                    *_scored(scores.get(submission.pk, ())),
                    *_events(events.get(submission.pk, ()), submission, sight),
                ],
                key=lambda entry: entry.when,
            )
        )
        for submission, sight in seen
    }


def _scores_of(submissions: Sequence[int]) -> dict[int, list[Score]]:
    """The program's own; those that corrections made stand with the corrections."""
    found: dict[int, list[Score]] = {}
    scores = Score.objects.filter(submission__in=submissions, revision=0).order_by("pk")
    for score in scores.select_related("pyramid").defer("document", "pyramid__document"):
        found.setdefault(score.submission_id, []).append(score)
    return found


def _events_of(submissions: Sequence[int]) -> dict[int, list[SubmissionEvent]]:
    found: dict[int, list[SubmissionEvent]] = {}
    events = SubmissionEvent.objects.filter(submission__in=submissions).order_by("pk")
    for event in events.select_related("author"):
        found.setdefault(event.submission_id, []).append(event)
    return found


def _handed_in(submission: Submission) -> TimelineEntry:
    what = "handed in the summary" if submission.is_final else "handed in a draft"
    late = ", after the due date" if submission.late else ""
    return TimelineEntry(submission.submitted_at, submission.student, f"{what}{late}")


def _scored(scores: Iterable[Score]) -> Iterator[TimelineEntry]:
    for score in scores:
        version = f"version {score.pyramid.number} of the pyramid"
        if score.held:
            what = f"Held when it was compared with {version}: {score.held_because}"
            yield TimelineEntry(score.created_at, None, what)
        else:
            what = f"The program scored it with {version}"
            yield TimelineEntry(score.created_at, None, what, after=score.comprehensive)


def _events(
    events: Iterable[SubmissionEvent], submission: Submission, sight: Sight
) -> Iterator[TimelineEntry]:
    """Its student by the row that the submission came with, where the name may be hidden."""
    for event in events:
        by_student = event.author_id == submission.student_id
        is_for_graders = event.kind in _FOR_GRADERS
        # What follows from the answer to a second look is told with the answer.
        is_told_with_it = event.kind == KINDS.CORRECTED and "second_look" in event.document
        if (sight.full or not is_for_graders) and not is_told_with_it:
            yield TimelineEntry(
                event.created_at,
                submission.student if by_student else event.author,
                _what(event) if event.author else f"Somebody {_what(event)}",
                _detail(event, sight),
                event.comprehensive("before"),
                event.comprehensive("after"),
                corrects=event.kind in {KINDS.CORRECTED, KINDS.ANSWERED},
            )


_WORDS = {  # of the other kinds
    KINDS.RELEASED: "released the result",
    KINDS.HELD: "held the result back",
    KINDS.BY_RULE: "set the result to be shown as the assignment says",
    KINDS.ASKED: "asked for a second look",
    KINDS.WITHDRAWN: "withdrew a request for a second look",
    KINDS.LOOKED: "looked it through",
    KINDS.NOT_LOOKED: "marked it as not looked through",
    KINDS.IMPORTED: "took this in from a file",
}


def _what(event: SubmissionEvent) -> str:
    document = event.document
    if event.kind == KINDS.COMMENT:
        return f"{document['did']} a {'note for graders' if document['private'] else 'comment'}"
    if event.kind == KINDS.CORRECTED and "did" in document:
        return _step(document)
    if event.kind == KINDS.CORRECTED:
        told = document.get("verdict") == Verdict.TOLD
        return "counted an idea by hand" if told else "took away an idea that had counted"
    if event.kind == KINDS.ANSWERED:
        verb = "changed the answer to" if document.get("again") else "answered"
        counts = "it counts" if document.get("state") == "accepted" else "it does not count"
        return f"{verb} a request for a second look: {counts}"
    return _WORDS[KINDS(event.kind)]


def _step(document: dict[str, str]) -> str:
    """Of the marking desk; what was undone or done again is named."""
    root = MarkingStep.Did(document["root"]).label
    again = {MarkingStep.Did.UNDID: "undid", MarkingStep.Did.REDID: "did again"}
    verb = again.get(MarkingStep.Did(document["did"]))
    return f"{verb}: {root}" if verb else str(root)


def _detail(event: SubmissionEvent, sight: Sight) -> str:
    """The idea, for those who may read of ideas that a text lacks: it may lack this one by now."""
    if event.kind == KINDS.COMMENT:
        return _comment(event.document)
    return str(event.document.get("label", "")) if sight.missed >= Missed.LABELS else ""


def _comment(document: dict[str, str]) -> str:
    """What it says; of one that was changed, also what it said before."""
    said = [document["text_before"], document["text"]] if document["did"] == "changed" else []
    return " → ".join(shortened(one, 200) for one in said or [document["text"]])
