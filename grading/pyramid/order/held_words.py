"""Words in no order of sentences: shuffled text, lists of keywords, and such parts of a text.

They earn nothing until a person has read them: whatever matches ideas by words alone would
otherwise credit them in full. Judged by the parse that is kept with a reading and by counts of
English; nothing of the topic, the experts or the class plays a part. Rules and figures:
docs/methods.md, "Order".
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

from grading.pyramid.language import ENGLISH, language_of
from grading.pyramid.order.counts import Word, shipped_model, word_of
from grading.pyramid.structures import (
    REPEATED_WORDS,
    SegmentedText,
    Sentence,
    Span,
    Spans,
    Text,
    Token,
    join_spans,
)

# How much the words of a sentence are in an order that sentences have.

LENGTH = 4.0  # few words tell less: this over the square root of their number is added to the mean
CUT = 0.0  # least order of one sentence alone
LEAST_WORDS = 8  # of a sentence that is judged alone
SENTENCE_JOINING_SHARE = 0.25  # the order of sentences with fewer says nothing
FORMULA = 0.75  # fewer words than this among a sentence's tokens make it a formula

_MARKS = (",", ".")
_COMPARATIVES = ("JJR", "RBR")


def words_of(tokens: Iterable[Token]) -> list[Word]:
    """The tokens of a sentence as they are judged, in order."""
    return [word_of(token.text, token.tag, token.is_punct, token.index == 0) for token in tokens]


def order_of(ratios: Sequence[float]) -> float:
    """How usual the order is: the mean log ratio, with what few words may lack by chance."""
    return round(sum(ratios) / len(ratios) + LENGTH / math.sqrt(len(ratios)), 6)


def judged_ratios(words: Sequence[Word], ratios: Sequence[float]) -> list[float]:
    """The log ratios by which the order of a sentence is judged.

    None of a formula or of a sentence that little joins: "Slow start: cwnd = 1, exponential."
    """
    count = marks = joining = 0
    judged = []
    for (symbol, is_word, joins, _), ratio in zip(words, ratios, strict=True):
        if symbol:
            judged.append(ratio)
            count += is_word
            joining += joins
            marks += symbol in _MARKS
    is_formula = count < FORMULA * (len(judged) - marks)
    is_bare = count >= LEAST_WORDS and joining < SENTENCE_JOINING_SHARE * count
    return [] if is_formula or is_bare else judged


def is_disordered(tokens: Sequence[Token], ratios: Sequence[float]) -> bool:
    """Is a sentence alone in no order, by its ratios that are judged?"""
    return (
        len(ratios) >= LEAST_WORDS
        and order_of(ratios) < CUT
        and sum(word.is_word for word in words_of(tokens)) >= LEAST_WORDS
        and not _is_comparison(tokens)
    )


def _is_comparison(tokens: Sequence[Token]) -> bool:
    """Is it of the form "the more ..., the less ..."? WordNet hardly has such sentences."""
    comparatives = sum(
        first.text.lower() == "the" and second.tag in _COMPARATIVES
        for first, second in pairwise(tokens)
    )
    return comparatives >= 2


# Lists of words within a text: stretches of content words that nothing joins to a sentence.
#
# A word that carries content adds to a stretch, what joins words takes away; a stretch ends where
# it has lost as much as ``DROP`` since its best. Enumerations of a sentence are shorter or have
# words that join them ("such as copper, iron, gold and silver").

PROSE = 0.2  # least share of joining words
DROP = 6.0


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of a text from ``start`` to ``end`` (exclusive), and how much of a list they are."""

    start: int
    end: int
    weight: float


def list_stretches(sentences: Iterable[Sequence[Word]]) -> Iterator[Stretch]:
    """The stretches of a text whose words weigh most, apart from each other and in order.

    None goes from prose into a list, or from a list into prose, with a new sentence.
    """
    start = 0
    for words in _groups(sentences):
        for stretch in heaviest([word.list_weight for word in words]):
            yield Stretch(start + stretch.start, start + stretch.end, stretch.weight)
        start += len(words)


def _groups(sentences: Iterable[Sequence[Word]]) -> list[list[Word]]:
    """The words of each sentence of prose, and those of each row of others."""
    groups: list[list[Word]] = []
    was_prose = True
    for words in sentences:
        count, joining = sum(word.is_word for word in words), sum(word.joins for word in words)
        is_prose = joining >= PROSE * count
        if is_prose or was_prose:
            groups.append([])
        groups[-1].extend(words)
        was_prose = is_prose
    return groups


def heaviest(weights: Sequence[float]) -> Iterator[Stretch]:
    """The stretches of numbers that add up to most, each until it has lost ``DROP``."""
    start = end = 0
    total = best = 0.0
    for index, weight in enumerate(weights):
        if total <= 0:
            total, best, start = 0.0, 0.0, index
        total += weight
        if total > best:
            best, end = total, index + 1
        elif best and (total <= 0 or total <= best - DROP):
            yield Stretch(start, end, round(best, 6))
            total = best = 0.0
    if best:
        yield Stretch(start, end, round(best, 6))


TEXT_CUT = 0.1  # least order of all sentences together
LEAST_WORDS_OF_TEXT = 15  # of one that may be held whole
TEXT_JOINING_SHARE = 0.15  # of a text's words; fewer make it a list
LISTED_SHARE = 2 / 3  # of a text's words; more in lists make it one
REPEATED_SHARE = 0.5  # of a text's words; more in sentences that it has already hold it
LIST = 11.0  # weight of a stretch that is a list whatever its order
SHORT_LIST, SHORT_LIST_ORDER = 7.0, 0.4  # weight of a shorter one, if its order is below this
TITLE = 12  # words at most

_STOPS = (".", "!", "?")
_CLOSING = "\"')]\u2019\u201d"
_QUOTED_WORDS = 8

_Ranges = list[range]  # tokens of a sentence


@dataclass(frozen=True, slots=True)
class HeldWords:
    """The words whose ideas earn nothing until a person has read them, and why.

    ``reason`` is in sentences for students and graders, empty where nothing is held.
    """

    spans: Spans
    whole_text: bool
    reason: str


def held_words(text: SegmentedText) -> HeldWords:
    """What of a text is not written in sentences.

    Never a title, a sentence without parse, or a text in another language than English, which has
    a remark of its own.
    """
    held = _held_words(text)
    if held.spans and language_of(text.text.content) not in {None, ENGLISH}:
        return HeldWords((), False, "")
    return held


def _held_words(text: SegmentedText) -> HeldWords:
    sentences = [sentence for sentence in text.sentences if sentence.tokens]
    if sentences and _is_heading(text.text, sentences[0].span):
        sentences = sentences[1:]
    words = [words_of(sentence.tokens) for sentence in sentences]
    ratios = [shipped_model().ratios(of_sentence) for of_sentence in words]
    lists = _lists(words, ratios)
    judged = [
        judged_ratios(*_left_over(ranges, of_sentence, its_ratios))
        for ranges, of_sentence, its_ratios in zip(lists, words, ratios, strict=True)
    ]
    if reason := _reason_for_whole(words, lists, judged) or _reason_for_repeated(sentences):
        return HeldWords(join_spans(sentence.span for sentence in sentences), True, reason)
    listed = [
        span
        for sentence, ranges in zip(sentences, lists, strict=True)
        for span in _spans(sentence, ranges)
    ]
    disordered = [
        sentence.span
        for sentence, of_sentence in zip(sentences, judged, strict=True)
        if is_disordered(sentence.tokens, of_sentence) and not _is_heading(text.text, sentence.span)
    ]
    reason = _reason_for_parts(text.text, listed, disordered)
    return HeldWords(join_spans((*listed, *disordered)), False, reason)


def _is_heading(text: Text, span: Span) -> bool:
    """A few words without a final stop that end where their line does."""
    words = text.content[span.start : span.end].rstrip(_CLOSING)
    following = text.content[span.end :].lstrip(" \t")
    return (
        following.startswith(("\n", "\r"))
        and not words.endswith(_STOPS)
        and len(words.split()) <= TITLE
    )


def _lists(words: Sequence[Sequence[Word]], ratios: Sequence[Sequence[float]]) -> list[_Ranges]:
    """For each sentence the tokens that belong to a list of words."""
    lists: list[_Ranges] = [[] for _ in words]
    starts = [0, *accumulate(map(len, words))]
    for stretch in list_stretches(words):
        if stretch.weight < SHORT_LIST:
            continue
        ranges = list(_ranges(stretch, starts))
        if stretch.weight >= LIST or _order_of_list(ranges, words, ratios) < SHORT_LIST_ORDER:
            for number, of_sentence in ranges:
                lists[number].append(of_sentence)
    return lists


def _ranges(stretch: Stretch, starts: Sequence[int]) -> Iterator[tuple[int, range]]:
    """Which tokens of which sentences are in the stretch."""
    for number in range(bisect_right(starts, stretch.start) - 1, len(starts) - 1):
        if starts[number] >= stretch.end:
            break
        first = max(stretch.start, starts[number]) - starts[number]
        yield number, range(first, min(stretch.end, starts[number + 1]) - starts[number])


def _order_of_list(
    ranges: Sequence[tuple[int, range]],
    words: Sequence[Sequence[Word]],
    ratios: Sequence[Sequence[float]],
) -> float:
    return order_of(
        [
            ratios[number][index]
            for number, indexes in ranges
            for index in indexes
            if words[number][index].symbol
        ]
    )


def _left_over(
    ranges: _Ranges, words: Sequence[Word], ratios: Sequence[float]
) -> tuple[Sequence[Word], Sequence[float]]:
    """What of a sentence belongs to no list."""
    if not ranges:
        return words, ratios
    left = sorted(set(range(len(words))).difference(*ranges))
    return [words[index] for index in left], [ratios[index] for index in left]


def _spans(sentence: Sentence, ranges: _Ranges) -> Iterator[Span]:
    for indexes in ranges:
        yield Span(sentence.tokens[indexes[0]].start, sentence.tokens[indexes[-1]].end)


def _reason_for_whole(
    words: Sequence[Sequence[Word]],
    lists: Sequence[_Ranges],
    judged: Sequence[Sequence[float]],
) -> str:
    every_word = [word for of_sentence in words for word in of_sentence if word.is_word]
    count, joining = len(every_word), sum(word.joins for word in every_word)
    listed = sum(
        of_sentence[index].is_word
        for of_sentence, ranges in zip(words, lists, strict=True)
        for indexes in ranges
        for index in indexes
    )
    ratios = list(chain.from_iterable(judged))
    until = "It earns nothing until a grader reads it."
    if count >= LEAST_WORDS_OF_TEXT and joining < TEXT_JOINING_SHARE * count:
        return (
            f"Only {joining} of these {count} words join others, as “the” and “of” do. The text "
            f"is a list of words. {until}"
        )
    if count >= LEAST_WORDS_OF_TEXT and listed > LISTED_SHARE * count:
        return f"Of these {count} words, {listed} are a list and not in sentences. {until}"
    if len(ratios) >= LEAST_WORDS_OF_TEXT and order_of(ratios) < TEXT_CUT:
        return f"The words of this text are in an order that does not make sentences. {until}"
    return ""


def _reason_for_repeated(sentences: Sequence[Sentence]) -> str:
    """Where most of a text is sentences that it has already; the same text twice is not held."""
    known: set[tuple[str, ...]] = set()
    count = repeated = 0
    for sentence in sentences:
        words = tuple(token.text.lower() for token in sentence.tokens if not token.is_punct)
        count += len(words)
        repeated += len(words) if words in known else 0
        known.add(words)
    if count < LEAST_WORDS_OF_TEXT or repeated <= REPEATED_SHARE * count:
        return ""
    return (
        f"Of these {count} words, {repeated} are {REPEATED_WORDS}, word for word. "
        "It earns nothing until a grader reads it."
    )


def _reason_for_parts(text: Text, lists: Sequence[Span], disordered: Sequence[Span]) -> str:
    reasons = []
    if lists:
        reasons.append(f"{_quoted(text, lists[0])} is a list of words, not a sentence.")
    if disordered:
        reasons.append(
            f"The words of {_quoted(text, disordered[0])} are in an order that does not make "
            "a sentence."
        )
    if not reasons:
        return ""
    earns = "It earns" if len(lists) + len(disordered) == 1 else "These parts of the text earn"
    return " ".join((*reasons, f"{earns} nothing until a grader reads the text."))


def _quoted(text: Text, span: Span) -> str:
    words = text.words_at((span,)).split()
    more = " \u2026" if len(words) > _QUOTED_WORDS else ""
    return f"\u201c{' '.join(words[:_QUOTED_WORDS])}{more}\u201d"
