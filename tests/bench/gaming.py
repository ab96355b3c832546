"""Gamed versions of an honest text: what somebody hands in who wants points without the ideas.

All are deterministic: the same text gives the same words, whatever else was made before. The
denials are made by rule from the parse; tests/topics has some that a person wrote.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grading.pyramid.parsing import ParsedSentence, ParsedText, Parser
from grading.pyramid.structures import Pyramid, Spans, Text, Token, shared_length

_SEED = 2026
_REPEATS = 10
_CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM")
_FINITE = ("VBZ", "VBP", "VBD", "MD")
_NOT_TRUE = "it is not true that "
_NEGATIVES = ("no", "few", "little", "nobody", "nothing", "none", "hardly", "neither", "without")
# What stays of a contraction when its "n't" is gone.
_FULL_FORMS = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
# Clauses with these words only say when or under which condition; what they tell is not claimed.
_CIRCUMSTANCES = ("if", "when", "whenever", "after", "before", "until", "as", "than", "where")
_CHAINED = ("conj", "advcl", "ccomp")


@dataclass(frozen=True, slots=True)
class _Edit:
    """Characters to replace; where ``start`` is ``end`` the words are inserted."""

    start: int
    end: int
    words: str


def gamed_texts(
    text: Text, parser: Parser, *, pyramid: Pyramid, ideas: Mapping[int, Spans]
) -> dict[str, Text]:
    """Every gamed version by the name of the game; ``ideas`` are the places of those it has."""
    (parsed,) = parser.parse([text])
    makers: dict[str, Callable[[ParsedText], str]] = {
        "shuffled": shuffled,
        "shuffled_in_sentences": shuffled_in_sentences,
        "heap": heap,
        "keywords": keywords,
        "keyword_tail": lambda honest: keyword_tail(honest, label_keywords(pyramid, parser)),
        "repeated": lambda honest: repeated(honest, tuple(ideas.values())),
        "every_idea_denied": lambda honest: every_idea_denied(honest, tuple(ideas.values())),
        "main_clauses_denied": main_clauses_denied,
    }
    return {game: Text(f"{text.name}-{game}", make(parsed)) for game, make in makers.items()}


# --- words in another order ---


def shuffled(parsed: ParsedText) -> str:
    """All words in any order, each with the marks at its end."""
    return " ".join(_in_any_order(parsed.text.content.split(), parsed.text))


def shuffled_in_sentences(parsed: ParsedText) -> str:
    """Each sentence keeps its words and its last mark; the words come in any order."""
    sentences = []
    for sentence in parsed.sentences:
        words = _in_any_order(_words(sentence), parsed.text, sentence.span.start)
        last = sentence.tokens[-1]
        sentences.append(" ".join(words) + (last.text if last.is_punct else ""))
    return " ".join(sentences)


def heap(parsed: ParsedText) -> str:
    """All words in any order as one line without marks."""
    words = [word for sentence in parsed.sentences for word in _words(sentence)]
    return " ".join(_in_any_order(words, parsed.text))


def _in_any_order(words: Sequence[str], text: Text, salt: int = 0) -> list[str]:
    """Never the order that they have, where there is another."""
    draw = np.random.default_rng([_SEED, zlib.crc32(text.content.encode()), salt])
    order = [words[place] for place in draw.permutation(len(words))]
    return order if order != list(words) else [*order[1:], *order[:1]]


def _words(sentence: ParsedSentence) -> list[str]:
    """The words as they are written, with what the parser cuts off ("n't", "'s") at their end."""
    words: list[str] = []
    end = -1
    for token in sentence.tokens:
        if token.is_punct:
            continue
        if token.start == end and words:
            words[-1] += token.text
        else:
            words.append(token.text)
        end = token.end
    return words


# --- words without sentences, sentences again and again ---


def keywords(parsed: ParsedText) -> str:
    """The content words alone, in their order."""
    return " ".join(_content_words(parsed))


def keyword_tail(parsed: ParsedText, words: Iterable[str]) -> str:
    """The honest text with a list of words at its end."""
    return f"{parsed.text.content.rstrip()} {' '.join(words)}"


def label_keywords(pyramid: Pyramid, parser: Parser) -> tuple[str, ...]:
    """The content words of a pyramid's labels, each once."""
    labels = parser.parse([Text(str(scu.uid), scu.label) for scu in pyramid.scus])
    words = (word.lower() for label in labels for word in _content_words(label))
    return tuple(dict.fromkeys(words))


def repeated(parsed: ParsedText, ideas: Sequence[Spans]) -> str:
    """The sentence with the most ideas ten times, and nothing else; of several the longest."""

    def worth(sentence: ParsedSentence) -> tuple[int, int]:
        there = sum(shared_length(spans, (sentence.span,)) > 0 for spans in ideas)
        return there, sentence.span.end - sentence.span.start

    best = max(parsed.sentences, key=worth)
    return " ".join([parsed.text.words_at((best.span,))] * _REPEATS)


def _content_words(parsed: ParsedText) -> Iterator[str]:
    tokens = (token for sentence in parsed.sentences for token in sentence.tokens)
    return (token.text for token in tokens if token.pos in _CONTENT and token.text[0].isalnum())


# --- denials ---


def every_idea_denied(parsed: ParsedText, ideas: Sequence[Spans] = ()) -> str:
    """Each clause that claims something denied, and each idea that no such clause holds.

    Clauses of condition and time stay as they are, and so do questions and headings.
    """

    def verbs(sentence: ParsedSentence) -> list[Token]:
        claiming = _claiming_verbs(sentence)
        return [*claiming, *_verbs_of_ideas(sentence, ideas, claiming)]

    return _denied(parsed, verbs)


def main_clauses_denied(parsed: ParsedText) -> str:
    """The main verb of each sentence denied, and no other."""
    return _denied(parsed, lambda sentence: [_root(sentence)])


def _denied(parsed: ParsedText, verbs: Callable[[ParsedSentence], list[Token]]) -> str:
    content = parsed.text.content
    edits = {
        edit
        for sentence in parsed.sentences
        if sentence.tokens[-1].text != "?"
        for verb in verbs(sentence)
        if (edit := _denying_edit(content, sentence, verb)) is not None
    }
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        content = content[: edit.start] + edit.words + content[edit.end :]
    return content


def _denying_edit(content: str, sentence: ParsedSentence, verb: Token) -> _Edit | None:
    """What makes the clause of a verb its opposite; None for headings and infinitives."""
    clause = _clause(sentence, verb)
    is_root = verb == _root(sentence)
    if any(_is_negative(sentence, token) for token in clause):
        return _not_true(clause, verb)
    edit = _inner_edit(content, sentence, verb)
    is_sentence = sentence.tokens[-1].text in (".", "!")
    return _not_true(clause, verb) if edit is None and is_root and is_sentence else edit


def _is_negative(sentence: ParsedSentence, token: Token) -> bool:
    """Is it a negative that cannot be taken from the verb: "nobody", "not before eleven"?"""
    if token.dep == "neg" and token.text.lower() not in _NEGATIVES:
        return sentence.tokens[token.head].pos not in ("VERB", "AUX")
    return token.text.lower() in _NEGATIVES


def _not_true(clause: Sequence[Token], verb: Token) -> _Edit | None:
    """Words before the clause that deny it as a whole."""
    joining = ("cc", "mark", "punct")
    first = next((t for t in clause if t.dep not in joining or t.head != verb.index), None)
    if first is None:
        return None
    if first.index:
        return _Edit(first.start, first.start, _NOT_TRUE)
    keeps_capital = first.pos == "PROPN" or first.text == "I"
    word = first.text if keeps_capital else first.text[:1].lower() + first.text[1:]
    return _Edit(first.start, first.end, _NOT_TRUE.capitalize() + word)


def _inner_edit(content: str, sentence: ParsedSentence, verb: Token) -> _Edit | None:
    """ "not" taken from the verb or put to it, or None where it is not finite."""
    children = [token for token in sentence.tokens if token.head == verb.index and token != verb]
    negation = next((token for token in children if token.dep == "neg"), None)
    if negation is not None:
        return _without(content, sentence, negation)
    auxiliary = next(
        (token for token in children if _is_auxiliary(token) and token.tag in _FINITE), None
    )
    finite = verb if auxiliary is None else auxiliary
    if finite.tag not in _FINITE:
        return None
    # "got" is an auxiliary to the parser ("got stuck"), but takes "did not" like a full verb.
    if finite.lemma == "be" or (finite is auxiliary and finite.lemma != "get"):
        return _Edit(finite.end, finite.end, " not")
    support = {"VBZ": "does not", "VBD": "did not", "VBP": "do not"}.get(finite.tag)
    if support is None:  # a modal verb that stands alone
        return _Edit(finite.end, finite.end, " not")
    return _Edit(finite.start, finite.end, f"{support} {finite.lemma}")


def _without(content: str, sentence: ParsedSentence, negation: Token) -> _Edit:
    """The clause without "not", "never" or "n't"."""
    if negation.index and sentence.tokens[negation.index - 1].end == negation.start:
        before = sentence.tokens[negation.index - 1]
        return _Edit(before.start, negation.end, _FULL_FORMS.get(before.text, before.text))
    end = negation.end
    while end < len(content) and content[end] == " ":
        end += 1
    return _Edit(negation.start, end, "")


# --- the clauses of a sentence ---


def _root(sentence: ParsedSentence) -> Token:
    return next(token for token in sentence.tokens if token.head == token.index)


def _claiming_verbs(sentence: ParsedSentence) -> list[Token]:
    """The root and the verbs of the clauses that hang on it and claim something of their own."""
    claiming = [_root(sentence)]
    for verb in claiming:  # grows while it is read
        claiming += [
            token
            for token in sentence.tokens
            if token.head == verb.index and token != verb and _claims(sentence, token, verb)
        ]
    relative = (
        token
        for token in sentence.tokens
        if token.dep == "relcl" and _follows_comma(sentence, token)
    )
    return sorted({*claiming, *relative}, key=lambda token: token.index)


def _claims(sentence: ParsedSentence, verb: Token, head: Token) -> bool:
    """Coordinated clauses, reasons and results; of contents only those that stand first.

    "Doctors say that ..." is denied by its "say"; in "It was slow, ships lay idle" the parser
    often has the first clause as content of the second.
    """
    if verb.dep not in _CHAINED or verb.pos not in ("VERB", "AUX"):
        return False
    if verb.dep == "ccomp":
        return verb.index < head.index
    return not any(
        token.head == verb.index
        and token.dep in ("mark", "advmod")
        and token.text.lower() in _CIRCUMSTANCES
        for token in sentence.tokens
    )


def _follows_comma(sentence: ParsedSentence, verb: Token) -> bool:
    """Is the clause of the verb set off by a comma before its first word?"""
    children = [token.index for token in sentence.tokens if token.head == verb.index]
    first = min([verb.index, *children])
    return first > 0 and sentence.tokens[first - 1].text == ","


def _verbs_of_ideas(
    sentence: ParsedSentence, ideas: Sequence[Spans], claiming: Sequence[Token]
) -> list[Token]:
    """For each idea without a claiming verb its first finite verb, if it has one."""
    verbs = []
    for spans in ideas:
        inside = [
            token
            for token in sentence.tokens
            if any(span.start <= token.start and token.end <= span.end for span in spans)
        ]
        if not any(verb in inside for verb in claiming):
            finite = (sentence.tokens[t.head] if _is_auxiliary(t) else t for t in inside)
            verbs += [verb for verb in finite if _is_finite(sentence, verb)][:1]
    return verbs


def _is_auxiliary(token: Token) -> bool:
    return token.dep in ("aux", "auxpass")


def _is_finite(sentence: ParsedSentence, verb: Token) -> bool:
    tags = {t.tag for t in sentence.tokens if t.head == verb.index and _is_auxiliary(t)}
    return verb.pos in ("VERB", "AUX") and bool({verb.tag, *tags} & set(_FINITE))


def _clause(sentence: ParsedSentence, verb: Token) -> list[Token]:
    """The words that hang on the verb and on no other claiming verb below it."""
    stops = {token.index for token in _claiming_verbs(sentence)} - {verb.index}
    return [token for token in sentence.tokens if _hangs_on(sentence, token, verb, stops)]


def _hangs_on(sentence: ParsedSentence, token: Token, verb: Token, stops: set[int]) -> bool:
    while token != verb and token.index not in stops and token.head != token.index:
        token = sentence.tokens[token.head]
    return token == verb
