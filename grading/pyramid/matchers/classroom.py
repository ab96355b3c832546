"""The classroom matcher: which ideas would a person find in this text, and in which words?

``ClassroomMatcher.match`` goes these steps:

1. Words that are not written in sentences are held (``order``). What is matched in them earns
   nothing until a person decides.
2. The text is compared with the ideas (``compared_text``), and a curve turns the values into
   probabilities (``match_curve``).
3. Each idea is matched in the sentence that expresses it best. Of sentences that express it about
   as well, one that does not contradict the experts is taken (``judged_text``). An idea that is too
   unlikely to be shown is *possible*: its points count by its probability.
4. A sentence with matches is cut in the finest way in which none of its ideas loses more than a
   fifth of its similarity. Each match gets the segment that says it best. A sentence without a
   match counts as a whole, as in a pyramid; a heading or a word count does not count.
5. A text that contradicts the experts too often is held as well (``contradicting_text``).
6. A segment without a match may repeat or elaborate an idea that is matched elsewhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grading.pyramid.calibration import Calibration
from grading.pyramid.config import Config
from grading.pyramid.contradictions.judgement import Judgement
from grading.pyramid.idea_similarity import ScuParts
from grading.pyramid.matchers.compared_text import ComparedText, TextComparer
from grading.pyramid.matchers.contradicting_text import PlacedMatch, held_where_it_contradicts
from grading.pyramid.matchers.expert_statements import ExpertStatements
from grading.pyramid.matchers.judged_text import JudgedText
from grading.pyramid.matchers.match_curve import MatchCurve, examples_of
from grading.pyramid.matchers.text_facts import TextFacts, facts_about
from grading.pyramid.order.held_words import HeldWords, held_words
from grading.pyramid.similarity import Matrix, Similarity
from grading.pyramid.structures import (
    Candidate,
    Evidence,
    Match,
    Pyramid,
    ReadTexts,
    Repeat,
    Segment,
    SegmentedText,
    Spans,
    is_mostly_in,
)

ALTERNATIVES = 3  # other ideas named with each match
_LOSS = 0.2  # of similarity, that a finer cut may cost
_ABOUT_AS_WELL = 0.06  # of the value, that sentences expressing the same idea may differ by

_AGREES = Judgement()


@dataclass(frozen=True, slots=True)
class _ExpressedIdea:
    """An idea with the sentence that expresses it best, how probably, and what denies it there."""

    column: int  # its place in the pyramid
    sentence: int
    probability: float
    judgement: Judgement = _AGREES


class ClassroomMatcher:
    """Ready for one pyramid: its ideas are read, and its curve is learnt."""

    def __init__(
        self, pyramid: Pyramid, similarity: Similarity, config: Config, read: ReadTexts
    ) -> None:
        self._config = config
        self._similarity = similarity
        self._uids = [scu.uid for scu in pyramid.scus]
        self._said_by = {
            scu.uid: frozenset(contributor.reference for contributor in scu.contributors)
            for scu in pyramid.scus
        }
        parts = ScuParts.of(pyramid)
        references = read(pyramid.references)
        self._comparer = TextComparer(parts, similarity, config)
        examples = examples_of(references, self._comparer, parts)
        if not examples:
            self._comparer.leave_out_meanings()
        self._curve = MatchCurve(pyramid, examples, similarity.priors, config)
        self._experts = ExpertStatements(parts, references, similarity, read)

    @property
    def calibration(self) -> Calibration:
        """The curve that the references taught."""
        return self._curve.calibration

    @property
    def threshold(self) -> float:
        """The probability from which an idea is matched."""
        return self._curve.threshold

    def strengths(self, text: SegmentedText) -> dict[int, float]:
        """For each idea, by its uid, the probability that the text expresses it."""
        facts = facts_about(text, self._similarity.name)
        held = self._words_not_in_sentences(text, facts)
        compared = self._comparer.compared(text, facts, held.spans)
        probabilities, _ = self._probabilities(compared)
        best = probabilities.max(axis=0, initial=0.0)
        return dict(zip(self._uids, best.tolist(), strict=True))

    def match(self, text: SegmentedText) -> Evidence:
        """The ideas that a text expresses, each by the segment that does it best."""
        facts = facts_about(text, self._similarity.name)
        held = self._words_not_in_sentences(text, facts)
        compared = self._comparer.compared(text, facts, held.spans)
        judged = JudgedText(text, facts, self._experts, self._similarity)
        likely: list[_ExpressedIdea] = []
        unlikely: list[_ExpressedIdea] = []
        for idea in self._expressed_ideas(compared, judged):
            if idea.probability >= self.threshold:
                likely.append(idea)
            elif compared.stretches.is_counted(idea.sentence):
                unlikely.append(idea)
        segments, placed_matches = self._place(compared, judged, likely)
        if self._config.checks_truth:
            several_wordings = not self._curve.lacks_examples.all()
            # What is not written in sentences says nothing of the others.
            written = [
                placed
                for placed in placed_matches
                if not compared.stretches.is_held[placed.sentence]
            ]
            held = held_where_it_contradicts(
                text, written, judged, held, several_wordings=several_wordings
            )
        repeats = tuple(self._repeats(compared, judged, segments, placed_matches))
        repeating = {repeat.segment for repeat in repeats}
        matches = self._with_same_statements([placed.match for placed in placed_matches])
        possible = (self._possible_match(compared, judged, idea) for idea in unlikely)
        return Evidence(
            tuple(segment for segment in segments if segment not in repeating),
            tuple(_with_hold(match, held.spans) for match in matches),
            repeats,
            tuple(_with_hold(match, held.spans) for match in possible),
            held.spans,
            held.reason,
        )

    def _words_not_in_sentences(self, text: SegmentedText, facts: TextFacts) -> HeldWords:
        if not self._config.checks_order:
            return HeldWords((), False, "")
        return facts.get("held", lambda: held_words(text))

    # --- which ideas, and in which sentence ---

    def _probabilities(self, compared: ComparedText) -> tuple[Matrix, Matrix]:
        """Sentences by ideas: how probable a match is, and the values that this follows from."""
        values = self._comparer.values_of_sentences(compared)
        return self._curve.probabilities(values, compared.of_sentences()), values

    def _expressed_ideas(
        self, compared: ComparedText, judged: JudgedText
    ) -> Iterator[_ExpressedIdea]:
        """The ideas that are possible, each in the sentence that expresses it best."""
        is_held = compared.stretches.is_held
        if not len(is_held) or not self._uids:
            return
        probabilities, values = self._probabilities(compared)
        columns = np.arange(len(self._uids))
        best_free = np.where(is_held[:, None], -np.inf, values).argmax(axis=0)
        is_possible = probabilities[best_free, columns] >= self._config.possible_from
        best = np.where(is_possible & ~is_held[best_free], best_free, values.argmax(axis=0))
        probability = probabilities[best, columns]
        is_near = values >= values[best, columns] - _ABOUT_AS_WELL
        is_near &= is_held[:, None] == is_held[best]
        for column in np.flatnonzero(probability >= self._config.possible_from).tolist():
            idea = _ExpressedIdea(column, int(best[column]), float(probability[column]))
            if self._config.checks_truth:
                near = np.flatnonzero(is_near[:, column])
                best_first = near[np.argsort(-values[near, column], kind="stable")]
                idea = self._where_it_agrees(idea, best_first.tolist(), judged)
            yield idea

    def _where_it_agrees(
        self, idea: _ExpressedIdea, sentences: Sequence[int], judged: JudgedText
    ) -> _ExpressedIdea:
        """The idea in the first of these sentences that does not contradict the experts.

        They express it about as well. Where all contradict the experts, it stays where it is
        expressed best, with what that says otherwise.
        """
        for sentence in sentences:
            judgement = judged.judgement(sentence, idea.column)
            if not judgement.holds:
                return _ExpressedIdea(idea.column, sentence, idea.probability, judgement)
        return replace(idea, judgement=judged.judgement(idea.sentence, idea.column))

    # --- in which words ---

    def _place(
        self, compared: ComparedText, judged: JudgedText, ideas: Sequence[_ExpressedIdea]
    ) -> tuple[list[Segment], list[PlacedMatch]]:
        """The segments that count, and the matches in them, in the order of the text."""
        ideas_of: dict[int, list[_ExpressedIdea]] = {}
        for idea in ideas:
            ideas_of.setdefault(idea.sentence, []).append(idea)
        segments: list[Segment] = []
        matches: list[PlacedMatch] = []
        for number, is_heading in enumerate(compared.stretches.is_heading):
            ideas_here = ideas_of.get(number, [])
            if is_heading and not ideas_here:
                continue
            columns = [idea.column for idea in ideas_here]
            cut = self._cut(compared, number, columns)
            segments += cut
            similarity = compared.of(cut) if columns else np.zeros((0, 0))
            for idea in ideas_here:
                place = int(similarity[:, idea.column].argmax())
                alternatives = self._alternatives(similarity[place], columns)
                similar = float(similarity[place, idea.column])
                match = self._match(judged, idea, cut[place], similar, alternatives)
                matches.append(PlacedMatch(match, number, idea.column))
        return segments, matches

    def _cut(
        self, compared: ComparedText, sentence: int, columns: Sequence[int]
    ) -> Sequence[Segment]:
        """The finest cut of a sentence that expresses the ideas nearly as well as all of it."""
        ways = compared.stretches.cuts[sentence]
        if not columns:
            return ways[-1]
        enough = (1 - _LOSS) * compared.of_sentence(sentence)[columns]
        for segments in ways:
            if segments and (compared.of(segments)[:, columns].max(axis=0) >= enough).all():
                return segments
        # A sentence that is too short to be counted is, where it expresses an idea after all.
        return [Segment(compared.stretches.sentences[sentence])]

    def _possible_match(
        self, compared: ComparedText, judged: JudgedText, idea: _ExpressedIdea
    ) -> Match:
        """A match that is too unlikely to be shown: the whole sentence, without alternatives."""
        segment = Segment(compared.stretches.sentences[idea.sentence])
        similar = float(compared.of_sentence(idea.sentence)[idea.column])
        return self._match(judged, idea, segment, similar, ())

    def _match(
        self,
        judged: JudgedText,
        idea: _ExpressedIdea,
        segment: Segment,
        similarity: float,
        alternatives: tuple[Candidate, ...],
    ) -> Match:
        judgement = idea.judgement
        return Match(
            segment=segment,
            scu_uid=self._uids[idea.column],
            similarity=round(similarity, 4),
            alternatives=alternatives,
            probability=idea.probability,
            remarks=(judgement.remark,) if judgement.remark else (),
            contradicts=judged.experts_words(idea.column, judgement),
        )

    def _alternatives(self, similarity: Matrix, matched: Sequence[int]) -> tuple[Candidate, ...]:
        """The ideas most similar to a segment, without those ``matched`` in its sentence."""
        most = len(matched) + ALTERNATIVES
        nearest = np.argsort(-similarity, kind="stable")[:most].tolist()
        others = [column for column in nearest if column not in matched][:ALTERNATIVES]
        return tuple(
            Candidate(self._uids[column], round(float(similarity[column]), 4)) for column in others
        )

    def _with_same_statements(self, matches: Sequence[Match]) -> list[Match]:
        """The matches; those that no statement of their own goes with are marked.

        Ideas of one expert are different statements. Of ideas that no expert has both, the one may
        be the other in different words: together they are one statement.
        """
        statements: dict[Segment, list[set[str]]] = {}  # of each segment: the experts who say it
        same: set[int] = set()
        for match in sorted(matches, key=lambda match: (-match.likelihood, match.scu_uid)):
            experts = self._said_by[match.scu_uid]
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
                same.add(match.scu_uid)
        return [
            replace(match, same_statement=True) if match.scu_uid in same else match
            for match in matches
        ]

    # --- what is repeated ---

    def _repeats(
        self,
        compared: ComparedText,
        judged: JudgedText,
        segments: Sequence[Segment],
        matches: Sequence[PlacedMatch],
    ) -> Iterator[Repeat]:
        """Segments without a match that go with an idea matched elsewhere, in the text's order.

        One repeats a matched idea if it would express it as the only words of a text. Otherwise, in
        a sentence with a match, it elaborates the idea of that sentence that is most similar.
        """
        with_match = {placed.match.segment for placed in matches}
        others = [segment for segment in segments if segment not in with_match]
        sentence_of_idea = {placed.column: placed.sentence for placed in matches}
        columns = sorted(sentence_of_idea)
        if not others or not columns:
            return
        similarity = compared.of(others)
        values = self._comparer.values_as_texts(compared, others)
        probabilities = self._curve.probabilities(values, similarity)
        for segment, similar, probable in zip(others, similarity, probabilities, strict=True):
            sentence = compared.sentence_of(segment)
            best = max(columns, key=lambda column: probable[column])
            beside = [column for column in columns if sentence_of_idea[column] == sentence]
            if probable[best] >= self.threshold and not self._denies(judged, sentence, best):
                yield Repeat(segment, self._uids[best])
            elif beside:
                elaborated = max(beside, key=lambda column: similar[column])
                yield Repeat(segment, self._uids[elaborated])

    def _denies(self, judged: JudgedText, sentence: int, column: int) -> bool:
        return self._config.checks_truth and judged.judgement(sentence, column).holds


def _with_hold(match: Match, held: Spans) -> Match:
    is_held = bool(held) and is_mostly_in(match.segment.spans, held)
    return replace(match, held=True) if is_held else match
