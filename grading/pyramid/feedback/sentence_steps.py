"""Steps about a sentence of the text: what to check, to say more plainly, apart, or once."""

import re
from collections import Counter
from collections.abc import Iterator
from math import ceil

from grading.pyramid.feedback.content_words import content_words
from grading.pyramid.feedback.sentences import in_words, listed
from grading.pyramid.feedback.steps import Findings, Step, StepKind
from grading.pyramid.feedback.sureness import is_doubtful
from grading.pyramid.structures import Match, Scu, Segment, Spans, join_spans

_LONGEST_LABEL = 80  # characters, as it is quoted
_AT_ONCE = (2, 3)  # ideas in one sentence; more are a list, which may be meant as one
_LONG_SENTENCE = 12  # words: in a shorter one two ideas are easy to see
_SAME = 0.7  # of the content words of two parts
_FEWEST_SAME = 4
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|third|quarter"
    r"|hundred|thousand|million|billion|dozen|per cent|percent)\b",
    re.IGNORECASE,
)


def sentence_steps(findings: Findings, *, tells_experts: bool = False) -> Iterator[Step]:
    """At most one of a kind, in the order of their use."""
    steps = (
        _contradiction(findings, tells_experts) or _check(findings),
        _doubt(findings),
        _several(findings),
        _twice(findings),
    )
    yield from (step for step in steps if step is not None)


def _contradiction(findings: Findings, tells_experts: bool) -> Step | None:
    """The first sentence that may contradict the experts, with their words as far as is told."""
    for match in findings.contradicting:
        where = findings.where(match)
        reason = f"{where} may contradict the experts"
        if tells_experts:
            reason += f", who say: \u201c{match.contradicts.rstrip(' .')}\u201d"
        sentence = f"{_capital(reason)}. Check it against the source."
        return Step(StepKind.CHECK, sentence, match.spans)
    return None


def _check(findings: Findings) -> Step | None:
    """Another number, a denial or another name, where no person has said that it is right."""
    for match in findings.matches:
        if match.remarks and not match.by_hand:
            remark = match.remarks[0]
            what = "the number in " if _NUMBER.search(remark.partition(" where ")[0]) else ""
            where = findings.where(match)
            warning = f"{remark[:1].lower()}{remark[1:]}"
            return Step(StepKind.CHECK, f"Check {what}{where}: {warning}", match.spans)
    return None


def _doubt(findings: Findings) -> Step | None:
    doubtful = [match for match in findings.matches if is_doubtful(match) and not match.remarks]
    if not doubtful:
        return None
    most = max(doubtful, key=findings.tellers)
    where, label = findings.where(most), _quoted(findings.pyramid.scu(most.scu))
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
        if len(matches) in _AT_ONCE
        and (length := len(findings.text.words_at(spans).split())) >= _LONG_SENTENCE
        and not any(map(is_doubtful, matches))
    ]
    if not groups:
        return None
    _, matches = max(groups, key=lambda one: one[0])
    labels = listed([_quoted(findings.pyramid.scu(match.scu)) for match in matches])
    return Step(
        StepKind.SEVERAL,
        f"{_capital(findings.where(matches[0]))} says {in_words(len(matches))} things that the "
        f"experts keep apart: {labels}. If it is hard to read, give each a sentence of its own.",
        matches[0].spans,
    )


def _twice(findings: Findings) -> Step | None:
    """Two statements in mostly the same words, of which one at least says nothing new."""
    idea_of = {match.segment: match.scu for match in findings.matches}
    for one, other in _alike(findings):
        if one in idea_of and other in idea_of and idea_of[one] != idea_of[other]:
            continue
        where, elsewhere = (findings.sentences.named(part.spans) for part in (one, other))
        return Step(
            StepKind.TWICE,
            f"{_capital(where)} and {elsewhere} use mostly the same words. If they say"
            " the same, once is enough, and you have room for something else.",
            join_spans((*one.spans, *other.spans)),
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
