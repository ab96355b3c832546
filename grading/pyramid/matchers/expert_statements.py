"""What the experts say of each idea: their sentences, parsed, to compare denials with."""

from collections.abc import Iterator, Sequence

from grading.pyramid.contradictions.statements import Statement, statement_of
from grading.pyramid.idea_similarity import ScuParts
from grading.pyramid.similarity import Similarity
from grading.pyramid.structures import ReadTexts, SegmentedText, Unit, shared_length


class ExpertStatements:
    """Of each idea the parsed sentences of its parts; they are looked up when first needed.

    An idea is named by its column: its place in the pyramid.
    """

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

    def key(self, column: int) -> str:
        """What names all that the experts say of an idea, in whatever pyramid it is."""
        return self._parts.keys[column]

    def of(self, column: int) -> tuple[Statement, ...]:
        """What the experts say, a statement for each sentence of each part."""
        return self._of(column)[0]

    def words(self, column: int, statement: int | None) -> str:
        """The experts' words of one of these statements; without a number, of the first."""
        words = self._of(column)[1]
        return words[statement or 0] if words else ""

    def _of(self, column: int) -> tuple[tuple[Statement, ...], tuple[str, ...]]:
        if column not in self._known:
            parts = self._parts.of_scu(column)
            pairs = [pair for part in parts for pair in self._statements(part)]
            self._known[column] = (
                tuple(statement for statement, _ in pairs),
                tuple(words for _, words in pairs),
            )
        return self._known[column]

    def _statements(self, part: Unit) -> Iterator[tuple[Statement, str]]:
        content = part.text.content
        if content not in self._texts:
            self._read_labels()
        words = self._similarity.words(content)
        for sentence in self._texts[content].sentences:
            if shared_length((sentence.span,), part.spans):
                yield statement_of(sentence, words, part.spans), part.words

    def _read_labels(self) -> None:
        """Read all labels together, which is quicker than one by one."""
        labels = {part.text.content: part.text for part in self._parts.units}
        unread = [text for content, text in labels.items() if content not in self._texts]
        for text in self._read(unread):
            self._texts[text.text.content] = text
