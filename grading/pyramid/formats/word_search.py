"""Finding words in references: as they stand, else whatever their white space, case and marks.

PyrEval deletes digits and apostrophes from the texts that it reads ("aren t", "In July , "), so
letters alone are what is gone by next; then the same words with others between them.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Final

from grading.pyramid.formats.folding import Folding, fold, is_inside_a_word, occurrences
from grading.pyramid.formats.scattered_words import scattered
from grading.pyramid.structures import Contributor, Span, Spans, Text, join_spans

_MOST_SCATTERED: Final = 100  # lines of a list
PARTED: Final = " ... "  # between the parts of discontinuous words, as DUCView writes them


class Search:
    """Looks words up in references, the costly way only so many times."""

    def __init__(self, references: Iterable[Text]) -> None:
        self._texts = [SearchedText(text) for text in references]
        self._tries = _MOST_SCATTERED

    def places(self, words: str) -> tuple[Contributor, ...]:
        """Where the words stand, once in each reference; together in one if in any."""
        together = [Contributor(text.name, text.find(words)) for text in self._texts]
        matches = tuple(match for match in together if match.spans)
        return matches or self._scattered(words)

    def _scattered(self, words: str) -> tuple[Contributor, ...]:
        if not self._tries:
            return ()
        self._tries -= 1
        apart = [Contributor(text.name, text.find_scattered(words)) for text in self._texts]
        return tuple(match for match in apart if match.spans)


class SearchedText:
    """A reference, readied for searches."""

    def __init__(self, text: Text) -> None:
        self.name = text.name
        self._content = text.content

    def find(self, words: str) -> Spans:
        """The first place of the words; nothing where there is none."""
        exact = next(self._places(words.strip()), None)
        if exact is not None:
            return (exact,)
        parts = [part for part in words.replace("…", "...").split("...") if part.strip()]
        spans = self._find_parts(parts) if len(parts) > 1 else ()
        return spans or self._find_parts([words])

    def find_scattered(self, words: str) -> Spans:
        """The words in order within a sentence, with others between them."""
        if any(map(str.isdigit, words)):
            return ()
        return scattered(words, self._content, self._letters)

    def _find_parts(self, parts: Sequence[str]) -> Spans:
        """Each part behind the one before it, as near as can be."""
        spans: list[Span] = []
        for part in parts:
            span = self._find(part.strip(), spans[-1].end if spans else 0)
            if span is None:
                return ()
            spans.append(span)
        return join_spans(spans)

    def _find(self, words: str, start: int) -> Span | None:
        folded = chain.from_iterable(folding.places(words) for folding in self._foldings(words))
        places = chain(self._places(words), folded)
        return next((place for place in places if place.start >= start), None)

    def _foldings(self, words: str) -> Iterator[Folding]:
        """Letters alone only for words without digits: another number is another statement."""
        yield self._signs
        if not any(map(str.isdigit, words)):
            yield self._letters

    def _places(self, words: str) -> Iterator[Span]:
        for index in occurrences(words, self._content):
            end = index + len(words)
            if not any(is_inside_a_word(self._content, edge) for edge in (index, end)):
                yield Span(index, end)

    @cached_property
    def _signs(self) -> Folding:
        return fold(self._content, with_digits=True)

    @cached_property
    def _letters(self) -> Folding:
        return fold(self._content, with_digits=False)
