"""What to do next: up to three steps for the writer of a text, drawn from the evidence."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from math import ceil

from grading.pyramid.encoders.words import sentence_starts
from grading.pyramid.feedback.likely_ideas import content_words
from grading.pyramid.feedback.sureness import is_doubtful
from grading.pyramid.figures import hundredths
from grading.pyramid.scores import score
from grading.pyramid.structures import (
    Match,
    Pyramid,
    ScoreReport,
    Scu,
    Segment,
    Span,
    Spans,
    Text,
    join_spans,
)

# The sentences of a text as a reader counts them, to name one in a remark.
#
# Marks alone tell where they end, without a parse; so what they get wrong most (abbreviations,
# lines that were broken manually, headings) is seen to, and a remark quotes the words besides.

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_LIST = re.compile(r"^[ \t]*(?:[-*+\u2022\u2013]|\d{1,2}[.)])(?=\s)", re.MULTILINE)
_LONGEST = 60  # words of a sentence: in a longer one a reader would search long
_QUOTED = 5  # words
_LOOKED_AT = 40  # characters before the end of a sentence: more than any abbreviation has
_ENDS = re.compile(r"[.!?\u2026][\"')\]\u2019\u201d]*$")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Za-z]|[A-Za-z]\.[A-Za-z]|Dr|Mr|Mrs|Ms|Prof|St|Fig|vs|etc|al|cf|ca|approx)"
    r"\.$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a text; a list, and notes without full stops, have none to be counted."""

    text: Text
    spans: Spans
    is_list: bool

    def place(self, offset: int) -> int:
        """Which sentence a character is in, from 0."""
        return max(0, bisect_right(self.spans, offset, key=lambda span: span.start) - 1)

    def named(self, spans: Spans) -> str:
        """Where words are: “your second sentence”; the words, where that is hard to count out."""
        place = self.place(spans[0].start)
        words = self.text.words_at(self.spans[place : place + 1]).split()
        if place < len(_ORDINALS) and len(words) <= _LONGEST and not self.is_list:
            return f"your {_ORDINALS[place]} sentence"
        words = self.text.words_at(spans).split()
        quote = " ".join(words[:_QUOTED]) + (" \u2026" if len(words) > _QUOTED else "")
        return f"the part \u201c{quote}\u201d"


def sentences_of(text: Text) -> Sentences:
    """In order, without the white space around them."""
    content = text.content
    spans = []
    for start, end in pairwise([*_starts(content), len(content)]):
        words = content[start:end]
        if words.strip():
            first = start + len(words) - len(words.lstrip())
            spans.append(Span(first, start + len(words.rstrip())))
    return Sentences(text, tuple(spans), bool(_LIST.search(content)))


def in_words(count: int) -> str:
    """Numbers up to twelve as words."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def plural(count: int, noun: str) -> str:
    """“one idea”, “two ideas”, “13 ideas”."""
    return f"{in_words(count)} {noun}" if count == 1 else f"{in_words(count)} {noun}s"


def listed(parts: Sequence[str]) -> str:
    """As in a sentence: “a”, “a and b”, “a, b and c”."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def _starts(content: str) -> Iterator[int]:
    before = 0
    for start in sentence_starts(content):
        if not start or _is_between(content, before, start):
            yield start
            before = start


def _is_between(content: str, before: int, start: int) -> bool:
    """Does the sentence that begins before end here, and does another begin?"""
    end = start
    while end > before and content[end - 1].isspace():
        end -= 1
    if content.count("\n", end, start) > 1:  # a paragraph ends, or a heading
        return True
    before_it = content[max(before, end - _LOOKED_AT) : end]
    if not _ENDS.search(before_it):
        return False
    begins_small = content[start : start + 1].islower()
    return not begins_small and not _ABBREVIATION.search(before_it)


# A step that a writer can take, and what steps are drawn from.

_HALF_OF_TEXT = 0.5


class StepKind(StrEnum):
    NOTHING = "nothing"  # no statement was long enough to count
    EXCLUDED = "excluded"  # a grader excluded everything from scoring
    SHORT = "short"
    LONG = "long"
    CHECK = "check"  # the text says something else than the experts
    MISSED = "missed"
    COVERAGE = "coverage"  # something is missing, and not shown
    UNMATCHED = "unmatched"
    MINOR = "minor"  # ideas that a single expert has
    SEVERAL = "several"  # a sentence that expresses several ideas at once
    DOUBT = "doubt"
    TWICE = "twice"  # two statements in the same words, or many that belong to an earlier idea
    FINE = "fine"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do; ``spans`` are the words that it is about."""

    kind: StepKind
    sentence: str
    spans: Spans = ()


@dataclass(frozen=True)
class Findings:
    """A text with what was found in it."""

    text: Text
    pyramid: Pyramid  # as it counts
    report: ScoreReport

    @cached_property
    def matches(self) -> list[Match]:
        """Those by which the text has ideas, in its order."""
        return sorted(self.report.evidence.credited, key=lambda match: (match.spans, match.scu_uid))

    @property
    def contradicting(self) -> list[Match]:
        """In the order of the text."""
        matches = self.report.evidence.contradicting
        return sorted(matches, key=lambda match: (match.spans, match.scu_uid))

    @property
    def mostly_matched(self) -> bool:
        """Does at least half of the text express ideas, for the first time or again?"""
        return self.report.evidence.matched_share >= _HALF_OF_TEXT

    @cached_property
    def sentences(self) -> Sentences:
        return sentences_of(self.text)

    def experts_with(self, match: Match) -> int:
        """How many experts have the idea."""
        return len(self.pyramid.scu(match.scu_uid).contributors)

    def where(self, match: Match) -> str:
        """As in a remark: “your second sentence”."""
        return self.sentences.named(match.spans)


# Steps that would raise a score: what to add, and what to shorten.

HIGH = 0.7  # a score as it is shown: from here on there is nothing to say against it
_HALF_OF_COVERAGE = 0.5
_MANY = 0.4  # of the statements, or of the ideas matched
_SEVERAL = 3  # fewer statements or ideas are no pattern
_NEAR = 0.9  # of the longest: there is hardly room for more
_ITEMS_AT_ONCE = 3  # ideas, or parts, that somebody may add or leave out in one go

Steps = Iterator[tuple[float, Step]]  # with how useful they are, from 0 to 1


def score_steps(findings: Findings, *, shows_missed: bool, longest: int) -> Steps:
    """One at most about what is missing, and one about what is there and counts for little."""
    missed, opening = _missed(findings) if shows_missed else ([], "")
    if missed:
        step = Step(StepKind.MISSED, opening + _advice(findings, longest))
        yield _gain(findings, missed[:_ITEMS_AT_ONCE]), step
    elif not is_high(findings.report.coverage):
        yield 1 - findings.report.coverage, _read_again(findings, longest)
    if not (is_high(findings.report.quality) and findings.mostly_matched):
        gain = _gain(findings, []) if shows_missed else 1 - findings.report.quality
        less = _unmatched(findings) or _again(findings) or _minor(findings) or _weigh(findings)
        if less:
            yield gain, less


def is_high(value: float) -> bool:
    return float(hundredths(value)) >= HIGH


# --- what is missing ---


def _missed(findings: Findings) -> tuple[Sequence[Scu], str]:
    """The most important ideas that the text lacks, and a sentence about them.

    Where some weights were set manually, weights alone are spoken of, as on the page: how many
    experts have an idea is not told of one that was not found.
    """
    matched = {match.scu_uid for match in findings.report.evidence.matches}
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
    """How much the score rises with these ideas; with none, by leaving out what is not matched."""
    evidence = findings.report.evidence
    end = len(findings.text.content)
    new = [
        Match(Segment((Span(end + place, end + place + 1),)), scu.uid, 1.0)
        for place, scu in enumerate(added)
    ]
    matched = {match.segment for match in evidence.matches}
    unmatched = [segment for segment in evidence.segments if segment not in matched]
    left_out = unmatched[:_ITEMS_AT_ONCE]
    kept = [segment for segment in evidence.segments if added or segment not in left_out]
    segments = (*kept, *(match.segment for match in new))
    richer = replace(evidence, segments=segments, matches=(*evidence.matches, *new))
    better = score(findings.pyramid, richer, "")
    return better.comprehensive - findings.report.comprehensive


def _read_again(findings: Findings, longest: int) -> Step:
    much = "Some" if findings.report.coverage >= _HALF_OF_COVERAGE else "Much"
    missing = f"{much} of what matters in the source was not matched in your text."
    return Step(StepKind.COVERAGE, missing + _advice(findings, longest))


def _advice(findings: Findings, longest: int) -> str:
    """How to find what is missing, and where the words for it come from."""
    look = " Read the source again, and ask for each paragraph: what is its main point?"
    words = findings.text.word_count
    if _NEAR * longest <= words <= longest:
        return f"{look} To make room, shorten what is only an example."
    return look


# --- what is there, and counts for little ---


def _unmatched(findings: Findings) -> Step | None:
    """Statements that neither say nor elaborate an idea of the experts."""
    statements, unmatched = findings.report.evidence.segments, findings.report.evidence.unmatched
    if len(unmatched) < max(_SEVERAL, _MANY * len(statements)):
        return None
    where = f"In {_of(len(unmatched), len(statements))} statements"
    if len(unmatched) == len(statements):
        where = f"In the {in_words(len(statements))} statements of your text"
    return Step(
        StepKind.UNMATCHED,
        f"{where}, nothing was matched. Shorten details and examples. Say main points more "
        "plainly.",
        join_spans(span for statement in unmatched for span in statement.spans),
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
    minor = [match for match in findings.matches if findings.experts_with(match) == 1]
    experts = len(findings.pyramid.references)
    if experts <= 2 or len(minor) < max(_SEVERAL, _MANY * len(findings.matches)):
        return None
    return Step(
        StepKind.MINOR,
        f"{_ideas(len(minor))} in your text {_are(len(minor))} mentioned by only one expert."
        " If they are details, shorten them to make room for main points.",
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


# Steps about a sentence of the text: what to check, to say more plainly, apart, or once.

_LONGEST_LABEL = 80  # characters, as it is quoted
_IDEAS_IN_ONE_SENTENCE = (2, 3)  # ideas in one sentence; more are a list, which may be meant as one
_LONG_SENTENCE = 12  # words: in a shorter one two ideas are easy to see
_SAME = 0.7  # of the content words of two parts
_FEWEST_SAME = 4
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|third|quarter"
    r"|hundred|thousand|million|billion|dozen|per cent|percent)\b",
    re.IGNORECASE,
)


def sentence_steps(findings: Findings, *, shows_experts: bool = False) -> Iterator[Step]:
    """At most one of a kind, in the order of their use."""
    steps = (
        _contradiction(findings, shows_experts) or _check(findings),
        _doubt(findings),
        _several(findings),
        _twice(findings),
    )
    yield from (step for step in steps if step is not None)


def _contradiction(findings: Findings, shows_experts: bool) -> Step | None:
    """The first sentence that may contradict the experts, with their words as far as shown."""
    for match in findings.contradicting:
        where = findings.where(match)
        reason = f"{where} may contradict the experts"
        if shows_experts:
            reason += f", who say: \u201c{match.contradicts.rstrip(' .')}\u201d"
        sentence = f"{_capital(reason)}. Check it against the source."
        return Step(StepKind.CHECK, sentence, match.spans)
    return None


def _check(findings: Findings) -> Step | None:
    """Another number, a denial or another name, where no person has confirmed it."""
    for match in findings.matches:
        if match.remarks and not match.by_hand:
            remark = match.remarks[0]
            what = "the number in " if _NUMBER.search(remark.partition(" where ")[0]) else ""
            where = findings.where(match)
            warning = f"{remark[:1].lower()}{remark[1:]}".replace("the text says", "it says", 1)
            return Step(StepKind.CHECK, f"Check {what}{where}: {warning}", match.spans)
    return None


def _doubt(findings: Findings) -> Step | None:
    doubtful = [match for match in findings.matches if is_doubtful(match) and not match.remarks]
    if not doubtful:
        return None
    most = max(doubtful, key=findings.experts_with)
    where, label = findings.where(most), _quoted(findings.pyramid.scu(most.scu_uid))
    if len(doubtful) == 1:
        sentence = f"It's unsure whether {where} says this: {label}. If you mean it, say it"
    else:
        sentence = (
            f"{in_words(len(doubtful)).capitalize()} matches in your text are unsure."
            f" One of them is {label}, in {where}. If you mean these ideas, say them"
        )
    return Step(StepKind.DOUBT, f"{sentence} more plainly.", _spans(doubtful))


def _several(findings: Findings) -> Step | None:
    """Different ideas in the same words, all of them certain: those in the most words."""
    by_place: dict[Spans, list[Match]] = {}
    for match in findings.matches:
        by_place.setdefault(match.spans, []).append(match)
    groups = [
        (length, matches)
        for spans, matches in by_place.items()
        if len(matches) in _IDEAS_IN_ONE_SENTENCE
        and (length := len(findings.text.words_at(spans).split())) >= _LONG_SENTENCE
        and not any(map(is_doubtful, matches))
    ]
    if not groups:
        return None
    _, matches = max(groups, key=lambda group: group[0])
    labels = listed([_quoted(findings.pyramid.scu(match.scu_uid)) for match in matches])
    return Step(
        StepKind.SEVERAL,
        f"{_capital(findings.where(matches[0]))} says {in_words(len(matches))} things that the "
        f"experts keep apart: {labels}. If it is hard to read, give each a sentence of its own.",
        matches[0].spans,
    )


def _twice(findings: Findings) -> Step | None:
    """Two statements in mostly the same words, of which one at least says nothing new."""
    idea_of = {match.segment: match.scu_uid for match in findings.matches}
    for finding, other in _alike(findings):
        if finding in idea_of and other in idea_of and idea_of[finding] != idea_of[other]:
            continue
        where, elsewhere = (findings.sentences.named(part.spans) for part in (finding, other))
        return Step(
            StepKind.TWICE,
            f"{_capital(where)} and {elsewhere} use mostly the same words. If they say the same, "
            "once is enough.",
            join_spans((*finding.spans, *other.spans)),
        )
    return None


def _alike(findings: Findings) -> Iterator[tuple[Segment, Segment]]:
    """Pairs of parts of two sentences with most of their stems in common, as the text has them.

    Who shares so many also shares one of the rarest: only such pairs are looked at.
    """
    parts = [
        (part, _stems(findings, part), findings.sentences.place(part.spans[0].start))
        for part in findings.report.evidence.segments
    ]
    counts = Counter(stem for _, stems, _ in parts for stem in stems)
    places: dict[str, list[int]] = {}
    for place, (part, stems, sentence) in enumerate(parts):
        rarest_first = sorted(stems, key=lambda stem: (counts[stem], stem))
        rarest = rarest_first[: len(stems) - ceil(_SAME * len(stems) - 1e-9) + 1]
        for earlier in sorted({other for stem in rarest for other in places.get(stem, ())}):
            other, others, its_sentence = parts[earlier]
            if its_sentence != sentence and _are_alike(stems, others):
                yield other, part
        for stem in rarest:
            places.setdefault(stem, []).append(place)


def _are_alike(stems: frozenset[str], others: frozenset[str]) -> bool:
    shared = len(stems & others)
    return shared >= _FEWEST_SAME and shared >= _SAME * len(stems | others)


def _stems(findings: Findings, part: Segment) -> frozenset[str]:
    return frozenset(word.stem for word in content_words(findings.text, part.spans))


def _quoted(scu: Scu) -> str:
    """The label, not too long, in quotation marks and without its full stop."""
    label = scu.label_unit.words.rstrip(" .")
    if len(label) > _LONGEST_LABEL:
        label = f"{label[:_LONGEST_LABEL].rpartition(' ')[0] or label[:_LONGEST_LABEL]} …"
    return f"\u201c{label}\u201d"


def _spans(matches: list[Match]) -> Spans:
    return join_spans(span for match in matches for span in match.spans)


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


# What to do next: up to three steps for the writer of a text, drawn from the evidence.
#
# Praise comes first where there is a reason for it, then what breaks a rule (too short, too long),
# what may be wrong, what would raise the score most, and what would make the text clearer. Whoever
# is not told what is missing gets steps that rest on the text, on what was found in it and on the
# scores alone.

_MOST = 3
_TRUTH, _CLARITY = 2.0, -1.0  # as useful; what raises scores lies between 0 and 1


def next_steps(
    text: Text,
    pyramid: Pyramid,
    report: ScoreReport,
    *,
    shows_missed: bool,
    shows_experts: bool = False,
    word_limits: tuple[int, int],
) -> tuple[Step, ...]:
    """At most three, the most useful first, and one at least.

    ``shows_missed``: may the writer know how many ideas are missing? ``shows_experts``: may the
    writer read what the experts say of an idea that the text lacks? ``word_limits``: the fewest and
    the most words that a text may have.
    """
    findings = Findings(text, pyramid.counted(), report)
    firstly = [*_praise(findings), *_length(findings, *word_limits)]
    if not report.evidence.segments:
        return (*firstly, _nothing_counted())
    steps = list(score_steps(findings, shows_missed=shows_missed, longest=word_limits[1]))
    kinds = {step.kind for _, step in steps}
    for place, step in enumerate(sentence_steps(findings, shows_experts=shows_experts)):
        if step.kind not in kinds:
            steps.append((_TRUTH if step.kind is StepKind.CHECK else _CLARITY - place, step))
    useful = sorted(steps, key=lambda candidate: -candidate[0])
    return (*firstly, *(step for _, step in useful))[:_MOST]


def _praise(findings: Findings) -> Iterator[Step]:
    """With its reason: where both scores are high. Ideas here and there make no text important."""
    if not (is_high(findings.report.quality) and is_high(findings.report.coverage)):
        return
    experts = len(findings.pyramid.references)
    sure = [match for match in findings.matches if not is_doubtful(match)]
    by_most = [match for match in sure if 2 * findings.experts_with(match) > experts > 1]
    shared = ""
    if len(by_most) > 1:
        shared = (
            f": {in_words(len(by_most))} of your ideas are among those that most experts mention"
        )
    there = "most of the important ideas are there"
    praise = (
        f"Most of what you wrote is important, and {there}" if findings.mostly_matched else there
    )
    yield Step(
        StepKind.FINE,
        f"{praise[:1].upper()}{praise[1:]}{shared}. Keep these ideas.",
        join_spans(span for match in by_most for span in match.spans),
    )


def _length(findings: Findings, fewest: int, most: int) -> Iterator[Step]:
    words = findings.text.word_count
    opening = f"Your text has {plural(words, 'word')};"
    if words < fewest:
        sentence = f"{opening} at least {fewest} were required. There is room for more ideas."
        yield Step(StepKind.SHORT, sentence)
    elif words > most:
        sentence = f"{opening} at most {most} are allowed. Shorten examples and repetitions first."
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
