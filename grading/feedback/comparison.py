"""Two attempts of a student side by side: scores, ideas and words. Hidden scores are not read."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grading import access
from grading.feedback.ideas import ReaderContext
from grading.models import Membership, Score, Submission
from grading.pyramid.comparison import WordChange, WordPieces, compare_texts
from grading.pyramid.feedback.progress import compare_reports
from grading.pyramid.figures import hundredths, with_minus
from grading.pyramid.structures import ScoreReport, Text
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.results import newest_scores
from grading.web.charts import attempt_chart
from grading.web.html_elements import element, hidden
from grading.web.ideas import Idea, Ideas

MEASURES = ("comprehensive", "quality", "coverage")


def compare_attempts(
    before: Submission, after: Submission, attempts: Sequence[Submission], membership: Membership
) -> dict[str, Any]:
    """The context of the comparison; ``attempts`` are all, the earliest first."""
    shown = [row for row in attempts if access.get_sight_of(row, membership).shown]
    newest = newest_scores(shown) if shown else {}
    scores = {pk: score for pk, score in newest.items() if not score.held}
    old, new = scores.get(before.pk), scores.get(after.pk)
    line = [(row, scores[row.pk]) for row in attempts if row.pk in scores]
    paragraphs = compare_texts(before.text, after.text)
    words: Counter[WordChange] = Counter()
    for pieces in paragraphs:
        for piece in pieces:
            words[piece.change] += len(piece.words.split())
    return {
        "before": before,
        "after": after,
        "unreleased": _links([row for row in (before, after) if row not in shown]),
        "unscored": _links(
            [row for row in (before, after) if row in shown and row.pk not in scores]
        ),
        "measures": _measures(old, new),
        "same_measure": _is_same_measure(old, new),
        "ideas": _compare_ideas(before, after, membership) if old and new else None,
        "line": line,
        "line_is_mixed": not all(_is_same_measure(line[0][1], score) for _, score in line),
        "pictures": [
            attempt_chart(
                name.capitalize(),
                [(row.attempt, float(getattr(score, name))) for row, score in line],
            )
            for name in MEASURES
            if len(line) > 1
        ],
        "words": format_html_join(
            "", '<p dir="auto">{}</p>', ((_words_html(pieces),) for pieces in paragraphs)
        ),
        "counts": {change.value: words[change] for change in WordChange},
    }


def _links(attempts: Sequence[Submission]) -> SafeString:
    return format_html_join(
        " and ",
        '<a href="{}">attempt {}</a>',
        ((reverse("submission", args=[row.pk]), row.attempt) for row in attempts),
    )


def _words_html(pieces: WordPieces) -> SafeString:
    """A paragraph with what was added and removed; screen readers hear which is which."""
    marked: list[str] = []
    for piece in pieces:
        if piece.change is WordChange.ADDED:
            words = format_html("{}{}{}", hidden("[added: "), piece.words, hidden("]"))
            marked.append(element("ins", words))
        elif piece.change is WordChange.REMOVED:
            words = format_html("{}{}{}", hidden("[removed: "), piece.words, hidden("]"))
            marked.append(element("del", words))
        else:
            marked.append(piece.words)
    return format_html_join(" ", "{}", ((row,) for row in marked))


@dataclass(frozen=True, slots=True)
class Measure:
    """A score of both attempts; ``change`` only where both were measured alike."""

    name: str
    before: float | None
    after: float | None
    change: Decimal | None

    @property
    def direction(self) -> str:
        change = self.change or 0
        return "up" if change > 0 else "down" if change < 0 else "same"

    @property
    def change_as_text(self) -> str:
        return with_minus(f"{self.change:+}") if self.change else "no change"


def _measures(before: Score | None, after: Score | None) -> tuple[Measure, ...]:
    """Compare the scores of both attempts. Changes are those of the numbers that are shown."""
    if before is None and after is None:
        return ()
    is_same = _is_same_measure(before, after)
    measures = []
    for name in MEASURES:
        old = None if before is None else float(getattr(before, name))
        new = None if after is None else float(getattr(after, name))
        change = hundredths(new or 0) - hundredths(old or 0) if is_same else None
        measures.append(Measure(name.capitalize(), old, new, change))
    return tuple(measures)


def _is_same_measure(before: Score | None, after: Score | None) -> bool:
    """Are both there, and calculated with one version of the pyramid and one method?"""
    if before is None or after is None:
        return False
    return (before.pyramid_id, before.signature) == (after.pyramid_id, after.signature)


@dataclass(frozen=True, slots=True)
class ComparedIdea:
    """An idea with the words that express it in either attempt."""

    idea: Idea
    before: str
    after: str

    @property
    def is_reworded(self) -> bool:
        return self.before != self.after


def _compare_ideas(
    before: Submission, after: Submission, membership: Membership
) -> dict[str, Any] | None:
    """Ideas gained, lost and kept, by the newest version that has scored both attempts.

    None where no version has. ``is_newest`` says whether these are the current scores of both.
    """
    pair = _alike_scores(before, after)
    if pair is None:
        return None
    old, new, is_newest = pair
    pyramid = pyramid_from_row(new.pyramid).counted()
    old_report, new_report = report_from_row(old), report_from_row(new)
    old_text, new_text = submission_to_text(before), submission_to_text(after)
    sight = access.get_sight_of(after, membership)
    # A band must not depend on ideas that neither attempt has, so the heavier side sets the bands.
    heaviest = max(
        ReaderContext(new_text, pyramid, report, sight, (0, 0)).heaviest
        for report in (old_report, new_report)
    )
    old_words, new_words = _first_words(old_report, old_text), _first_words(new_report, new_text)
    shown, scus = Ideas(pyramid, heaviest), {scu.uid: scu for scu in pyramid.scus}

    def compared(uid: int) -> ComparedIdea:
        idea = shown.of(scus[uid])
        return ComparedIdea(idea, old_words.get(uid, ""), new_words.get(uid, ""))

    progress = compare_reports(old_report, new_report, pyramid)
    return {
        "gained": [compared(uid) for uid in progress.gained],
        "lost": [compared(uid) for uid in progress.lost],
        "kept": [compared(idea.scu_uid) for idea in progress.kept],
        "is_newest": is_newest,
    }


def _first_words(report: ScoreReport, text: Text) -> dict[int, str]:
    """By idea, the first words that express it."""
    last_first = sorted(report.evidence.credited, key=lambda match: match.spans, reverse=True)
    return {match.scu_uid: text.quoted(match.spans) for match in last_first}


def _alike_scores(before: Submission, after: Submission) -> tuple[Score, Score, bool] | None:
    """The newest scores of both by one version and method, and whether they are current."""
    scores = Score.objects.filter(submission__in=[before.pk, after.pk])
    rows = scores.oldest_first().values_list("pk", "submission", "pyramid", "signature")
    by_method: defaultdict[tuple[int, str], dict[int, int]] = defaultdict(dict)
    current: dict[int, int] = {}
    for pk, submission, pyramid, signature in rows:
        by_method[pyramid, signature][submission] = pk
        current[submission] = pk
    alike = [pks for pks in by_method.values() if len(pks) == 2]
    if not alike:
        return None
    loaded = scores.select_related("pyramid").in_bulk(alike[-1].values())
    return loaded[alike[-1][before.pk]], loaded[alike[-1][after.pk]], alike[-1] == current
