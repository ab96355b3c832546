"""The classroom matcher: which content units would a person find in this text?

How much of a unit does the text express? Every part of the unit (``ScuParts``) is compared with
each sentence and with the whole text, word by word, and the meaning of each sentence tells which
unit it is about; ``idea_similarity`` makes one value of them. A logistic curve, learnt from the
pyramid's own references, turns it into the probability that a person would call it a match. Where
the references teach nothing (a list of statements, or one reference) units are told apart by words
alone, the curve is that of other texts, and a unit is matched from a lower probability on. In any
pyramid a unit without contributors is matched from there on, too.

A unit is matched from one half on; where people's annotations moved that threshold
(``match_probability``), the curve is moved so that one half is there. A curve learnt from people's
marks (``learnt_curve``) changes each probability, and says from where on a unit is matched. A unit
that is less probable is *possible* from ``possible_from`` on: it is not shown, and its points count
by its probability.

A match that its sentence contradicts is marked, and earns nothing until a person decides. Of
sentences that express a unit about as well, one that does not contradict it is taken. Words that
are not written in sentences are held: what is matched in them earns nothing either. So is a text
with many contradictions, but for its sentences that say nearly nothing else than an expert.

A matched unit is shown where its best sentence expresses it: of the ways to cut that sentence, the
finest in which none of its units loses more than a fifth of its similarity. A segment may express
several units; those that no expert has both may be one in two hands, and are one statement. A
sentence without a match counts as a whole, once, as in a pyramid; a heading or a word count does
not.

What is said twice is matched once. A segment without a match repeats a matched unit if it would
express it as the only words of a text; else, in a sentence with a match, it elaborates the unit of
that sentence that it is most similar to.
"""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.calibration import Calibration, learn, log_odds_of
from grading.pyramid.config import Config
from grading.pyramid.contradictions.judgement import Judgement, judge
from grading.pyramid.contradictions.statements import Statement, statement_of
from grading.pyramid.contradictions.whole_text import (
    HALF_RIGHT,
    denies_alone,
    is_doubtful,
    says_what_an_expert_says,
    sentences_against,
)
from grading.pyramid.idea_similarity import ScuParts, contrast, idea_values, room_for_one
from grading.pyramid.order.held_words import HeldWords, held_words
from grading.pyramid.rhetoric import framing_words
from grading.pyramid.segmentation.sentences import is_heading
from grading.pyramid.similarity import Compare, Matrix, Meanings, Similarity, closeness
from grading.pyramid.structures import (
    CONTRADICTING_WORDS,
    Candidate,
    Evidence,
    Match,
    Pyramid,
    ReadTexts,
    Repeat,
    Segment,
    Segmentation,
    SegmentedText,
    Sentence,
    Span,
    Spans,
    Text,
    Unit,
    is_mostly_in,
    join_spans,
    shared_length,
    spans_without,
)

# What was found out about a text, kept for the next edit of the pyramid.
#
# An edit changes an idea or two, and the class is scored again: whether a sentence contradicts one
# of the other ideas, and which words are in no order, is the same as before. What is kept of a text
# is small (some ten kilobytes); the vectors of its words and its parse are not.

TEXTS = 2_048  # that are remembered in a process: the classes that are being edited
_MOST_FACTS = 4_096  # of one text: those of many edits, each with its ideas

Fact = TypeVar("Fact")


class TextFacts:
    """Facts about one text, each under a key that names all that it depends on besides."""

    def __init__(self) -> None:
        self._facts: dict[Hashable, object] = {}

    def get(self, key: Hashable, find: Callable[[], Fact]) -> Fact:
        """The fact, found now if it is not known."""
        if key not in self._facts:
            if len(self._facts) >= _MOST_FACTS:
                self._facts.clear()
            self._facts[key] = find()
        return self._facts[key]  # type: ignore[return-value]


_facts_of_texts: OrderedDict[Hashable, TextFacts] = OrderedDict()


def facts_about(text: SegmentedText, similarity: str) -> TextFacts:
    """The facts that rest on a text's words, its parse and the similarity of this name."""
    parse = hash(tuple(sentence.tokens for sentence in text.sentences))
    key = similarity, text.text.content, parse
    facts = _facts_of_texts.setdefault(key, TextFacts())
    _facts_of_texts.move_to_end(key)
    if len(_facts_of_texts) > TEXTS:
        _facts_of_texts.popitem(last=False)
    return facts


# The sentences in which the experts express a content unit, parsed, to compare denials with.


class ExpertStatements:
    """Of each unit the parsed sentences of its parts; they are looked up when first needed."""

    def __init__(
        self,
        parts: ScuParts,
        references: Sequence[SegmentedText],
        similarity: Similarity,
        read: ReadTexts,
    ) -> None:
        self._parts = parts
        self._texts = {reference.text.content: reference for reference in references}
        self._similarity = similarity
        self._read = read
        self._known: dict[int, tuple[tuple[Statement, ...], tuple[str, ...]]] = {}

    def of(self, scu: int) -> tuple[Statement, ...]:
        """What the experts say, a statement for each sentence of each part."""
        return self._of(scu)[0]

    def words(self, scu: int, statement: int | None) -> str:
        """The experts' words of one of these statements; without a number, of the first."""
        words = self._of(scu)[1]
        return words[statement or 0] if words else ""

    def _of(self, scu: int) -> tuple[tuple[Statement, ...], tuple[str, ...]]:
        if scu not in self._known:
            pairs = [pair for unit in self._parts.of_scu(scu) for pair in self._statements(unit)]
            self._known[scu] = (
                tuple(statement for statement, _ in pairs),
                tuple(words for _, words in pairs),
            )
        return self._known[scu]

    def _statements(self, unit: Unit) -> Iterator[tuple[Statement, str]]:
        content = unit.text.content
        if content not in self._texts:
            [self._texts[content]] = self._read([unit.text])
        words = self._similarity.words(content)
        for sentence in self._texts[content].sentences:
            if shared_length((sentence.span,), unit.spans):
                yield statement_of(sentence, words, unit.spans), unit.words


PRIOR_EXAMPLES = 10.0  # the prior counts as much as that many cells of a pyramid
SHARED_AT_LEAST = 0.45  # of what one expert says that another says too, whether a builder saw it
PROBABLE = 0.5  # from this probability on a unit is matched
STATEMENT_PROBABLE = 0.3  # the same, where no reference shows how a unit may be worded
ALTERNATIVES = 3  # other units named with each match
_LOSS = 0.2  # of similarity, that a finer cut may cost
_LEAD_OF_WORDS = 0.6  # without meanings: words differ more from unit to unit
_ABOUT_AS_WELL = 0.06  # of the value, that sentences expressing the same unit may differ by


_AGREES = Judgement()


@dataclass(frozen=True, slots=True)
class _Finding:
    """How probable it is that a text expresses a unit, in which sentence, and what denies it."""

    unit: int
    sentence: int
    probability: float
    judgement: Judgement = _AGREES


class ClassroomMatcher:
    """Ready for one pyramid: its units are read, and its curve is learnt."""

    def __init__(
        self, pyramid: Pyramid, similarity: Similarity, config: Config, read: ReadTexts
    ) -> None:
        self._learnt = config.learnt_curve
        self.threshold = PROBABLE if self._learnt is None else self._learnt.cut
        self._uids = [scu.uid for scu in pyramid.scus]
        self._said_by = {
            scu.uid: frozenset(contributor.reference for contributor in scu.contributors)
            for scu in pyramid.scus
        }
        self._config = config
        self._similarity = similarity
        self._parts = ScuParts.of(pyramid)
        self._keys = self._parts.keys()
        self._compare: Compare = similarity.against(self._parts.units)
        self._meanings = similarity.meanings(self._parts.units)
        references = read(pyramid.references)
        examples = self._examples(references)
        if not examples:  # one wording tells too little of what is meant
            self._meanings = self._meanings[:, :0]
        self.calibration = self._learn(examples)
        self._is_statement = np.array(
            [not examples or not scu.contributors for scu in pyramid.scus], dtype=np.bool_
        )
        self._experts = ExpertStatements(self._parts, references, similarity, read)

    def strengths(self, text: SegmentedText) -> dict[int, float]:
        """For each unit, by its uid, the probability that the text expresses it."""
        facts = facts_about(text, self._similarity.name)
        chances, _ = self._chances(self._read(text, facts, self._held(text, facts).spans))
        return dict(zip(self._uids, chances.max(axis=0, initial=0.0).tolist(), strict=True))

    def match(self, text: SegmentedText) -> Evidence:
        """The content units that a text expresses, each by the segment that does it best."""
        facts = facts_about(text, self._similarity.name)
        held = self._held(text, facts)
        reading = self._read(text, facts, held.spans)
        likely: dict[int, list[_Finding]] = {}
        unlikely: list[_Finding] = []
        for finding in self._findings(reading):
            if finding.probability >= self.threshold:
                likely.setdefault(finding.sentence, []).append(finding)
            elif reading.cuts[finding.sentence][-1]:  # the sentence is long enough to be counted
                unlikely.append(finding)
        segments: list[Segment] = []
        matches: list[Match] = []
        for number, sentence in enumerate(text.sentences):
            findings = likely.get(number, [])
            if not findings and is_heading(text, sentence):
                continue
            units = [finding.unit for finding in findings]
            counted = self._cut(reading, number, units)
            segments += counted
            matches += (self._match(reading, counted, finding, units) for finding in findings)
        if self._config.checks_truth:
            held = self._text_against(reading, matches, held) or held
        repeats = tuple(self._repeats(reading, segments, matches))
        repeating = {repeat.segment for repeat in repeats}
        possible = (
            self._match(reading, [Segment(reading.sentences[finding.sentence])], finding)
            for finding in unlikely
        )
        return Evidence(
            tuple(segment for segment in segments if segment not in repeating),
            tuple(_held(match, held.spans) for match in self._with_same_statements(matches)),
            repeats,
            tuple(_held(match, held.spans) for match in possible),
            held.spans,
            held.reason,
        )

    # --- how similar, and how probable ---

    def _held(self, text: SegmentedText, facts: TextFacts) -> HeldWords:
        if not self._config.checks_order:
            return HeldWords((), False, "")
        return facts.get("held", lambda: held_words(text))

    def _read(self, text: SegmentedText, facts: TextFacts, held: Spans) -> "_Reading":
        """Compare all of a text with the units.

        Words that are held say nothing for the others, unless all are held.
        """
        whole: Spans = (Span(0, len(text.text.content)),)
        sentences = [_telling_words(sentence) for sentence in text.sentences]
        is_held = np.array([is_mostly_in(sentence, held) for sentence in sentences], np.bool_)
        if held and not is_held.all():
            whole = spans_without(whole, held)
            sentences = [
                sentence if hidden else spans_without(sentence, held)
                for sentence, hidden in zip(sentences, is_held, strict=True)
            ]
        cuts = [
            [self._counted(way.segments, text.text) for way in _finest_first(sentence)]
            for sentence in text.sentences
        ]
        segments = (segment.spans for ways in cuts for way in ways for segment in way)
        rows = list(dict.fromkeys([whole, *sentences, *segments]))
        similarity = self._parts.join(self._compare([Unit(text.text, row) for row in rows]))
        place = {row: number for number, row in enumerate(rows)}
        return _Reading(text, facts, sentences, is_held, cuts, place, similarity, similarity[0])

    def _counted(self, segments: Sequence[Segment], text: Text) -> list[Segment]:
        return [
            segment for segment in segments if self._config.counts(text.words_at(segment.spans))
        ]

    def _values(
        self,
        text: Text,
        rows: Sequence[Spans],
        similarity: Matrix,
        whole: Matrix,
        meanings: Meanings,
        *,
        without: str | None = None,
    ) -> Matrix:
        """Of sentences, or other rows, by units; ``without`` the parts of a reference."""
        sentences = [text.words_at(row) for row in rows]
        agreement = self._parts.number_agreement(sentences)
        lead = _LEAD_OF_WORDS * contrast(similarity)
        if self._meanings.shape[1]:
            close = closeness(meanings, self._meanings)
            lead = contrast(self._parts.join(close, without=without))
        return idea_values(
            similarity,
            whole,
            self._config.contrast * room_for_one(sentences) * lead,
            self._config.number_agreement * agreement,
        )

    def _meanings_of(self, reading: "_Reading", rows: Sequence[Spans]) -> Meanings:
        text = reading.text.text
        return reading.facts.get(
            ("meanings", tuple(rows)),
            lambda: self._similarity.meanings([Unit(text, row) for row in rows]),
        )

    def _chances(self, reading: "_Reading") -> tuple[Matrix, Matrix]:
        """Sentences by units: how probable a match is, and the values that this follows from."""
        rows = reading.sentences
        similarity, meanings = reading.rows(rows), self._meanings_of(reading, rows)
        values = self._values(reading.text.text, rows, similarity, reading.whole, meanings)
        return self._probability(values, similarity), values

    def _probability(self, values: Matrix, similarity: Matrix) -> Matrix:
        """By the curve; nothing in common is no match. Rounded to four decimals."""
        odds = self.calibration.slope * (values - self.calibration.threshold)
        if self._config.match_threshold is None:
            odds = odds - np.where(self._is_statement, log_odds_of(STATEMENT_PROBABLE), 0.0)
        chances: Matrix = np.where(similarity > 0, np.round(1 / (1 + np.exp(-odds)), 4), 0.0)
        if self._learnt is not None:
            for unit, uid in enumerate(self._uids):
                column = chances[:, unit].tolist()
                chances[:, unit] = [self._learnt.probability(uid, chance) for chance in column]
        return chances

    def _findings(self, reading: "_Reading") -> Iterator[_Finding]:
        """The units that are possible, each in the sentence that expresses it best."""
        if not reading.sentences:
            return
        chances, values = self._chances(reading)
        free = np.where(reading.is_held[:, None], -np.inf, values)
        best_free, best = free.argmax(axis=0), values.argmax(axis=0)
        for unit in range(len(self._uids)):
            sentence = int(best_free[unit])
            if reading.is_held[sentence] or chances[sentence, unit] < self._config.possible_from:
                sentence = int(best[unit])
            if chances[sentence, unit] >= self._config.possible_from:
                finding = _Finding(unit, sentence, float(chances[sentence, unit]))
                yield self._judged(reading, finding, values[:, unit])

    def _judged(self, reading: "_Reading", finding: _Finding, values: Matrix) -> _Finding:
        """The finding in the best of the sentences that express the unit and do not deny it.

        Sentences that express it about as well as the best are asked. Where all of them contradict
        the experts, it stays in the best one, with what that says otherwise.
        """
        if not self._config.checks_truth:
            return finding
        is_near = values >= values[finding.sentence] - _ABOUT_AS_WELL
        near = np.flatnonzero(
            is_near & (reading.is_held == reading.is_held[finding.sentence])
        ).tolist()
        judged = finding
        for sentence in sorted(near, key=lambda number: (-values[number], number)):
            judgement = self._judgement(reading, sentence, finding.unit)
            if not judgement.holds:
                return replace(finding, sentence=sentence, judgement=judgement)
            if sentence == finding.sentence:
                judged = replace(finding, judgement=judgement)
        return judged

    def _judgement(self, reading: "_Reading", sentence: int, unit: int) -> Judgement:
        return reading.facts.get(
            (sentence, self._keys[unit]),
            lambda: judge(self._experts.of(unit), self._statement(reading, sentence)),
        )

    def _statement(self, reading: "_Reading", number: int) -> Statement:
        if number not in reading.statements:
            sentence, content = reading.text.sentences[number], reading.text.text.content
            words = self._similarity.words(content)
            reading.statements[number] = statement_of(sentence, words, (sentence.span,))
        return reading.statements[number]

    def _text_against(
        self, reading: "_Reading", matches: Sequence[Match], held: HeldWords
    ) -> HeldWords | None:
        """All but what experts say, where a text contradicts them so often that it may deny all."""
        place = {  # what is not written in sentences says nothing of the others
            match: number
            for match in matches
            if not reading.is_held[number := reading.sentence_of(match.segment)]
        }
        contradicting = {place[match] for match in place if match.contradicts}
        denying: set[int] = set()
        doubtful: set[int] = set()
        if not self._is_statement.all():  # one wording tells too little of what experts deny
            # A sentence is judged by the unit that it says best: a true one is often near others.
            best = {place[match]: match for match in sorted(place, key=_likelihood)}
            for sentence, match in best.items():
                denies, is_in_doubt = self._doubts(reading, sentence, match)
                denying |= {sentence} if denies else set()
                doubtful |= {sentence} if is_in_doubt else set()
        against = sentences_against(set(place.values()), contradicting, denying, doubtful)
        if not against:
            return None
        suspect = contradicting | denying | doubtful
        free = {
            sentence
            for match, sentence in place.items()
            if sentence not in suspect and self._is_said(reading, sentence, match)
        }
        if len(free) < HALF_RIGHT * len(set(place.values())):
            free = set()
        said = tuple(reading.text.sentences[sentence].span for sentence in sorted(free))
        spans = spans_without((Span(0, len(reading.text.text.content)),), said)
        earns = (
            "Only sentences in words of the expert summaries earn"
            if free
            else "Nothing in it earns"
        )
        reason = (
            f"{against} sentences of this text may {CONTRADICTING_WORDS}. {earns} "
            "points until a grader reads it."
        )
        return HeldWords(join_spans((*held.spans, *spans)), not free, reason)

    def _is_said(self, reading: "_Reading", number: int, match: Match) -> bool:
        """Whether an expert says nearly all of a sentence."""
        unit = self._uids.index(match.scu)
        return reading.facts.get(
            ("said", number, self._keys[unit]),
            lambda: says_what_an_expert_says(
                self._experts.of(unit), self._statement(reading, number)
            ),
        )

    def _doubts(self, reading: "_Reading", number: int, match: Match) -> tuple[bool, bool]:
        """Whether a sentence denies what no expert denies, and whether it is doubtful else."""
        unit = self._uids.index(match.scu)

        def find() -> tuple[bool, bool]:
            idea, sentence = self._experts.of(unit), self._statement(reading, number)
            return denies_alone(idea, sentence), is_doubtful(idea, sentence)

        denies, is_in_doubt = reading.facts.get(("doubts", number, self._keys[unit]), find)
        return denies, is_in_doubt or bool(match.remarks)

    # --- where ---

    def _cut(self, reading: "_Reading", sentence: int, units: Sequence[int]) -> list[Segment]:
        """The finest cut of a sentence that expresses the units nearly as well as all of it."""
        ways = reading.cuts[sentence]
        if not units:
            return ways[-1]
        enough = (1 - _LOSS) * reading.rows([reading.sentences[sentence]])[0, units]
        for segments in ways:
            if segments and (reading.of(segments)[:, units].max(axis=0) >= enough).all():
                return segments
        # A sentence that is too short to be counted is, where it expresses a unit after all.
        return [Segment(reading.sentences[sentence])]

    def _match(
        self,
        reading: "_Reading",
        segments: Sequence[Segment],
        finding: _Finding,
        matched: Sequence[int] | None = None,
    ) -> Match:
        """A unit with the segment that says it best.

        The other units that are ``matched`` in the sentence are no alternatives; None: there are no
        alternatives at all.
        """
        table = reading.of(segments)
        place = int(table[:, finding.unit].argmax())
        row = table[place]
        nearest: list[int] = []
        if matched is not None:
            most = len(matched) + ALTERNATIVES
            ordered = np.argsort(-row, kind="stable")[:most].tolist()
            nearest = [unit for unit in ordered if unit not in matched][:ALTERNATIVES]
        judgement = finding.judgement
        return Match(
            segment=segments[place],
            scu=self._uids[finding.unit],
            similarity=round(float(row[finding.unit]), 4),
            alternatives=tuple(
                Candidate(self._uids[unit], round(float(row[unit]), 4)) for unit in nearest
            ),
            probability=finding.probability,
            remarks=(judgement.remark,) if judgement.remark else (),
            contradicts=self._experts.words(finding.unit, judgement.expert)
            if judgement.holds
            else "",
        )

    def _with_same_statements(self, matches: Sequence[Match]) -> list[Match]:
        """The matches; those that no statement of their own goes with are marked.

        Units of one expert are different statements. Of units that no expert has both, the one may
        be the other in another hand: together they are one statement.
        """
        statements: dict[Segment, list[set[str]]] = {}  # of each segment: the experts who say it
        same: set[int] = set()
        for match in sorted(matches, key=lambda match: (-match.likelihood, match.scu)):
            experts = self._said_by[match.scu]
            of_segment = statements.setdefault(match.segment, [])
            others = (
                said_by
                for said_by in of_segment
                if experts and said_by and said_by.isdisjoint(experts)
            )
            if (statement := next(others, None)) is None:
                of_segment.append(set(experts))
            else:
                statement |= experts
                same.add(match.scu)
        return [
            replace(match, same_statement=True) if match.scu in same else match for match in matches
        ]

    def _repeats(
        self, reading: "_Reading", segments: Sequence[Segment], matches: Sequence[Match]
    ) -> Iterator[Repeat]:
        """In the order of the text; of a segment the unit that it most probably goes with."""
        matched = {match.segment for match in matches}
        others = [segment for segment in segments if segment not in matched]
        place = {match.scu: reading.sentence_of(match.segment) for match in matches}
        units = [unit for unit, uid in enumerate(self._uids) if uid in place]
        if not others or not units:
            return
        table = reading.of(others)
        rows = [segment.spans for segment in others]
        meanings = self._meanings_of(reading, rows)
        values = self._values(reading.text.text, rows, table, table, meanings)
        chances = self._probability(values, table)
        for segment, similar, probable in zip(others, table, chances, strict=True):
            sentence = reading.sentence_of(segment)
            best = max(units, key=lambda unit: probable[unit])
            beside = [unit for unit in units if place[self._uids[unit]] == sentence]
            if probable[best] >= self.threshold and not self._denies(reading, sentence, best):
                yield Repeat(segment, self._uids[best])
            elif beside:
                yield Repeat(segment, self._uids[max(beside, key=lambda unit: similar[unit])])

    def _denies(self, reading: "_Reading", sentence: int, unit: int) -> bool:
        if not self._config.checks_truth:
            return False
        return self._judgement(reading, sentence, unit).holds

    # --- what the references teach ---

    def _examples(self, references: Sequence[SegmentedText]) -> list[tuple[float, bool]]:
        """How well each reference expresses each unit, and whether it contributed to the unit.

        What it contributed is passed over. Empty where this teaches nothing.
        """
        examples: list[tuple[float, bool]] = []
        for reference in references:
            text = reference.text
            rows = [_telling_words(sentence) for sentence in reference.sentences]
            units = [Unit(text, row) for row in [(Span(0, len(text.content)),), *rows]]
            recall = self._parts.join(self._compare(units), without=text.name)
            meanings = self._similarity.meanings(units[1:])
            values = self._values(text, rows, recall[1:], recall[0], meanings, without=text.name)
            best = values.max(axis=0, initial=-np.inf)
            known = np.isfinite(best)
            contributes = self._parts.contributes(text.name)
            examples += zip(best[known].tolist(), contributes[known].tolist(), strict=True)
        return examples if len({is_own for _, is_own in examples}) > 1 else []

    def _learn(self, examples: Sequence[tuple[float, bool]]) -> Calibration:
        """The curve by which references match units."""
        priors = self._similarity.priors
        learnt = prior = priors.idea if examples else priors.statement
        if examples:
            values, matches = zip(*examples, strict=True)
            learnt = learn(values, matches, prior, PRIOR_EXAMPLES)
            # A builder joins what is most similar, and so teaches that all that is the same is very
            # similar. Where it found little, the other cells tell as much.
            reached = max(prior.threshold / 2, float(np.quantile(values, 1 - SHARED_AT_LEAST)))
            threshold = min(learnt.threshold, (learnt.threshold + reached) / 2)
            learnt = Calibration(learnt.slope, round(threshold, 4))
        fixed, cut = self._config.match_threshold, self._config.match_probability
        curve = learnt if fixed is None else Calibration(learnt.slope, fixed)
        return curve if cut is None else curve.with_half_at(cut)


@dataclass(frozen=True, eq=False, slots=True)
class _Reading:
    """A text compared with all units: by rows (sentences, segments), and as a whole."""

    text: SegmentedText
    facts: TextFacts
    sentences: list[Spans]  # without words that are held, where others are not
    is_held: NDArray[np.bool_]  # of each sentence, whether it is held as a whole
    cuts: list[list[list[Segment]]]  # of each sentence, finest first: its counted segments
    place: dict[Spans, int]
    similarity: Matrix
    whole: Matrix  # one row
    statements: dict[int, Statement] = field(default_factory=dict)  # parsed sentences, as needed

    def rows(self, rows: Sequence[Spans]) -> Matrix:
        return self.similarity[[self.place[row] for row in rows]]

    def of(self, segments: Sequence[Segment]) -> Matrix:
        return self.rows([segment.spans for segment in segments])

    def sentence_of(self, segment: Segment) -> int:
        """The number of the sentence that a segment is cut from."""
        starts = [sentence.span.start for sentence in self.text.sentences]
        return bisect_right(starts, segment.spans[0].start) - 1


def _likelihood(match: Match) -> tuple[float, int]:
    return match.likelihood, -match.scu


def _telling_words(sentence: Sentence) -> Spans:
    """A sentence without the words that only frame what it says."""
    return spans_without((sentence.span,), framing_words(sentence))


def _finest_first(sentence: Sentence) -> list[Segmentation]:
    return sorted(sentence.segmentations, key=lambda way: -len(way.segments))


def _held(match: Match, held: Spans) -> Match:
    return replace(match, held=True) if is_mostly_in(match.segment.spans, held) else match
