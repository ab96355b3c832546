"""Topic words: what a missed idea is about, without what it says about it."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from grading.pyramid.encoders.words import words_of
from grading.pyramid.feedback.likely_ideas import ContentWord, content_words, contributed_words
from grading.pyramid.structures import Pyramid, Scu, Text

# Which words name things, told by the words beside them in some texts, without a parse.
#
# A parser would know better; but hints are made while a page is made, and web processes load none.
# What stands between “the” and a mark, or before “of”, is a noun; what stands after “to” or “they”,
# or before “the”, is none.

_DETERMINERS = frozenset(
    word
    for line in (
        "the a an this these those its their our your his her my no each every some any all both",
        "few of in on at by from with for into onto over under about through between among against",
        "during within without per",
    )
    for word in line.split()
)
_CLOSES = frozenset(
    word
    for line in ("and or of in on at by from with for", "is are was were has have had can")
    for word in line.split()
)
_BEFORE_VERBS = frozenset(
    word
    for line in (
        "to can could will would may might must shall should they it we he she i you that which",
        "who not do does did be been being is are was were am very too more most so as than",
    )
    for word in line.split()
)
_AFTER_VERBS = frozenset(
    word
    for line in ("the a an its their", "it them us him her this these those than")
    for word in line.split()
)
_NO_NOUNS = ("ed", "ly")
_APART = re.compile(r"[^\w\s'\u2019-]")


def nouns_of(texts: Iterable[Text]) -> frozenset[str]:
    """The stems that are nouns more often than not."""
    votes: Counter[str] = Counter()
    for text in texts:
        for stem, vote in _votes(text.content):
            votes[stem] += vote
    return frozenset(stem for stem, vote in votes.items() if vote > 0)


def _votes(content: str) -> Iterator[tuple[str, int]]:
    words = words_of(content)
    starts, ends, has_content = words.starts.tolist(), words.ends.tolist(), words.has_content
    written = [content[start:end].lower() for start, end in zip(starts, ends, strict=True)]
    for place, stem in enumerate(words.stems):
        if has_content[place]:
            first, last = place == 0, place == len(written) - 1
            gap_before = "." if first else content[ends[place - 1] : starts[place]]
            gap_after = "." if last else content[ends[place] : starts[place + 1]]
            before = "" if _APART.search(gap_before) else written[place - 1]
            after = "" if _APART.search(gap_after) else written[place + 1]
            if written[place].endswith(_NO_NOUNS):
                yield stem, -1
            else:
                yield stem, _vote(before, after, ends_there=not after or not has_content[place + 1])


def _vote(before: str, after: str, *, ends_there: bool) -> int:
    if before in _BEFORE_VERBS or after in _AFTER_VERBS:
        return -2
    if before in _DETERMINERS:
        return 2 if ends_there else -1
    return 1 if not after or after in _CLOSES else 0


# Capital letters: names keep theirs where a word is quoted alone; first words of sentences do not.
#
# What a word is in the middle of a sentence tells how it is written. Of a label only which words it
# has is looked at, never their order: a hint must not tell the order. There one capital may be that
# of the first word; where there are more, all are kept.

_POSSESSIVE = re.compile("['\u2019]s?$")
_INSIDE_A_SENTENCE = " \t,(\u2019'-"  # what may stand before a word there


def without_possessive(word: str) -> str:
    return _POSSESSIVE.sub("", word)


class Spelling:
    """Of one pyramid: its references, and the labels of ideas that no reference tells."""

    def __init__(self, pyramid: Pyramid) -> None:
        written: dict[str, Counter[str]] = defaultdict(Counter)
        for text in pyramid.references:
            for word, begins in _with_begins(text.content):
                if not begins or _has_inner_capital(word):
                    written[word.lower()][word] += 1
        for label in (scu.label for scu in pyramid.scus if not scu.contributors):
            for word in _of_label(label):
                written[word.lower()][word] += 1
        self._written = {lower: _most(forms) for lower, forms in written.items()}

    def of(self, lower: str) -> str:
        """A word in lower case as it is written most often."""
        return self._written.get(lower, lower)


def _with_begins(content: str) -> Iterator[tuple[str, bool]]:
    """Each word, and whether a sentence may begin with it."""
    words = words_of(content)
    end = 0
    for place, (start, stop) in enumerate(
        zip(words.starts.tolist(), words.ends.tolist(), strict=True)
    ):
        gap = content[end:start]
        word = without_possessive(content[start:stop])
        yield word, place == 0 or bool(gap.strip(_INSIDE_A_SENTENCE))
        end = stop


def _of_label(label: str) -> list[str]:
    words = [word for word, _ in _with_begins(label)]
    capitals = {word for word in words if word[0].isupper()}
    return [
        word
        for word in words
        if word not in capitals or len(capitals) > 1 or _has_inner_capital(word)
    ]


def _has_inner_capital(word: str) -> bool:
    """“DNA” is written so wherever it stands."""
    return any(letter.isupper() for letter in word[1:])


def _most(forms: Counter[str]) -> str:
    """Where two are written as often, the one in lower case."""
    return min(forms, key=lambda form: (-forms[form], form != form.lower(), form))


# Topic words: what a missed idea is about, without what it says about it.
#
# A hint is made of content words that most of the idea's experts use, names of things before other
# words, and words that the pyramid has elsewhere too before words that are this idea's own. It
# holds at most a third of the label's content words (two or three at most, one at least), so that
# it never is the label over again; numbers and words that say little on their own are left out.

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
    """Of one pyramid: what is the same for all of its ideas is calculated once."""

    def __init__(self, pyramid: Pyramid) -> None:
        self._pyramid = pyramid
        # How many ideas have a stem.
        self._spread = Counter(
            stem
            for scu in pyramid.scus
            for stem in {stem for words in _wordings(pyramid, scu) for stem in _stems(words)}
        )
        self._nouns = _nouns(pyramid)
        self._spelling = Spelling(pyramid)

    def words(self, scu: Scu, most: int = _MOST) -> tuple[str, ...]:
        """Alphabetical, names with capitals; none only where the idea has no content word."""
        wordings = _wordings(self._pyramid, scu)
        unit = scu.label_unit
        label = {word.stem for word in content_words(unit.text, unit.spans)}
        experts_by_stem = Counter(
            stem for words in wordings for stem in dict.fromkeys(_stems(words))
        )
        limit = max(1, min(most, len(label) // 2, max(_FEWEST, len(label) // 3)))
        ideas = len(self._pyramid.scus)

        def rank(stem: str) -> tuple[float, ...]:
            spread = self._spread[stem]
            is_common = spread > max(2, _MANY * ideas)
            kind = 1 if stem in self._nouns else _NO_NOUN
            score = experts_by_stem[stem] * kind * (_COMMON if is_common else 1)
            return (_is_light(stem), -score, stem not in label, is_common or spread == 1)

        chosen = sorted(experts_by_stem, key=rank)[:limit]
        heavy = [stem for stem in chosen if not _is_light(stem)] or chosen[:1]
        forms = sorted(_form(stem, wordings) for stem in heavy)
        return tuple(map(self._spelling.of, forms))


def hint_in_words(words: Sequence[str]) -> str:
    """“Key words: grades, Minnesota”."""
    if not words:
        return "An idea without a hint"
    return f"Key word{'s' if len(words) > 1 else ''}: {', '.join(words)}"


def _wordings(pyramid: Pyramid, scu: Scu) -> list[list[ContentWord]]:
    """The content words of each expert; of the label, where no expert expresses the idea."""
    if scu.contributors:
        return [list(contributed_words(pyramid, contributor)) for contributor in scu.contributors]
    unit = scu.label_unit
    return [list(content_words(unit.text, unit.spans))]


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
