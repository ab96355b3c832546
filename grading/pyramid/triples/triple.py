"""A triple: who or what, what is said of it, and about what else."""

from collections.abc import Sequence
from dataclasses import dataclass

from grading.pyramid.structures import Spans, join_spans


@dataclass(frozen=True, slots=True)
class Element:
    """A subject, predicate or object: its words, and where they are in the text.

    Words that are not in the text ("is" between a name and its apposition) have no span.
    """

    words: str
    spans: Spans = ()


@dataclass(frozen=True, slots=True)
class Triple:
    """What a sentence says once: ``sentence`` is its number in the text, ``confidence`` 0 to 1.

    An object is everything that a predicate adds, each with its preposition; the first one without
    where the preposition goes with the predicate ("depends on").
    """

    sentence: int
    subject: Element
    predicate: Element
    objects: tuple[Element, ...]
    confidence: float

    @property
    def elements(self) -> Sequence[Element]:
        return (self.subject, self.predicate, *self.objects)

    @property
    def spans(self) -> Spans:
        """The words of the text that it is made of, joined where they touch."""
        return join_spans(span for element in self.elements for span in element.spans)

    @property
    def words(self) -> str:
        return " ".join(element.words for element in self.elements)
