"""What a score report says to a reader: the text in marked pieces, the ideas found, the numbers."""

import re
from collections import Counter
from dataclasses import dataclass

from grading.pyramid.formats.highlighted_text import Piece, cut_at_marks
from grading.pyramid.scores import ideas_of_a_reference
from grading.pyramid.structures import Match, Pyramid, ScoreReport, Text
from grading.views.ideas import Idea, band_of, heaviest_of, idea_of

# A stray "and" between two segments is not worth a remark; a clause that was left out is.
WORDS_WORTH_A_REMARK = 3
SURE_ENOUGH = 0.7  # from this probability on a match is shown without a question mark
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class FoundIdea:
    """An idea that the text expresses, numbered by where it stands in the text."""

    number: int
    idea: Idea
    words: str
    doubtful: bool
    remarks: tuple[str, ...]  # what speaks against it


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """A stretch of the student's text, with the ideas that it expresses, heaviest first."""

    words: str
    found: tuple[FoundIdea, ...]
    labelled: tuple[FoundIdea, ...]  # whose last words these are
    counted: bool

    @property
    def band(self) -> int:
        return max(found.idea.band for found in self.found)

    @property
    def doubtful(self) -> bool:
        return all(found.doubtful for found in self.found)

    @property
    def scus(self) -> str:
        return " ".join(str(found.idea.uid) for found in self.found)


@dataclass(frozen=True, slots=True)
class WeightCount:
    """How many of the ideas of one weight the text expresses."""

    weight: int
    band: int
    found: int
    total: int

    @property
    def percent(self) -> int:
        return round(100 * self.found / self.total)


@dataclass(frozen=True, slots=True)
class Feedback:
    pieces: tuple[MarkedPiece, ...]
    found: tuple[FoundIdea, ...]
    weights: tuple[WeightCount, ...]
    trace: tuple[str, ...]
    remarks: tuple[str, ...]
    ideas: int
    references: int
    ideas_of_an_expert: int
    weights_are_counts: bool  # of experts; else some were given by hand

    @property
    def doubtful(self) -> bool:
        return any(found.doubtful for found in self.found)


def feedback_of(text: Text, pyramid: Pyramid, report: ScoreReport) -> Feedback:
    pyramid = pyramid.counted()
    matches = sorted(report.evidence.matches, key=lambda match: (match.segment, match.scu))
    found = tuple(
        _found(number, match, text, pyramid) for number, match in enumerate(matches, start=1)
    )
    marks = [match.segment.spans for match in matches]
    segments = [segment.spans for segment in report.evidence.segments]
    pieces = cut_at_marks(text.content, [*marks, *segments])
    return Feedback(
        pieces=tuple(_marked(piece, found) for piece in pieces),
        found=found,
        weights=tuple(_weights(pyramid, found)),
        trace=report.trace,
        remarks=report.remarks,
        ideas=len(pyramid.scus),
        references=len(pyramid.references),
        ideas_of_an_expert=max(1, round(ideas_of_a_reference(pyramid))),
        weights_are_counts=all(len(scu.contributors) == scu.weight for scu in pyramid.scus),
    )


def _found(number: int, match: Match, text: Text, pyramid: Pyramid) -> FoundIdea:
    return FoundIdea(
        number=number,
        idea=idea_of(pyramid, pyramid.scu(match.scu)),
        words=text.words_at(match.segment.spans),
        doubtful=_is_doubtful(match),
        remarks=match.remarks,
    )


def _is_doubtful(match: Match) -> bool:
    """Not probable enough; or, where the method knows no probability, more similar to another idea.

    Such a method has chosen this idea because all in all it counts more.
    """
    if match.probability is not None:
        return match.probability < SURE_ENOUGH
    return any(other.similarity > match.similarity for other in match.alternatives)


def _marked(piece: Piece, found: tuple[FoundIdea, ...]) -> MarkedPiece:
    ideas = [found[mark] for mark in piece.marks if mark < len(found)]
    return MarkedPiece(
        words=piece.words,
        found=tuple(sorted(ideas, key=lambda idea: (-idea.idea.weight, idea.number))),
        labelled=tuple(found[mark] for mark in piece.ending if mark < len(found)),
        counted=bool(piece.marks) or len(_WORD.findall(piece.words)) < WORDS_WORTH_A_REMARK,
    )


def _weights(pyramid: Pyramid, found: tuple[FoundIdea, ...]) -> list[WeightCount]:
    totals = Counter(scu.weight for scu in pyramid.scus)
    hits = Counter(idea.idea.weight for idea in found)
    heaviest = heaviest_of(pyramid)
    return [
        WeightCount(weight, band_of(weight, heaviest), hits[weight], totals[weight])
        for weight in sorted(totals, reverse=True)
    ]
