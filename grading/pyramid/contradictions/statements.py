"""A sentence with all that is compared of it: content words, signs, comparisons, numbers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.contradictions.clauses import Tree
from grading.pyramid.contradictions.denials import Predicate, Signs
from grading.pyramid.contradictions.numbers import PLACES, Number, numbers_of, tokens_of
from grading.pyramid.contradictions.relations import (
    Comparison,
    Direction,
    Relation,
    comparisons_of,
    possible_ways,
    relations_of,
    subjects_of,
    ways_of,
    words_around,
    words_moved,
)
from grading.pyramid.contradictions.vocabulary import (
    DENIALS,
    EXCLUSIONS,
    FILLERS,
    LIGHT_VERBS,
    LOSING,
    OPPOSITE_PREPOSITIONS,
    OPPOSITES,
    PERMITTING,
    are_opposites,
)
from grading.pyramid.encoders.words import Words
from grading.pyramid.encoders.wtmf import stems
from grading.pyramid.structures import Sentence, Spans, Token

Vectors = NDArray[np.float32]
Cosines = NDArray[np.float64]

_CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "ADV"))
_NO_CONTENT = frozenset(("aux", "auxpass", "det", "neg", "expl", "mark", "cc", "predet", "preconj"))
_COMPARING = frozenset(("than", "as"))
_PARTICLE = frozenset(("prt",))
_OBJECT = frozenset(("dobj",))
_COUNTING = frozenset(
    ("half", "third", "quarter", "dozen", "hundred", "thousand", "million", "billion")
)
_EXAMPLE = frozenset(("e.g.", "e.g", "eg", "example", "instance"))
_COMPARATIVE = ("JJR", "RBR")
_DENYING_PREFIXES = ("un", "in", "im", "ir", "dis", "non")
_LONGEST = 200  # tokens; the parse of longer sentences says nothing, and may be very deep
_PREPOSITIONS = frozenset(OPPOSITE_PREPOSITIONS)
_MAY_DENY = DENIALS | {"free", "help"}  # "is free of tax", "cannot but help"
_LEAST_BASE = 4  # letters that are left of a word without its prefix


@dataclass(frozen=True, eq=False)
class Statement:
    """One sentence of a text with its parse.

    ``vectors`` has a row of length 1 for each token (zeros where the similarity has no word there);
    None where the similarity has no vectors. ``focus`` are the places of the tokens that belong to
    the contributor; of a student's sentence, all. What is compared is found when it is first
    needed, and kept.
    """

    tokens: tuple[Token, ...]
    vectors: Vectors | NDArray[np.float16] | None
    focus: frozenset[int]

    @cached_property
    def tree(self) -> Tree:
        return Tree.of(self.tokens)

    @cached_property
    def content(self) -> tuple[int, ...]:
        """Places of the words in focus that carry content."""
        return tuple(place for place in self._all_content if place in self.focus)

    @cached_property
    def stems(self) -> tuple[frozenset[str], ...]:
        """For each token the stems of its word and lemma; none for marks."""
        return tuple(
            frozenset() if token.is_punct else _stems(token.text, token.lemma)
            for token in self.tokens
        )

    @cached_property
    def by_stem(self) -> dict[str, list[int]]:
        """Positions in ``content`` by stem."""
        positions: dict[str, list[int]] = {}
        for position, place in enumerate(self.content):
            for stem in self.stems[place]:
                positions.setdefault(stem, []).append(position)
        return positions

    @cached_property
    def by_base(self) -> dict[str, list[int]]:
        """Positions in ``content`` of words that deny by a prefix or "-less", by what they deny."""
        positions: dict[str, list[int]] = {}
        for position, place in enumerate(self.content):
            for base in _denied_bases(self.tokens[place].lemma):
                positions.setdefault(base, []).append(position)
        return positions

    @cached_property
    def content_stems(self) -> frozenset[str]:
        return frozenset(self.by_stem)

    @cached_property
    def positions(self) -> dict[int, int]:
        """Positions in ``content`` by place."""
        return {place: position for position, place in enumerate(self.content)}

    @cached_property
    def opposites(self) -> frozenset[str]:
        """Stems of the opposites of the content words."""
        return frozenset().union(
            *[OPPOSITES[stem] for stem in self.by_stem.keys() & OPPOSITES.keys()]
        )

    @cached_property
    def content_vectors(self) -> Vectors | None:
        if self.vectors is None:
            return None
        return self.vectors[list(self.content)].astype(np.float32)

    @cached_property
    def known_cosines(self) -> dict["Statement", "Cosines | None"]:
        """Those with statements that this one was compared with."""
        return {}

    def predicate(self, place: int) -> Predicate | None:
        """The predicate at a place in focus; None where what denies it is outside the focus."""
        predicate = self._signs.predicate(place) if place in self.focus else None
        return predicate if predicate and self.focus.issuperset(predicate.operators) else None

    def quantity(self, place: int) -> int:
        """-1 for a noun in focus of which there are none or few, 1 for one with many."""
        return self._signs.quantity(place) if place in self.focus else 0

    @cached_property
    def clauses(self) -> dict[int, int]:
        """For each content word in focus the place of its clause."""
        return {place: self._signs.clause_above(place) for place in self.content}

    def clause(self, place: int) -> Predicate:
        """The predicate of a clause; open where the focus has not what denies it."""
        predicate = self._signs.of(place)
        return predicate if self.focus.issuperset(predicate.operators) else Predicate(0)

    def denied_words(self, clause: int) -> set[int]:
        """The content words that the denial of a clause bears on."""
        return {
            place
            for place in self._signs.bears_on(clause)
            if place in self.clauses
            and not (self.is_light(place) or self.tokens[place].lemma in PERMITTING)
        }

    @cached_property
    def excluded(self) -> frozenset[int]:
        """Content words that "without" or "instead of" leaves out of their clause."""
        if EXCLUSIONS.isdisjoint(self.tree.words):
            return frozenset()
        return frozenset(place for place in self.content if self._signs.is_excluded(place))

    @cached_property
    def signs_of_stem(self) -> dict[str, set[int]]:
        """The signs of the clauses in which a word occurs in the whole sentence."""
        signs = self._signs
        signs_of_stem: dict[str, set[int]] = {}
        for place in self._all_content:
            for stem in self.stems[place]:
                signs_of_stem.setdefault(stem, set()).add(signs.of(signs.clause_above(place)).sign)
        return signs_of_stem

    def is_ambiguous(self, place: int) -> bool:
        """Whether a word is in clauses of different signs: "if it sticks … if it does not"."""
        return any(len(self.signs_of_stem.get(stem, ())) > 1 for stem in self.stems[place])

    @cached_property
    def _signs(self) -> Signs:
        return Signs(self.tree)

    @cached_property
    def has_denial(self) -> bool:
        return bool(self.by_base or self.excluded) or self.denies

    @cached_property
    def denies(self) -> bool:
        """Whether something in focus is denied by a word such as "not", "never" or "no"."""
        if DENIALS.isdisjoint(self._words_and_lemmas):
            return False  # most sentences: nothing more has to be read of them
        predicates = map(self.predicate, self.focus)
        return any(predicate and predicate.sign < 0 for predicate in predicates) or any(
            self.quantity(place) < 0 for place in self.focus
        )

    @cached_property
    def denied(self) -> frozenset[int]:
        """Content words that are denied in any way, or excluded."""
        if self._denies_nothing and not self.excluded:
            return frozenset()
        return frozenset(place for place in self.content if self._is_denied(place))

    def _is_denied(self, place: int) -> bool:
        predicate = self.predicate(place)
        return (
            self.clause(self.clauses[place]).sign < 0
            or (predicate is not None and predicate.sign < 0)
            or place in self.excluded
            or self.quantity(place) < 0
        )

    @cached_property
    def _denies_nothing(self) -> bool:
        """Whether no word of the sentence can deny another; true of most sentences."""
        return _MAY_DENY.isdisjoint(self._words_and_lemmas)

    @cached_property
    def _words_and_lemmas(self) -> frozenset[str]:
        return frozenset(self.tree.words).union(token.lemma for token in self.tokens)

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        return tuple(
            relation
            for relation in relations_of(self.tree)
            if self.focus.issuperset((relation.verb, *relation.agents, *relation.objects))
        )

    def is_fragment(self, place: int) -> bool:
        """Whether a word is in a clause without a verb."""
        return self.tokens[self._signs.clause_above(place)].pos not in ("VERB", "AUX")

    def preposition(self, place: int) -> int:
        """The place of the preposition before a noun; 0 where it has none."""
        head = self.tree.head(place)
        is_after = self.tree.dep(place) in ("pobj", "pcomp") and self.tree.dep(head) == "prep"
        return head if is_after else 0

    @cached_property
    def prepositions(self) -> frozenset[str]:
        return _PREPOSITIONS.intersection(self.tree.words)

    def turns_round(self, other: "Statement") -> bool:
        """Whether the other has the opposite of a preposition."""
        return not self._opposite_prepositions.isdisjoint(other.prepositions)

    @cached_property
    def _opposite_prepositions(self) -> frozenset[str]:
        return frozenset(OPPOSITE_PREPOSITIONS[word] for word in self.prepositions)

    def has_object(self, verb: int) -> bool:
        """Whether a verb is active, and has an object without a preposition."""
        return next(self.tree.with_dep(verb, _OBJECT), None) is not None

    def subjects_of(self, place: int) -> Iterator[int]:
        """The subjects of the clause of a word."""
        return subjects_of(self.tree, self._signs.clause_above(place))

    @cached_property
    def agent_stems(self) -> frozenset[str]:
        return self._stems_of(relation.agents for relation in self.relations)

    @cached_property
    def object_stems(self) -> frozenset[str]:
        return self._stems_of(relation.objects for relation in self.relations)

    def _stems_of(self, groups: Iterable[Iterable[int]]) -> frozenset[str]:
        return frozenset(stem for group in groups for place in group for stem in self.stems[place])

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        if _COMPARING.isdisjoint(self.tree.words):
            return ()
        content = set(self.content)
        return tuple(
            comparison.within(content)
            for comparison in comparisons_of(self.tree, self._signs)
            if comparison.quality in self.focus
        )

    @cached_property
    def possible_ways(self) -> frozenset[tuple[str, int]]:
        """The ways that changes of each kind may go, whatever the words in focus say of them."""
        ways = {
            way
            for place in self.focus
            for way in possible_ways(self.tree.words[place], self.tokens[place].lemma)
        }
        if ways and not (self._denies_nothing and LOSING.isdisjoint(self._words_and_lemmas)):
            ways |= {(kind, -way) for kind, way in ways}
        return frozenset(ways)

    @cached_property
    def directions(self) -> tuple[Direction, ...]:
        """What becomes more or less, better or worse; nothing that is left open."""
        return tuple(self._directions()) if self.content else ()

    def _directions(self) -> Iterator[Direction]:
        for place in sorted(self.focus):
            if not possible_ways(self.tree.words[place], self.tokens[place].lemma):
                continue
            ways = ways_of(self.tree, place)
            if not ways or self.is_degree(place):
                continue
            clause = self._signs.clause_above(place)
            predicate = self.clause(clause)
            if predicate.sign < 0 and (predicate.limits or self._compares(clause)):
                continue  # "not until", "not as late as"
            describes = self.tokens[place].dep == "amod"
            if describes and predicate.sign < 0:
                continue  # "no objections to the late start" says nothing of early ones
            if describes:
                around = {self.tree.head(place)}
            else:
                around = {*words_around(self.tree, place, clause), *self._beside.get(place, ())}
                around.update(words_moved(self.tree, place))
            about = frozenset(
                word for word in around & set(self.content) if not ways_of(self.tree, word)
            )
            if predicate.sign and about:
                verb = self.tree.lemma(self.tree.head(place))
                is_lost = self.tokens[place].dep in _OBJECT and verb in LOSING
                sign = -predicate.sign if is_lost else predicate.sign
                for kind, way in ways:
                    yield Direction(place, kind, way * sign, about, predicate.conditional)

    def _compares(self, clause: int) -> bool:
        """Whether something in the clause is "as late as" something."""
        return any(self.tree.has_child(child, _COMPARING) for child in self.tree.children[clause])

    @cached_property
    def contrary_ways(self) -> frozenset[tuple[str, int]]:
        """The other way of each kind in which all changes go the same way."""
        return frozenset((kind, -min(ways)) for kind, ways in self.ways.items() if len(ways) == 1)

    @cached_property
    def ways(self) -> dict[str, set[int]]:
        """The ways that each kind of change goes."""
        ways: dict[str, set[int]] = {}
        for direction in self.directions:
            ways.setdefault(direction.kind, set()).add(direction.way)
        return ways

    def is_degree(self, place: int) -> bool:
        """Whether a word is what a comparison compares."""
        return any(
            place in (comparison.degree, comparison.quality) for comparison in self.comparisons
        )

    @cached_property
    def degrees(self) -> tuple[int, ...]:
        """Comparatives that say how something becomes or is, without "than"."""
        compared = {comparison.degree for comparison in self.comparisons}
        return tuple(
            place
            for place in self.content
            if self.tokens[place].tag in _COMPARATIVE
            and place not in compared
            and self.predicate(place)
        )

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        is_example = not _EXAMPLE.isdisjoint(self.tree.words)
        if is_example or not any(_may_count(self.tokens[place]) for place in self.focus):
            return ()
        return tuple(numbers_of(tokens_of(self.quoted(self.focus))))

    def stems_beside(self, said: str) -> frozenset[str]:
        """The stems of content words in the clauses of the first word that is quoted."""
        first = said.split(maxsplit=1)[0]
        clauses = {
            self._signs.clause_above(place)
            for place in self.focus
            if self.tokens[place].text.startswith(first)
        }
        places = (place for place in self.content if self.clauses[place] in clauses)
        return frozenset(stem for place in places for stem in self.stems[place])

    @cached_property
    def near(self) -> dict[int, frozenset[int]]:
        """For each content word in focus those within two steps over content words of the tree."""
        beside = self._beside
        focus = frozenset(self.content)
        return {
            place: frozenset().union(
                beside[place], *(beside[neighbour] for neighbour in beside[place])
            )
            & focus - {place}
            for place in self.content
        }

    def quoted(self, places: Iterable[int]) -> str:
        """The words at the places, as they are written; an ellipsis where words are left out."""
        words = ""
        before = -1
        for place in sorted(places):
            token = self.tokens[place]
            if before >= 0 and place > before + 1:
                words += " … "
            elif before >= 0 and token.start > self.tokens[before].end:
                words += " "
            words += token.text
            before = place
        return words

    def is_light(self, place: int) -> bool:
        """Whether a verb says little by itself; "give off" says more than "give"."""
        return self.tokens[place].lemma in LIGHT_VERBS and not self.particle(place)

    def particle(self, place: int) -> str:
        """The "off" of "give off"."""
        tree = self.tree
        return next((tree.words[child] for child in tree.with_dep(place, _PARTICLE)), "")

    @cached_property
    def _all_content(self) -> tuple[int, ...]:
        if len(self.tokens) > _LONGEST:
            return ()
        return tuple(place for place, token in enumerate(self.tokens) if _is_content(token))

    @cached_property
    def _beside(self) -> dict[int, set[int]]:
        """Neighbours in the tree, where words without content are no steps."""
        content = set(self._all_content)
        beside: dict[int, set[int]] = {place: set() for place in content}
        through: dict[int, set[int]] = {}  # content around connected words without content
        tops: dict[int, int] = {}
        for place in self.tree.downwards():
            head = self.tokens[place].head
            if place in content:
                if head in content and head != place:
                    beside[head].add(place)
                    beside[place].add(head)
                elif head != place:
                    through[tops[head]].add(place)
                continue
            tops[place] = place if head == place or head in content else tops[head]
            around = through.setdefault(tops[place], set())
            if head in content:
                around.add(head)
        for around in through.values():
            for place in around:
                beside[place] |= around - {place}
        return beside


def statement_of(sentence: Sentence, words: Words | None, spans: Spans) -> Statement:
    """A sentence as it was parsed; ``words`` are those of its whole text, ``spans`` its focus."""
    tokens = sentence.tokens
    focus = frozenset(
        place
        for span in spans
        for place, token in enumerate(tokens)
        if span.start < token.end and token.start < span.end
    )
    vectors = None
    if words is not None and words.vectors.shape[1] and tokens:
        vectors = _vectors(tokens, words)
    return Statement(tokens, vectors, focus)


def _vectors(tokens: tuple[Token, ...], words: Words) -> NDArray[np.float16]:
    starts = np.array([token.start for token in tokens])
    ends = np.array([token.end for token in tokens])
    owners = np.maximum(np.searchsorted(words.starts, ends, side="left") - 1, 0)
    rows = words.vectors[owners].astype(np.float16, copy=False)
    rows[(words.ends[owners] <= starts) | (words.starts[owners] >= ends)] = 0
    return rows


def _is_content(token: Token) -> bool:
    if token.is_punct or token.pos not in _CONTENT or token.dep in _NO_CONTENT:
        return False
    return token.lemma not in FILLERS and token.text.lower() not in FILLERS


def _may_count(token: Token) -> bool:
    return (
        token.pos == "NUM"
        or token.tag == "CD"
        or any(map(str.isdigit, token.text))
        or token.lemma in _COUNTING
        or token.text.lower() in PLACES
    )


@lru_cache(maxsize=1 << 14)
def _stems(word: str, lemma: str) -> frozenset[str]:
    return frozenset(" ".join(stems(form)) for form in (word, lemma))


@lru_cache(maxsize=1 << 14)
def _denied_bases(lemma: str) -> tuple[str, ...]:
    bases = [
        lemma[len(prefix) :]
        for prefix in _DENYING_PREFIXES
        if lemma.startswith(prefix) and len(lemma) - len(prefix) >= _LEAST_BASE
    ]
    if lemma.endswith("less") and len(lemma) - 4 >= _LEAST_BASE - 1:
        bases += [lemma[:-4], f"{lemma[:-4]}ful"]
    return tuple(dict.fromkeys(" ".join(stems(base)) for base in bases))


# Content words of two statements put side by side, one to one.

SIMILAR = 0.52  # the least cosine of words that are aligned
SAME = 0.68  # the least cosine of predicates that say the same
_STEM = 2.0  # what the same stem counts, beside a cosine
_OPPOSITE = 1.5  # what opposites count
_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """A word of the experts with one of the text, by their places in their sentences.

    ``sign`` is -1 where one of them denies the other ("sufficient", "insufficient").
    """

    expert: int
    text: int
    likeness: float  # their cosine, more where they have the same stem
    same_stem: bool
    sign: int = 1
    opposite: bool = False

    @property
    def says_the_same(self) -> bool:
        return not self.opposite and self.likeness >= SAME


def align(expert: Statement, text: Statement) -> dict[int, Pair]:
    """The pairs by the place of the expert's word; the most similar words come first."""
    pairs: dict[int, Pair] = {}
    taken: set[int] = set()
    for option in sorted(_options(expert, text)):
        first, second = expert.content[option.expert], text.content[option.text]
        if first in pairs or second in taken:
            continue
        taken.add(second)
        same = option.likeness <= -_STEM
        opposite = not same and are_opposites(expert.stems[first], text.stems[second])
        pairs[first] = Pair(first, second, -option.likeness, same, option.sign, opposite)
    return pairs


class _Option(NamedTuple):
    likeness: float  # negative: the most similar comes first
    expert: int  # positions in the content
    text: int
    sign: int


def _options(expert: Statement, text: Statement) -> Iterator[_Option]:
    cosines = cosines_of(expert, text)
    if cosines is not None:
        rows, columns = np.nonzero(cosines >= SIMILAR)
        close = cosines[rows, columns].tolist()
        for row, column, cosine in zip(rows.tolist(), columns.tolist(), close, strict=True):
            yield _Option(-cosine, row, column, 1)
    for (row, column), sign in _same_stems(expert, text):
        cosine = 0.0 if cosines is None else float(cosines[row, column])
        yield _Option(-_STEM - cosine, row, column, sign)
    for stem in expert.by_stem.keys() & OPPOSITES.keys():
        for other in OPPOSITES[stem] & text.by_stem.keys():
            for row, column in product(expert.by_stem[stem], text.by_stem[other]):
                yield _Option(-_OPPOSITE, row, column, 1)


def cosines_of(expert: Statement, text: Statement) -> Cosines | None:
    """Of the content words of both; None where one side has no vectors."""
    if expert not in text.known_cosines:
        text.known_cosines[expert] = _cosines(expert, text)
    return text.known_cosines[expert]


def _cosines(expert: Statement, text: Statement) -> Cosines | None:
    rows, columns = expert.content_vectors, text.content_vectors
    if rows is None or columns is None or not len(rows) or not len(columns):
        return None
    return (rows @ columns.T).astype(np.float64).round(_DECIMALS)


def _same_stems(expert: Statement, text: Statement) -> Iterator[tuple[tuple[int, int], int]]:
    """Positions of words with the same stem, or of which one denies the other by a prefix."""
    for first, second, sign in (
        (expert.by_stem, text.by_stem, 1),
        (expert.by_base, text.by_stem, -1),
        (expert.by_stem, text.by_base, -1),
    ):
        for stem in first.keys() & second.keys():
            for pair in product(first[stem], second[stem]):
                yield pair, sign
