"""A text with as many matches as wanted, kept with its score: for tests and timings of its page."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from grading.models import Assignment, Score, StoredPyramid, Submission, User
from grading.models.summaries import count_words
from grading.pyramid.scores import score
from grading.pyramid.structures import (
    Candidate,
    Contributor,
    Evidence,
    Match,
    Pyramid,
    Repeat,
    ScoreReport,
    Scu,
    Segment,
    Span,
    Text,
)
from grading.scoring.conversion import pyramid_fields, score_fields

EXPERTS = ("Ada", "Ben", "Chi", "Dov", "Eve")
MISSED = 30
BARE_EVERY = 5  # each fifth part has no idea
_NOUNS = ("roofs", "streets", "walls", "parks", "rivers", "towers", "gardens", "squares", "trams")
_VERBS = ("store", "reflect", "lose", "gather", "release", "absorb", "cool")


@dataclass(frozen=True)
class Scored:
    """A text, what it was scored by, and what came of it."""

    text: Text
    pyramid: Pyramid
    report: ScoreReport


def clause(number: int, who: str) -> str:
    noun, other = _NOUNS[number % 9], _NOUNS[(number // 9) % 9]
    verb = _VERBS[number % 7]
    return f"{who} finds that the {noun} of quarter {number} {verb} the heat of {other}."


def made(matches: int) -> Scored:
    """Ideas of every weight; every fifth part tells none, and every seventh match is not sure."""
    pyramid = _pyramid(matches + MISSED)
    content, segments = "", []
    for number in range(matches + matches // BARE_EVERY):
        words = clause(number, "The text")
        segments.append(Segment((Span(len(content), len(content) + len(words)),)))
        content += f"{words} "
    parts = enumerate(segments)
    telling = [part for place, part in parts if place % (BARE_EVERY + 1) != BARE_EVERY]
    pairs = enumerate(zip(telling, pyramid.scus[:matches], strict=True), start=1)
    kept = tuple(
        Match(
            segment, scu.uid, 0.8, (Candidate(scu.uid + 1, 0.3),), 0.6 if place % 7 == 0 else 0.95
        )
        for place, (segment, scu) in pairs
    )
    report = score(pyramid, Evidence(tuple(segments), kept), "made")
    return Scored(Text("zoe-1", content.strip()), pyramid, report)


def said_again(scored: Scored) -> Scored:
    """Each part that told none says the first idea again; nothing else is another."""
    evidence = scored.report.evidence
    uid = evidence.matches[0].scu_uid
    again = replace(evidence, repeats=tuple(Repeat(part, uid) for part in evidence.unmatched))
    return replace(scored, report=replace(scored.report, evidence=again))


def keep(scored: Scored, assignment: Assignment, student: User) -> Submission:
    """The rows of it, as the next version and the student's next attempt."""
    number = assignment.pyramids.count() + 1
    version = StoredPyramid.objects.create(
        assignment=assignment, number=number, **pyramid_fields(scored.pyramid)
    )
    attempt = assignment.submissions.filter(student=student).count() + 1
    submission = Submission.objects.create(
        assignment=assignment,
        student=student,
        attempt=attempt,
        text=scored.text.content,
        words=count_words(scored.text.content),
    )
    keep_score(scored, submission, version)
    return submission


def keep_score(scored: Scored, submission: Submission, version: StoredPyramid) -> Score:
    return Score.objects.create(
        submission=submission,
        pyramid=version,
        signature="made",
        **score_fields(scored.report),
    )


def _pyramid(ideas: int) -> Pyramid:
    labels: dict[str, str] = dict.fromkeys(EXPERTS, "")
    scus = tuple(_scus(ideas, labels))
    references = tuple(Text(name, content) for name, content in labels.items())
    return Pyramid(references, scus, "made")


def _scus(ideas: int, labels: dict[str, str]) -> Iterator[Scu]:
    """Every weight as often; ``told`` grows by what the experts say."""
    for number in range(ideas):
        parts = []
        for name in EXPERTS[: number % len(EXPERTS) + 1]:
            words = clause(number, name)
            parts.append(
                Contributor(name, (Span(len(labels[name]), len(labels[name]) + len(words)),))
            )
            labels[name] += f"{words} "
        yield Scu(number + 1, clause(number, "Everyone"), tuple(parts))


def in_one_line(page: str) -> str:
    """The page with white space folded, as a browser shows it."""
    return " ".join(page.split())
