"""Sentences to Basic Elements (Hovy, Lin and Zhou 2005, section 3.2, BE-F) on spaCy's parse.

A Basic Element is the head of a phrase (noun, verb, adjective, adverb), or a head with one
modifier and their relation: ``bombing | lockerbie | nn``. The cutting rules are those that the
paper tells of BE-F, which read Minipar's trees:

- a preposition is the relation of what follows it: ``indicted | bombing | for``;
- compounds and verbal idioms that the lexicon has are one word: ``turned over``;
- the subject of a passive is its object, and its agent its subject;
- a subject or object that is only implied is made explicit: that of an infinitive, of a participle,
  of a further verb, and what a relative pronoun stands for;
- the verb of a ``that`` clause is a modifier of the verb that governs it (``comp1``).

What the paper leaves open, chosen as Minipar has it: a predicate is the modifier of *be* (``pred``)
and the head of its subject ("the landing was safe": ``safe | landing | subj``); words that "and"
joins are related (``conj``), and each of them stands in the relation of the first. A numeral is
``nn``, as in the paper's example; articles and auxiliaries are no modifiers, as in all of its
examples; a denial is one (``neg``).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grading.pyramid.basic_elements.lexicon import Lexicon
from grading.pyramid.parsing import ParsedSentence
from grading.pyramid.structures import Span, Spans, Token

_PLAIN = {
    "amod": "mod", "advmod": "mod", "npadvmod": "mod", "quantmod": "mod", "neg": "neg",
    "nummod": "nn", "compound": "nn", "nmod": "nn", "poss": "gen", "appos": "appo",
    "dobj": "obj", "dative": "obj2", "oprd": "pred", "attr": "pred", "acomp": "pred",
    "nsubj": "subj", "csubj": "subj", "nsubjpass": "obj", "csubjpass": "obj", "ccomp": "comp1",
    "xcomp": "comp1",
}  # fmt: skip
_SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass")
_PREPOSITIONS = ("prep", "agent", "dative")
_PREDICATES = ("attr", "acomp")
_RELATIVE_TAGS = ("WDT", "WP", "WP$")
_HEADS = ("NOUN", "PROPN", "VERB", "ADJ", "ADV")
_WHEN_AND_WHERE = "WRB"
_MOST_STEPS = 100  # up a tree: no sentence is deeper

_Relation = tuple[Token, Token, str]  # governor, modifier, relation


@dataclass(frozen=True, slots=True)
class Word:
    """A node of the tree: one word, or several that the lexicon has as one."""

    form: str  # in small letters
    lemma: str
    pos: str
    spans: Spans


@dataclass(frozen=True, slots=True)
class Pair:
    """A head, its modifier, and how they are related."""

    head: Word
    modifier: Word
    relation: str


@dataclass(frozen=True, slots=True)
class BasicElements:
    """Those of a sentence, in the order of the heads, or of the modifiers."""

    heads: tuple[Word, ...]
    pairs: tuple[Pair, ...]


def break_sentence(sentence: ParsedSentence, lexicon: Lexicon) -> BasicElements:
    """The Basic Elements of a sentence; a pair is listed once for each place of its words."""
    tree = _Tree(sentence.tokens, lexicon)
    heads = (token for token in tree.tokens if tree.is_head(token))
    pairs_by_place: dict[tuple[int, int, str], Pair] = {}
    for governor, modifier, relation in tree.relations():
        head, other = tree.word(governor), tree.word(modifier)
        if head != other:
            pairs_by_place[modifier.index, governor.index, relation] = Pair(head, other, relation)
    return BasicElements(
        tuple(tree.word(token) for token in heads),
        tuple(pairs_by_place[key] for key in sorted(pairs_by_place)),
    )


class _Tree:
    """A sentence's tokens with their children, and with joined words as one."""

    def __init__(self, tokens: Sequence[Token], lexicon: Lexicon) -> None:
        self.tokens = tokens
        self._children: list[list[Token]] = [[] for _ in tokens]
        for token in tokens:
            if token.head != token.index:
                self._children[token.head].append(token)
        self._joined = self._join(lexicon)  # the index of a part: that of the word it belongs to
        self._parts: dict[int, list[Token]] = {}
        for part, whole in sorted(self._joined.items()):
            self._parts.setdefault(whole, []).append(tokens[part])

    def children(self, token: Token, *deps: str) -> list[Token]:
        """Those of any of these dependencies, in the order of the text."""
        return [child for child in self._children[token.index] if child.dep in deps]

    def child(self, token: Token, *deps: str) -> Token | None:
        return next(iter(self.children(token, *deps)), None)

    def head(self, token: Token) -> Token:
        return self.tokens[token.head]

    # --- words ---

    def _join(self, lexicon: Lexicon) -> dict[int, int]:
        """Verbs with their particles; compounds that stand side by side and are in the lexicon."""
        joined: dict[int, int] = {}
        for token in self.tokens:
            for particle in self.children(token, "prt"):
                joined[particle.index] = token.index
            compounds = self.children(token, "compound")
            before = [compound for compound in compounds if compound.index < token.index]
            for start in range(len(before)):
                parts = before[start:]
                are_side_by_side = all(
                    part.index + 1 == other.index for part, other in pairwise([*parts, token])
                )
                if are_side_by_side and lexicon.has_compound([*parts, token]):
                    joined |= {part.index: token.index for part in parts}
                    break
        return joined

    def word(self, token: Token) -> Word:
        """The node of a token, with its particles and the rest of its compound."""
        parts = sorted([*self._parts.get(token.index, ()), token], key=lambda part: part.index)
        return Word(
            form=" ".join(part.text.lower() for part in parts),
            lemma=" ".join(_lemma(part) for part in parts),
            pos=token.pos,
            spans=_touching(parts),
        )

    def is_head(self, token: Token) -> bool:
        """Of a noun, verb, adjective or adverb phrase; what modifies a noun as a noun is none."""
        return (
            token.pos in _HEADS
            and token.index not in self._joined
            and token.dep not in {"compound", "nmod"}
            and token.tag != _WHEN_AND_WHERE
        )

    # --- relations ---

    def relations(self) -> Iterator[_Relation]:
        """All, and for each those of the words that are joined to the modifier by “and”."""
        for token in self.tokens:
            if token.index in self._joined:
                continue
            for governor, modifier, relation in self._of(token):
                if modifier.index not in self._joined and governor.index not in self._joined:
                    for each in [modifier, *self._conjuncts(modifier)]:
                        yield governor, each, relation
            if token.dep == "conj" and token.pos != "ADP":
                yield self.head(token), token, "conj"

    def _of(self, token: Token) -> Iterator[_Relation]:
        """What a token has to do with its governor, explicitly or not."""
        if token.dep in _PREPOSITIONS and self.child(token, "pobj", "pcomp", "prep"):
            yield from self._of_preposition(token)
        elif token.dep in _PLAIN:
            yield from self._of_plain(token)
        rules: dict[str, Callable[[Token], Iterator[_Relation]]] = {
            "relcl": self._of_relative_clause,
            "acl": self._of_participle,
            "advcl": self._of_adverbial_clause,
            "xcomp": self._of_infinitive,
            "conj": self._of_conjunct,
            "det": self._of_denying_article,
        }
        if token.dep in rules:
            yield from rules[token.dep](token)

    def _of_plain(self, token: Token) -> Iterator[_Relation]:
        governor, relation = self.head(token), _PLAIN[token.dep]
        if token.tag == _WHEN_AND_WHERE:
            return
        if relation == "pred":
            yield governor, token, relation
            return
        yield self._core(governor), self._resolved(token), relation

    def _of_preposition(self, token: Token) -> Iterator[_Relation]:
        governor = self.head(token)
        if governor.dep in _PREPOSITIONS and self.child(governor, "prep") == token:
            return  # "out of": read from "out"
        relation, inner = token.text.lower(), token
        for _ in range(_MOST_STEPS):
            further = self.child(inner, "prep") if not self.child(inner, "pobj", "pcomp") else None
            if further is None:
                break
            relation, inner = f"{relation} {further.text.lower()}", further
        if token.dep == "agent":
            relation = "subj"
        for complement in self.children(inner, "pobj", "pcomp"):
            yield self._core(governor), self._resolved(complement), relation

    def _of_relative_clause(self, verb: Token) -> Iterator[_Relation]:
        """Without a pronoun the noun is the object, unless there is one, or a place or time."""
        noun = self.head(verb)
        if any(self._antecedent(token) == noun for token in self._below(verb)):
            return
        is_place = any(child.tag == _WHEN_AND_WHERE for child in self._children[verb.index])
        if is_place or self.child(verb, "dobj", *_PREDICATES):
            yield noun, self._core(verb), "rel"
        else:
            yield verb, noun, "obj"

    def _of_participle(self, verb: Token) -> Iterator[_Relation]:
        noun = self.head(verb)
        if verb.tag == "VBG":
            yield verb, noun, "subj"
        elif verb.tag == "VBN":
            yield verb, noun, "obj"
        else:
            yield noun, self._core(verb), "comp1"

    def _of_adverbial_clause(self, verb: Token) -> Iterator[_Relation]:
        governor = self._core(self.head(verb))
        mark = self.child(verb, "mark")
        adverb = next((o for o in self.children(verb, "advmod") if o.tag == _WHEN_AND_WHERE), None)
        infinitive = next(
            (child for child in self.children(verb, "aux") if child.tag == "TO"), None
        )
        marker = mark or adverb or infinitive
        yield governor, self._core(verb), marker.text.lower() if marker else "mod"
        yield from self._with_subject_of(verb, self.head(verb))

    def _of_infinitive(self, verb: Token) -> Iterator[_Relation]:
        """What is asked to do something does it; else whoever wants to."""
        governor = self.head(verb)
        asked = self.child(governor, "dobj")
        if self.child(verb, *_SUBJECTS):
            return
        if asked and asked.index < verb.index:
            yield self._core(verb), self._resolved(asked), self._subject_relation(verb)
        elif governor.lemma != "be":  # "it is easy to see": nobody is named who sees
            yield from self._with_subject_of(verb, governor)

    def _of_conjunct(self, token: Token) -> Iterator[_Relation]:
        """A further verb or predicate shares the subject, a further preposition the governor."""
        first = self.head(token)
        if token.pos in {"VERB", "AUX"}:
            yield from self._with_subject_of(token, first)
        elif first.dep in _PREDICATES and self._core(self.head(first)) == first:
            yield from self._with_subject_of(token, self.head(first))
        elif token.pos == "ADP":
            governor = self.head(self.head(token))
            for complement in self.children(token, "pobj", "pcomp"):
                yield self._core(governor), self._core(complement), token.text.lower()

    def _of_denying_article(self, article: Token) -> Iterator[_Relation]:
        if article.text.lower() == "no":
            yield self.head(article), article, "neg"

    def _with_subject_of(self, verb: Token, other: Token) -> Iterator[_Relation]:
        """The verb with the subject of the other verb, if it has none of its own."""
        if self.child(verb, *_SUBJECTS, "expl"):
            return
        for _ in range(_MOST_STEPS):
            subject = self.child(other, *_SUBJECTS)
            if subject is not None:
                yield self._core(verb), self._resolved(subject), self._subject_relation(verb)
                return
            if other.dep not in {"conj", "xcomp", "advcl"} or other.head == other.index:
                return
            other = self.head(other)

    def _subject_relation(self, verb: Token) -> str:
        """The subject of a passive is its object, also where “and” leaves out the auxiliary."""
        first = self.head(verb) if verb.dep == "conj" and verb.tag == "VBN" else verb
        own = self.child(verb, "aux", "auxpass")
        passive = self.child(first if own is None else verb, "auxpass")
        return "obj" if passive is not None else "subj"

    def _resolved(self, token: Token) -> Token:
        """What a relative pronoun stands for, and the predicate of “be”."""
        return self._core(self._antecedent(token) or token)

    def _core(self, token: Token) -> Token:
        """The predicate of a form of “be”, else the token itself."""
        if token.lemma != "be" or token.pos not in {"AUX", "VERB"}:
            return token
        return self.child(token, *_PREDICATES) or token

    def _conjuncts(self, token: Token) -> list[Token]:
        """The further words of “a, b and c”: each hangs on the one before it, or on the first."""
        conjuncts: list[Token] = []
        waiting = [token]
        while waiting:
            further = [
                child for child in self.children(waiting.pop(), "conj") if child.pos != "ADP"
            ]
            conjuncts += further
            waiting += further
        return conjuncts

    def _antecedent(self, token: Token) -> Token | None:
        """The noun that a pronoun of a relative clause stands for; None for other words."""
        if token.tag not in _RELATIVE_TAGS:
            return None
        for _ in range(_MOST_STEPS):
            if token.dep == "relcl":
                return self.head(token)
            if token.head == token.index or token.dep in {"ccomp", "advcl"}:
                return None
            token = self.head(token)
        return None

    def _below(self, token: Token) -> Iterator[Token]:
        waiting = list(self._children[token.index])
        while waiting:
            child = waiting.pop()
            yield child
            waiting += self._children[child.index]


def _lemma(token: Token) -> str:
    """The parser's, but plurals of names are singular too ("Libyans", "Atoms" in a heading)."""
    lemma = token.lemma.lower()
    if token.tag == "NNPS" and lemma.endswith("s") and not lemma.endswith(("ss", "us", "is")):
        return lemma[:-3] + "y" if lemma.endswith("ies") else lemma[:-1]
    return lemma


def _touching(parts: Sequence[Token]) -> Spans:
    """A span for each run of parts that stand side by side."""
    spans: list[Span] = []
    before = -2
    for part in parts:
        if part.index == before + 1:
            spans[-1] = Span(spans[-1].start, part.end)
        else:
            spans.append(Span(part.start, part.end))
        before = part.index
    return tuple(spans)
