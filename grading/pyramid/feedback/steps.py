"""A step that a writer can take, and what steps are drawn from."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from grading.pyramid.feedback.sentences import Sentences, sentences_of
from grading.pyramid.structures import Match, Pyramid, ScoreReport, Spans, Text

_HALF = 0.5


class StepKind(StrEnum):
    NOTHING = "nothing"  # no statement was long enough to count
    EXCLUDED = "excluded"  # a grader excluded everything from scoring
    SHORT = "short"
    LONG = "long"
    CHECK = "check"  # the text says something else than the experts
    MISSED = "missed"
    COVERAGE = "coverage"  # something is missing, and not told
    UNMATCHED = "unmatched"
    MINOR = "minor"  # ideas that a single expert has
    SEVERAL = "several"  # a sentence that tells several ideas at once
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
        return sorted(self.report.evidence.credited, key=lambda match: (match.spans, match.scu))

    @property
    def contradicting(self) -> list[Match]:
        """In the order of the text."""
        matches = self.report.evidence.contradicting
        return sorted(matches, key=lambda match: (match.spans, match.scu))

    @property
    def tells_mostly(self) -> bool:
        """Does at least half of the text tell ideas, for the first time or again?"""
        return self.report.evidence.telling >= _HALF

    @cached_property
    def sentences(self) -> Sentences:
        return sentences_of(self.text)

    def tellers(self, match: Match) -> int:
        """How many experts have the idea."""
        return len(self.pyramid.scu(match.scu).contributors)

    def where(self, match: Match) -> str:
        """As in a remark: “your second sentence”."""
        return self.sentences.named(match.spans)
