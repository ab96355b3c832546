"""Two attempts of a student side by side. Scores that are withheld are not even asked for."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading import access
from grading.feedback.forms import AttemptsForm
from grading.feedback.page_found import Seen
from grading.models import Membership, Score, Sight, Submission
from grading.pyramid.comparison import WordChange, WordPieces, compare_texts
from grading.pyramid.feedback.progress import compare_reports
from grading.pyramid.figures import hundredths, with_minus
from grading.pyramid.structures import ScoreReport, Text
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.results import newest_scores
from grading.web.charts_attempt import pictures_of
from grading.web.ideas import Idea, idea_of
from grading.web.rendering import SignedInRequest, render_form_page

MEASURES = ("comprehensive", "quality", "coverage")


@require_safe
def attempts_compare(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_submission_for(request.user, pk)
    attempts = _attempts_of(submission)
    form = AttemptsForm(request.GET, attempts=attempts, this=submission)
    chosen = form.chosen() if len(attempts) > 1 else None
    context = {
        "assignment": submission.assignment,
        "membership": membership,
        "submission": submission,
        "attempts": attempts,
        "form": form,
        **(_comparison(chosen, attempts, membership) if chosen else {}),
    }
    return render_form_page(request, "grading/feedback/compare_attempts.html", context)


def _attempts_of(submission: Submission) -> list[Submission]:
    """The earliest first."""
    attempts = Submission.objects.attempts_of(submission.assignment, submission.student)
    found = list(attempts.order_by("attempt"))
    for attempt in found:
        attempt.assignment, attempt.student = submission.assignment, submission.student
    return found


def _comparison(
    chosen: tuple[Submission, Submission], attempts: Sequence[Submission], membership: Membership
) -> dict[str, Any]:
    shown = [one for one in attempts if access.get_sight_of(one, membership).shown]
    found = newest_scores(shown) if shown else {}
    scores = {pk: score for pk, score in found.items() if not score.held}
    before, after = chosen
    old, new = scores.get(before.pk), scores.get(after.pk)
    line = [(one, scores[one.pk]) for one in attempts if one.pk in scores]
    changes = compare_texts(before.text, after.text)
    return {
        "before": before,
        "after": after,
        "withheld": [one for one in chosen if one not in shown],
        "unscored": [one for one in chosen if one in shown and one.pk not in scores],
        "measures": _measures(old, new),
        "same_measure": _same_measure(old, new),
        "ideas": _ideas(before, after, membership) if old and new else None,
        "line": line,
        "line_is_mixed": not all(_same_measure(line[0][1], score) for _, score in line),
        "pictures": pictures_of([(one.attempt, score) for one, score in line]),
        "paragraphs": changes,
        "counts": _count_words(changes),
    }


@dataclass(frozen=True, slots=True)
class Measured:
    """A score of both attempts; ``change`` only where the same was measured."""

    name: str
    before: float | None
    after: float | None
    change: Decimal | None

    @property
    def direction(self) -> str:
        change = self.change or 0
        return "up" if change > 0 else "down" if change < 0 else "same"

    @property
    def told(self) -> str:
        return with_minus(f"{self.change:+}") if self.change else "no change"


def _measures(before: Score | None, after: Score | None) -> tuple[Measured, ...]:
    if before is None and after is None:
        return ()
    same = _same_measure(before, after)
    measured = []
    for name in MEASURES:
        old = None if before is None else float(getattr(before, name))
        new = None if after is None else float(getattr(after, name))
        both = same and old is not None and new is not None
        change = hundredths(new or 0) - hundredths(old or 0) if both else None
        measured.append(Measured(name.capitalize(), old, new, change))
    return tuple(measured)


def _same_measure(before: Score | None, after: Score | None) -> bool:
    """Are both scores there, by the same version and the same method?"""
    if before is None or after is None:
        return False
    return (before.pyramid_id, before.signature) == (after.pyramid_id, after.signature)


@dataclass(frozen=True, slots=True)
class ToldIdea:
    """An idea with the words of the attempts that tell it."""

    idea: Idea
    before: str = ""
    after: str = ""

    @property
    def is_reworded(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class ComparedIdeas:
    """``is_newest``: are these the scores that hold, and not earlier ones of both?"""

    gained: tuple[ToldIdea, ...]
    lost: tuple[ToldIdea, ...]
    kept: tuple[ToldIdea, ...]
    is_newest: bool


def _ideas(before: Submission, after: Submission, membership: Membership) -> ComparedIdeas | None:
    """By the newest version that has scored both; None where there is none."""
    pair = _scored_alike(before, after)
    if pair is None:
        return None
    old, new, is_newest = pair
    pyramid = pyramid_from_row(new.pyramid).counted()
    was, now = report_from_row(old), report_from_row(new)
    texts = submission_to_text(before), submission_to_text(after)
    sight: Sight = access.get_sight_of(after, membership)
    matches = [*was.evidence.credited, *now.evidence.credited]
    heaviest = Seen(texts[1], pyramid, sight, {}).heaviest(matches)
    there = {scu.uid: idea_of(pyramid, scu, heaviest) for scu in pyramid.scus}
    words = _first_words(was, texts[0]), _first_words(now, texts[1])

    def told(uid: int) -> ToldIdea:
        return ToldIdea(there[uid], words[0].get(uid, ""), words[1].get(uid, ""))

    progress = compare_reports(was, now, pyramid)
    return ComparedIdeas(
        gained=tuple(told(uid) for uid in progress.gained),
        lost=tuple(told(uid) for uid in progress.lost),
        kept=tuple(told(one.scu) for one in progress.kept),
        is_newest=is_newest,
    )


def _first_words(report: ScoreReport, text: Text) -> dict[int, str]:
    """By the idea: the first words that tell it."""
    last_first = sorted(report.evidence.credited, key=lambda match: match.spans, reverse=True)
    return {match.scu: text.quoted(match.spans) for match in last_first}


def _scored_alike(before: Submission, after: Submission) -> tuple[Score, Score, bool] | None:
    """The newest scores of both by one version and method, and whether they hold now."""
    scores = Score.objects.filter(submission__in=[before.pk, after.pk])
    rows = scores.oldest_first().values_list("pk", "submission", "pyramid", "signature")
    found: dict[tuple[int, str], dict[int, int]] = {}
    holds: dict[int, int] = {}
    for pk, submission, pyramid, signature in rows:
        found.setdefault((pyramid, signature), {})[submission] = pk
        holds[submission] = pk
    alike = [by_submission for by_submission in found.values() if len(by_submission) == 2]
    if not alike:
        return None
    loaded = scores.select_related("pyramid").in_bulk(alike[-1].values())
    old, new = loaded[alike[-1][before.pk]], loaded[alike[-1][after.pk]]
    return old, new, alike[-1] == holds


def _count_words(paragraphs: Sequence[WordPieces]) -> dict[str, int]:
    counts: Counter[WordChange] = Counter()
    for pieces in paragraphs:
        for piece in pieces:
            counts[piece.change] += len(piece.words.split())
    return {change.value: counts[change] for change in WordChange}
