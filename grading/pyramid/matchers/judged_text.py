"""Whether the sentences of a text contradict what the experts say."""

from grading.pyramid.contradictions.judgement import Judgement, judge
from grading.pyramid.contradictions.statements import Statement, statement_of
from grading.pyramid.contradictions.whole_text import (
    denies_alone,
    is_doubtful,
    says_what_an_expert_says,
)
from grading.pyramid.matchers.expert_statements import ExpertStatements
from grading.pyramid.matchers.text_facts import TextFacts
from grading.pyramid.similarity import Similarity
from grading.pyramid.structures import SegmentedText


class JudgedText:
    """The sentences of one text beside the ideas, each pair judged when it is first needed.

    A sentence is named by its number, and an idea by its column: its place in the pyramid.
    """

    def __init__(
        self,
        text: SegmentedText,
        facts: TextFacts,
        experts: ExpertStatements,
        similarity: Similarity,
    ) -> None:
        self._text = text
        self._facts = facts
        self._experts = experts
        self._similarity = similarity
        self._statements: dict[int, Statement] = {}

    def judgement(self, sentence: int, column: int) -> Judgement:
        """What a sentence says differently from all that the experts say of an idea."""
        return self._facts.get(
            (sentence, self._experts.key(column)),
            lambda: judge(self._experts.of(column), self._statement(sentence)),
        )

    def experts_words(self, column: int, judgement: Judgement) -> str:
        """The experts' words that a sentence contradicts; empty where it contradicts none."""
        return self._experts.words(column, judgement.expert) if judgement.holds else ""

    def is_said_by_an_expert(self, sentence: int, column: int) -> bool:
        """Whether an expert says nearly all of a sentence."""
        return self._facts.get(
            ("said", sentence, self._experts.key(column)),
            lambda: says_what_an_expert_says(self._experts.of(column), self._statement(sentence)),
        )

    def denies_alone(self, sentence: int, column: int) -> bool:
        """Whether a sentence denies what no expert denies."""
        return self._facts.get(
            ("denies alone", sentence, self._experts.key(column)),
            lambda: denies_alone(self._experts.of(column), self._statement(sentence)),
        )

    def is_doubtful(self, sentence: int, column: int) -> bool:
        """Whether a sentence is doubtful otherwise."""
        return self._facts.get(
            ("doubtful", sentence, self._experts.key(column)),
            lambda: is_doubtful(self._experts.of(column), self._statement(sentence)),
        )

    def _statement(self, number: int) -> Statement:
        if number not in self._statements:
            sentence, content = self._text.sentences[number], self._text.text.content
            words = self._similarity.words(content)
            self._statements[number] = statement_of(sentence, words, (sentence.span,))
        return self._statements[number]
