"""What an annotation of a summary, made in DUCView, says otherwise than a report does.

The file must be about the same text (white space aside, which DUCView and editors change) and about
ideas of the same pyramid: by number and label, or else by a label that only one idea has. Ideas
that the file's pyramid does not have were not asked about, and stay as they are.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import Annotation, Expression
from grading.pyramid.formats.ducview_xml import writable
from grading.pyramid.structures import (
    Match,
    Pyramid,
    ScoreReport,
    Scu,
    Span,
    Spans,
    Text,
    join_spans,
    shared_length,
)

_QUOTED = 30


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one idea; ``before`` is empty for what is added, ``after`` for what goes."""

    scu_uid: int
    before: Spans
    after: Spans

    @property
    def correction(self) -> Correction:
        if self.after:
            return Correction(self.scu_uid, Verdict.MATCHED, self.after)
        return Correction(self.scu_uid, Verdict.REMOVED)


@dataclass(frozen=True, slots=True)
class AnnotationChanges:
    """In the pyramid's order. ``unknown`` are labels of ideas that the pyramid does not have."""

    changes: tuple[Change, ...]
    unknown: tuple[str, ...]
    same: int  # ideas of which both say the same

    @property
    def added(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if not change.before)

    @property
    def removed(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if not change.after)

    @property
    def moved(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.before and change.after)

    @property
    def corrections(self) -> tuple[Correction, ...]:
        return tuple(change.correction for change in self.changes)


def changes_by_annotation(
    annotation: Annotation, pyramid: Pyramid, text: Text, report: ScoreReport
) -> AnnotationChanges:
    """``pyramid`` is the one that scores. InputError where the file has another text."""
    places = _Places(annotation.summary.content, text.content)
    # Numbers in the file's pyramid with those of the same ideas in ours.
    by_label: dict[str, list[int]] = {}
    for scu in pyramid.scus:
        by_label.setdefault(_label(scu), []).append(scu.uid)
    uids = {}
    for scu in annotation.pyramid.scus:
        named = by_label.get(_label(scu), [])
        if scu.uid in named:
            uids[scu.uid] = scu.uid
        elif len(named) == 1:
            uids[scu.uid] = named[0]
    expressions = [expression for expression in annotation.expressions if expression.places]
    expressed = {
        uids[expression.scu_uid]: expression
        for expression in expressions
        if expression.scu_uid in uids
    }
    by_program = {match.scu_uid: match for match in report.evidence.credited}
    changes = tuple(_changes(pyramid, set(uids.values()), expressed, by_program, places))
    return AnnotationChanges(
        changes,
        tuple(
            _label(annotation.pyramid.scu(expression.scu_uid))
            for expression in expressions
            if expression.scu_uid not in uids
        ),
        len(expressed.keys() & by_program.keys())
        - sum(bool(c.before and c.after) for c in changes),
    )


def _changes(
    pyramid: Pyramid,
    ideas: Set[int],
    expressed: Mapping[int, Expression],
    by_program: Mapping[int, Match],
    places: "_Places",
) -> Iterator[Change]:
    for scu in pyramid.scus:
        match, expression = by_program.get(scu.uid), expressed.get(scu.uid)
        before = places.trimmed(match.spans) if match else ()
        annotated = [places.spans(place.spans) for place in expression.places] if expression else []
        if match and not annotated and scu.uid in ideas:
            yield Change(scu.uid, before, ())
        elif annotated and before not in annotated:
            yield Change(scu.uid, before, _nearest(before, annotated))


def _nearest(before: Spans, candidates: Sequence[Spans]) -> Spans:
    """An idea counts once: of several places the one that shares most with what was found."""
    return max(candidates, key=lambda spans: shared_length(before, spans))


def _label(scu: Scu) -> str:
    return " ".join(writable(scu.label).split())


class _Places:
    """Places of the file's text as places of the text that was submitted."""

    def __init__(self, theirs: str, ours: str) -> None:
        self._theirs, self._ours = theirs, writable(ours)
        if self._visible_words(self._theirs, self._there) != self._visible_words(
            self._ours, self._here
        ):
            raise InputError(self._difference())

    @cached_property
    def _there(self) -> list[int]:
        return [index for index, char in enumerate(self._theirs) if not char.isspace()]

    @cached_property
    def _here(self) -> list[int]:
        return [index for index, char in enumerate(self._ours) if not char.isspace()]

    @staticmethod
    def _visible_words(content: str, visible: Sequence[int]) -> str:
        return "".join(content[index] for index in visible)

    def spans(self, spans: Spans) -> Spans:
        """Of places of the file."""
        return join_spans(moved for span in spans for moved in self._span(span, self._there))

    def trimmed(self, spans: Spans) -> Spans:
        """Our own as they would come back: no white space at their ends."""
        return join_spans(moved for span in spans for moved in self._span(span, self._here))

    def _span(self, span: Span, visible: Sequence[int]) -> Iterator[Span]:
        first, last = (bisect_left(visible, offset) for offset in (span.start, span.end))
        if first < last:
            yield Span(self._here[first], self._here[last - 1] + 1)

    def _difference(self) -> str:
        pairs = enumerate(zip(self._there, self._here, strict=False))
        shorter = min(len(self._there), len(self._here))
        at = next((n for n, (a, b) in pairs if self._theirs[a] != self._ours[b]), shorter)
        while 0 < at < shorter and self._here[at] == self._here[at - 1] + 1:
            at -= 1  # whole words are easier to find
        start = self._here[at] if at < len(self._here) else len(self._ours)
        line = self._ours.count("\n", 0, start) + 1
        before = self._ours[max(0, start - _QUOTED) : start].split("\n")[-1].strip()
        after = f"after “{before}”" if before else "at its beginning"
        return (
            f"The file is about another text. In line {line} of the summary, {after}, the file has "
            f"{_shown(self._theirs, self._there, at)} and the summary "
            f"{_shown(self._ours, self._here, at)}."
        )


def _shown(content: str, visible: Sequence[int], at: int) -> str:
    if at >= len(visible):
        return "nothing more"
    return f"“{' '.join(content[visible[at] :][:_QUOTED].split())}”"
