"""The words of triples that can be compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Spans, Token
from grading.pyramid.triples.triple import Triple, TripleElement
from grading.pyramid.word_senses.adw import Phrase

_PARTS: Mapping[str, str] = {
    "NOUN": "n", "PROPN": "n", "NUM": "n", "VERB": "v", "ADJ": "a", "ADV": "r",
}  # fmt: skip
# Words that say nothing by themselves: every second triple has one.
_EMPTY = frozenset((
    "be", "have", "do", "make", "get", "can", "may", "also", "very", "more", "most", "such",
    "many", "much", "other", "same", "just", "only", "even", "then", "so", "as", "too", "not",
    "well", "all", "some", "when", "where", "how", "why", "there", "here",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class ComparedTriple:
    """A triple of a text with the phrase of each of its elements; a phrase may have no words.

    The first is that of the subject, the second that of the predicate, the others of the objects.
    """

    text: str
    triple: Triple
    phrases: tuple[Phrase, ...]

    @property
    def phrase(self) -> Phrase:
        """The content words of all elements together."""
        return tuple(sorted({word for phrase in self.phrases for word in phrase}))

    @property
    def has_subject(self) -> bool:
        """Whether it is said what the triple is about: "it moves" says nothing by itself."""
        return bool(self.phrases[0])


def compared_triples(text: ParsedText, triples: Sequence[Triple]) -> tuple[ComparedTriple, ...]:
    """Triples with their phrases; those without any content word are left out."""
    compared = (
        ComparedTriple(
            text.text.name,
            triple,
            tuple(
                _phrase(text.sentences[triple.sentence].tokens, element)
                for element in triple.elements
            ),
        )
        for triple in triples
    )
    return tuple(one for one in compared if any(one.phrases))


def _phrase(tokens: Sequence[Token], element: TripleElement) -> Phrase:
    """The different content words, in the order of the alphabet."""
    words = {
        (_PARTS[token.pos], token.lemma.lower())
        for token in tokens
        if _is_in(token, element.spans)
        and token.pos in _PARTS
        and token.lemma.lower() not in _EMPTY
        and any(map(str.isalnum, token.text))
    }
    return tuple(sorted(words))


def _is_in(token: Token, spans: Spans) -> bool:
    return any(span.start <= token.start and token.end <= span.end for span in spans)
