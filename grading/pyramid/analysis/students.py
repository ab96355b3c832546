"""Ideas that many students express and no idea of the pyramid holds.

What a matcher left unmatched is put together by shared words (weighted by their rarity): that is
quick, and students mostly share the words of the text that they read. The most central words of
each group are then put into the pyramid, as if the suggestion were taken, and the class is matched
again: only an idea that enough students are found to express is suggested.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.analysis.labels import clear_sentences
from grading.pyramid.analysis.suggestions import Kind, Quote, Suggestion, key_of
from grading.pyramid.editing.commands import NewScu
from grading.pyramid.encoders.words import words_of
from grading.pyramid.idea_labels import tidied_label
from grading.pyramid.pipeline import Engine, prepare_matcher
from grading.pyramid.structures import (
    Evidence,
    Match,
    Pyramid,
    Scu,
    Segment,
    Segmentation,
    SegmentedText,
    Sentence,
    Span,
    Spans,
    Text,
)

_FEWEST_STUDENTS = 3
_SHARE = 0.15  # of all students
_MOST_GROUPS = 12
_CENTRAL = 6  # wordings of a group that are tried as its label
_SIMILAR = 0.35  # cosine of stems from which on two stretches of text may say the same
_KNOWN = 0.15  # probability from which on an idea of the pyramid may be meant after all
_FEWEST_STEMS = 3  # of content
_MOST_WORDS = 30
# Words about the text, not about its subject.
_ABOUT_THE_TEXT = re.compile(
    r"\b(?:article|author|passage|essay|paragraph|summary|in conclusion|i think|in my opinion"
    r"|(?:this|the) text)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Words of a student that express no idea of the pyramid."""

    student: int
    words: str
    stems: frozenset[str]


def taught_by_students(
    pyramid: Pyramid, students: Sequence[SegmentedText], engine: Engine
) -> Iterator[Suggestion]:
    least = enough_of(len(students))
    trial = Trial(pyramid, new_wordings(pyramid, students, engine), engine)
    counts = Counter(label for text in students for label in trial.spans_in(text))
    for label in trial.labels:
        if counts[label] >= least:
            yield _suggestion(label, counts[label], len(students))


def enough_of(students: int) -> int:
    """How many of them have to say something, for it to be what many say."""
    return max(_FEWEST_STUDENTS, math.ceil(_SHARE * students))


def new_wordings(
    pyramid: Pyramid, students: Sequence[SegmentedText], engine: Engine
) -> tuple[str, ...]:
    """What many may say and no idea holds, in words of theirs, the most shared first.

    All are compared with each other: some eighty are enough to see what a class says.
    """
    least = enough_of(len(students))
    if len(students) < least:
        return ()
    matcher = prepare_matcher(pyramid, engine)
    stretches = [
        stretch
        for number, text in enumerate(students)
        for stretch in _unmatched(number, text, matcher.match(text))
    ]
    groups = list(_groups(stretches, least))
    clear = clear_sentences((words for group in groups for words in group), engine.parser)
    readable = ([tidied_label(words) for words in group] for group in groups)
    labels = [next((wording for wording in group if wording in clear), None) for group in readable]
    fresh = (
        label
        for label in labels
        if label and max(matcher.strengths(_as_text(label)).values(), default=0.0) < _KNOWN
    )
    return tuple(dict.fromkeys(fresh))


class Trial:
    """The pyramid as it would be with these ideas in it: who tells them, and in which words?"""

    def __init__(self, pyramid: Pyramid, labels: Sequence[str], engine: Engine) -> None:
        self.labels = tuple(labels)
        first = max((scu.uid for scu in pyramid.scus), default=0) + 1
        self._new = dict(enumerate(labels, start=first))
        scus = (Scu(uid, label, (), given_weight=1) for uid, label in self._new.items())
        tried = replace(pyramid, scus=(*pyramid.scus, *scus))
        self._matcher = prepare_matcher(tried, engine) if labels else None

    def spans_in(self, text: SegmentedText) -> dict[str, Spans]:
        """The new ideas with the most similar words, where no other idea is matched in them."""
        if self._matcher is None:
            return {}
        matches = self._matcher.match(text).matches
        old = {match.segment for match in matches if match.scu_uid not in self._new}
        best: dict[Segment, Match] = {}
        for match in sorted(matches, key=lambda match: (match.similarity, -match.scu_uid)):
            if match.scu_uid in self._new and match.segment not in old:
                best[match.segment] = match
        ordered = sorted(
            best.values(), key=lambda candidate: (candidate.similarity, candidate.spans)
        )
        return {self._new[match.scu_uid]: match.spans for match in ordered}


def _unmatched(number: int, text: SegmentedText, evidence: Evidence) -> Iterator[_Stretch]:
    matched = {match.segment for match in evidence.matches}
    for segment in evidence.segments:
        words = text.text.words_at(segment.spans)
        if segment in matched or _ABOUT_THE_TEXT.search(words):
            continue
        known = words_of(words)
        content = zip(known.stems, known.has_content.tolist(), strict=True)
        stems = frozenset(stem for stem, has_content in content if has_content)
        if len(stems) >= _FEWEST_STEMS and len(known.stems) <= _MOST_WORDS:
            yield _Stretch(number, words, stems)


def _groups(stretches: Sequence[_Stretch], least: int) -> Iterator[list[str]]:
    """What many students share, the most shared first: the most central words of each group."""
    similar = _similarity(stretches)
    near = similar >= _SIMILAR
    free = np.ones(len(stretches), dtype=np.bool_)
    numbers = [stretch.student for stretch in stretches]
    of_student = np.zeros((len(numbers), max(numbers, default=-1) + 1))
    of_student[np.arange(len(numbers)), numbers] = 1
    for _ in range(_MOST_GROUPS if len(stretches) else 0):
        students = (((near & free) @ of_student > 0).sum(axis=1) * free).tolist()
        closeness = np.round((similar * (near & free)).sum(axis=1), 6).tolist()
        ranks = [
            (-many, -close, stretch.words, place)
            for place, (many, close, stretch) in enumerate(
                zip(students, closeness, stretches, strict=True)
            )
        ]
        most, *_, centre = min(ranks)
        if -2 * most < least:
            return
        members = np.flatnonzero(near[centre] & free).tolist()
        central = sorted(ranks[place] for place in members)[:_CENTRAL]
        yield list(dict.fromkeys(words for *_, words, _ in central))
        free &= ~near[centre]


def _similarity(stretches: Sequence[_Stretch]) -> NDArray[np.float64]:
    """Cosines of stems, weighted by their rarity."""
    counts = Counter(stem for stretch in stretches for stem in stretch.stems)
    places = {stem: place for place, stem in enumerate(sorted(counts))}
    table = np.zeros((len(stretches), len(places)))
    for row, stretch in zip(table, stretches, strict=True):
        for stem in stretch.stems:
            row[places[stem]] = math.log((len(stretches) + 1) / counts[stem])
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    table = np.divide(table, lengths, out=table, where=lengths > 0)
    similar: NDArray[np.float64] = table @ table.T
    return similar


def _as_text(words: str) -> SegmentedText:
    span = Span(0, len(words))
    segmentation = Segmentation((Segment((span,)),))
    return SegmentedText(Text("", words), (Sentence(span, (segmentation,)),))


def _suggestion(label: str, count: int, students: int) -> Suggestion:
    return Suggestion(
        key=key_of(Kind.STUDENTS, *sorted({*words_of(label).stems})),
        kind=Kind.STUDENTS,
        reason=f"{count} of {students} students say something like this, and no idea covers it.",
        command=NewScu(0, label, given_weight=1),
        strength=round(count / students, 4),
        quotes=(Quote("A student", label),),
    )
