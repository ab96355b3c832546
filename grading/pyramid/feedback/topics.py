"""Topic words: what a missed idea is about, without what it says about it.

A hint is made of content words that most of the idea's experts use, names of things before other
words, and words that the pyramid has elsewhere too before words that are this idea's own. It holds
at most a third of the label's content words (two or three at most, one at least), so that it never
is the label over again; numbers and words that say little by themselves are left out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from grading.pyramid.feedback.content_words import ContentWord, content_words, contributed_words
from grading.pyramid.feedback.nouns import nouns_of
from grading.pyramid.feedback.spelling import Spelling, without_possessive
from grading.pyramid.structures import Pyramid, Scu

_MOST = 3
_FEWEST = 2  # where the label has four content words
_NO_NOUN = 0.4  # what another word counts
_COMMON = 0.5  # what a word counts that is in many ideas: it hardly hints at anything
_MANY = 0.2  # of the ideas
_LIGHT = frozenset(
    stem
    for line in (
        "after befor back come came get got give gave given go goe went make made take taken took",
        "put let keep kept lead led becom becam tend use need want say said tell told call mean",
        "sever mani much more most less least few lot enough great greater greatest larg larger",
        "big bigger small smaller good better best bad wors worst new old high higher low lower",
        "like way thing kind sort part case exampl reason point fact author articl text passag",
        "first second third next last one two three four five ten final still never alway often",
        "usual ever ago away around near along across again yet well import differ anoth littl",
        "onc now today quit rather almost onli mere main general certain various possibl",
        "end follow",
    )
    for stem in line.split()
)


class Topics:
    """Of one pyramid: what is the same for all of its ideas is worked out once."""

    def __init__(self, pyramid: Pyramid) -> None:
        self._pyramid = pyramid
        self._spread = _spread(pyramid)
        self._nouns = _nouns(pyramid)
        self._spelling = Spelling(pyramid)

    def words(self, scu: Scu, most: int = _MOST) -> tuple[str, ...]:
        """Alphabetical, names with capitals; none only where the idea has no content word."""
        wordings = _wordings(self._pyramid, scu)
        unit = scu.label_unit
        label = {word.stem for word in content_words(unit.text, unit.spans)}
        tellers = Counter(stem for words in wordings for stem in dict.fromkeys(_stems(words)))
        limit = max(1, min(most, len(label) // 2, max(_FEWEST, len(label) // 3)))
        ideas = len(self._pyramid.scus)

        def rank(stem: str) -> tuple[float, ...]:
            spread = self._spread[stem]
            is_common = spread > max(2, _MANY * ideas)
            kind = 1 if stem in self._nouns else _NO_NOUN
            score = tellers[stem] * kind * (_COMMON if is_common else 1)
            return (_is_light(stem), -score, stem not in label, is_common or spread == 1)

        chosen = sorted(tellers, key=rank)[:limit]
        telling = [stem for stem in chosen if not _is_light(stem)] or chosen[:1]
        forms = sorted(_form(stem, wordings) for stem in telling)
        return tuple(map(self._spelling.of, forms))


def told_hint(words: Sequence[str]) -> str:
    """“Key words: grades, Minnesota”."""
    if not words:
        return "An idea without a hint"
    return f"Key word{'s' if len(words) > 1 else ''}: {', '.join(words)}"


def _wordings(pyramid: Pyramid, scu: Scu) -> list[list[ContentWord]]:
    """The content words of each expert; of the label, where no expert tells the idea."""
    if scu.contributors:
        return [list(contributed_words(pyramid, contributor)) for contributor in scu.contributors]
    unit = scu.label_unit
    return [list(content_words(unit.text, unit.spans))]


def _spread(pyramid: Pyramid) -> Counter[str]:
    """How many ideas have a stem."""
    return Counter(
        stem
        for scu in pyramid.scus
        for stem in {stem for words in _wordings(pyramid, scu) for stem in _stems(words)}
    )


def _nouns(pyramid: Pyramid) -> frozenset[str]:
    labels = (scu.label_unit.text for scu in pyramid.scus)
    return nouns_of([*pyramid.references, *labels])


def _stems(words: Iterable[ContentWord]) -> list[str]:
    return [word.stem for word in words]


def _is_light(stem: str) -> bool:
    return stem in _LIGHT or any(letter.isdigit() for letter in stem)


def _form(stem: str, wordings: Sequence[Sequence[ContentWord]]) -> str:
    """In lower case: the form that is written most often; of several the shortest."""
    written = (word.word for words in wordings for word in words if word.stem == stem)
    forms = Counter(without_possessive(word).lower() for word in written)
    return min(forms, key=lambda form: (-forms[form], len(form), form))
