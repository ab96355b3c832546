"""Words that are no idea: talk about the text, questions, bare fragments, and what frames an idea.

"The article gives several causes" says nothing about the topic; "He was right" only judges;
"which may help" and "than people do" are the rest of a statement that stands elsewhere. What a
clause says is counted in its words of substance: nouns, verbs, adjectives and numbers without those
that any text on any topic has. A denial is never rhetoric: "no single remedy is enough" says a lot.

Words frame an idea where they only say that somebody says it, or lead to it: "I think that", "as
the article says", "In fact,".
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from grading.pyramid.structures import Sentence, Span, Spans, Token, join_spans


class NoIdea(StrEnum):
    """Why a clause is no idea, in words."""

    QUESTION = "a question"
    TALK = "talk about the text"
    FRAGMENT = "only a part of a statement"


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_SUBSTANCE = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "NUM"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
TEXT_NOUNS = _words(
    "article author chapter conclusion essay fact introduction paragraph passage reading "
    "section source summary text title writer"
)
_SAYING = _words(
    "add address argue ask begin claim conclude consider cover define describe detail discuss end "
    "examine explain explore express focus go illustrate indicate inform introduce know learn list "
    "mention note outline point present realize remark report say see show start state suggest "
    "summarize talk teach tell think understand write"
)
_ANNOUNCING = _words(
    "address begin cover describe detail discuss end examine explain explore focus give introduce "
    "list mention outline present report summarize talk tell"
)
_CLAUSES = frozenset(("ccomp", "xcomp"))
_TIMES = _words("after as before if once unless until when where whether while")
_GENERAL = _words(  # nouns that announce what comes
    "advice answer argument aspect cause concern consequence cure detail difference effect example "
    "explanation factor form idea issue kind lot number part point problem process question "
    "reason remedy result side situation solution step story thing topic trend type way"
)
_JUDGING = _words(
    "bad big certain clear complex complicated correct current different easy essential false "
    "first good hard huge important interesting key last main major many much necessary next "
    "obvious other possible present real recent right same second serious several severe simple "
    "single such sure third true various worth wrong"
)
_DENYING = _words("no none nothing nobody never neither")
_ATTRIBUTING = _words(  # "according to" is a verb for the parser
    "accord argue believe claim explain mention note report say state suggest tell think write"
)
_MOST_FRAMING = 12  # words in one go
_WRITERS = _words("i we")  # who may say an idea; others may be what it is about
_LIGHT = _words(
    "be become come continue do follow get give happen have keep let make occur remain seem stay "
    "take turn use work"
)


def reason_no_idea(sentence: Sentence, spans: Spans) -> NoIdea | None:
    """Why the words in the spans say nothing about the topic; None where they may be an idea.

    None as well where the sentence was not parsed.
    """
    tokens = [
        token
        for token in sentence.tokens
        if any(span.start <= token.start < span.end for span in spans)
    ]
    words = [token for token in tokens if not token.is_punct]
    if not words:
        return None
    if words[0].lemma == "than":
        return NoIdea.FRAGMENT
    if any(token.text == "?" for token in tokens if token.index > words[-1].index):
        return NoIdea.QUESTION
    if any(_denies(word) for word in words):
        return None
    if any(_announces(word, sentence.tokens) for word in words):
        return NoIdea.TALK
    return _reason_of_substance(words)


def _announces(word: Token, sentence: Sequence[Token]) -> bool:
    """Does the text itself only say what it is about, as in "the article explores trade"?"""
    verb = sentence[word.head]
    if word.lemma not in TEXT_NOUNS or word.dep not in _SUBJECTS:
        return False
    if verb.dep != "ROOT" or verb.lemma not in _ANNOUNCING:
        return False
    return all(token.dep not in _CLAUSES or token.head != verb.index for token in sentence)


def _reason_of_substance(words: Sequence[Token]) -> NoIdea | None:
    substance = [word for word in words if _has_substance(word)]
    is_talk = any(word.lemma in TEXT_NOUNS or word.lemma in _SAYING for word in words)
    if not substance:
        judges = any(word.lemma in _GENERAL or word.lemma in _JUDGING for word in words)
        return NoIdea.TALK if is_talk or judges else NoIdea.FRAGMENT
    if len(substance) > 1:
        return None
    only = substance[0]
    if words[-1].lemma in _SAYING and words[-1].pos == "VERB":
        return NoIdea.TALK
    # "which may help" and "only when darkness comes" lack the rest; "all matter has it" is whole.
    if only.pos == "VERB" or (only.dep in _SUBJECTS and _is_subordinate(words, only)):
        return NoIdea.FRAGMENT
    return None


def _is_subordinate(words: Sequence[Token], subject: Token) -> bool:
    return any(word.lemma in _TIMES for word in words if word.index < subject.index)


def _has_substance(word: Token) -> bool:
    if word.pos not in _SUBSTANCE or word.lemma in TEXT_NOUNS | _LIGHT:
        return False
    if word.pos == "VERB":
        return word.lemma not in _SAYING
    return word.lemma not in _GENERAL | _JUDGING


def _denies(word: Token) -> bool:
    return word.dep == "neg" or word.lemma in _DENYING


def framing_words(sentence: Sentence) -> Spans:
    """The words of a sentence that only frame what it says; none where nothing else is left."""
    tokens = sentence.tokens
    if _is_never_framed(tokens):
        return ()
    framing = {*_opening(tokens), *_attribution(tokens), *_asides(tokens)}
    if not any(_has_substance(word) for word in tokens if word.index not in framing):
        return ()
    return join_spans(Span(tokens[index].start, tokens[index].end) for index in framing)


def _opening(tokens: Sequence[Token]) -> Sequence[int]:
    """What names the text before the first comma: "In fact,", "In this article,"."""
    end = next((word.index for word in tokens[:_MOST_FRAMING] if word.text == ","), 0)
    before = tokens[:end]
    is_subject = any(word.dep in _SUBJECTS and word.head >= end for word in before)
    frames = any(map(_is_of_text, before)) and _only_frames(before) and not is_subject
    return range(end + 1) if frames else ()


def _attribution(tokens: Sequence[Token]) -> Sequence[int]:
    """Who says it, and that: "I think that", "The author explains"."""
    that = [word.index + 1 for word in tokens if word.text.lower() == "that"]
    clauses = [_with_dependents(tokens, word)[0].index for word in tokens if word.dep == "ccomp"]
    for end in (*that[:1], *clauses[:1]):
        before = tokens[: min(end, _MOST_FRAMING)]
        by_writer = any(_is_of_text(word) or _is_writer(word) for word in before)
        attributes = any(word.lemma in _ATTRIBUTING and word.pos == "VERB" for word in before)
        if by_writer and attributes and end == len(before) and _only_frames(before):
            return range(end)
    return ()


def _asides(tokens: Sequence[Token]) -> Iterator[int]:
    """Who says it, in between or at the end: "as the article says", "according to the author"."""
    for verb in tokens:
        if verb.lemma in _ATTRIBUTING and verb.dep != "ROOT":
            words = _with_dependents(tokens, verb)
            if any(map(_is_of_text, words)) and _only_frames(w for w in words if w != verb):
                yield from (word.index for word in words)


def _with_dependents(tokens: Sequence[Token], top: Token) -> list[Token]:
    """A word and those near it that hang on it, in order."""
    near = tokens[max(0, top.index - _MOST_FRAMING) : top.index + _MOST_FRAMING]
    inside = {top.index}
    while more := {word.index for word in near if word.head in inside} - inside:
        inside |= more
    return [word for word in near if word.index in inside]


def _is_never_framed(tokens: Sequence[Token]) -> bool:
    """Whether no word names the text or its writer; true of most sentences."""
    return TEXT_NOUNS.isdisjoint([word.lemma for word in tokens]) and _WRITERS.isdisjoint(
        [word.text.lower() for word in tokens]
    )


def _is_of_text(word: Token) -> bool:
    return word.lemma in TEXT_NOUNS


def _is_writer(word: Token) -> bool:
    return word.text.lower() in _WRITERS


def _only_frames(words: Iterable[Token]) -> bool:
    return not any(_has_substance(word) or _denies(word) for word in words)
