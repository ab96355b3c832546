"""What the core talks about. All frozen; spans are character offsets into an original text.

A class has hundreds of thousands of spans and tokens. They are named tuples, which are made and
compared in a fifth of the time of frozen dataclasses.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from math import floor, fsum
from typing import Final, NamedTuple

# What "a word" is depends on who asks. Here: what is between white space, to count and to select.
# For meaning and stems: letters and digits with inner apostrophes (``encoders/words.py``); for the
# language and gibberish: letters alone, as a number is in no language (``language.py``).
# Spaces without width part words for the parser, so they do for the limit.
_WORD = re.compile("[^\\s\u200b-\u200f\u2060\ufeff]+")


class Span(NamedTuple):
    """Characters ``start`` to ``end`` (exclusive) of a text."""

    start: int
    end: int


Spans = tuple[Span, ...]


def join_spans(spans: Iterable[Span]) -> Spans:
    """The same characters in order, with overlapping and touching spans made one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)


def spans_without(spans: Spans, others: Spans) -> Spans:
    """The characters of the first that are not in the others."""
    left = list(spans)
    for other in others:
        sides = (
            (Span(s.start, min(s.end, other.start)), Span(max(s.start, other.end), s.end))
            for s in left
        )
        left = [side for pair in sides for side in pair if side.start < side.end]
    return join_spans(left)


def shared_length(first: Spans, second: Spans) -> int:
    """How many characters are in both."""
    both = ((max(a.start, b.start), min(a.end, b.end)) for a in first for b in second)
    return sum(max(0, end - start) for start, end in both)


def is_mostly_in(spans: Spans, area: Spans) -> bool:
    """Is more than half of the characters there?"""
    return 2 * shared_length(spans, area) > sum(span.end - span.start for span in spans)


@dataclass(frozen=True, slots=True)
class Text:
    """A reference or a student's summary, exactly as it was written."""

    name: str
    content: str

    @property
    def word_count(self) -> int:
        """As word processors and students count: what white space parts, seen or not."""
        return len(_WORD.findall(self.content))

    def words_at(self, spans: Spans) -> str:
        """The characters of the spans, parts joined by one space, white space folded."""
        return " ".join(" ".join(self.content[span.start : span.end] for span in spans).split())

    def quoted(self, spans: Spans) -> str:
        """The same for a reader: an ellipsis says where words are left out."""
        return " … ".join(self.words_at((span,)) for span in spans)


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """A clause-like unit: one or more spans of a text, in order and apart."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Segmentation:
    """One way to cut a sentence."""

    segments: tuple[Segment, ...]


class Token(NamedTuple):
    """A word or mark. ``head`` is an index within the sentence; the root is its own head.

    ``pos``, ``tag`` and ``dep`` are those of spaCy's English models (Universal part of speech,
    Penn tag, ClearNLP dependency). White space never is a token.
    """

    index: int  # type: ignore[assignment]  # not the method of tuples
    start: int
    end: int
    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    is_punct: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with all its segmentations; the first is the default, the whole sentence.

    ``tokens`` are the words and marks with their parse, in order; none where the sentence was not
    parsed.
    """

    span: Span
    segmentations: tuple[Segmentation, ...]
    tokens: tuple[Token, ...] = ()


@dataclass(frozen=True)
class SegmentedText:
    """A text cut into sentences, each with its alternative segmentations."""

    text: Text
    sentences: tuple[Sentence, ...]

    @cached_property
    def parse(self) -> int:
        """A number for the parse, in this process: the same words parsed otherwise have another."""
        return hash(tuple(sentence.tokens for sentence in self.sentences))


ReadTexts = Callable[[Sequence[Text]], Sequence[SegmentedText]]  # parses texts, and cuts them


@dataclass(frozen=True, slots=True)
class Unit:
    """Words to compare: a segment, or a contributor, in its text."""

    text: Text
    spans: Spans

    @property
    def words(self) -> str:
        return self.text.words_at(self.spans)


@dataclass(frozen=True, slots=True)
class Contributor:
    """The words with which one reference expresses a content unit."""

    reference: str
    spans: Spans
    comment: str = ""


class Standing(StrEnum):
    """What people say of an idea, whoever wrote it."""

    COUNTS = "counts"
    MUST = "must"  # weighs as much as what all references say
    ASIDE = "aside"  # is neither looked for nor counted


@dataclass(frozen=True, slots=True)
class Scu:
    """A Summary Content Unit: an idea, with a contributor from each reference that has it.

    ``given_weight`` is a weight set manually, as for a statement out of a rubric.
    """

    uid: int
    label: str
    contributors: tuple[Contributor, ...]
    comment: str = ""
    given_weight: int | None = None
    standing: Standing = Standing.COUNTS

    @property
    def weight(self) -> int:
        return len(self.contributors) if self.given_weight is None else self.given_weight

    @property
    def label_unit(self) -> Unit:
        """The label as words to compare, folded to one line; they are of no reference."""
        label = " ".join(self.label.split())
        return Unit(Text("", label), (Span(0, len(label)),))

    def contributor(self, reference: str) -> Contributor | None:
        return next(
            (
                contributor
                for contributor in self.contributors
                if contributor.reference == reference
            ),
            None,
        )


@dataclass(frozen=True)
class Pyramid:
    """The content units that the references share, heaviest first.

    ``notes`` say what a reader ought to know about how it was built.
    """

    references: tuple[Text, ...]
    scus: tuple[Scu, ...]
    signature: str = ""
    notes: tuple[str, ...] = ()

    @cached_property
    def weights(self) -> dict[int, int]:
        """The weight of each idea by its uid."""
        return {scu.uid: scu.weight for scu in self.scus}

    def reference(self, name: str) -> Text:
        return next(text for text in self.references if text.name == name)

    def scu(self, uid: int) -> Scu:
        return next(scu for scu in self.scus if scu.uid == uid)

    @property
    def must_weight(self) -> int:
        """What an idea weighs that must count: as much as any other, and as all references."""
        looked_for = (scu.weight for scu in self.scus if scu.standing is not Standing.ASIDE)
        return max(len(self.references), *looked_for, 0)

    def counted(self) -> "Pyramid":
        """The pyramid that scores: without what was set aside or has no weight."""
        heaviest = self.must_weight
        scus = (
            replace(scu, given_weight=heaviest) if scu.standing is Standing.MUST else scu
            for scu in self.scus
            if scu.standing is not Standing.ASIDE
        )
        return replace(self, scus=tuple(scu for scu in scus if scu.weight))

    def numbers(self) -> dict[int, int]:
        """The number of each idea by its uid, as all pages and tables show it: 1, 2 … in order.

        The heaviest come first; those of one weight are in the order of the pyramid. What does not
        count comes last, so that ``counted()`` has the same numbers.
        """
        weights = {scu.uid: scu.weight for scu in self.counted().scus}

        def place(scu: Scu) -> tuple[int, bool]:
            return -weights.get(scu.uid, 0), scu.standing is Standing.ASIDE

        return {scu.uid: number for number, scu in enumerate(sorted(self.scus, key=place), start=1)}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A content unit that a segment was compared with, and how similar the two are (0 to 1)."""

    scu_uid: int
    similarity: float


# A report keeps the reason in words only: what is held for its truth, or because it repeats, says
# so with these.
CONTRADICTING_WORDS: Final = "contradict the experts"
REPEATED_WORDS: Final = "sentences that the text has already"


class HeldFor(StrEnum):
    """Why words are held, in a few words."""

    ORDER = "not written in sentences"
    TRUTH = "contradicts the experts"
    REPEATED = "repeats the same sentences"

    @property
    def of_text(self) -> str:
        """As the end of “This text is held: …”."""
        if self is HeldFor.TRUTH:
            return f"many of its sentences may {CONTRADICTING_WORDS}"
        if self is HeldFor.REPEATED:
            return "it repeats the same sentences"
        return "it isn\u2019t written in sentences"


class Points(StrEnum):
    """What a match earns until a person decides on it."""

    EXPECTED = "expected"  # the weight of its unit times its probability
    MATCHED = "matched"  # the whole weight, if it is shown


@dataclass(frozen=True, slots=True)
class Match:
    """A segment that expresses a content unit, with the best others that came close.

    ``probability`` is that of a person calling it a match, where the method knows it; ``remarks``
    say what speaks against it. ``contradicts`` holds the experts' words that the text denies here.
    A match is ``held`` where its words are not written in sentences. Neither of the two earns
    anything until a person decides. A match ``by_hand`` is a person's decision; its ``marked``
    words may be others than those of the segment that counts. It makes the ``same_statement`` as a
    likelier match of its segment where no expert says both of their units.
    """

    segment: Segment
    scu_uid: int
    similarity: float
    alternatives: tuple[Candidate, ...] = ()
    probability: float | None = None
    remarks: tuple[str, ...] = ()
    marked: Spans = ()
    by_hand: bool = False
    contradicts: str = ""
    held: bool = False
    same_statement: bool = False

    @property
    def spans(self) -> Spans:
        """The words that express the unit."""
        return self.marked or self.segment.spans

    @property
    def waits(self) -> bool:
        """Does it earn nothing until a person decides?"""
        return bool(self.contradicts or self.held) and not self.by_hand

    @property
    def likelihood(self) -> float:
        """How sure it is that the segment is about the unit, whatever it says of it."""
        return 1.0 if self.by_hand or self.probability is None else self.probability

    @property
    def credit(self) -> float:
        """The share of the unit's weight that it earns: how probable it is, until a person decides.

        A method that knows no probabilities gives all of it.
        """
        if self.waits:
            return 0.0
        return self.likelihood


@dataclass(frozen=True, slots=True)
class Repeat:
    """A segment without a match of its own that goes with a unit matched elsewhere in the text.

    It says the unit again, or elaborates it.
    """

    segment: Segment
    scu_uid: int


@dataclass(frozen=True)
class Evidence:
    """What a matcher found: the segments that it chose (each counts once), and the matches.

    ``repeats`` say again what is matched elsewhere, and earn nothing: a unit counts once.
    ``possible`` are matches that are too unlikely to be shown; what they may be worth is in the
    score. ``held`` are words that are not written in sentences, or a text that contradicts the
    experts throughout, with the reason in a sentence: nothing in them earns anything until a person
    has read them.
    """

    segments: tuple[Segment, ...]
    matches: tuple[Match, ...]
    repeats: tuple[Repeat, ...] = ()
    possible: tuple[Match, ...] = ()
    held: Spans = ()
    held_reason: str = ""

    @cached_property
    def counted(self) -> int:
        """The statements: the segments, each as often as units are expected in it, at least once.

        Who lists four examples in one clause has made four statements. Who says what two experts
        say in two ways, and a builder took for two units, has made one. So has a segment that is
        held: its units earn nothing.
        """
        expected: dict[Segment, float] = dict.fromkeys(self.segments, 0.0)
        for match in self.matches:
            adds_none = match.same_statement or (match.held and not match.by_hand)
            units = 0.0 if adds_none else match.likelihood
            expected[match.segment] = expected.get(match.segment, 0.0) + units
        return floor(fsum(max(1.0, units) for units in expected.values()) + 0.5)

    @property
    def credited(self) -> tuple[Match, ...]:
        """The matches by which the text has ideas: those that do not wait for a person."""
        return tuple(match for match in self.matches if not match.waits)

    @property
    def contradicting(self) -> tuple[Match, ...]:
        """The matches that contradict the experts, and on which no person has decided."""
        return tuple(match for match in self.matches if match.contradicts and not match.by_hand)

    @property
    def is_held(self) -> bool:
        """Is the text as a whole held, so that it has neither a zero nor a grade?

        It is where more than half of its statements are in words that no person has read yet. A
        text without statements is held where any of its words are.
        """
        waiting = sum(is_mostly_in(segment.spans, self.held) for segment in self.segments)
        return bool(self.held) and (not self.segments or 2 * waiting > len(self.segments))

    @property
    def held_for(self) -> HeldFor | None:
        """Why words are held; None where none are."""
        if not self.held:
            return None
        if CONTRADICTING_WORDS in self.held_reason:
            return HeldFor.TRUTH
        return HeldFor.REPEATED if REPEATED_WORDS in self.held_reason else HeldFor.ORDER

    @property
    def unmatched(self) -> tuple[Segment, ...]:
        """The statements that are not matched: they neither say, repeat nor elaborate an idea."""
        with_idea = {match.segment for match in self.matches}
        with_idea.update(repeat.segment for repeat in self.repeats)
        return tuple(segment for segment in self.segments if segment not in with_idea)

    @property
    def matched_share(self) -> float:
        """The share of what is counted that expresses an idea, for the first time or again."""
        return 1 - len(self.unmatched) / self.counted if self.segments else 0.0


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """Evidence turned into numbers.

    ``raw`` is a sum of points; with probabilities it is what the matches are expected to be worth.
    ``trace`` explains the calculation line by line, in words; ``remarks`` say what a reader of the
    scores ought to know about the text ("It seems to be in Spanish.").
    """

    evidence: Evidence
    raw: float
    quality: float
    coverage: float
    comprehensive: float
    trace: tuple[str, ...]
    signature: str
    remarks: tuple[str, ...] = ()

    @property
    def statements(self) -> int:
        """How many statements the text has, matched or not; quality compares with it."""
        return self.evidence.counted
