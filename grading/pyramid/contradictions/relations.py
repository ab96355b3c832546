"""What a sentence compares, who does what to whom in it, and what grows or falls."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from grading.pyramid.contradictions.clauses import SUBJECTS, Tree
from grading.pyramid.contradictions.denials import Signs
from grading.pyramid.contradictions.vocabulary import PRO_FORMS, SYMMETRIC

# What is compared by "than": a quality, and the two sides.

_THE_PAST = frozenset(("before", "ever", "previously", "usual"))  # no other side
_FAR = 8  # words between the quality and "than"
_CLAUSES = frozenset(("relcl", "advcl", "acl", "ccomp", "appos"))
_NAMING = ("NOUN", "PROPN", "ADJ", "NUM", "VERB")


@dataclass(frozen=True, slots=True)
class Comparison:
    """``left`` has more of the ``quality`` than ``right``; ``sign`` -1 denies it, 0 is open.

    ``degree`` is the word that compares ("more", "hotter", "less"), ``clause`` its verb.
    """

    quality: int
    degree: int
    clause: int
    left: frozenset[int]
    right: frozenset[int]
    sign: int

    def within(self, content: Collection[int]) -> "Comparison":
        """Only words that differ between the sides, and are among these."""
        left, right = self.left & frozenset(content), self.right & frozenset(content)
        return replace(self, left=left, right=right)


def comparisons_of(tree: Tree, signs: Signs) -> Iterator[Comparison]:
    """Comparisons of a sentence, in its order."""
    places = [
        place
        for place, word in enumerate(tree.words)
        if word in ("than", "as") and not _THE_PAST.intersection(tree.words[place + 1 : place + 2])
    ]
    for than in places:
        degree = _degree(tree, than)
        clause = None if degree is None else _clause(tree, degree, signs)
        predicate = None if clause is None else signs.predicate(clause)
        if degree is not None and clause is not None and predicate is not None:
            yield from _comparison(tree, than, degree, clause, predicate.sign)


def _comparison(tree: Tree, than: int, degree: int, clause: int, sign: int) -> Iterator[Comparison]:
    left, right = _sides(tree, than, clause)
    # The adjective or adverb after "more", "less" or "as", if there is one.
    head = tree.head(degree)
    follows = head > degree and tree.tokens[head].pos in ("ADJ", "ADV", "NOUN")
    quality = head if tree.words[degree] in ("more", "less", "fewer", "as") and follows else degree
    if tree.words[than] == "as":
        if sign >= 0:
            return  # "as hot as" says that neither has more
        left, right, sign = right, left, 1
    elif tree.words[degree] in ("less", "fewer") and quality != degree:
        left, right = right, left
    if left and right:
        yield Comparison(quality, degree, clause, left, right, sign)


def _clause(tree: Tree, degree: int, signs: Signs) -> int | None:
    """The verb of the clause that compares."""
    place = degree
    while signs.predicate(place) is None or tree.tokens[place].pos not in ("VERB", "AUX"):
        if tree.head(place) == place:
            return None if signs.predicate(place) is None else place
        place = tree.head(place)
    return place


def _degree(tree: Tree, than: int) -> int | None:
    """The word that compares, before "than"."""
    for place in range(than - 1, max(than - 1 - _FAR, -1), -1):
        if tree.words[than] == "as":
            if tree.words[place] == "as":
                return place
        elif tree.tokens[place].tag in ("JJR", "RBR"):
            return place
    return None


def _sides(tree: Tree, than: int, clause: int) -> tuple[frozenset[int], frozenset[int]]:
    """What differs between the sides."""
    right = _right(tree, than)
    left = _left(tree, clause, than)
    # "Rich neighbourhoods … poor ones": the noun is on both sides, so it tells nothing.
    if any(tree.words[place] in PRO_FORMS for place in right):
        left -= {place for place in left if tree.dep(place) in SUBJECTS}
    shared = {tree.lemma(place) for place in left} & {tree.lemma(place) for place in right}
    different = (
        frozenset(place for place in left if tree.lemma(place) not in shared),
        frozenset(place for place in right if tree.lemma(place) not in shared),
    )
    if all(any(tree.tokens[p].pos in _NAMING for p in side) for side in different):
        return different
    # "The land around a city … the city": what is compared are the heads.
    return frozenset(subjects_of(tree, clause)), frozenset(tree.children[than])


def _right(tree: Tree, than: int) -> frozenset[int]:
    head = tree.head(than)
    if tree.dep(than) in ("mark", "advmod") and head > than:
        subjects = list(tree.with_dep(head, SUBJECTS))
        roots = subjects or [head]
    else:
        roots = [child for child in tree.children[than] if child > than]
    return frozenset(p for root in roots for p in tree.subtree(root, _CLAUSES) if p > than)


def _left(tree: Tree, clause: int, than: int) -> frozenset[int]:
    """The subject, and what stands in the clause with a preposition before "than"."""
    subjects = list(subjects_of(tree, clause))
    if any(_is_pronoun(tree, subject) for subject in subjects) and tree.head(clause) != clause:
        subjects += subjects_of(tree, tree.head(clause))
    phrases = [child for child in tree.with_dep(clause, frozenset(("prep",))) if child < than]
    return frozenset(
        p for root in (*subjects, *phrases) for p in tree.subtree(root, _CLAUSES) if p < than
    )


def _is_pronoun(tree: Tree, noun: int) -> bool:
    """ "They", or "their streets": its noun is probably the subject of the clause above."""
    return tree.tokens[noun].pos == "PRON" or any(
        tree.tokens[child].tag == "PRP$" for child in tree.children[noun]
    )


def subjects_of(tree: Tree, clause: int) -> Iterator[int]:
    """The subject of a clause; where it has none, that of the clause it depends on."""
    place = clause
    while True:
        subjects = list(tree.with_dep(place, SUBJECTS))
        if subjects and tree.tokens[subjects[0]].tag in ("WDT", "WP"):
            yield tree.head(place)  # "soldiers who built"
            return
        if subjects or tree.head(place) == place or tree.dep(place) not in ("xcomp", "conj"):
            yield from subjects
            return
        place = tree.head(place)


# Who does what to whom: verbs with their agents and objects, active or passive.

_OBJECTS = frozenset(("dobj",))
_PREPOSITIONS = frozenset(("prep",))
_AGENT = frozenset(("agent",))
_PASSIVE = frozenset(("auxpass",))
_NOUNS = ("NOUN", "PROPN")
_WITH_NOUN = frozenset(("conj",))


@dataclass(frozen=True, slots=True)
class Relation:
    """The heads of the agents of a verb, and of its objects with or without a preposition."""

    verb: int
    agents: frozenset[int]
    objects: frozenset[int]


def relations_of(tree: Tree) -> Iterator[Relation]:
    """The relations of a sentence that have both sides, in its order."""
    for place, token in enumerate(tree.tokens):
        if token.pos != "VERB" or token.lemma in SYMMETRIC or token.lemma in _CHANGES:
            continue
        others = [
            noun
            for preposition in tree.with_dep(place, _PREPOSITIONS)
            for noun in tree.children[preposition]
        ]
        subjects = _nouns(tree, subjects_of(tree, place))
        if next(tree.with_dep(place, _PASSIVE), None) is not None:
            by = [noun for agent in tree.with_dep(place, _AGENT) for noun in tree.children[agent]]
            agents, objects = _nouns(tree, by), subjects | _nouns(tree, others)
        else:
            agents, objects = subjects, _nouns(tree, [*tree.with_dep(place, _OBJECTS), *others])
        if agents and objects:
            yield Relation(place, agents, objects)


def _nouns(tree: Tree, places: Iterable[int]) -> frozenset[int]:
    heads = list(places)
    heads += [other for place in heads for other in tree.with_dep(place, _WITH_NOUN)]
    return frozenset(place for place in heads if tree.tokens[place].pos in _NOUNS)


# Whether something becomes more or less, better or worse.

_WAYS = {
    ("amount", 1): (
        "big climb double enlarge exceed expand extend gain great grow growth high increase large"
        " lengthen long more multiply raise rise soar surge"
    ),
    ("amount", -1): (
        "cap collapse contract curb cut decline decrease diminish drop dwindle fall few halve"
        " less lessen limit lower plummet reduce reduction short shorten shrink small"
    ),
    ("worth", 1): "benefit better brighten help improve strengthen useful",
    ("worth", -1): (
        "aggravate damage destroy deteriorate harm hurt ruin suffer useless weaken worse worsen"
    ),
    ("being", 1): (
        "appear arise build construct create emerge flourish found establish increase"
        " multiply numerous prosper spread survive thrive grow"
    ),
    ("being", -1): (
        "abolish collapse decline demolish destroy die disappear eliminate eradicate extinct"
        " perish ruin vanish wither"
    ),
    ("having", 1): "keep preserve record regain retain save store remember",
    ("having", -1): "delete discard erase forget lose waste",
    ("stance", 1): (
        "admire applaud appreciate approve celebrate delighted eager enjoy enthusiastic glad happy"
        " love pleased praise respect trust want welcome like thankful grateful"
    ),
    ("stance", -1): (
        "afraid angry annoyed complain complaint complaints criticise criticize despise dislike"
        " fear furious hate mock object oppose protest rebel refuse reject resent revolt scorn"
        " unhappy upset worried worry"
    ),
    ("leave", 1): "allow enable permit legal allowed encourage",
    ("leave", -1): ("ban forbid forbidden illegal outlaw prevent prohibit block hinder impede"),
    ("will", 1): "advise ask command decree demand encourage order recommend require urge",
    ("will", -1): "ban discourage forbid prohibit warn",
    ("cause", 1): "cause provoke trigger",
    ("cause", -1): "cure heal prevent",
    ("variety", 1): "differ different diverse various vary",
    ("variety", -1): "identical same uniform",
    ("certainty", 1): "agree certain sure undisputed",
    ("certainty", -1): "contested debate debated dispute disputed doubtful uncertain unclear",
    ("place", 1): "remain stay",
    ("place", -1): "depart flee leave",
    ("cost", 1): "cheap cheaply inexpensive affordable bargain",
    ("cost", -1): "costly dear expensive",
    ("time", 1): "early earlier sooner",
    ("time", -1): "late later",
    ("speed", 1): "fast quick quickly rapid rapidly swift",
    ("speed", -1): "slow slowly sluggish",
    ("wet", 1): "flood flooded moist soaked wet",
    ("wet", -1): "arid drain dry",
    ("clean", 1): "clean cleanse pure purify",
    ("clean", -1): "contaminate contaminated dirty muddy pollute polluted",
    ("health", 1): "cure heal healthy recover",
    ("health", -1): "die ill sick sicken unhealthy",
    ("danger", 1): "dangerous endanger risky unsafe",
    ("danger", -1): "harmless safe",
    ("ease", 1): "easily easy effortless simple",
    ("ease", -1): "complicated difficult hard",
    ("wealth", 1): "prosperous rich wealthy",
    ("wealth", -1): "impoverish poor",
    ("frequency", 1): "common frequent frequently often usual usually",
    ("frequency", -1): "rare rarely scarce seldom uncommon",
    ("secrecy", 1): "clandestine illegally secret secretly covertly",
    ("secrecy", -1): "legally official officially openly publicly",
    ("temperature", 1): "hot warm",
    ("temperature", -1): "chill cold cool",
    ("success", 1): "manage succeed success successful",
    ("success", -1): "fail failure unsuccessful",
    ("waking", 1): "alert awake wake waken",
    ("waking", -1): "asleep sleepy",
    ("fullness", 1): "crowded full",
    ("fullness", -1): "desert deserted empty",
    ("supply", 1): "abundance abundant available plenteous plentiful surplus",
    ("supply", -1): "insufficient lack lacking missing rare scarce scarcity shortage unavailable",
    ("going", 1): "continue persist",
    ("going", -1): "abandon abolish cease discontinue quit stop withdraw",
    ("truth", 1): "correct true",
    ("truth", -1): "false untrue wrong",
}
WAYS: dict[str, tuple[tuple[str, int], ...]] = {}
for _way, _words in _WAYS.items():
    for _word in _words.split():
        WAYS[_word] = (*WAYS.get(_word, ()), _way)
# "Went up", "was held down".
_UP_OR_DOWN = {"up": 1, "down": -1}
_MOVING = frozenset(("bring", "drive", "force", "go", "hold", "keep", "push", "shoot"))
_GROWN = frozenset(("dobj", "nsubjpass", "agent"))
_HOLDING = frozenset(("contain", "hold", "include", "involve", "mean", "show"))
_CHANGES = _HOLDING | frozenset(word for word, ways in WAYS.items() if ways[0][0] == "amount")
_BY_COMPARATIVES = ("amount", "worth")
_COMPARATIVE = ("JJR", "RBR")
_DESCRIBING = ("ADJ", "ADV", "DET")
_HEADS = 2  # tokens above a word, of which it may say something
_OUTSIDE = frozenset(("relcl", "acl", "prep"))


@dataclass(frozen=True, slots=True)
class Direction:
    """A word for a change; ``way`` is 1 for more and better; it is said of the words ``about``."""

    place: int
    kind: str
    way: int
    about: frozenset[int]
    conditional: bool


def possible_ways(word: str, lemma: str) -> tuple[tuple[str, int], ...]:
    """The kinds of change that a word may name in some sentence, and their ways."""
    if word in _UP_OR_DOWN:
        return (("amount", _UP_OR_DOWN[word]),)
    return WAYS.get(word) or WAYS.get(lemma) or ()


def ways_of(tree: Tree, place: int) -> tuple[tuple[str, int], ...]:
    """The kinds of change and their ways; of amounts adjectives count only as comparatives."""
    token = tree.tokens[place]
    if tree.words[place] in _UP_OR_DOWN:
        verb = tree.head(place)
        moves = token.dep in ("prt", "advmod") and tree.lemma(verb) in _MOVING
        if next(tree.with_dep(verb, _PREPOSITIONS), None) is not None:
            return ()  # "roots go down to the water"
        return (("amount", _UP_OR_DOWN[tree.words[place]]),) if moves else ()
    if token.pos == "PROPN" or token.dep in ("pcomp", "compound"):
        return ()  # "by increasing the speed", "drop height"
    if _says_something_else(tree, place):
        return ()
    ways = WAYS.get(tree.words[place]) or WAYS.get(token.lemma) or ()
    if token.pos in _DESCRIBING and token.tag not in _COMPARATIVE:
        ways = tuple(way for way in ways if way[0] not in _BY_COMPARATIVES)
    return ways


def _says_something_else(tree: Tree, place: int) -> bool:
    """ "Fall asleep"; who grows potatoes makes nothing larger; what is left, remains."""
    if tree.words[place + 1 : place + 2] == ("asleep",) or tree.words[place] == "leaving":
        return True
    without = {"grow": _GROWN, "leave": _PASSIVE}.get(tree.lemma(place))
    return without is not None and next(tree.with_dep(place, without), None) is not None


def words_around(tree: Tree, place: int, clause: int) -> Iterator[int]:
    """What a word may be said of: what is above it, and the subject of its clause."""
    for _ in range(_HEADS):
        place = tree.head(place)
        yield place
    for subject in tree.with_dep(clause, SUBJECTS):
        yield from tree.subtree(subject, _OUTSIDE)


def words_moved(tree: Tree, place: int) -> Iterator[int]:
    """What goes "up" or "down": the objects of its verb."""
    if tree.words[place] in _UP_OR_DOWN:
        yield from tree.with_dep(tree.head(place), _OBJECTS)


def contrary_kinds(first: Mapping[str, set[int]], second: Mapping[str, set[int]]) -> frozenset[str]:
    """The kinds of change in which two sentences go clearly different ways."""
    return frozenset(
        kind
        for kind, ways in first.items()
        if len(ways) == 1 and second.get(kind) == {-way for way in ways}
    )
