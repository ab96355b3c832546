"""What people say against a program's evidence, step by step, and what comes of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from grading.pyramid.scores import score
from grading.pyramid.structures import (
    Evidence,
    Match,
    Pyramid,
    Repeat,
    ScoreReport,
    Segment,
    Spans,
    is_mostly_in,
    join_spans,
    shared_length,
    spans_without,
)

# What a grader can decide about a text, and which of many decisions are in force in the end.
#
# A verdict on an idea is in force until a later one on the same idea. Words that are excluded stay
# so until they are counted again. Excluding words cancels earlier matches in them; a later match in
# them counts. Counting words releases those that the program held until a person has read them.


class Verdict(StrEnum):
    """What a grader decided on one idea, or on some words. Values are stored: never change one."""

    MATCHED = "told"
    CONFIRMED = "confirmed"  # matched, as the program found it
    REMOVED = "not_told"
    AS_FOUND = "as_found"  # whatever the program says
    EXCLUDED = "left_out"  # words of the text, and what is matched in them
    COUNTED = "counted"  # such words, in again

    @property
    def is_match(self) -> bool:
        return self in {Verdict.MATCHED, Verdict.CONFIRMED}


@dataclass(frozen=True, slots=True)
class Correction:
    """A grader's verdict on one idea; ``spans`` are the words that express it, if any do.

    Without an idea it is about the words themselves.
    """

    scu_uid: int | None
    verdict: Verdict
    spans: Spans = ()


@dataclass(frozen=True, slots=True)
class CorrectionsInForce:
    """The corrections in force in the end: the last of each idea, and the words excluded.

    ``counted`` are the words that a person counted and nobody excluded later.
    """

    by_idea: dict[int, Correction]
    excluded: Spans
    counted: Spans = ()

    @property
    def count(self) -> int:
        """How much of it says something else than the program."""
        return len(self.by_idea) + bool(self.excluded)


def corrections_in_force(corrections: Iterable[Correction]) -> CorrectionsInForce:
    """Return those in force; ``corrections`` are in their order."""
    words: dict[int, tuple[int, Correction]] = {}
    areas: list[tuple[int, Spans]] = []
    counted: Spans = ()
    for when, correction in enumerate(corrections):
        if correction.scu_uid is not None:
            words.pop(correction.scu_uid, None)
            words[correction.scu_uid] = (when, correction)
        else:
            areas = [(then, spans_without(spans, correction.spans)) for then, spans in areas]
        if correction.verdict is Verdict.EXCLUDED:
            areas.append((when, correction.spans))
            counted = spans_without(counted, correction.spans)
        elif correction.verdict is Verdict.COUNTED:
            counted = join_spans((*counted, *correction.spans))
    return CorrectionsInForce(
        {
            uid: correction
            for uid, (when, correction) in words.items()
            if correction.verdict is not Verdict.AS_FOUND
            and not _is_taken_back(correction, when, areas)
        },
        join_spans(span for _, spans in areas for span in spans),
        counted,
    )


def excluded_but_counted(evidence: Evidence, corrections: Sequence[Correction]) -> Spans:
    """Words that graders excluded and that count all the same, within longer statements."""
    area = corrections_in_force(corrections).excluded
    gone = [segment.spans for segment in evidence.segments if is_mostly_in(segment.spans, area)]
    staying = [
        segment.spans for segment in evidence.segments if not is_mostly_in(segment.spans, area)
    ]
    return tuple(
        span
        for span in area
        if not any(shared_length((span,), spans) for spans in gone)
        and any(shared_length((span,), spans) for spans in staying)
    )


def _is_taken_back(correction: Correction, when: int, areas: Iterable[tuple[int, Spans]]) -> bool:
    later = join_spans(span for then, spans in areas if then > when for span in spans)
    return correction.verdict.is_match and is_mostly_in(join_spans(correction.spans), later)


# Steps that are only ever added: undoing is a step of its own, and so is redoing.
#
# A step is in force unless a step in force undoes it. To redo is to undo the undoing, so nobody has
# to decide again, and what returns is exactly what was there.


@dataclass(frozen=True, slots=True)
class Step:
    """``undoes`` is the earlier step that it takes back, if it is about one."""

    pk: int
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class StepHistory:
    """Which of many steps are in force, and which step an undo or a redo would take back now."""

    in_force: frozenset[int]
    undo: int | None
    redo: int | None


def step_history(steps: Iterable[Step]) -> StepHistory:
    """``steps`` are in the order in which they were taken."""
    done: list[int] = []  # what can be undone, the latest last
    undone: list[int] = []  # undoings that can be taken back
    order = list(steps)
    for step in order:
        if step.undoes is None:
            done.append(step.pk)
            undone.clear()
        elif done and step.undoes == done[-1]:
            done.pop()
            undone.append(step.pk)
        elif undone and step.undoes == undone[-1]:
            undone.pop()
            done.append(step.pk)
    return StepHistory(
        _steps_in_force(order), done[-1] if done else None, undone[-1] if undone else None
    )


def _steps_in_force(order: list[Step]) -> frozenset[int]:
    """The latest first: whatever undoes a step comes after it."""
    in_force: set[int] = set()
    taken_back: set[int] = set()
    for step in reversed(order):
        if step.pk in taken_back:
            continue
        in_force.add(step.pk)
        if step.undoes is not None:
            taken_back.add(step.undoes)
    return frozenset(in_force)


# What people correct in the evidence of a program, and the scores that follow.
#
# A grader's verdict on an idea overrides the program's, and the last verdict overrides all others.
# An idea that a grader matched counts with the segment that has most of its words; where no segment
# has any, the words are a segment of their own. A segment that is mostly excluded does not count,
# nor does anything that the program found in it.


def correct_report(
    report: ScoreReport, pyramid: Pyramid, corrections: Sequence[Correction]
) -> ScoreReport:
    """The program's report as people have corrected it, in the order of their corrections."""
    counted = pyramid.counted()
    evidence = correct_evidence(report.evidence, counted, corrections)
    return replace(score(counted, evidence, report.signature), remarks=report.remarks)


def correct_evidence(
    evidence: Evidence, pyramid: Pyramid, corrections: Sequence[Correction]
) -> Evidence:
    """The evidence with the last word on each unit; corrections of unknown units change nothing."""
    known = {scu.uid for scu in pyramid.scus}
    in_force = corrections_in_force(
        correction
        for correction in corrections
        if correction.scu_uid is None or correction.scu_uid in known
    )
    gone = {
        segment for segment in evidence.segments if is_mostly_in(segment.spans, in_force.excluded)
    }
    segments = [segment for segment in evidence.segments if segment not in gone]
    by_program = {match.scu_uid: match for match in (*evidence.possible, *evidence.matches)}
    matches = [
        match
        for match in evidence.matches
        if match.scu_uid not in in_force.by_idea and match.segment not in gone
    ]
    confirmed = [word for word in in_force.by_idea.values() if word.verdict.is_match]
    matches += [_match_by_hand(correction, segments, by_program) for correction in confirmed]
    possible = (
        match
        for match in evidence.possible
        if match.scu_uid not in in_force.by_idea and match.segment not in gone
    )
    held = spans_without(spans_without(evidence.held, in_force.counted), in_force.excluded)
    return Evidence(
        tuple(sorted(segments)),
        tuple(
            sorted(
                (_released(match, in_force.counted) for match in matches),
                key=lambda match: (match.segment, match.scu_uid),
            )
        ),
        _still_repeated(
            (repeat for repeat in evidence.repeats if repeat.segment not in gone), matches
        ),
        tuple(_released(match, in_force.counted) for match in possible),
        held,
        evidence.held_reason if held else "",
    )


def correction_count(evidence: Evidence, corrections: Sequence[Correction]) -> int:
    """How many of the corrections in force say something else than the program's evidence."""
    in_force = corrections_in_force(corrections)
    return in_force.count + bool(shared_length(evidence.held, in_force.counted))


def _released(match: Match, counted: Spans) -> Match:
    """A match that was held earns its points once a person has counted its words."""
    if match.held and is_mostly_in(match.spans, counted):
        return replace(match, held=False)
    return match


def _still_repeated(repeats: Iterable[Repeat], matches: Sequence[Match]) -> tuple[Repeat, ...]:
    """What tells something again that still counts, and tells nothing of its own by now."""
    units, segments = {match.scu_uid for match in matches}, {match.segment for match in matches}
    return tuple(
        repeat for repeat in repeats if repeat.scu_uid in units and repeat.segment not in segments
    )


def _match_by_hand(
    correction: Correction, segments: list[Segment], by_program: Mapping[int, Match]
) -> Match:
    """What the program thought of the unit stays, where it is about the same words."""
    if correction.scu_uid is None:
        raise ValueError("A correction of words matches no idea.")
    spans = join_spans(correction.spans)
    segment = max(
        segments, key=lambda candidate: shared_length(candidate.spans, spans), default=None
    )
    if segment is None or not shared_length(segment.spans, spans):
        segment = Segment(spans)
        segments.append(segment)
    marked = () if spans == segment.spans else spans
    program = by_program.get(correction.scu_uid)
    if program is not None and program.spans == spans:
        return replace(program, segment=segment, marked=marked, by_hand=True)
    return Match(segment, correction.scu_uid, 1.0, marked=marked, by_hand=True)


def report_by_person(
    report: ScoreReport, pyramid: Pyramid, annotated: Mapping[int, Spans]
) -> ScoreReport:
    """What the report would be if only a person had looked for ideas: those of ``annotated``.

    The statements stay those of the program, and so does the place of an idea that both have; it
    earns its whole weight. Of any other idea whose words were not named it is assumed that a
    statement expresses it which expresses nothing else; only where none is left does it count as a
    statement of its own. A person has read the words that the program held.
    """
    evidence = report.evidence
    by_program = {match.scu_uid: match.spans for match in evidence.matches}
    used = {match.segment for match in evidence.matches if match.scu_uid in annotated}
    unused = [segment for segment in evidence.segments if segment not in used]
    known = by_program.keys() | {match.scu_uid for match in evidence.possible}
    corrections = [Correction(uid, Verdict.REMOVED) for uid in sorted(known - annotated.keys())]
    corrections += [
        Correction(uid, Verdict.CONFIRMED, by_program[uid])
        for uid in sorted(by_program.keys() & annotated.keys())
    ]
    if evidence.held:
        corrections.append(Correction(None, Verdict.COUNTED, evidence.held))
    for uid in sorted(annotated.keys() - by_program.keys()):
        spans = annotated[uid] or (unused.pop(0).spans if unused else ())
        corrections.append(Correction(uid, Verdict.MATCHED, spans))
    return correct_report(report, pyramid, corrections)
