"""What to do next: up to three steps for the writer of a text, drawn from the evidence.

Praise comes first where there is a reason for it, then what breaks a rule (too short, too long),
what may be wrong, what would raise the score most, and what would make the text clearer. Whoever
is not told what is missing gets steps that rest on the text, on what was found in it and on the
scores alone.
"""

from collections.abc import Iterator

from grading.pyramid.feedback.score_steps import is_high, score_steps
from grading.pyramid.feedback.sentence_steps import sentence_steps
from grading.pyramid.feedback.sentences import in_words, plural
from grading.pyramid.feedback.steps import Findings, Step, StepKind
from grading.pyramid.feedback.sureness import is_doubtful
from grading.pyramid.structures import Pyramid, ScoreReport, Text, join_spans

_MOST = 3
_TRUTH, _CLARITY = 2.0, -1.0  # as useful; what raises scores lies between 0 and 1


def next_steps(
    text: Text,
    pyramid: Pyramid,
    report: ScoreReport,
    *,
    tells_missed: bool,
    tells_experts: bool = False,
    asked: tuple[int, int],
) -> tuple[Step, ...]:
    """At most three, the most useful first, and one at least.

    ``tells_missed``: may the writer know how many ideas are missing? ``tells_experts``: may the
    writer read what the experts say of an idea that the text lacks? ``asked``: the fewest and the
    most words that a text may have.
    """
    findings = Findings(text, pyramid.counted(), report)
    firstly = [*_praise(findings), *_length(findings, *asked)]
    if not report.evidence.segments:
        return (*firstly, _nothing_counted())
    steps = list(score_steps(findings, tells_missed=tells_missed, longest=asked[1]))
    kinds = {step.kind for _, step in steps}
    for place, step in enumerate(sentence_steps(findings, tells_experts=tells_experts)):
        if step.kind not in kinds:
            steps.append((_TRUTH if step.kind is StepKind.CHECK else _CLARITY - place, step))
    useful = sorted(steps, key=lambda one: -one[0])
    return (*firstly, *(step for _, step in useful))[:_MOST]


def _praise(findings: Findings) -> Iterator[Step]:
    """With its reason: where both scores are high. Ideas here and there make no text important."""
    if not (is_high(findings.report.quality) and is_high(findings.report.coverage)):
        return
    experts = len(findings.pyramid.references)
    sure = [match for match in findings.matches if not is_doubtful(match)]
    by_most = [match for match in sure if 2 * findings.tellers(match) > experts > 1]
    shared = ""
    if len(by_most) > 1:
        shared = (
            f": {in_words(len(by_most))} of your ideas are among those that most experts mention"
        )
    there = "most of what is important is there"
    praise = f"Most of what you wrote is important, and {there}" if findings.tells_mostly else there
    yield Step(
        StepKind.FINE,
        f"{praise[:1].upper()}{praise[1:]}{shared}. Keep these ideas.",
        join_spans(span for match in by_most for span in match.spans),
    )


def _length(findings: Findings, fewest: int, most: int) -> Iterator[Step]:
    words = findings.text.word_count
    opening = f"Your text has {plural(words, 'word')};"
    if words < fewest:
        sentence = f"{opening} at least {fewest} were asked for. There is room for more ideas."
        yield Step(StepKind.SHORT, sentence)
    elif words > most:
        sentence = (
            f"{opening} at most {most} were asked for. Shorten examples and repetitions first."
        )
        yield Step(StepKind.LONG, sentence)


def _nothing_counted() -> Step:
    return Step(
        StepKind.NOTHING,
        "No statement in your text was long enough to count. Write what the source says in whole"
        " sentences.",
    )


def all_excluded() -> Step:
    """The only step where a grader has excluded the whole text."""
    return Step(
        StepKind.EXCLUDED,
        "A grader excluded your whole text from scoring, so nothing in it earns points. Ask your"
        " instructor why.",
    )
