"""Steps that would raise a score: what to add, and what to shorten."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grading.pyramid.feedback.sentences import in_words, plural
from grading.pyramid.feedback.steps import Findings, Step, StepKind
from grading.pyramid.figures import hundredths
from grading.pyramid.scores import score
from grading.pyramid.structures import Match, Scu, Segment, Span, join_spans

HIGH = 0.7  # a score as it is shown: from here on there is nothing to say against it
_HALF = 0.5
_MANY = 0.4  # of the statements, or of the ideas matched
_SEVERAL = 3  # fewer statements or ideas are no pattern
_NEAR = 0.9  # of the longest: there is hardly room for more
_AT_ONCE = 3  # ideas, or parts, that somebody may add or leave out in one go

Steps = Iterator[tuple[float, Step]]  # with how useful they are, from 0 to 1


def score_steps(findings: Findings, *, tells_missed: bool, longest: int) -> Steps:
    """One at most about what is missing, and one about what is there and counts for little."""
    missed, opening = _missed(findings) if tells_missed else ([], "")
    if missed:
        step = Step(StepKind.MISSED, opening + _advice(findings, longest))
        yield _gain(findings, missed[:_AT_ONCE]), step
    elif not is_high(findings.report.coverage):
        yield 1 - findings.report.coverage, _read_again(findings, longest)
    if not (is_high(findings.report.quality) and findings.tells_mostly):
        gain = _gain(findings, []) if tells_missed else 1 - findings.report.quality
        less = _unmatched(findings) or _again(findings) or _minor(findings) or _weigh(findings)
        if less:
            yield gain, less


def is_high(value: float) -> bool:
    return float(hundredths(value)) >= HIGH


# --- what is missing ---


def _missed(findings: Findings) -> tuple[Sequence[Scu], str]:
    """The most important ideas that the text lacks, and a sentence about them.

    Where some weights were given by hand, weights alone are spoken of, as on the page: how many
    experts have an idea is not told of one that was not found.
    """
    matched = {match.scu for match in findings.report.evidence.matches}
    scus = findings.pyramid.scus
    missed = [scu for scu in scus if scu.uid not in matched]
    highest = max((scu.weight for scu in scus), default=0)
    all_of_them, most_of_them = "of the highest weight ", "of high weight "
    if all(len(scu.contributors) == scu.weight for scu in scus):
        highest = len(findings.pyramid.references)
        everyone = "both experts" if highest == 2 else "all experts"
        all_of_them, most_of_them = f"that {everyone} mention ", "that most experts mention "
    for least, which in ((highest, all_of_them), (highest // 2 + 1, most_of_them)):
        important = [scu for scu in missed if scu.weight >= least > 1]
        if important:
            return important, _are_missing(important, which)
    return [], ""


def _are_missing(scus: Sequence[Scu], which: str) -> str:
    return f"{_ideas(len(scus))} {which}{_are(len(scus))} missing."


def _gain(findings: Findings, added: Sequence[Scu]) -> float:
    """How much the score rises with these ideas; with none, by leaving out what tells nothing."""
    evidence = findings.report.evidence
    end = len(findings.text.content)
    new = [
        Match(Segment((Span(end + place, end + place + 1),)), scu.uid, 1.0)
        for place, scu in enumerate(added)
    ]
    matched = {match.segment for match in evidence.matches}
    idle = [segment for segment in evidence.segments if segment not in matched][:_AT_ONCE]
    kept = [segment for segment in evidence.segments if added or segment not in idle]
    segments = (*kept, *(match.segment for match in new))
    richer = replace(evidence, segments=segments, matches=(*evidence.matches, *new))
    better = score(findings.pyramid, richer, "")
    return better.comprehensive - findings.report.comprehensive


def _read_again(findings: Findings, longest: int) -> Step:
    much = "Some" if findings.report.coverage >= _HALF else "Much"
    missing = f"{much} of what matters in the source was not matched in your text."
    return Step(StepKind.COVERAGE, missing + _advice(findings, longest))


def _advice(findings: Findings, longest: int) -> str:
    """How to find what is missing, and where the words for it come from."""
    look = " Go through the source again and ask of each paragraph: what is its main point?"
    words = findings.text.word_count
    if _NEAR * longest <= words <= longest:
        return f"{look} To make room, shorten what is only an example."
    return look


# --- what is there, and counts for little ---


def _unmatched(findings: Findings) -> Step | None:
    """Statements that neither say nor elaborate an idea of the experts."""
    statements, idle = findings.report.evidence.segments, findings.report.evidence.idle
    if len(idle) < max(_SEVERAL, _MANY * len(statements)):
        return None
    where = f"In {_of(len(idle), len(statements))} statements"
    if len(idle) == len(statements):
        where = f"In the {in_words(len(statements))} statements of your text"
    return Step(
        StepKind.UNMATCHED,
        f"{where}, no idea of the experts was matched. Look at each: is it a detail or an example"
        " that can be shorter, or a main point that could be said more plainly?",
        join_spans(span for statement in idle for span in statement.spans),
    )


def _again(findings: Findings) -> Step | None:
    """Statements that repeat or elaborate what the text says elsewhere."""
    again = sorted({repeat.segment for repeat in findings.report.evidence.repeats})
    statements = {*findings.report.evidence.segments, *again}
    if len(again) < max(_SEVERAL, _MANY * len(statements)):
        return None
    return Step(
        StepKind.TWICE,
        f"{_of(len(again), len(statements)).capitalize()} statements repeat or elaborate an idea"
        " that is elsewhere in your text. An idea counts once, so you have room for others.",
        join_spans(span for statement in again for span in statement.spans),
    )


def _minor(findings: Findings) -> Step | None:
    """Ideas that a single expert has."""
    minor = [match for match in findings.matches if findings.tellers(match) == 1]
    experts = len(findings.pyramid.references)
    if experts <= 2 or len(minor) < max(_SEVERAL, _MANY * len(findings.matches)):
        return None
    return Step(
        StepKind.MINOR,
        f"{_ideas(len(minor))} in your text {_are(len(minor))} mentioned by only one expert."
        " If they are details, shorten them, and give the room to the main points.",
        join_spans(span for match in minor for span in match.spans),
    )


def _weigh(findings: Findings) -> Step | None:
    if not findings.matches:
        return None
    return Step(
        StepKind.MINOR,
        "Some of what you wrote is less important to the experts. Ask of each sentence: would a"
        " short summary need it?",
    )


def _of(some: int, count: int) -> str:
    """“seven of the twelve”, “7 of the 13”: both in words, or neither."""
    words = in_words(count)
    return f"{some} of the {count}" if words.isdigit() else f"{in_words(some)} of the {words}"


def _ideas(count: int) -> str:
    return plural(count, "idea").capitalize()


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
