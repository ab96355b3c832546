"""What a sentence says: verbs and what they connect, and what is said without a verb."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from grading.pyramid.structures import Token

# A sentence's dependency tree, as the rules for triples ask for it: by the numbers of tokens.

Indices = tuple[int, ...]  # of tokens of one sentence, ascending

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass"))
_EDGES = frozenset(",.;:?!-\u2013\u2014\"'`()[]") | {"``", "''", "--", "-LRB-", "-RRB-", "..."}
_LINKS = frozenset(("and", "or", "but"))


class Tree:
    """Tokens with their children. A damaged parse (a circle) ends no rule in an endless loop."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self._children: list[list[int]] = [[] for _ in tokens]
        for token in tokens:
            if token.head != token.index:
                self._children[token.head].append(token.index)

    def children(self, index: int, *labels: str) -> list[int]:
        """What hangs directly on a token, by one of the labels if any are given."""
        below = self._children[index]
        return [each for each in below if self.tokens[each].dep in labels] if labels else below

    def below(
        self, top: int, leave_out: Callable[[int, int], bool] = lambda _parent, _child: False
    ) -> Indices:
        """A token and all that hangs on it; ``leave_out`` says which children are not followed."""
        reached: set[int] = set()
        waiting = [top]
        while waiting:
            index = waiting.pop()
            if index not in reached:
                reached.add(index)
                waiting += (c for c in self._children[index] if not leave_out(index, c))
        return tuple(sorted(reached))

    def is_verb(self, index: int) -> bool:
        token = self.tokens[index]
        return token.tag.startswith("VB") or (token.pos in {"VERB", "AUX"} and token.tag != "MD")

    def is_question_word(self, index: int) -> bool:
        """A word such as "who", "which" or "where" that stands for something else."""
        return self.tokens[index].tag in {"WDT", "WP", "WRB"}

    def trimmed(self, indices: Sequence[int]) -> Indices:
        """Without marks and linking words at either end."""
        start, end = 0, len(indices)
        while start < end and self._is_edge(indices[start]):
            start += 1
        while start < end and self._is_edge(indices[end - 1]):
            end -= 1
        return tuple(indices[start:end])

    def _is_edge(self, index: int) -> bool:
        text = self.tokens[index].text
        return text in _EDGES or text in _LINKS

    def phrase(self, head: int) -> Indices:
        """A phrase without relative clauses and appositions: those are triples of their own."""

        def leave_out(parent: int, child: int) -> bool:
            label = self.tokens[child].dep
            if label in {"advcl", "parataxis"}:
                return self.is_verb(child) and not self.is_verb(parent)
            return label in {"relcl", "appos"}

        return self.trimmed(self.below(head, leave_out))

    def antecedent(self, head: int, clause: int) -> Indices:
        """The phrase that a relative or participle clause is about: what stands before it."""

        def leave_out(parent: int, child: int) -> bool:
            follows = parent == head and child >= clause
            return follows or self.tokens[child].dep in {"relcl", "appos"}

        return self.trimmed(self.below(head, leave_out))

    def name(self, head: int) -> Indices:
        """A noun with its articles and adjectives, without all that follows or is joined to it."""
        after = {"appos", "relcl", "acl", "prep", "punct", "cc", "conj"}

        def leave_out(parent: int, child: int) -> bool:
            label = self.tokens[child].dep
            return label in {"relcl", "appos"} or (parent == head and label in after)

        return self.trimmed(self.below(head, leave_out))

    def conjuncts(self, head: int) -> list[int]:
        """The further items of a list, however they hang on each other."""
        items: list[int] = []
        waiting = self.children(head, "conj")
        while waiting:
            item = waiting.pop(0)
            if item not in items and item != head:
                items.append(item)
                waiting += self.children(item, "conj")
        return sorted(items)


# What is said without a verb: appositions, titles before a name, and where a named thing is.

_NOUNS = frozenset(("NOUN", "PROPN"))
_ALWAYS = frozenset(("in", "at"))
_WITH_COMMON_NOUN = frozenset(("of", "from", "by"))


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that is something; ``preposition`` is a token: "is *in* the north"."""

    kind: str
    subject: Indices
    preposition: int | None
    value: Indices


def statements(tree: Tree) -> Iterator[Statement]:
    """All of a sentence, from left to right."""
    for token in tree.tokens:
        for statement in (_apposition(tree, token), _title(tree, token), _place(tree, token)):
            if statement is not None and statement.subject and statement.value:
                yield statement


def _apposition(tree: Tree, token: Token) -> Statement | None:
    """The name is the subject, wherever it stands; of two common nouns neither is a name."""
    if token.dep != "appos" or token.pos not in _NOUNS:
        return None
    about = tree.tokens[token.head]
    if about.pos == "PROPN":
        value = tree.phrase(token.index)
        return Statement("apposition", tree.name(about.index), None, value)
    if about.pos == "NOUN" and token.pos == "PROPN":
        return Statement("apposition", tree.phrase(token.index), None, tree.name(about.index))
    return None


def _title(tree: Tree, token: Token) -> Statement | None:
    """As in "the investment banker Mary Hill"."""
    name = tree.tokens[token.head]
    if token.dep != "compound" or token.pos != "NOUN" or name.pos != "PROPN":
        return None
    between = range(token.index + 1, name.index + 1)
    subject = tuple(each for each in between if tree.tokens[each].pos == "PROPN")
    first = min(tree.below(name.index)[0], token.index)
    return Statement("title", subject, None, tuple(range(first, token.index + 1)))


def _place(tree: Tree, token: Token) -> Statement | None:
    """A preposition after a name: "Paris in the spring", "the Bank of a small town"."""
    if token.dep != "prep" or tree.tokens[token.head].pos != "PROPN":
        return None
    for noun in tree.children(token.index, "pobj"):
        common = tree.tokens[noun].pos == "NOUN"
        if token.lemma in _ALWAYS or (common and token.lemma in _WITH_COMMON_NOUN):
            value = tree.phrase(noun)
            return Statement("place", tree.name(token.head), token.index, value)
    return None


# Verbs and what they connect: one frame a verb, with its subject, predicate and objects.
#
# As ClausIE does it in principle (Del Corro and Gemulla 2013): a clause is found by its verb, and
# its arguments by the dependencies; here with rules of our own for who the subject of a verb is
# that has none (coordination, relative clauses, participles, infinitives).

_NO_CLAUSE = frozenset(
    ("aux", "auxpass", "amod", "compound", "nmod", "prep", "case", "mark", "poss", "nummod", "det")
)
_OBJECTS = frozenset((
    "dobj", "dative", "attr", "acomp", "oprd", "npadvmod", "agent", "prep", "advmod", "ccomp",
    "xcomp", "advcl", "pobj",
))  # fmt: skip
_REPORTING = frozenset((
    "say", "add", "tell", "report", "announce", "note", "claim", "argue", "believe", "think",
    "suggest", "state", "explain", "warn", "admit", "ask",
))  # fmt: skip
# Words that link sentences and say nothing themselves.
_LINKING = frozenset((
    "however", "moreover", "also", "therefore", "thus", "furthermore", "then", "so", "instead",
    "still", "meanwhile", "for example", "for instance", "in addition", "in fact", "of course",
    "as well", "too", "even", "only", "just", "indeed", "nevertheless", "hence", "besides",
    "otherwise",
))  # fmt: skip
_DEEPEST = 6  # governors that are asked for the subject
_LIST = 3  # items: from so many on each has a triple of its own


class Subject(StrEnum):
    """Where a verb has its subject from."""

    OWN = "own"
    SHARED = "shared with the verb that it is joined to"
    RELATIVE = "the noun that its relative clause is about"
    PARTICIPLE = "the noun that it follows as a participle or infinitive"
    GOVERNOR = "that of the verb that it depends on"
    EXPLETIVE = "there"


@dataclass(frozen=True, slots=True)
class Argument:
    """Words that belong to a verb, the label by which they hang on it, and their head."""

    words: Indices
    label: str
    head: int


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb with its subject and arguments, in the order of the sentence."""

    verb: int
    subject: Indices
    origin: Subject
    predicate: Indices
    arguments: tuple[Argument, ...]
    item_of_list: bool = False


def frames(tree: Tree) -> Iterator[Frame]:
    """All that verbs say in a sentence, from left to right."""
    for token in tree.tokens:
        if _may_have_frame(tree, token.index):
            frame = _frame(tree, token.index)
            if frame is not None and _says_something(tree, frame):
                yield from _items(tree, _with_adjective(tree, frame))


def _may_have_frame(tree: Tree, verb: int) -> bool:
    token = tree.tokens[verb]
    if not tree.is_verb(verb) or token.dep in _NO_CLAUSE:
        return False
    is_noun = token.dep in {"nsubj", "dobj", "pobj"} and token.tag in {"VBG", "VBN"}
    return not is_noun or bool(tree.children(verb, *SUBJECTS))


def _says_something(tree: Tree, frame: Frame) -> bool:
    """Whether a verb has an argument, or says something without: "it cannot be destroyed"."""
    if frame.arguments:
        return True
    finite = frame.origin in {Subject.OWN, Subject.SHARED, Subject.RELATIVE}
    return finite and tree.tokens[frame.verb].pos == "VERB"


def _frame(tree: Tree, verb: int) -> Frame | None:
    """What a verb says; None where nobody says it, or where another verb says it with this one."""
    subject_of_verb = _subject(tree, verb)
    if subject_of_verb is None or not subject_of_verb[0]:
        return None
    subject, origin = subject_of_verb
    chain, predicate = _chain(tree, verb)
    arguments = [
        argument
        for link in chain
        for child in tree.children(link)
        if child not in chain and (argument := _argument(tree, child, link, predicate)) is not None
    ]
    token = tree.tokens[verb]
    if token.dep == "relcl" and origin is Subject.OWN and not _is_about_place(tree, verb):
        arguments.append(Argument(tree.antecedent(token.head, verb), "relobj", token.head))
    ordered = sorted((a for a in arguments if a.words), key=lambda a: a.words[0])
    return Frame(verb, subject, origin, predicate, tuple(ordered))


# --- who does it ---


def _subject(tree: Tree, verb: int, depth: int = 0) -> tuple[Indices, Subject] | None:
    for child in tree.children(verb, *SUBJECTS):
        return _own_subject(tree, verb, child)
    for child in tree.children(verb, "expl"):
        return (child,), Subject.EXPLETIVE
    token = tree.tokens[verb]
    if token.head == verb or depth > _DEEPEST:
        return None
    if token.dep == "acl":
        return tree.antecedent(token.head, verb), Subject.PARTICIPLE
    origin = _borrowed_from(tree, verb)
    above = _subject(tree, token.head, depth + 1) if origin else None
    # Who is told to do something is no longer the subject: "asked them to come" stays whole.
    if origin is None or above is None or (token.dep == "xcomp" and depth == 0):
        return None
    return above[0], origin


def _borrowed_from(tree: Tree, verb: int) -> Subject | None:
    token = tree.tokens[verb]
    if not tree.is_verb(token.head):
        return None
    if token.dep == "conj":
        return Subject.SHARED
    return Subject.GOVERNOR if token.dep in {"advcl", "xcomp"} else None


def _own_subject(tree: Tree, verb: int, subject: int) -> tuple[Indices, Subject] | None:
    """The subject, or the noun that "who", "which" or "that" stands for."""
    token = tree.tokens[subject]
    clause = _first_conjunct(tree, verb)
    is_relative = tree.tokens[clause].dep == "relcl"
    if not tree.is_question_word(subject) and not (is_relative and token.lemma == "that"):
        return tree.phrase(subject), Subject.OWN
    if is_relative:
        return tree.phrase(tree.tokens[clause].head), Subject.RELATIVE
    if tree.tokens[verb].dep in {"ccomp", "csubj", "pcomp"}:
        return tree.phrase(subject), Subject.OWN
    return None


def _first_conjunct(tree: Tree, verb: int) -> int:
    for _ in range(_DEEPEST):
        if tree.tokens[verb].dep != "conj":
            break
        verb = tree.tokens[verb].head
    return verb


def _is_about_place(tree: Tree, verb: int) -> bool:
    """Whether a relative clause begins with "where" or "when", so that its noun is no object."""
    children = tree.children(verb)
    if any(tree.tokens[child].tag in {"WDT", "WP"} for child in children):
        return False
    return any(tree.tokens[child].tag == "WRB" for child in children)


# --- what is done ---


def _chain(tree: Tree, verb: int) -> tuple[list[int], Indices]:
    """Verbs that say one thing together ("began to learn", "is able to see"), and their words."""
    chain, words = [verb], set(_verb_group(tree, verb))
    words.update(_shared_auxiliaries(tree, verb, words))
    current = verb
    while True:
        following, bridge = _following_verb(tree, current)
        if following is None or following in chain:
            return chain, tuple(sorted(words))
        if bridge is not None:
            after = set(tree.below(following))
            words.update(each for each in tree.below(bridge) if each not in after)
            chain.append(bridge)
        words.update(_verb_group(tree, following))
        chain.append(following)
        current = following


def _following_verb(tree: Tree, verb: int) -> tuple[int | None, int | None]:
    """The infinitive that goes on, and the adjective between, where there is one."""
    for child in tree.children(verb, "xcomp"):
        objects = tree.children(verb, "dobj", "dative")
        if tree.is_verb(child) and not any(each < child for each in objects):
            return child, None
    for adjective in tree.children(verb, "acomp"):
        for child in tree.children(adjective, "xcomp"):
            if adjective > verb and tree.is_verb(child):
                return child, adjective
    return None, None


def _verb_group(tree: Tree, verb: int) -> list[int]:
    """The verb with auxiliaries, negation, particle and the adverbs among them."""
    words = [verb, *tree.children(verb, "aux", "auxpass", "neg", "prt")]
    first = min(words)
    for child in tree.children(verb, "advmod"):
        if tree.is_question_word(child):
            continue
        if first < child < verb or child == verb - 1:
            words += (
                each for each in tree.below(child) if first < each < verb or child == verb - 1
            )
        elif child == verb + 1 and not tree.children(child) and _precedes_preposition(tree, child):
            words.append(child)
    return words


def _precedes_preposition(tree: Tree, adverb: int) -> bool:
    """As in "relies heavily on"."""
    if adverb + 1 >= len(tree.tokens):
        return False
    following = tree.tokens[adverb + 1]
    return following.dep in {"prep", "agent"} and following.head == tree.tokens[adverb].head


def _shared_auxiliaries(tree: Tree, verb: int, words: set[int]) -> list[int]:
    """Those of the verb that this one is joined to: "was caught and *was* killed"."""
    token = tree.tokens[verb]
    own = any(tree.tokens[each].dep in {"aux", "auxpass"} for each in words)
    if token.dep != "conj" or own or token.tag not in {"VB", "VBN", "VBG"}:
        return []
    if tree.children(verb, *SUBJECTS):
        return []
    for _ in range(_DEEPEST):
        above = tree.tokens[token.head]
        if above.tag != token.tag:
            return []
        auxiliaries = tree.children(above.index, "aux", "auxpass")
        if auxiliaries or above.dep != "conj":
            return [each for each in auxiliaries if each < above.index]
        token = above
    return []


# --- with what ---


def _argument(tree: Tree, child: int, verb: int, predicate: Indices) -> Argument | None:
    label = tree.tokens[child].dep
    if label not in _OBJECTS or child in predicate or tree.is_question_word(child):
        return None
    if _says_nothing(tree, child) or _is_other_clause(tree, child, verb):
        return None
    words = tuple(each for each in tree.phrase(child) if each not in predicate)
    if label == "prep":
        relative = any(tree.tokens[each].tag in {"WDT", "WP"} for each in words)
        if relative or len(words) < 2:
            return None
    return Argument(words, label, child)


def _says_nothing(tree: Tree, child: int) -> bool:
    """Whether a word or a few only link sentences: "however", "for example"."""
    token = tree.tokens[child]
    if token.dep == "advmod":
        return token.lemma in _LINKING
    if token.dep != "prep":
        return False
    return " ".join(tree.tokens[each].text.lower() for each in tree.below(child)) in _LINKING


def _is_other_clause(tree: Tree, child: int, verb: int) -> bool:
    """Whether a clause below the verb is no argument, but said beside it.

    That are participles set off from it ("…, killing three"), and what stands before a verb as if
    it were reported, though the verb reports nothing.
    """
    token = tree.tokens[child]
    if token.dep == "advcl":
        finite = tree.children(child, "nsubj", "nsubjpass")
        return not finite and token.tag != "VB"
    before = token.dep == "ccomp" and child < verb
    return before and tree.tokens[verb].lemma not in _REPORTING


# --- finer cuts ---


def _with_adjective(tree: Tree, frame: Frame) -> Frame:
    """An adjective that wants a preposition goes with the verb: "is distinct from" something."""
    for number, argument in enumerate(frame.arguments):
        if argument.label == "acomp" and argument.words[0] > max(frame.predicate):
            hanging = [
                each
                for each in argument.words
                if tree.tokens[each].dep == "prep" and tree.tokens[each].head == argument.head
            ]
            if not hanging or hanging[0] == argument.words[-1]:
                return frame
            cut = argument.words.index(hanging[0]) + 1
            others = frame.arguments[:number], frame.arguments[number + 1 :]
            rest = Argument(argument.words[cut:], "pobj", hanging[0])
            predicate = tuple(sorted((*frame.predicate, *argument.words[:cut])))
            return replace(frame, predicate=predicate, arguments=(*others[0], rest, *others[1]))
    return frame


def _items(tree: Tree, frame: Frame) -> Iterator[Frame]:
    """The frame once for each item of a longer list among its arguments."""
    for number, argument in enumerate(frame.arguments):
        noun = next(iter(tree.children(argument.head, "pobj")), argument.head)
        others = tree.conjuncts(noun)
        if len(others) < _LIST - 1 or tree.tokens[noun].pos not in {"NOUN", "PROPN"}:
            continue
        for words in _words_of_items(tree, argument, others):
            shorter = Argument(words, argument.label, argument.head)
            arguments = (*frame.arguments[:number], shorter, *frame.arguments[number + 1 :])
            yield replace(frame, arguments=arguments, item_of_list=True)
        return
    yield frame


def _words_of_items(tree: Tree, argument: Argument, others: list[int]) -> Iterator[Indices]:
    """The first item with what is said before it; the others with the preposition before all."""
    inside = {each: set(tree.below(each)) for each in others}
    in_items = set().union(*inside.values())
    first = [e for e in argument.words if e not in in_items and tree.tokens[e].dep != "cc"]
    yield tree.trimmed(first)
    preposition = (argument.head,) if argument.label in {"prep", "agent"} else ()
    for item in others:
        nested = set().union(*(inside[each] for each in others if each in inside[item] - {item}))
        own = sorted(inside[item] - nested)
        words = tree.trimmed([each for each in own if tree.tokens[each].dep != "cc"])
        if words:
            yield (*preposition, *words)
