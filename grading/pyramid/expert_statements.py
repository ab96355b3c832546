"""The sentences in which the experts express a content unit, parsed, to compare denials with."""

from collections.abc import Iterator, Sequence

from grading.pyramid.contradictions import Statement, statement_of
from grading.pyramid.scu_parts import ScuParts
from grading.pyramid.similarity import Similarity
from grading.pyramid.structures import ReadTexts, SegmentedText, Unit, shared_length


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
            self._known[scu] = tuple(one for one, _ in pairs), tuple(words for _, words in pairs)
        return self._known[scu]

    def _statements(self, unit: Unit) -> Iterator[tuple[Statement, str]]:
        content = unit.text.content
        if content not in self._texts:
            [self._texts[content]] = self._read([unit.text])
        words = self._similarity.words(content)
        for sentence in self._texts[content].sentences:
            if shared_length((sentence.span,), unit.spans):
                yield statement_of(sentence, words, unit.spans), unit.words
