"""Off the topic: a text in which nothing is found, and whose words are those of something else.

Words alone cannot tell: a text may say all in other words. So of a scored text both must hold.
"""

from collections.abc import Callable, Iterator, Mapping

from grading.pyramid.signs.flags import Flag, FlagKind
from grading.pyramid.signs.vocabulary import content_stems

_LEAST_TOPIC = 40  # different stems of source and references: less tells of no topic
_LEAST_TEXT = 15
_LITTLE_FOUND = 0.1  # of the parts of a text
_FEW_WORDS = 0.5  # of the weight of its content words, where little was found
_FEWER_WORDS = 0.3  # where it is not scored yet


def off_topic(
    content: str,
    topic: frozenset[str],
    weights: Mapping[str, float],
    telling: Callable[[], float | None],
) -> Iterator[Flag]:
    """``topic`` are the content stems of what the text is to be about."""
    own = content_stems([content])
    if len(topic) < _LEAST_TOPIC or len(own) < _LEAST_TEXT:
        return
    shared = _share(own, topic, weights)
    if shared >= _FEW_WORDS:
        return
    words = (
        f"{len(own - topic)} of its {len(own)} different content words stand neither in the source "
        "nor in the references"
    )
    found = telling()
    if found is None and shared < _FEWER_WORDS:
        yield Flag(FlagKind.OFF_TOPIC, f"{words}. It is not scored yet.")
    elif found is not None and found <= _LITTLE_FOUND:
        little = "no idea was found" if found == 0 else "almost no idea was found"
        yield Flag(FlagKind.OFF_TOPIC, f"{words}, and {little} in it.")


def _share(own: frozenset[str], topic: frozenset[str], weights: Mapping[str, float]) -> float:
    """By weight: rare words tell what a text is about."""
    rarest = max(weights.values(), default=1.0)
    known = sum(weights.get(stem, rarest) for stem in own & topic)
    return known / sum(weights.get(stem, rarest) for stem in own)
