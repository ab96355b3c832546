"""The flags that a text gets for its own words: language, gibberish, the topic."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from grading.pyramid.encoders.words import words_of
from grading.pyramid.encoders.wtmf import MODEL_FILE, read_model
from grading.pyramid.flags.text_flags import Flag, FlagKind
from grading.pyramid.language import ENGLISH, language_of

# How rare the words of English are: by their stems, as WordNet's glosses use them.


@cache
def weights_of_stems() -> Mapping[str, float]:
    """Inverse document frequencies; a stem that is not there is of no word of English, or new."""
    model = read_model(MODEL_FILE)
    weights = model.inverse_document_frequencies.tolist()
    return dict(zip(model.words, weights, strict=True))


def content_stems(contents: Iterable[str]) -> frozenset[str]:
    """Of all words that carry content."""
    stems: set[str] = set()
    for content in contents:
        words = words_of(content)
        pairs = zip(words.stems, words.has_content.tolist(), strict=True)
        stems.update(stem for stem, has_content in pairs if has_content)
    return frozenset(stems)


# Off the topic: a text in which nothing is found, and whose words are those of something else.
#
# Words alone cannot tell: a text may say all in other words. So of a scored text both must hold.

_LEAST_TOPIC = 40  # different stems of source and references: less tells of no topic
_LEAST_TEXT = 15
_LITTLE_FOUND = 0.1  # of the parts of a text
_FEW_WORDS = 0.5  # of the weight of its content words, where little was found
_FEWER_WORDS = 0.3  # where it is not scored yet


def off_topic(
    content: str,
    topic: frozenset[str],
    weights: Mapping[str, float],
    matched_share: Callable[[], float | None],
) -> Iterator[Flag]:
    """``topic`` are the content stems of what the text is to be about."""
    own = content_stems([content])
    if len(topic) < _LEAST_TOPIC or len(own) < _LEAST_TEXT:
        return
    # By weight: rare words tell what a text is about.
    rarest = max(weights.values(), default=1.0)
    known = sum(weights.get(stem, rarest) for stem in own & topic)
    shared = known / sum(weights.get(stem, rarest) for stem in own)
    if shared >= _FEW_WORDS:
        return
    words = (
        f"{len(own - topic)} of its {len(own)} different content words are in neither the source "
        "nor in the references"
    )
    share = matched_share()
    if share is None and shared < _FEWER_WORDS:
        yield Flag(FlagKind.OFF_TOPIC, f"{words}. It is not scored yet.")
    elif share is not None and share <= _LITTLE_FOUND:
        little = "no idea was found" if share == 0 else "almost no idea was found"
        yield Flag(FlagKind.OFF_TOPIC, f"{words}, and {little} in it.")


# Gibberish: keys struck at random, the same words over and over, words in no order.
#
# Of the two errors one hurts more: a learner's English that is called gibberish. So each rule asks
# for several times what was seen in any text that a person meant; docs/methods.md has the figures.

_LEAST_WORDS = 15
_MASHED = 0.15  # of the words
_LEAST_MASHED = 4
_UNKNOWN = 0.6  # of the content words
_WINDOW = 100  # words, in which so many must differ
_DIFFERENT = 0.3
_MISFITS = 0.025  # of the pairs of words
_LEAST_MISFITS = 4
_JOINING = 0.08  # of the words
_LEAST_LIST = 40

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
# No vowel in a long word, many consonants, a letter or a few again and again, keys side by side.
_MASH = re.compile(
    r"^[^aeiouy'\u2019]{5,}$|[bcdfghjklmnpqrstvwxz]{6,}|(?P<one>[a-z])(?P=one){3,}"
    r"|^(?P<few>[a-z]{2,3})(?P=few){2,}$"
    r"|asdf|sdfg|dfgh|fghj|ghjk|hjkl|qwer|zxcv|xcvb|cvbn|vbnm|lkjh|kjhg|jhgf|hgfd|gfds|fdsa"
)

_ARTICLES = frozenset(("a", "an", "the"))
_VERBS = "is are was were am has have had does did can could should would must may might will shall"
_NEVER_AFTER_ARTICLES = frozenset(
    f"{_VERBS} a an the of and or but be been because if than from with at into onto it he she they"
    " them him his their its we us our i my you your this these those which who whom when where"
    " there do not".split()
)
_PREPOSITIONS = frozenset(("of", "from", "with", "into", "at", "onto", "among"))
_NEVER_AFTER_PREPOSITIONS = frozenset(
    f"{_VERBS} of and or but because if than he she they we i".split()
)


def gibberish(content: str, known: Collection[str], topic: Collection[str]) -> Iterable[Flag]:
    """One flag at most; ``known`` are stems of English, ``topic`` those of the assignment."""
    words = [word.lower() for word in _WORD.findall(content)]
    if len(words) < _LEAST_WORDS:
        return
    rules = (_mashed(words), _unknown(content, known, topic), _repeated(words), _salad(words))
    for reason in (reason for rule in rules for reason in rule):
        yield Flag(FlagKind.GIBBERISH, reason)
        return


def _mashed(words: Sequence[str]) -> Iterator[str]:
    mashed = [word for word in words if _MASH.search(word)]
    if len(mashed) >= max(_LEAST_MASHED, _MASHED * len(words)):
        yield (
            f"{len(mashed)} of {len(words)} words look like keys struck at random "
            f"(“{mashed[0][:20]}”)."
        )


def _unknown(content: str, known: Collection[str], topic: Collection[str]) -> Iterator[str]:
    """Words with a capital are names, which nobody has to know."""
    words = words_of(content)
    rows = zip(words.stems, words.has_content.tolist(), words.starts.tolist(), strict=True)
    stems = [(stem, start) for stem, has_content, start in rows if has_content and stem.isalpha()]
    strange = [
        stem
        for stem, start in stems
        if stem not in known and stem not in topic and content[start].islower()
    ]
    if len(stems) >= _LEAST_WORDS and len(strange) >= _UNKNOWN * len(stems):
        yield f"{len(strange)} of {len(stems)} words that should carry content are no known words."


def _repeated(words: Sequence[str]) -> Iterator[str]:
    starts = range(0, max(1, len(words) - _WINDOW + 1), _WINDOW)
    windows = [words[start : start + _WINDOW] for start in starts]
    size = sum(map(len, windows))
    different = sum(len(set(window)) for window in windows)
    if size >= 2 * _LEAST_WORDS and different < _DIFFERENT * size:
        word, times = Counter(words).most_common(1)[0]
        yield f"It says the same words over and over: “{word[:20]}” {times} times in {len(words)}."


def _salad(words: Sequence[str]) -> Iterator[str]:
    pairs = list(pairwise(words))
    misfits = [pair for pair in pairs if _misfits(*pair)]
    if len(misfits) >= max(_LEAST_MISFITS, _MISFITS * len(pairs)):
        example = " ".join(misfits[0])
        yield (
            f"Its words make no sentences: {len(misfits)} pairs such as "
            f"“{example}” in {len(words)} words."
        )
    joining = sum(not has for has in words_of(" ".join(words)).has_content.tolist())
    if len(words) >= _LEAST_LIST and joining < _JOINING * len(words):
        yield (
            f"Only {joining} of {len(words)} words join others to sentences, as “the” and “of” do."
        )


def _misfits(word: str, following: str) -> bool:
    if word in _ARTICLES:
        return following in _NEVER_AFTER_ARTICLES
    return word in _PREPOSITIONS and following in _NEVER_AFTER_PREPOSITIONS


class WordFlagFinder:
    """For the texts of one assignment: ``texts`` are its source, its task and its references."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._topic = content_stems(texts)
        self._weights = weights_of_stems()

    def find(self, content: str, matched_share: Callable[[], float | None]) -> Iterator[Flag]:
        """Find the flags of a text; a text in another language is not called gibberish for that.

        ``matched_share`` is called only where it matters. It returns the share of the text's
        statements that match, or None where the text is not scored.
        """
        language = language_of(content)
        if language is not None and language != ENGLISH:
            yield Flag(FlagKind.OTHER_LANGUAGE, f"It seems to be in {language.name}.")
            return
        mashed = tuple(gibberish(content, self._weights.keys(), self._topic))
        yield from mashed or off_topic(content, self._topic, self._weights, matched_share)
