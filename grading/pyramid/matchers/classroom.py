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
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from grading.pyramid.calibration import Calibration
from grading.pyramid.config import Config
from grading.pyramid.contradictions.judgement import Judgement
from grading.pyramid.idea_similarity import ScuParts
from grading.pyramid.matchers.compared_text import ComparedText, Cut, Stretches, TextComparer
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


class _PlacedSegment(NamedTuple):
    """A segment that counts, with its row and the number of its sentence."""

    segment: Segment
    row: int
    sentence: int


class _ExpressedIdea(NamedTuple):
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
        placed_segments, placed_matches = self._place(compared, judged, likely)
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
        repeats = tuple(self._repeats(compared, judged, placed_segments, placed_matches))
        segments = [placed.segment for placed in placed_segments]
        if repeats:
            repeating = {repeat.segment for repeat in repeats}
            segments = [segment for segment in segments if segment not in repeating]
        matches = self._with_same_statements([placed.match for placed in placed_matches])
        possible = [self._possible_match(compared, judged, idea) for idea in unlikely]
        return Evidence(
            tuple(segments),
            _with_holds(matches, held.spans),
            repeats,
            _with_holds(possible, held.spans),
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
        are_several = is_near.sum(axis=0) > 1
        for column in np.flatnonzero(probability >= self._config.possible_from).tolist():
            best_first = [int(best[column])]
            if are_several[column]:
                near = np.flatnonzero(is_near[:, column])
                best_first = near[np.argsort(-values[near, column], kind="stable")].tolist()
            yield self._where_it_agrees(column, best_first, float(probability[column]), judged)

    def _where_it_agrees(
        self, column: int, sentences: Sequence[int], probability: float, judged: JudgedText
    ) -> _ExpressedIdea:
        """The idea in the first of these sentences that does not contradict the experts.

        They express it about as well. Where all contradict the experts, it is in the first one,
        with what that says otherwise.
        """
        if not self._config.checks_truth:
            return _ExpressedIdea(column, sentences[0], probability)
        for sentence in sentences:
            judgement = judged.judgement(sentence, column)
            if not judgement.holds:
                return _ExpressedIdea(column, sentence, probability, judgement)
        judgement = judged.judgement(sentences[0], column)
        return _ExpressedIdea(column, sentences[0], probability, judgement)

    # --- in which words ---

    def _place(
        self, compared: ComparedText, judged: JudgedText, ideas: Sequence[_ExpressedIdea]
    ) -> tuple[list[_PlacedSegment], list[PlacedMatch]]:
        """The segments that count, and the matches in them, in the order of the text."""
        ideas_of: dict[int, list[_ExpressedIdea]] = {}
        for idea in ideas:
            ideas_of.setdefault(idea.sentence, []).append(idea)
        columns = [idea.column for idea in ideas]
        # A row for each idea, as few numbers are compared faster one by one.
        similarity = dict(zip(columns, compared.similarity[:, columns].T.tolist(), strict=True))
        segments: list[_PlacedSegment] = []
        placed: list[tuple[_ExpressedIdea, _PlacedSegment]] = []
        for number, is_heading in enumerate(compared.stretches.is_heading):
            ideas_here = ideas_of.get(number, ())
            if is_heading and not ideas_here:
                continue
            of_ideas = [similarity[idea.column] for idea in ideas_here]
            cut = _cut(compared.stretches, number, of_ideas)
            here = [_PlacedSegment(*pair, number) for pair in zip(*cut, strict=True)]
            segments += here
            for idea, of_idea in zip(ideas_here, of_ideas, strict=True):
                shown = [of_idea[row] for row in cut.rows]
                placed.append((idea, here[shown.index(max(shown))]))
        rows = [segment.row for _, segment in placed]
        most = max(map(len, ideas_of.values()), default=0) + ALTERNATIVES
        nearest = np.argsort(-compared.of_rows(rows), axis=1, kind="stable")[:, :most].tolist()
        matches = []
        for (idea, segment), columns_by_similarity in zip(placed, nearest, strict=True):
            matched = [other.column for other in ideas_of[idea.sentence]]
            others = [column for column in columns_by_similarity if column not in matched]
            alternatives = self._candidates(compared, segment.row, others[:ALTERNATIVES])
            match = self._match(compared, judged, idea, segment, alternatives)
            matches.append(PlacedMatch(match, segment.sentence, idea.column))
        return segments, matches

    def _candidates(
        self, compared: ComparedText, row: int, columns: Sequence[int]
    ) -> tuple[Candidate, ...]:
        similarity = compared.similarity
        return tuple(
            [
                Candidate(self._uids[column], round(similarity.item(row, column), 4))
                for column in columns
            ]
        )

    def _possible_match(
        self, compared: ComparedText, judged: JudgedText, idea: _ExpressedIdea
    ) -> Match:
        """A match that is too unlikely to be shown: the whole sentence, without alternatives."""
        whole = compared.stretches.whole_sentences[idea.sentence]
        segment = _PlacedSegment(whole.segments[0], whole.rows[0], idea.sentence)
        return self._match(compared, judged, idea, segment, ())

    def _match(
        self,
        compared: ComparedText,
        judged: JudgedText,
        idea: _ExpressedIdea,
        segment: _PlacedSegment,
        alternatives: tuple[Candidate, ...],
    ) -> Match:
        judgement = idea.judgement
        return Match(
            segment=segment.segment,
            scu_uid=self._uids[idea.column],
            similarity=round(compared.similarity.item(segment.row, idea.column), 4),
            alternatives=alternatives,
            probability=idea.probability,
            remarks=(judgement.remark,) if judgement.remark else (),
            contradicts=judged.experts_words(idea.column, judgement),
        )

    def _with_same_statements(self, matches: Sequence[Match]) -> list[Match]:
        """The matches; those that no statement of their own goes with are marked.

        Ideas of one expert are different statements. Of ideas that no expert has both, the one may
        be the other in different words: together they are one statement.
        """
        if len({match.segment for match in matches}) == len(matches):
            return list(matches)
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
        segments: Sequence[_PlacedSegment],
        matches: Sequence[PlacedMatch],
    ) -> Iterator[Repeat]:
        """Segments without a match that go with an idea matched elsewhere, in the text's order.

        One repeats a matched idea if it would express it as the only words of a text. Otherwise, in
        a sentence with a match, it elaborates the idea of that sentence that is most similar.
        """
        with_match = {placed.match.segment for placed in matches}
        others = [placed for placed in segments if placed.segment not in with_match]
        sentence_of_idea = {placed.column: placed.sentence for placed in matches}
        columns = sorted(sentence_of_idea)
        if not others or not columns:
            return
        rows = [placed.row for placed in others]
        similarity = compared.of_rows(rows)
        values = self._comparer.values_as_texts(compared, rows)
        probabilities = self._curve.probabilities(values, similarity)[:, columns]
        best = probabilities.argmax(axis=1).tolist()
        highest = probabilities.max(axis=1).tolist()
        for (segment, row, sentence), place, probable in zip(others, best, highest, strict=True):
            beside = [column for column in columns if sentence_of_idea[column] == sentence]
            is_repeated = probable >= self.threshold
            if is_repeated and not self._denies(judged, sentence, columns[place]):
                yield Repeat(segment, self._uids[columns[place]])
            elif beside:
                elaborated = max(beside, key=partial(compared.similarity.item, row))
                yield Repeat(segment, self._uids[elaborated])

    def _denies(self, judged: JudgedText, sentence: int, column: int) -> bool:
        return self._config.checks_truth and judged.judgement(sentence, column).holds


def _cut(stretches: Stretches, sentence: int, of_ideas: Sequence[Sequence[float]]) -> Cut:
    """The finest cut of a sentence that expresses its ideas nearly as well as all of it.

    ``of_ideas`` has the similarities of each idea to all rows. Without ideas nothing is cut.
    """
    whole, ways = stretches.whole_sentences[sentence], stretches.cuts[sentence]
    if not of_ideas:
        return ways[-1]
    enough = [(1 - _LOSS) * of_idea[whole.rows[0]] for of_idea in of_ideas]
    for cut in ways:
        if cut.rows and all(
            max([of_idea[row] for row in cut.rows]) >= least
            for of_idea, least in zip(of_ideas, enough, strict=True)
        ):
            return cut
    return whole  # it may be too short to be counted where it expresses nothing


def _with_holds(matches: Sequence[Match], held: Spans) -> tuple[Match, ...]:
    if not held:
        return tuple(matches)
    return tuple(
        replace(match, held=True) if is_mostly_in(match.segment.spans, held) else match
        for match in matches
    )
