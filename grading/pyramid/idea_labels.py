"""What an idea is called: one of its wordings, as a whole clause that can be read on its own.

The wording that can be understood best is taken: a clause with a noun as its subject, without the
connective before it ("because", "however"), written as a sentence. A pronoun at its beginning is
replaced by the noun phrase it stands for, if the words before leave no choice; so is the pronoun
of a relative clause. A clause that only says when or under which condition is no label: its whole
sentence is. Nothing else is reworded.
"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from grading.pyramid.rhetoric import TEXT_NOUNS
from grading.pyramid.structures import SegmentedText, Sentence, Span, Spans, Token

_MOST_WORDS = 30
_CONNECTIVE = re.compile(
    r"(?:as a result|on the other hand|for example|for instance|in addition|in fact|in conclusion"
    r"|of course|and|but|so|or|because|since|although|though|while|whereas|as|that|however"
    r"|therefore|thus|hence|also|moreover|furthermore|finally|lastly|additionally|consequently"
    r"|unfortunately|still|first|firstly|second|secondly|third|thirdly|then|next|yet)\b[\s,:]*",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:even )?(?:if|when|whenever|once|where|unless|until|before|after|whether|why|how)\b",
    re.IGNORECASE,
)
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "expl"))
_NOUNS = frozenset(("NOUN", "PROPN"))
_RELATIVE = frozenset(("which", "who", "that"))
_OWN = frozenset(("i", "we", "you", "there", "everyone", "everybody", "nobody", "nothing"))
_POINTING = frozenset(("it", "they", "he", "she", "this", "these"))
_BEFORE = frozenset(("det", "amod", "compound", "nummod", "nmod", "poss"))
_NEVER_MEANT = frozenset(("compound", "npadvmod", "nmod", "appos"))
_MEANT_BY = {"it": {"NOUN"}, "they": _NOUNS, "he": {"PROPN"}, "she": {"PROPN"}}
_WANTED = frozenset(("ccomp", "xcomp", "dobj", "attr", "acomp", "acl", "oprd"))
_NEW = re.compile(r"^(?:an?|any|another|this|that|these|those|such)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wording:
    """Words of a reference that express an idea; ``closeness`` is that to the other wordings."""

    text: SegmentedText
    spans: Spans
    closeness: int = 0


def label_of(wordings: Sequence[Wording], taken: Container[str] = ()) -> str:
    """The label of an idea with these wordings, of which there is one at least.

    Ideas out of one sentence are not all called by the sentence: not where it is ``taken``.
    """
    best = min(_rated(wordings))
    if best.rank <= 1:
        return best.label
    whole = min(_rated([_whole_sentence(wording) for wording in wordings]))
    return whole.label if whole.rank <= 1 and whole.label not in taken else best.label


def tidied_label(words: str) -> str:
    """As a sentence: without the connectives before it, with a capital and a full stop."""
    words = " ".join(words.split()).strip(" ,;:.")
    while (hit := _CONNECTIVE.match(words)) and hit.end() < len(words):
        words = words[hit.end() :]
    if not words:
        return ""
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith(('!', '?')) else '.'}"


@dataclass(frozen=True, slots=True, order=True)
class _Rated:
    """``rank`` 0 is a whole clause about a noun, 1 about a replaced pronoun or about people.

    From 2 on it is no good label: too long, cut off, about something that is not named.
    ``flaws`` are words that point to what is not there.
    """

    rank: int
    flaws: int
    closeness: int  # negative, so that the closest comes first
    length: int
    label: str


def _rated(wordings: Sequence[Wording]) -> Iterator[_Rated]:
    for wording in wordings:
        clause = _Clause(wording)
        rank, words = clause.rated()
        label = tidied_label(words)
        if len(label.split()) > _MOST_WORDS:
            rank = max(rank, 2)
        yield _Rated(rank, clause.flaws(), -wording.closeness, len(label), label)


def _whole_sentence(wording: Wording) -> Wording:
    return Wording(wording.text, (_sentence_at(wording.text, wording.spans[0].start).span,))


def _sentence_at(text: SegmentedText, offset: int) -> Sentence:
    return next(
        sentence for sentence in text.sentences if sentence.span.start <= offset < sentence.span.end
    )


class _Clause:
    """A wording without the connectives before it, with its parse."""

    def __init__(self, wording: Wording) -> None:
        self._text, self._spans = wording.text, wording.spans
        self._sentence = _sentence_at(wording.text, wording.spans[0].start)
        self._tokens = self._without_connectives()

    def rated(self) -> tuple[int, str]:
        """The rank of the words, and the words; 0 is best, 4 has no verb."""
        words = self._text.text.words_at(self._spans)
        if not any(token.tag in _FINITE for token in self._tokens):
            return 4, words
        first = self._tokens[0]
        if _CONDITION.match(first.text) or words.endswith("?") or self._is_cut_off():
            return 3, words
        words = self._words_from(first.start)
        if first.lemma in _OWN:
            return 1, words
        if first.pos == "PRON" or (first.pos == "DET" and first.dep in _SUBJECTS):
            phrase = self._antecedent(first) if first.dep in _SUBJECTS else ""
            rest = self._words_from(first.end)
            return (1, f"{phrase} {rest}") if phrase else (2, words)
        nouns = (token for token in self._tokens if token.pos in _NOUNS and token.dep in _SUBJECTS)
        subject = next(nouns, None)
        return (2 if subject is None or subject.lemma in TEXT_NOUNS else 0), words

    def flaws(self) -> int:
        """Pieces that were put together, and pronouns within that point outside."""
        pronouns = sum(
            (token.lemma in _POINTING or token.tag == "PRP$")
            and (token.dep == "dobj" or not self._has_noun_before(token))
            for token in self._tokens[1:]
        )
        return pronouns + len(self._spans) - 1

    def _has_noun_before(self, token: Token) -> bool:
        return any(each.pos in _NOUNS for each in self._tokens if each.index < token.index)

    def _is_cut_off(self) -> bool:
        """Does the last word want something that is not among the words: "the army saw"?"""
        last = [token for token in self._tokens if not token.is_punct][-1]
        inside = {token.index for token in self._tokens}
        return any(
            token.head == last.index and token.dep in _WANTED and token.index not in inside
            for token in self._sentence.tokens
        )

    def _without_connectives(self) -> list[Token]:
        tokens = [
            token
            for token in self._sentence.tokens
            if any(span.start <= token.start < span.end for span in self._spans)
        ]
        while tokens:
            first = tokens[0]
            hit = _CONNECTIVE.match(self._text.text.content, first.start, self._spans[-1].end)
            # "That" and "so" may be words of the clause itself: "that is why", "so much heat".
            if hit and first.dep not in _SUBJECTS | {"det", "amod"}:
                tokens = [token for token in tokens if token.start >= hit.end()]
            elif first.is_punct:
                tokens = tokens[1:]
            else:
                break
        return tokens

    def _words_from(self, start: int) -> str:
        spans = (span for span in self._spans if span.end > start)
        return self._text.text.words_at(
            tuple(Span(max(start, span.start), span.end) for span in spans)
        )

    # --- what a pronoun stands for ---

    def _antecedent(self, pronoun: Token) -> str:
        """The noun phrase that a pronoun stands for; empty if there is none or a choice."""
        tokens = self._sentence.tokens
        if pronoun.lemma in _RELATIVE:
            noun = tokens[tokens[pronoun.head].head]
            return self._phrase(noun, tokens) if noun.index < pronoun.index else ""
        place = self._text.sentences.index(self._sentence)
        earlier = [sentence.tokens for sentence in self._text.sentences[max(0, place - 1) : place]]
        for before in (tokens[: pronoun.index], *earlier):
            nouns = [noun for noun in before if self._may_be_meant(noun, pronoun, before)]
            if nouns:
                is_clear = len(nouns) == 1 and nouns[0].pos in _MEANT_BY.get(pronoun.lemma, ())
                return self._phrase(nouns[0], before) if is_clear else ""
        return ""

    def _may_be_meant(self, noun: Token, pronoun: Token, tokens: Sequence[Token]) -> bool:
        if noun.pos not in _NOUNS or noun.dep in _NEVER_MEANT:
            return False
        parse = self._sentence.tokens
        clause = parse[pronoun.head] if tokens[0] is parse[0] else None
        if clause is not None and clause.dep == "ccomp" and noun.head == clause.head:
            return False  # "the army saw that it is useful": what it saw is something else
        is_plural = noun.tag in {"NNS", "NNPS"} or any(
            other.dep == "conj" and other.head == noun.index for other in tokens
        )
        return is_plural == (pronoun.lemma == "they")

    def _phrase(self, noun: Token, tokens: Sequence[Token]) -> str:
        """The noun with the words before it that belong to it, as something known: "the box"."""
        own = [token for token in tokens[: noun.index] if token.head == noun.index]
        if noun.pos not in _NOUNS or any(token.tag == "PRP$" for token in own):
            return ""
        start = min((token.start for token in own if token.dep in _BEFORE), default=noun.start)
        words = " ".join(self._text.text.content[start : noun.end].split())
        return _NEW.sub("the", words)
