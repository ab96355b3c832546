"""The signs of a text that are seen in its own words: language, gibberish, the topic."""

from collections.abc import Callable, Iterable, Iterator

from grading.pyramid.language import ENGLISH, language_of
from grading.pyramid.signs.flags import Flag, FlagKind
from grading.pyramid.signs.gibberish import gibberish
from grading.pyramid.signs.topic import off_topic
from grading.pyramid.signs.vocabulary import content_stems, weights_of_stems


class WordSigns:
    """For the texts of one assignment: ``texts`` are its source, its task and its references."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._topic = content_stems(texts)
        self._weights = weights_of_stems()

    def flags(self, content: str, telling: Callable[[], float | None]) -> Iterator[Flag]:
        """``telling``, asked only where it matters, is the share of parts that tell an idea, None

        where the text is not scored. What is in another language is not gibberish for that.
        """
        language = language_of(content)
        if language is not None and language != ENGLISH:
            yield Flag(FlagKind.OTHER_LANGUAGE, f"It seems to be in {language.name}.")
            return
        mashed = tuple(gibberish(content, self._weights.keys(), self._topic))
        yield from mashed or off_topic(content, self._topic, self._weights, telling)
